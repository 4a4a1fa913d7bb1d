//! The RPM package.

use ::rpm::{BuildConfig, CompressionType, Dependency, FileOptions, PackageBuilder};

use super::archive::{Entry, gzip};
use super::{PACKAGE, Package, Release, SUMMARY};

pub(super) fn rpm(release: &Release) -> anyhow::Result<Package> {
    let man_pages: Vec<(String, Vec<u8>)> = release
        .man_pages
        .iter()
        .map(|(name, text)| Ok((format!("/usr/share/man/man1/{name}.gz"), gzip(text)?)))
        .collect::<anyhow::Result<_>>()?;
    let licences = format!("/usr/share/licenses/{PACKAGE}");
    let mut entries = vec![
        Entry::program("/usr/bin/mem", &release.binary),
        Entry::text(
            "/usr/share/bash-completion/completions/mem",
            release.completion("mem.bash"),
        ),
        Entry::text(
            "/usr/share/fish/vendor_completions.d/mem.fish",
            release.completion("mem.fish"),
        ),
        Entry::text(
            "/usr/share/zsh/site-functions/_mem",
            release.completion("_mem"),
        ),
        Entry::text(
            format!("{licences}/LICENSE-MIT"),
            release.document("LICENSE-MIT"),
        ),
        Entry::text(
            format!("{licences}/LICENSE-APACHE"),
            release.document("LICENSE-APACHE"),
        ),
    ];
    for (path, text) in &man_pages {
        entries.push(Entry::text(path, text));
    }
    let time = u32::try_from(release.time)?;
    let mut rpm = PackageBuilder::new(
        PACKAGE,
        release.version,
        "MIT OR Apache-2.0",
        release.platform.arch,
        SUMMARY,
    );
    rpm.using_config(
        BuildConfig::v4()
            .compression(CompressionType::Gzip)
            .source_date(time),
    );
    rpm.requires(Dependency::greater_eq("glibc", "2.17"));
    rpm.recommends(Dependency::any("git"));
    for entry in &entries {
        let options = FileOptions::new(&*entry.path).permissions(entry.mode().try_into()?);
        rpm.with_file_contents(entry.bytes, options)?;
    }
    let mut bytes = Vec::new();
    rpm.build()?.write(&mut bytes)?;
    Ok(Package {
        file_name: format!(
            "{PACKAGE}-{}-1.{}.rpm",
            release.version, release.platform.arch
        ),
        bytes,
    })
}
