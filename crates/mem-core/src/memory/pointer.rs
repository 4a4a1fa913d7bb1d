//! The index line of a memory, kept in step with its file.

use super::error::MemoryError;
use super::tier::Tier;
use crate::MemoryPath;
use crate::index;
use crate::store::Draft;

/// The name of every tier's index.
pub const INDEX_FILE: &str = "MEMORY.md";

/// Adds or updates the line of a file.
pub(super) fn set(
    draft: &mut Draft<'_>,
    tier: Tier,
    file: &str,
    title: &str,
    hook: &str,
) -> Result<(), MemoryError> {
    let (path, old) = read(draft, tier)?;
    let target = MemoryPath::parse(file)?;
    let new = index::set_entry(old.as_deref().unwrap_or_default(), &target, title, hook);
    Ok(draft.put(&path, new)?)
}

/// Removes the line of a file; prose that mentions it stays.
pub(super) fn remove(draft: &mut Draft<'_>, tier: Tier, file: &str) -> Result<(), MemoryError> {
    let (path, old) = read(draft, tier)?;
    let Some(old) = old else { return Ok(()) };
    let new = index::remove_entry(&old, &MemoryPath::parse(file)?);
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
    let new = index::rename_entry(&old, &MemoryPath::parse(from)?, &MemoryPath::parse(to)?);
    Ok(draft.put(&path, new)?)
}

fn read(
    draft: &mut Draft<'_>,
    tier: Tier,
) -> Result<(MemoryPath, Option<Vec<u8>>), MemoryError> {
    let path = tier.path(INDEX_FILE)?;
    let bytes = draft.read(&path)?;
    Ok((path, bytes))
}
