//! The RPM package.

use ::rpm::{BuildConfig, CompressionType, Dependency, FileOptions, PackageBuilder};

use super::archive::{Entry, installed};
use super::{PACKAGE, Package, Release, SUMMARY};

pub(super) fn rpm(release: &Release) -> anyhow::Result<Package> {
    let licences = ["LICENSE-MIT", "LICENSE-APACHE"].map(|name| {
        let path = format!("/usr/share/licenses/{PACKAGE}/{name}");
        Entry::text(path, release.document(name))
    });
    let entries = installed(release, "", "zsh/site-functions/_mem", licences.into())?;
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
        rpm.with_file_contents(&*entry.bytes, options)?;
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
