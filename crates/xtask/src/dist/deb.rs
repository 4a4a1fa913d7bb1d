//! The Debian package: an `ar` of a version, the control files and the data (deb(5)).

use ar::{Builder, Header};

use super::archive::{Entry, gzip, installed, tar_gz};
use super::{PACKAGE, Package, Release, SUMMARY};

pub(super) fn deb(release: &Release) -> anyhow::Result<Package> {
    let arch = match release.platform.arch {
        "aarch64" => "arm64",
        _ => "amd64",
    };
    let about = format!("./usr/share/doc/{PACKAGE}");
    let changelog = gzip(release.document("CHANGELOG.md"))?;
    let more = vec![
        Entry::text(format!("{about}/changelog.gz"), changelog),
        Entry::text(
            format!("{about}/copyright"),
            copyright(release).into_bytes(),
        ),
    ];
    let entries = installed(release, ".", "zsh/vendor-completions/_mem", more)?;
    let bytes: usize = entries.iter().map(|entry| entry.bytes.len()).sum();
    let control = format!(
        "Package: {PACKAGE}\nVersion: {}\nArchitecture: {arch}\nMaintainer: the contributors of mem\n\
         Installed-Size: {}\nDepends: libc6 (>= 2.17)\nRecommends: git\nSection: devel\nPriority: optional\n\
         Description: {SUMMARY}\n",
        release.version,
        bytes.div_ceil(1024)
    );
    let control = [Entry::text("./control", control.as_bytes())];
    let control = tar_gz(&control, release.time)?;
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
