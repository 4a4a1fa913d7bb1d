//! How the two ends stand, as far as that is known without asking the remote.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use mem_core::RunContext;
use mem_core::history::Sha256;
use mem_core::location::ProjectContext;
use mem_sync::EntryKey;
use mem_sync::base::{SyncState, is_there};
use mem_sync::decide::{Decision, decide};
use mem_sync::facts::{Fact, Facts};
use mem_sync::files::{FilesError, SyncFiles as _};

use super::files::{PushReview, StoreFiles};
use super::outbound_scan::{TeamOutboundScan, shown_name};
use super::outcome::SyncRuns;
use super::settings::TeamShare;
use super::write_gates::SecretGate;

/// What is known of a shared tier.
#[derive(Debug)]
pub struct ShareStatus {
    /// What is remembered.
    pub state: SyncState,
    /// Copies of it that were damaged and may hold texts that gave way.
    pub damaged: Vec<PathBuf>,
    /// What the last run came to.
    pub outcome: SyncRuns,
    /// What is to be sent, and why it was not.
    pub waiting: Vec<(EntryKey, Option<String>)>,
    /// What the remote was last seen to have, and is not here.
    pub to_take: Vec<EntryKey>,
    /// What the remote was last seen to have, and was rejected here.
    pub rejected: Vec<EntryKey>,
    /// What is to be deleted for everybody.
    pub deleting: Vec<EntryKey>,
    /// What is here and cannot be shared, and why.
    pub unshared: Vec<(String, String)>,
}

impl ShareStatus {
    /// Compares the files with what is remembered of the remote.
    ///
    /// # Errors
    /// The memory cannot be read.
    pub fn for_share(
        share: &TeamShare,
        place: &ProjectContext,
        context: &RunContext,
    ) -> Result<Self, FilesError> {
        let (state, warning) = share.place.state_file().load();
        if let Some(warning) = warning {
            context.print_warning(warning);
        }
        let gate = Arc::new(SecretGate::for_place(place, context));
        let mut files = StoreFiles::new(share.store.clone(), share.tier, gate, context.now);
        let dirs = context
            .dirs()
            .map_err(|error| FilesError(Box::new(error)))?;
        let scan = TeamOutboundScan::for_share(share, &place.project, dirs);
        files.push_review = Some(PushReview::share_review(share, &state, &scan, false));
        files.is_dry = true;
        let mut standing = Self {
            state,
            damaged: share.place.damaged(),
            outcome: SyncRuns::load_runs(&share.place),
            waiting: Vec::new(),
            to_take: Vec::new(),
            rejected: Vec::new(),
            deleting: Vec::new(),
            unshared: Vec::new(),
        };
        let listed = files.list()?;
        standing.unshared.extend(std::mem::take(&mut files.unread));
        standing.compare_files(listed, &mut files);
        Ok(standing)
    }

    /// Whether the next sync sends something, as far as nothing is known to stand in its way.
    pub fn has_unsent(&self) -> bool {
        !self.deleting.is_empty() || self.waiting.iter().any(|(_, why)| why.is_none())
    }

    fn compare_files(&mut self, mut listed: Vec<(String, Sha256)>, files: &mut StoreFiles) {
        listed.sort_unstable();
        let facts = Facts::compare(&self.state, &listed);
        for (name, error) in facts.unnamed {
            let shown = shown_name(&name);
            let why = match shown == name {
                true => error.to_string(),
                false => "no memory can be shared under this name".to_owned(),
            };
            self.unshared.push((shown, why));
        }
        let is_here = |key: &EntryKey| {
            listed
                .binary_search_by(|(name, _)| name.as_str().cmp(key.as_str()))
                .is_ok()
        };
        let deleting = self.state.deleting.keys();
        let is_wanted = |key: &&EntryKey| !is_here(key) || !files.is_restored(key);
        self.deleting = deleting.filter(is_wanted).cloned().collect();
        for one in facts.open {
            let Fact {
                key,
                mine,
                base,
                remote,
                ..
            } = one;
            let was_rejected = self.outcome.rejected_in_inbox.contains(key.as_str());
            match decide(base, mine, remote) {
                Decision::Remove if base == remote && files.is_restored(&key) => {
                    let why = "its deletion was taken back here".to_owned();
                    self.waiting.push((key, Some(why)));
                }
                Decision::Push => {
                    let held = mine.and_then(|mine| self.state.is_held(&key, mine));
                    let held = held.map(|held| held.message.clone());
                    let why = held.or_else(|| self.outcome.why_blocked(&key).map(str::to_owned));
                    self.waiting.push((key, why));
                }
                Decision::Merge if was_rejected => {
                    let why = "what the remote has was rejected here: `mem inbox accept` merges it";
                    self.waiting.push((key.clone(), Some(why.to_owned())));
                    self.rejected.push(key);
                }
                Decision::Merge => {
                    let why = "it changed at both ends: the next sync merges it".to_owned();
                    self.waiting.push((key, Some(why)));
                }
                Decision::Take | Decision::Remove | Decision::Shelve if was_rejected => {
                    self.rejected.push(key);
                }
                Decision::Take | Decision::Remove | Decision::Shelve => self.to_take.push(key),
                Decision::Settled | Decision::Forget => {}
            }
        }
    }

    /// What waits to be taken, less what is told as waiting to be deleted, or as not taken.
    pub fn to_come(&self) -> Vec<&EntryKey> {
        let not_taken: BTreeSet<&str> = self.outcome.not_taken().map(|(name, _)| &**name).collect();
        let is_reported =
            |key: &EntryKey| self.deleting.contains(key) || not_taken.contains(key.as_str());
        self.to_take
            .iter()
            .filter(|key| !is_reported(key))
            .collect()
    }

    /// How many memories the remote was last seen to have.
    pub fn shared(&self) -> usize {
        count_shared(&self.state)
    }
}

/// How many files a remote was last seen to have; indexes are not counted.
pub fn count_shared(state: &SyncState) -> usize {
    let rows = state.rows();
    rows.filter(|(name, row)| {
        is_there(row) && EntryKey::parse(name).is_ok_and(|key| !key.is_index())
    })
    .count()
}
