//! The `.tar.gz`, and the tar that the npm and Debian packages are made of.

use std::borrow::Cow;
use std::io::Write as _;

use flate2::{Compression, GzBuilder};
use tar::{Builder, EntryType, Header};

use super::{Package, Release};

/// A file to be packed.
pub(super) struct Entry<'a> {
    pub(super) path: String,
    pub(super) bytes: Cow<'a, [u8]>,
    pub(super) is_program: bool,
}

impl<'a> Entry<'a> {
    pub(super) fn text(path: impl Into<String>, bytes: impl Into<Cow<'a, [u8]>>) -> Self {
        Self {
            path: path.into(),
            bytes: bytes.into(),
            is_program: false,
        }
    }

    pub(super) fn program(path: impl Into<String>, bytes: impl Into<Cow<'a, [u8]>>) -> Self {
        Self {
            is_program: true,
            ..Self::text(path, bytes)
        }
    }

    pub(super) fn mode(&self) -> u32 {
        match self.is_program {
            true => 0o755,
            false => 0o644,
        }
    }
}

/// `mem-<version>-<triple>.tar.gz`: one folder with the binary and its papers.
pub(super) fn archive(release: &Release) -> anyhow::Result<Package> {
    let name = release.platform.archive_name(release.version);
    let program = format!("{name}/{}", release.platform.program());
    let mut entries = vec![Entry::program(program, &release.binary)];
    for (file, bytes) in &release.documents {
        entries.push(Entry::text(format!("{name}/{file}"), bytes));
    }
    for (file, bytes) in &release.completions {
        entries.push(Entry::text(format!("{name}/completions/{file}"), bytes));
    }
    for (file, bytes) in &release.man_pages {
        entries.push(Entry::text(format!("{name}/man/{file}"), bytes));
    }
    Ok(Package {
        bytes: tar_gz(&entries, release.time)?,
        file_name: format!("{name}.tar.gz"),
    })
}

/// The files of a package for a Linux distribution below a root: those that all of them have in one place, and `more`.
pub(super) fn installed<'a>(
    release: &'a Release,
    root: &str,
    zsh: &str,
    more: Vec<Entry<'a>>,
) -> anyhow::Result<Vec<Entry<'a>>> {
    let program = Entry::program(format!("{root}/usr/bin/mem"), &release.binary);
    let share = format!("{root}/usr/share");
    let completions = [
        ("bash-completion/completions/mem", "mem.bash"),
        ("fish/vendor_completions.d/mem.fish", "mem.fish"),
        (zsh, "_mem"),
    ];
    let completions = completions
        .map(|(path, name)| Entry::text(format!("{share}/{path}"), release.completion(name)));
    let mut entries: Vec<_> = [program]
        .into_iter()
        .chain(completions)
        .chain(more)
        .collect();
    for (name, text) in &release.man_pages {
        entries.push(Entry::text(
            format!("{share}/man/man1/{name}.gz"),
            gzip(text)?,
        ));
    }
    Ok(entries)
}

/// A compressed tar with a directory entry for each folder, as dpkg wants them; everything is root's.
pub(super) fn tar_gz(entries: &[Entry<'_>], time: u64) -> anyhow::Result<Vec<u8>> {
    let mut tar = Builder::new(Vec::new());
    let mut folders: Vec<&str> = entries
        .iter()
        .flat_map(|entry| {
            entry
                .path
                .match_indices('/')
                .map(|(at, _)| &entry.path[..=at])
        })
        .filter(|folder| *folder != "./")
        .collect();
    folders.sort_unstable();
    folders.dedup();
    for folder in folders {
        let mut header = header(EntryType::Directory, 0o755, 0, time);
        tar.append_data(&mut header, folder, std::io::empty())?;
    }
    for entry in entries {
        let mut header = header(
            EntryType::Regular,
            entry.mode(),
            entry.bytes.len() as u64,
            time,
        );
        tar.append_data(&mut header, &entry.path, &*entry.bytes)?;
    }
    gzip(&tar.into_inner()?)
}

fn header(kind: EntryType, mode: u32, size: u64, time: u64) -> Header {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_mode(mode);
    header.set_size(size);
    header.set_mtime(time);
    header.set_uid(0);
    header.set_gid(0);
    header
}

/// Compressed, without a time and a name in the header.
pub(super) fn gzip(bytes: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut encoder = GzBuilder::new().write(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}
