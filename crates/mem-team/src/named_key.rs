//! Keys of shared memories as a person names them.

use mem_core::Scope;
use mem_core::memory::{Candidates, Note, ProjectMemory};
use mem_sync::EntryKey;
use mem_sync::key::InvalidKey;

use super::error::TeamError;

/// A key as a person names it.
///
/// # Errors
/// No memory can be shared under it.
pub fn parse_key(text: &str) -> Result<EntryKey, InvalidKey> {
    let text = text.strip_prefix("team:").unwrap_or(text);
    EntryKey::parse(text.strip_prefix("team/").unwrap_or(text))
}

/// The key that is meant: of no file here, it may be the stem of a memory's file, or its title, as a whole.
///
/// # Errors
/// No memory can be shared under it, or the memories cannot be read.
pub fn find_key(text: &str, memory: &ProjectMemory) -> Result<EntryKey, TeamError> {
    let key = parse_key(text);
    let Candidates(found) = memory.candidates(text, Some(Scope::Team))?;
    let bare = text.strip_prefix("team:").unwrap_or(text);
    let is_meant = |note: &&Note| {
        let names = [note.path.stem(), note.title()];
        names.iter().any(|name| name.eq_ignore_ascii_case(bare))
    };
    match (&key, found.iter().find(is_meant)) {
        (Ok(key), _) if found.iter().any(|note| note.file == key.as_str()) => Ok(key.clone()),
        (_, Some(note)) if found.len() == 1 => Ok(EntryKey::parse(&note.file)?),
        _ => Ok(key?),
    }
}
