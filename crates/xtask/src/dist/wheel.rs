//! The Python wheel: the binary as a script, nothing of Python
//! (<https://packaging.python.org/en/latest/specifications/binary-distribution-format/>).

use std::io::{Cursor, Write as _};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::archive::Entry;
use super::{PACKAGE, Package, Release, SUMMARY};

/// Runs for `pip install`, `pipx` and `uvx`.
pub(super) fn wheel(release: &Release) -> anyhow::Result<Package> {
    let name = PACKAGE.replace('-', "_");
    let version = release.version;
    let tag = release.platform.wheel_tag();
    let (data, info) = (
        format!("{name}-{version}.data"),
        format!("{name}-{version}.dist-info"),
    );
    let about = format!(
        "Wheel-Version: 1.0\nGenerator: mem {version}\nRoot-Is-Purelib: false\n{}",
        tag_lines(&tag)
    );
    let mut entries = vec![Entry::program(
        format!("{data}/scripts/{}", release.platform.program()),
        &release.binary,
    )];
    for (page, bytes) in &release.man_pages {
        let path = format!("{data}/data/share/man/man1/{page}");
        entries.push(Entry::text(path, bytes));
    }
    entries.push(Entry::text(
        format!("{info}/METADATA"),
        metadata(release).into_bytes(),
    ));
    entries.push(Entry::text(format!("{info}/WHEEL"), about.into_bytes()));
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        let text = release.document(licence);
        entries.push(Entry::text(format!("{info}/licenses/{licence}"), text));
    }
    let record = record(&entries, &info);
    entries.push(Entry::text(format!("{info}/RECORD"), record.into_bytes()));
    Ok(Package {
        bytes: zipped(&entries)?,
        file_name: format!("{name}-{version}-{tag}.whl"),
    })
}

fn metadata(release: &Release) -> String {
    let readme = String::from_utf8_lossy(release.document("README.md"));
    format!(
        "Metadata-Version: 2.4\nName: {PACKAGE}\nVersion: {}\nSummary: {SUMMARY}\n\
         License-Expression: MIT OR Apache-2.0\nLicense-File: LICENSE-MIT\nLicense-File: LICENSE-APACHE\n\
         Keywords: agents,memory,claude,mcp,git\nRequires-Python: >=3.8\n\
         Description-Content-Type: text/markdown\n\n{readme}",
        release.version
    )
}

/// One line for each platform tag of a compressed set.
fn tag_lines(tag: &str) -> String {
    let (before, platforms) = tag.rsplit_once('-').unwrap_or(("", tag));
    let lines = platforms.split('.');
    lines
        .map(|platform| format!("Tag: {before}-{platform}\n"))
        .collect()
}

/// `path,sha256=<url-safe base64>,bytes` for each file but the record itself.
fn record(entries: &[Entry<'_>], info: &str) -> String {
    let line = |entry: &Entry<'_>| {
        let sum = URL_SAFE_NO_PAD.encode(Sha256::digest(&entry.bytes));
        format!("{},sha256={sum},{}\n", entry.path, entry.bytes.len())
    };
    let lines: String = entries.iter().map(line).collect();
    format!("{lines}{info}/RECORD,,\n")
}

fn zipped(entries: &[Entry<'_>]) -> anyhow::Result<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for entry in entries {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(9))
            .last_modified_time(DateTime::default())
            .unix_permissions(entry.mode());
        zip.start_file(&*entry.path, options)?;
        zip.write_all(&entry.bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}
