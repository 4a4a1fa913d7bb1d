//! The line of an index that points to a note which came back.

use super::erase::{is_index, line_naming};
use super::error::StoreError;
use super::write_transaction::WriteTransaction;
use crate::MemoryPath;

/// Makes the index point to a file again, with the last line that ever did. Returns the index if
/// it was changed.
pub(super) fn ensure(
    draft: &mut WriteTransaction<'_>,
    file: &MemoryPath,
) -> Result<Option<MemoryPath>, StoreError> {
    let Some(index) = index_of(file) else {
        return Ok(None);
    };
    let mut bytes = draft.read(&index)?.unwrap_or_default();
    if line_naming(&index, &bytes, file.as_str()).is_some() {
        return Ok(None);
    }
    let Some(line) = last_line(draft, &index, file)? else {
        return Ok(None);
    };
    if !bytes.is_empty() && !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    bytes.extend_from_slice(&line);
    draft.put(&index, bytes)?;
    Ok(Some(index))
}

/// The index that lists a file; `None` for files that none lists.
fn index_of(file: &MemoryPath) -> Option<MemoryPath> {
    let name = file.as_str();
    if is_index(name) || name.starts_with("logs/") {
        return None;
    }
    let index = if name.starts_with("team/") {
        "team/MEMORY.md"
    } else {
        "MEMORY.md"
    };
    MemoryPath::parse(index).ok()
}

/// The newest line in the index's past that names the file, ended as the others are.
fn last_line(
    draft: &WriteTransaction<'_>,
    index: &MemoryPath,
    file: &MemoryPath,
) -> Result<Option<Vec<u8>>, StoreError> {
    let history = draft.history();
    for entry in history.of_path(index.as_str())? {
        let bytes = history.content(entry.sequence, index)?.unwrap_or_default();
        if let Some(line) = line_naming(index, &bytes, file.as_str()) {
            let mut line = line.to_vec();
            if !line.ends_with(b"\n") {
                line.push(b'\n');
            }
            return Ok(Some(line));
        }
    }
    Ok(None)
}
