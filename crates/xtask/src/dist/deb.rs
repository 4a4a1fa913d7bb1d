//! The Debian package: an `ar` of a version, the control files and the data (deb(5)).

use ar::{Builder, Header};

use super::archive::{Entry, gzip, tar_gz};
use super::{PACKAGE, Package, Release, SUMMARY};

pub(super) fn deb(release: &Release) -> anyhow::Result<Package> {
    let arch = match release.platform.arch {
        "aarch64" => "arm64",
        _ => "amd64",
    };
    let man_pages: Vec<(String, Vec<u8>)> = release
        .man_pages
        .iter()
        .map(|(name, text)| Ok((format!("./usr/share/man/man1/{name}.gz"), gzip(text)?)))
        .collect::<anyhow::Result<_>>()?;
    let changelog = gzip(release.document("CHANGELOG.md"))?;
    let copyright = copyright(release);
    let about = format!("./usr/share/doc/{PACKAGE}");
    let mut entries = vec![
        Entry::program("./usr/bin/mem", &release.binary),
        Entry::text(
            "./usr/share/bash-completion/completions/mem",
            release.completion("mem.bash"),
        ),
        Entry::text(
            "./usr/share/fish/vendor_completions.d/mem.fish",
            release.completion("mem.fish"),
        ),
        Entry::text(
            "./usr/share/zsh/vendor-completions/_mem",
            release.completion("_mem"),
        ),
        Entry::text(format!("{about}/changelog.gz"), &changelog),
        Entry::text(format!("{about}/copyright"), copyright.as_bytes()),
    ];
    for (path, text) in &man_pages {
        entries.push(Entry::text(path, text));
    }
    let bytes: usize = entries.iter().map(|entry| entry.bytes.len()).sum();
    let control = format!(
        "Package: {PACKAGE}\nVersion: {}\nArchitecture: {arch}\nMaintainer: the contributors of mem\n\
         Installed-Size: {}\nDepends: libc6 (>= 2.17)\nRecommends: git\nSection: devel\nPriority: optional\n\
         Description: {SUMMARY}\n",
        release.version,
        bytes.div_ceil(1024)
    );
    let control = tar_gz(
        &[Entry::text("./control", control.as_bytes())],
        release.time,
    )?;
    let data = tar_gz(&entries, release.time)?;
    let mut deb = Builder::new(Vec::new());
    for (name, bytes) in [
        ("debian-binary", &b"2.0\n"[..]),
        ("control.tar.gz", &control),
        ("data.tar.gz", &data),
    ] {
        let mut header = Header::new(name.into(), bytes.len() as u64);
        header.set_mode(0o100_644);
        header.set_mtime(release.time);
        deb.append(&header, bytes)?;
    }
    Ok(Package {
        bytes: deb.into_inner()?,
        file_name: format!("{PACKAGE}_{}_{arch}.deb", release.version),
    })
}

fn copyright(release: &Release) -> String {
    let licence = String::from_utf8_lossy(release.document("LICENSE-MIT"));
    format!(
        "{PACKAGE} is licensed as MIT or Apache-2.0, at your choice.\n\n{licence}\nApache-2.0: /usr/share/common-licenses/Apache-2.0\n"
    )
}
