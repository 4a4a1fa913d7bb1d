//! The index line of a memory, kept in step with its file.

use super::error::MemoryError;
use super::tier::Tier;
use crate::MemoryPath;
use crate::MemoryType;
use crate::index::{self, Pointer};
use crate::notes::INDEX_FILE;
use crate::store::Draft;

/// What a line says of its file.
pub(super) struct Line<'a> {
    pub(super) title: &'a str,
    pub(super) hook: &'a str,
    pub(super) kind: Option<MemoryType>,
}

/// Adds or updates the line of a file.
pub(super) fn set(
    draft: &mut Draft<'_>,
    tier: Tier,
    file: &str,
    line: Line<'_>,
) -> Result<(), MemoryError> {
    let (path, old) = read(draft, tier)?;
    let Line { title, hook, kind } = line;
    let pointer = Pointer {
        file: &MemoryPath::parse(file)?,
        title,
        hook,
        kind,
    };
    let new = index::put(old.as_deref().unwrap_or_default(), &pointer);
    Ok(draft.put(&path, new)?)
}

/// Removes the line of a file; prose that mentions it stays.
pub(super) fn remove(draft: &mut Draft<'_>, tier: Tier, file: &str) -> Result<(), MemoryError> {
    let (path, old) = read(draft, tier)?;
    let Some(old) = old else { return Ok(()) };
    let new = index::remove(&old, &MemoryPath::parse(file)?);
    Ok(draft.put(&path, new)?)
}

/// Points the line of a file elsewhere.
pub(super) fn rename(
    draft: &mut Draft<'_>,
    tier: Tier,
    from: &str,
    to: &str,
) -> Result<(), MemoryError> {
    let (path, old) = read(draft, tier)?;
    let Some(old) = old else { return Ok(()) };
    let new = index::rename(&old, &MemoryPath::parse(from)?, &MemoryPath::parse(to)?);
    Ok(draft.put(&path, new)?)
}

fn read(draft: &mut Draft<'_>, tier: Tier) -> Result<(MemoryPath, Option<Vec<u8>>), MemoryError> {
    let path = tier.path(INDEX_FILE)?;
    let bytes = draft.read(&path)?;
    Ok((path, bytes))
}
