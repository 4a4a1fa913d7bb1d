//! The copy of a store that may only be read is what the server has, whoever wrote into its files meanwhile.
//! What was written there is put aside: nobody sends it, also not when the store may be written later.

use std::collections::BTreeSet;

use anyhow::Result;
use mem_core::history::Sha256;

use super::copy::Locked;
use super::incoming::READ_ONLY;
use super::talk::Talk;

impl Talk<'_> {
    /// Puts back what is not as it is known, from the server.
    ///
    /// # Errors
    /// What the server says: then the rest is put back the next time.
    pub(super) async fn heal(&self) -> Result<()> {
        let mut locked = self.copy.lock(self.now)?;
        let is_well = forget_what_differs(&mut locked)?;
        locked.finish()?;
        if is_well {
            return Ok(());
        }
        // Files are replaced only by what came, each after it was put aside.
        self.whole().await?;
        let mut locked = self.copy.lock(self.now)?;
        clear_strays(&mut locked)?;
        locked.finish()
    }
}

/// Forgets what is known of files that are not so, or are gone; whether all of them are as they are known.
fn forget_what_differs(locked: &mut Locked<'_>) -> Result<bool> {
    locked.waiting.paths.clear();
    locked.standing.held.clear();
    let (mut same, mut is_well) = (BTreeSet::new(), locked.standing.is_whole);
    for path in locked.paths()? {
        let known = locked.known(&path).map(|known| known.sha256);
        // What is too large to be read is none of an agent's tools, and is not shown by them.
        let Ok(here) = locked.digest(&path) else {
            continue;
        };
        match here == known {
            true => drop(same.insert(path.as_str().to_owned())),
            false => is_well = false,
        }
    }
    let before = locked.base.memories.len();
    locked.base.memories.retain(|path, _| same.contains(path));
    is_well &= locked.base.memories.len() == before;
    locked.standing.is_whole &= is_well;
    Ok(is_well)
}

/// Takes away the files that the server does not have. A text that it has somewhere else is not kept.
fn clear_strays(locked: &mut Locked<'_>) -> Result<()> {
    let known: BTreeSet<Sha256> = locked
        .base
        .memories
        .values()
        .map(|known| known.sha256)
        .collect();
    for path in locked.paths()? {
        if locked.known(&path).is_some() {
            continue;
        }
        let Ok(Some(bytes)) = locked.read(&path) else {
            continue;
        };
        if !known.contains(&Sha256::of(&bytes)) {
            locked.put_aside(&path, &bytes, READ_ONLY)?;
        }
        locked.remove(&path)?;
    }
    Ok(())
}
