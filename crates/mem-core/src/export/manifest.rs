//! The facts of an export as JSON: beside the files of a directory, or with them in one document.
//!
//! `{"format":"mem-export","version":1,"exported":TIME,"files":[{"scope","file","id",
//! "content_time","sha256","size_bytes"}]}`; in a document each file has its content too, as
//! `"text"` where it is UTF-8, else as `"base64"`. Keys may be added; these stay.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Export, ExportedFile};
use crate::Now;
use crate::history::Sha256;
use crate::limits::FILES_READ_MAX;

/// The name of the manifest in the directory of an export.
pub const MANIFEST_FILE: &str = "mem-export.json";
/// What a document calls itself.
const FORMAT: &str = "mem-export";
/// The version that is written and read.
const VERSION: u32 = 1;

/// All facts of an export.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ExportManifest {
    format: String,
    version: u32,
    exported: Option<Timestamp>,
    pub(crate) files: Vec<ManifestFile>,
}

/// The facts of one file. Words are checked by whoever acts on them.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ManifestFile {
    pub(crate) scope: String,
    pub(crate) file: String,
    #[serde(default)]
    pub(crate) id: Option<String>,
    #[serde(default)]
    pub(crate) content_time: Option<Timestamp>,
    pub(crate) sha256: Sha256,
    #[serde(default)]
    pub(crate) size_bytes: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) base64: Option<String>,
}

/// Why bytes are no manifest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unreadable {
    /// Not JSON of this shape. What stands there is not quoted: it may be anybody's file.
    #[error("it is no JSON of an export (line {line}, column {column})")]
    Shape { line: usize, column: usize },
    #[error("its format is not `mem-export`")]
    Format,
    #[error("its version is {0}, and this mem reads version {VERSION}")]
    Version(u32),
    #[error("it lists more than {FILES_READ_MAX} files")]
    TooMany,
}

impl ExportManifest {
    /// Reads a manifest or a document.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, Unreadable> {
        #[derive(Deserialize)]
        struct ManifestHead {
            format: String,
            version: u32,
        }
        let shape = |error: &serde_json::Error| Unreadable::Shape {
            line: error.line(),
            column: error.column(),
        };
        // The head alone first: a later version may well have another shape.
        let head: ManifestHead = serde_json::from_slice(bytes).map_err(|error| shape(&error))?;
        if head.format != FORMAT {
            return Err(Unreadable::Format);
        }
        if head.version != VERSION {
            return Err(Unreadable::Version(head.version));
        }
        let manifest: Self = serde_json::from_slice(bytes).map_err(|error| shape(&error))?;
        if manifest.files.len() > FILES_READ_MAX {
            return Err(Unreadable::TooMany);
        }
        Ok(manifest)
    }

    /// The manifest of an export.
    pub(super) fn for_export(export: &Export, now: Now, with_contents: bool) -> Self {
        let entry = |file: &ExportedFile| {
            let mut entry = facts(file);
            if with_contents {
                match std::str::from_utf8(&file.bytes) {
                    Ok(text) => entry.text = Some(text.to_owned()),
                    Err(_) => entry.base64 = Some(STANDARD.encode(&file.bytes)),
                }
            }
            entry
        };
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            exported: Some(now.0),
            files: export.files.iter().map(entry).collect(),
        }
    }
}

fn facts(file: &ExportedFile) -> ManifestFile {
    ManifestFile {
        scope: file.scope.as_str().to_owned(),
        file: file.file.to_string(),
        id: Some(file.id.to_string()),
        content_time: file.content_time,
        sha256: Sha256::digest(&file.bytes),
        size_bytes: file.bytes.len() as u64,
        text: None,
        base64: None,
    }
}

/// An export as one JSON document.
pub fn document(export: &Export, now: Now) -> impl Serialize {
    ExportManifest::for_export(export, now, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_export_is_told_apart() {
        let parse = |text: &str| ExportManifest::parse(text.as_bytes()).unwrap_err();
        assert_eq!(parse(r#"{"format":"x","version":1}"#), Unreadable::Format);
        let newer = r#"{"format":"mem-export","version":2,"files":{}}"#;
        assert_eq!(parse(newer), Unreadable::Version(2));
        let key = format!("{} {}", "BEGIN PRIVATE", "KEY abc");
        assert!(!parse(&format!("\"{key}\"")).to_string().contains("abc"));
        let deep = "[".repeat(100_000);
        assert!(matches!(parse(&deep), Unreadable::Shape { .. }));
        let odd = r#"{"format":"mem-export","version":1,"files":[{"file":1}]}"#;
        assert!(matches!(parse(odd), Unreadable::Shape { .. }));
    }
}
