//! A text that is to be gone, where attached stores have it: texts that gave way stand here alone and are
//! cleaned; a copy has what the server has, and is named.

use std::fs;

use anyhow::Result;
use mem_core::{Now, state_file};
use mem_stores::StorePath;

use super::book::{Attachment, Book};
use super::copy::Copy;

/// What stands where the text stood.
const REDACTED: &[u8] = b"[redacted]";

/// Where a text stands.
#[derive(Debug, Default)]
pub(crate) struct Traces {
    /// Texts that gave way and have it, or had it.
    pub aside: usize,
    /// Memories that have it.
    pub memories: Vec<(Attachment, StorePath)>,
}

/// Looks for a text in all that is attached.
///
/// # Errors
/// The system refuses.
pub(crate) fn find(book: &Book, text: &str, now: Now) -> Result<Traces> {
    let mut traces = Traces::default();
    for attachment in book.all().0 {
        let copy = Copy::of(&attachment, book);
        for file in aside(&copy)? {
            traces.aside += usize::from(cleaned(&fs::read(file)?, text).is_some());
        }
        let locked = copy.lock(now)?;
        for path in locked.paths()? {
            let is_in_name = path.as_str().contains(text);
            let bytes = locked.read(&path)?.unwrap_or_default();
            if is_in_name || cleaned(&bytes, text).is_some() {
                traces.memories.push((attachment.clone(), path));
            }
        }
    }
    Ok(traces)
}

/// Takes a text out of all texts that gave way.
///
/// # Errors
/// The system refuses.
pub(crate) fn clean(book: &Book, text: &str, now: Now) -> Result<()> {
    for attachment in book.all().0 {
        let copy = Copy::of(&attachment, book);
        let _locked = copy.lock(now)?;
        for file in aside(&copy)? {
            if let Some(new) = cleaned(&fs::read(&file)?, text) {
                state_file::write(&file, &new)?;
            }
        }
    }
    Ok(())
}

/// The files of all texts that gave way, also of those that nothing is told of any more.
fn aside(copy: &Copy) -> Result<Vec<std::path::PathBuf>> {
    let entries = match fs::read_dir(copy.place.aside()) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            files.push(entry.path());
        }
    }
    Ok(files)
}

/// The bytes without the text; `None` where they do not have it.
fn cleaned(bytes: &[u8], text: &str) -> Option<Vec<u8>> {
    let text = text.as_bytes();
    let mut rest = bytes;
    let mut new = Vec::new();
    while let Some(at) = rest.windows(text.len()).position(|window| window == text) {
        let (before, after) = rest.split_at(at);
        new.extend_from_slice(before);
        new.extend_from_slice(REDACTED);
        rest = after.get(text.len()..).unwrap_or_default();
    }
    if rest.len() == bytes.len() {
        return None;
    }
    new.extend_from_slice(rest);
    Some(new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_occurrence_goes_and_nothing_else() {
        let clean = |bytes: &[u8]| cleaned(bytes, "value");
        assert_eq!(clean(b"a valu"), None);
        let new = clean(b"value\xff valuevalue.").unwrap();
        assert_eq!(new, b"[redacted]\xff [redacted][redacted].");
    }
}
