//! What a server has, on its way into an offline copy.

use std::collections::BTreeMap;

use anyhow::Result;
use mem_core::Now;
use mem_core::history::Sha256;
use mem_stores::StorePath;
use mem_stores::wire::Memory;

use super::copy::{Copy, Locked};
use super::decide::{Arrival, arrival};
use super::state::{Known, Standing};
use super::undone;

/// Why a text gave way.
const CHANGED: &str = "it was changed here and at the server; the server's text stands";
pub(super) const READ_ONLY: &str =
    "it was written here, and the store may only be read; the server's text stands";
const DELETED: &str = "it was changed here and deleted or moved at the server";

/// One memory as the server has it now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Incoming {
    /// `mem_…`.
    pub id: String,
    /// `None`: it is gone.
    pub there: Option<There>,
}

/// Where it stands, and what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct There {
    pub path: String,
    pub content: String,
    pub updated_at: String,
}

impl Incoming {
    /// A memory that came with its content; `None` without.
    pub(super) fn of(memory: Memory) -> Option<Self> {
        Some(Self {
            there: Some(There {
                path: memory.path,
                content: memory.content?,
                updated_at: memory.updated_at,
            }),
            id: memory.id,
        })
    }

    /// A memory that is gone.
    pub(super) fn gone(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            there: None,
        }
    }

    /// Where it stands now.
    pub(super) fn path(&self) -> Option<&str> {
        self.there.as_ref().map(|there| there.path.as_str())
    }
}

/// Takes memories over, each as far as nothing is lost that only stands here; `more` has a say in what is
/// remembered. All of it under one lock.
///
/// # Errors
/// The system refuses; what was done until then is remembered.
pub(super) fn take(
    copy: &Copy,
    incoming: &[Incoming],
    now: Now,
    more: impl FnOnce(&mut Standing),
) -> Result<()> {
    let mut locked = copy.lock(now)?;
    let taken = take_all(&mut locked, incoming);
    if taken.is_ok() {
        more(&mut locked.standing);
    }
    let finished = locked.finish();
    taken.and(finished)
}

fn take_all(locked: &mut Locked<'_>, incoming: &[Incoming]) -> Result<()> {
    let by_id: BTreeMap<String, String> = locked
        .base
        .memories
        .iter()
        .map(|(path, known)| (known.id.clone(), path.clone()))
        .collect();
    // Places are left before they are taken: two memories may have changed theirs.
    for one in incoming {
        let Some(old) = by_id.get(&one.id) else {
            continue;
        };
        let old = StorePath::parse(old)?;
        undone::note(locked, &old, one.there.as_ref())?;
        if one.path() != Some(old.as_str()) {
            leave(locked, &old)?;
        }
    }
    for one in incoming {
        if let Some(there) = &one.there {
            arrive(locked, &one.id, there)?;
        }
    }
    Ok(())
}

/// A memory no longer stands at a path.
fn leave(locked: &mut Locked<'_>, path: &StorePath) -> Result<()> {
    let here = locked.read(path)?;
    let digest = here.as_deref().map(Sha256::of);
    let base = locked.known(path).map(|known| known.sha256);
    if let (Arrival::PutAsideAndTake, Some(bytes)) = (arrival(digest, base, None), &here) {
        locked.put_aside(path, bytes, DELETED)?;
    }
    locked.remove(path)?;
    forget(locked, path);
    locked.base.memories.remove(path.as_str());
    Ok(())
}

/// A memory stands at a path.
fn arrive(locked: &mut Locked<'_>, id: &str, there: &There) -> Result<()> {
    let skip = |locked: &mut Locked<'_>, why: &str| {
        let skipped = &mut locked.standing.skipped;
        skipped.insert(there.path.clone(), why.to_owned());
        Ok(())
    };
    let path = match StorePath::parse(&there.path) {
        // A file of the SDKs' own sync is no memory.
        Ok(path) if path.is_reserved() => return Ok(()),
        Ok(path) => path,
        Err(error) => return skip(locked, error.reason),
    };
    if let Some(why) = Locked::obstacle(&path) {
        return skip(locked, why);
    }
    let sha256 = Sha256::of(there.content.as_bytes());
    let here = locked.read(&path)?;
    let digest = here.as_deref().map(Sha256::of);
    let base = locked.known(&path).map(|known| known.sha256);
    let decided = arrival(digest, base, Some(sha256));
    if let (Arrival::PutAsideAndTake, Some(bytes)) = (decided, &here) {
        let why = match locked.is_read_only() {
            true => READ_ONLY,
            false => CHANGED,
        };
        locked.put_aside(&path, bytes, why)?;
    }
    if matches!(decided, Arrival::Take | Arrival::PutAsideAndTake)
        && let Err(error) = locked.write(&path, there.content.as_bytes())
    {
        // One name that this file system does not take keeps no other memory out.
        return skip(locked, &format!("{error:#}"));
    }
    if decided != Arrival::Nothing {
        forget(locked, &path);
    }
    locked.standing.skipped.remove(path.as_str());
    let known = Known {
        id: id.to_owned(),
        sha256,
        bytes: there.content.len() as u64,
        updated_at: there.updated_at.clone(),
    };
    let memories = &mut locked.base.memories;
    memories.insert(path.as_str().to_owned(), known);
    Ok(())
}

/// Nothing of here is to be sent for a path any more.
fn forget(locked: &mut Locked<'_>, path: &StorePath) {
    locked.waiting.paths.remove(path.as_str());
    locked.standing.held.remove(path.as_str());
}
