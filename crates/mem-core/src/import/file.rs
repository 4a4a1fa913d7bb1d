//! A path that a person names: an export, a directory, or one Markdown file.

use std::path::Path;

use super::bounded::{self, BoundedText};
use super::{
    ImportError, ImportItem, ImportRequest, ItemContent, SourceContents, directory, document,
};
use crate::limits::{HISTORY_FILE_BYTES_MAX, IMPORT_BYTES_MAX};
use crate::notes::{ARCHIVE_FILE, INDEX_FILE};
use crate::{MemoryPath, Scope};

/// Reads what stands at a path. A symbolic link that was named is followed.
pub(super) fn gather(
    path: &Path,
    request: &ImportRequest<'_>,
) -> Result<SourceContents, ImportError> {
    let fail = |source| ImportError::Read {
        path: path.to_owned(),
        source,
    };
    let meta = path.metadata().map_err(fail)?;
    if meta.is_dir() {
        return match document::gather_directory(path, request)? {
            Some(gathered) => Ok(gathered),
            None => directory::gather(path, request),
        };
    }
    let extension = path.extension().and_then(|ending| ending.to_str());
    let gone = || fail(std::io::ErrorKind::NotFound.into());
    match extension.map(str::to_ascii_lowercase).as_deref() {
        Some("json") => {
            let text = bounded::read(path, IMPORT_BYTES_MAX)?.ok_or_else(gone)?;
            document::gather(&text.bytes, &path.display().to_string(), request)
        }
        Some("md" | "markdown") => {
            let text = bounded::read(path, HISTORY_FILE_BYTES_MAX)?.ok_or_else(gone)?;
            note(path, text, request)
        }
        _ => Err(ImportError::Unknown(path.to_owned())),
    }
}

/// One file under its own name, or under one that a memory can have.
fn note(
    path: &Path,
    text: BoundedText,
    request: &ImportRequest<'_>,
) -> Result<SourceContents, ImportError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if name == INDEX_FILE || name == ARCHIVE_FILE {
        return Err(ImportError::IndexAlone(path.to_owned()));
    }
    let stem = Path::new(&*name)
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy();
    let plain = stem.trim_start_matches('.');
    let item = ImportItem {
        origin: path.display().to_string(),
        content: ItemContent::File {
            file: MemoryPath::parse(&format!("{plain}.md"))?,
            bytes: text.bytes,
        },
        id: None,
        content_time: text.modified,
    };
    let mut gathered = SourceContents::default();
    gathered.push(request.scope.unwrap_or(Scope::Private), true, vec![item]);
    Ok(gathered)
}
