//! One change of a batch, on its way into a draft.

use std::io;
use std::sync::Arc;

use jiff::Timestamp;
use mem_core::history::Sha256;
use mem_core::store::{StoreError, WriteTransaction};
use mem_core::{MemoryPath, Now};
use mem_sync::files::BatchFile;

/// Puts one change into the draft. `false` where the file is not what was decided about.
pub(crate) fn carry_out(
    draft: &mut WriteTransaction<'_>,
    change: &BatchFile,
    path: &MemoryPath,
    now: Now,
) -> Result<bool, StoreError> {
    if let (None, Some(bytes)) = (change.expected, &change.new) {
        if draft.exists(path) {
            return Ok(false);
        }
        if is_below_a_file(draft, path) {
            return Err(StoreError::Io {
                action: "create",
                path: path.as_str().into(),
                source: io::ErrorKind::NotADirectory.into(),
            });
        }
        draft.create_dated(path, Arc::clone(bytes), time_of(change, now))?;
        say_who(draft, change, path);
        return Ok(true);
    }
    let stands = draft.read(path)?.map(|bytes| Sha256::digest(&bytes));
    if stands != change.expected {
        return Ok(false);
    }
    match &change.new {
        Some(bytes) => draft.put_dated(path, bytes.to_vec(), time_of(change, now))?,
        None if stands.is_some() => draft.remove(path)?,
        None => return Ok(true),
    }
    say_who(draft, change, path);
    Ok(true)
}

/// Whether a file stands where a folder of it should: also one that this batch removes, whose place is free
/// only in the next.
fn is_below_a_file(draft: &WriteTransaction<'_>, path: &MemoryPath) -> bool {
    let name = path.as_str();
    let mut folders = name.match_indices('/').map(|(end, _)| &name[..end]);
    folders.any(|folder| MemoryPath::parse(folder).is_ok_and(|file| draft.stood(&file)))
}

fn say_who(draft: &mut WriteTransaction<'_>, change: &BatchFile, path: &MemoryPath) {
    if !change.actor.is_empty() {
        draft.written_by(path, &change.actor);
    }
}

/// When the remote says that it was written; a clock that is ahead of ours is not believed.
fn time_of(change: &BatchFile, now: Now) -> Timestamp {
    let said = change.updated_at.parse::<Timestamp>();
    said.map_or(now.0, |time| time.min(now.0))
}
