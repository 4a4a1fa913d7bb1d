//! Bringing a memory directory of before (moved, renamed, cloned elsewhere) into today's.
//!
//! Nothing is lost: identical files are taken once, different files of one name are both kept,
//! indexes and logs are united, ids and ages of notes and the whole history come along. The
//! source stays as it is, but for what waits in its inbox, which is decided on here from now on. Doing it twice
//! changes nothing, also when what was brought has been edited, renamed or taken out of the index in between.

mod error;
pub(crate) mod merge;
mod plan;
mod remove;
mod restore;
mod source;
mod suggestion;
mod target;

use crate::frontmatter;
use crate::history::Change;
use crate::inbox::Inbox;
use crate::store::{ChangeMetadata, LocalStore, WriteGate};

pub use error::AdoptError;
pub use plan::{Adopted, AdoptionOutcome};
pub use remove::remove_source;
pub use restore::{adoption_reason, restore_source};
pub use source::{AdoptionSource, find_source};
pub use suggestion::{Offer, rank_offers};

use plan::AdoptionPlan;
use target::PastContents;

/// What an adoption did, or would do.
#[derive(Debug)]
pub struct Adoption {
    /// Every file of the source and what became of it, in path order.
    pub files: Vec<Adopted>,
    /// How many writes of agents waited there for a person, and wait here now.
    pub waiting: usize,
    /// The change; `None` where everything was there already, and for a dry run.
    pub change: Option<Change>,
}

impl Adoption {
    /// Whether the target has everything already.
    pub fn is_settled(&self) -> bool {
        self.files.iter().all(|file| file.fate.is_settled())
    }

    /// How many files are not in the target yet, as far as they hold memories or logs.
    pub fn fresh_count(&self) -> usize {
        let fresh = |file: &&Adopted| !file.fate.is_settled();
        self.files.iter().filter(fresh).count()
    }
}

/// Tells what [`adopt_store`] would do. Takes no lock and writes nothing.
///
/// # Errors
/// A directory or a history cannot be read.
pub fn preview_adoption(target: &LocalStore, source: &LocalStore) -> Result<Adoption, AdoptError> {
    let taken = plan::read_source(source)?;
    let mut snapshot = target.snapshot()?;
    let ours = PastContents::from_history(target.open_history()?.as_ref())?;
    let theirs = PastContents::from_history(source.open_history()?.as_ref())?;
    Ok(Adoption {
        files: AdoptionPlan::decide_files(&mut snapshot, &taken, &ours, &theirs)?,
        waiting: Inbox::for_paths(source.places()).count(),
        change: None,
    })
}

/// Merges the memories of `source` into `target`, as one change.
///
/// The gate is asked about every file: what may not be written does not come in this way either.
///
/// # Errors
/// A file cannot be read or written, or a gate refuses one; nothing is written then.
pub fn adopt_store(
    target: &LocalStore,
    source: &LocalStore,
    order: &ChangeMetadata,
    gate: &dyn WriteGate,
) -> Result<Adoption, AdoptError> {
    if target.places().root == source.places().root {
        return Err(AdoptError::Itself);
    }
    // A folder without a history is nobody's memory directory yet, and an adoption does not make it one.
    if source.places().history().exists() {
        source.observe(order.now)?;
    }
    let taken = plan::read_source(source)?;
    let origin = source.open_history()?;
    let theirs = PastContents::from_history(origin.as_ref())?;
    let written = target.write(order, gate, |draft| {
        let ours = PastContents::from_history(Some(draft.history()))?;
        let files = AdoptionPlan::decide_files(draft, &taken, &ours, &theirs)?;
        for adopted in &files {
            let file = taken.iter().find(|file| file.path == adopted.path);
            if let Some(file) = file {
                plan::carry_out(draft, file, adopted, &files)?;
            }
        }
        let is_settled = files.iter().all(|file| file.fate.is_settled());
        if let Some(origin) = origin.as_ref().filter(|_| !is_settled) {
            draft.brings_history(origin)?;
        }
        Ok::<_, AdoptError>(files)
    })?;
    let waiting = take_waiting(target, source, order)?;
    Ok(Adoption {
        files: written.value,
        waiting,
        change: written.change,
    })
}

/// Nobody decides on writes in the inbox of a repository that is gone.
fn take_waiting(
    target: &LocalStore,
    source: &LocalStore,
    order: &ChangeMetadata,
) -> Result<usize, AdoptError> {
    let theirs = Inbox::for_paths(source.places());
    if theirs.count() == 0 {
        return Ok(0);
    }
    let _locked = target.observe(order.now)?;
    Ok(Inbox::for_paths(target.places()).take_over(&theirs)?)
}

/// The line ending of a file, for what is added to it.
fn line_ending(bytes: &[u8]) -> &'static str {
    frontmatter::Eol::from_bytes(bytes).as_str()
}
