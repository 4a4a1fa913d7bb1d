//! A text that is to be gone, where attached stores have it: texts that gave way stand here alone and are cleaned, with
//! their names and all that is remembered of them; a copy has what the server has, and is named.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use mem_core::regular_file::if_there;
use mem_core::spellings::TextSpellings;
use mem_core::store::without_text;
use mem_core::{Now, regular_file, state_file};

use super::attachment_file::{Attachment, AttachmentFile};
use super::copy::{LockedCopy, OfflineCopy};
use super::error::CopyError;
use super::state::{ConflictCopy, CopyStatus};

/// What stands where the text stood.
const REDACTED: &str = "[redacted]";
/// What stands in a name of a file where the text stood.
const REDACTED_NAME: &str = "redacted";
/// A shorter piece of a text, at the end of a name that was cut off, tells nothing of it.
const PIECE_MIN: usize = 4;

/// Where a text stands.
#[derive(Debug, Default)]
pub struct TextTraces {
    /// Texts that gave way and have it, or had it, in themselves or in their names.
    pub aside: usize,
    /// Memories that have it, by their paths.
    pub memories: Vec<(Attachment, String)>,
}

/// Looks for a text in all that is attached; unless `is_dry`, takes it out of all texts that gave way, and out of what
/// is remembered of the copies.
///
/// # Errors
/// The system refuses.
pub fn redact_text(
    list: &AttachmentFile,
    text: &TextSpellings,
    is_dry: bool,
    now: Now,
) -> Result<TextTraces, CopyError> {
    let mut traces = TextTraces::default();
    for attachment in list.read_attachments().0 {
        let copy = OfflineCopy::for_attachment(&attachment, list);
        let mut locked = copy.lock_copy(now)?;
        for file in conflict_files(&copy)? {
            let has_it = clean_aside(&file, text, &mut locked.status, is_dry)?;
            traces.aside += usize::from(has_it);
        }
        let memories = find_memories(&locked, text)?.into_iter();
        let memories = memories.map(|path| (attachment.clone(), path));
        traces.memories.extend(memories);
        if !is_dry {
            clean_status(&mut locked.status, text);
            locked.finish_changes()?;
        }
    }
    Ok(traces)
}

/// The memories that have it: files of the copy, and names that are only known.
fn find_memories(
    locked: &LockedCopy<'_>,
    text: &TextSpellings,
) -> Result<BTreeSet<String>, CopyError> {
    let known = locked.base.memories.keys().chain(&locked.unsent.paths);
    let known = known.chain(locked.status.skipped.keys());
    let mut found: BTreeSet<String> = known
        .filter(|path| text.is_in_path(path))
        .cloned()
        .collect();
    for path in locked.memory_paths()? {
        let bytes = locked.read(&path)?.unwrap_or_default();
        if text.is_in_path(path.as_str()) || text.is_in(&bytes) {
            found.insert(path.as_str().to_owned());
        }
    }
    Ok(found)
}

/// Cleans a text that gave way. Its file gets another name: the old one has a piece of the digest of what it was.
/// Says whether it had to be cleaned.
fn clean_aside(
    file: &Path,
    text: &TextSpellings,
    status: &mut CopyStatus,
    is_dry: bool,
) -> Result<bool, CopyError> {
    let bytes = regular_file::read_whole(file)?;
    let is_named = is_in_name(file, text, status);
    let new = without_text(&bytes, text);
    let has_it = new.is_some() || is_named;
    if !has_it || is_dry {
        return Ok(has_it);
    }
    let new = new.unwrap_or(bytes);
    let old = file_name(file);
    let called = match is_named {
        true => REDACTED_NAME,
        false => old.split_once('-').map_or(REDACTED_NAME, |(_, rest)| rest),
    };
    let renamed = ConflictCopy::file_name(&new, called);
    state_file::write(&file.with_file_name(&renamed), &new)?;
    if renamed != old {
        fs::remove_file(file)?;
    }
    for one in status.aside.iter_mut().filter(|one| one.file == old) {
        one.file.clone_from(&renamed);
    }
    Ok(true)
}

/// What has it in its name only for as long as the server has it there comes back with the next look.
fn clean_status(status: &mut CopyStatus, text: &TextSpellings) {
    let clean = |from: &mut String| *from = text.replaced(from, REDACTED);
    let clean_path = |path: &mut String| *path = text.replaced_in_path(path, REDACTED);
    status
        .aside
        .iter_mut()
        .for_each(|one| clean_path(&mut one.path));
    for one in &mut status.undone {
        clean_path(&mut one.path);
        clean_path(&mut one.to);
    }
    status.trouble.iter_mut().for_each(clean);
    status.skipped.retain(|path, _| !text.is_in_path(path));
    status.skipped.values_mut().for_each(clean);
    status.held.retain(|path, _| !text.is_in_path(path));
    let held = status.held.values_mut();
    held.for_each(|held| clean(&mut held.why));
}

/// Whether the name of such a file has a text, or what the text that it keeps was called.
fn is_in_name(file: &Path, text: &TextSpellings, status: &CopyStatus) -> bool {
    let name = file_name(file);
    let mut entries = status.aside.iter().filter(|one| one.file == name);
    let plain: String = ConflictCopy::file_name_chars(text.text()).collect();
    let is_cut_off = || {
        let mut pieces = (PIECE_MIN..plain.len()).filter_map(|end| plain.get(..end));
        name.len() > 60 && pieces.any(|piece| name.ends_with(piece))
    };
    let is_plain = plain.len() >= PIECE_MIN && (name.contains(&plain) || is_cut_off());
    let has_it = is_plain || text.is_in_name(&name);
    has_it || entries.any(|one| text.is_in_path(&one.path))
}

fn file_name(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// The files of all texts that gave way, also of those that nothing is told of any more.
fn conflict_files(copy: &OfflineCopy) -> Result<Vec<PathBuf>, CopyError> {
    let mut files = Vec::new();
    let entries = if_there(fs::read_dir(copy.state.conflicts_folder()))?;
    for entry in entries.into_iter().flatten() {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            files.push(entry.path());
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use mem_core::store::spellings;

    use super::*;

    #[test]
    fn a_name_has_a_text_as_files_have_it_also_where_it_is_cut_off() {
        let is_in_name = |name: &str| {
            is_in_name(
                Path::new(name),
                &spellings("Kolibri street"),
                &CopyStatus::default(),
            )
        };
        assert!(is_in_name("012345678901-my-Kolibristreet.md"));
        let long = "a".repeat(55);
        assert!(is_in_name(&format!("012345678901-{long}Kolib")));
        assert!(!is_in_name(&format!("012345678901-{long}Kol")));
        assert!(!is_in_name("012345678901-Kolibri.md"));
    }
}
