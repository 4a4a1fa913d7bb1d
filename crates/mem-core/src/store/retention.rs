//! Retention: rewrites the history with its newest changes only, and a damaged one with all that can be read.

use std::collections::BTreeSet;

use jiff::SignedDuration;

use super::error::StoreError;
use super::local_store::LocalStore;
use super::locked_store::LockedStore;
use crate::Now;
use crate::config::HistoryRetention;
use crate::history::{Change, History, HistoryError, HistoryRewrite, Proof, Sha256, Version};

const SECONDS_PER_DAY: i64 = 86_400;

/// What a clean-up came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryCleanup {
    /// The new history.
    pub proof: Proof,
    /// What had to be mended first, for people.
    pub repair: Option<String>,
}

impl LocalStore {
    /// Packs the history and keeps what the retention says. Of a damaged history all that can be read stays, and the
    /// damaged one is kept beside it.
    ///
    /// # Errors
    /// The rewrite failed; the old history is untouched.
    pub fn collect_garbage(
        &self,
        retention: HistoryRetention,
        now: Now,
    ) -> Result<HistoryCleanup, StoreError> {
        let locked = LockedStore::begin_readable(self, now)?;
        let repair = locked.mended();
        let keep = changes_to_keep(retention, locked.history(), now)?;
        let base = keep.map(|keep| base_versions(locked.history(), keep));
        let plan = RetentionRewrite {
            keep,
            base: base.transpose()?.flatten(),
        };
        let proof = locked.rewrite(&plan)?;
        Ok(HistoryCleanup { proof, repair })
    }
}

/// How many of the newest changes stay: at least one, `None` for all.
fn changes_to_keep(
    retention: HistoryRetention,
    history: &History,
    now: Now,
) -> Result<Option<usize>, HistoryError> {
    Ok(match retention {
        HistoryRetention::Everything => None,
        HistoryRetention::Changes(count) => {
            Some(usize::try_from(count).unwrap_or(usize::MAX).max(1))
        }
        HistoryRetention::Days(days) => {
            let days = i64::try_from(days).unwrap_or(i64::MAX);
            let span = SignedDuration::from_secs(days.saturating_mul(SECONDS_PER_DAY));
            match now.0.checked_sub(span) {
                Ok(oldest) => Some(history.changes_since(oldest)?.max(1)),
                // Longer ago than time itself: everything.
                Err(_) => None,
            }
        }
    })
}

/// Writes the same history, with the newest changes only where there is a bound.
struct RetentionRewrite {
    keep: Option<usize>,
    /// The oldest change that stays, and what it must then say of every file.
    base: Option<(Change, Vec<Version>)>,
}

impl HistoryRewrite for RetentionRewrite {
    fn content(&self, _: &str, _: &Sha256, _: &[u8]) -> Option<Vec<u8>> {
        None
    }

    fn record(&self, change: &mut Change, _: &dyn Fn(&str) -> bool) {
        if let Some((oldest, versions)) = &self.base
            && change.id == oldest.id
        {
            change.is_base = true;
            let own = change.versions.iter();
            // A file that this very change moved stands at its old path no more.
            let own: BTreeSet<_> = own
                .flat_map(|one| [Some(&one.path), one.renamed_from.as_ref()])
                .flatten()
                .cloned()
                .collect();
            let inherited = versions.iter().filter(|one| !own.contains(&one.path));
            change.versions.extend(inherited.cloned());
        }
    }

    fn keep(&self) -> Option<usize> {
        self.keep
    }
}

/// The oldest of the changes to keep, and the newest version of every file before it.
fn base_versions(
    history: &History,
    keep: usize,
) -> Result<Option<(Change, Vec<Version>)>, StoreError> {
    let entries: Vec<_> = history.own_entries().collect::<Result<_, _>>()?;
    let Some(oldest) = keep.checked_sub(1).and_then(|at| entries.get(at)) else {
        return Ok(None);
    };
    let mut seen = BTreeSet::new();
    let mut versions = Vec::new();
    for entry in &entries[keep..] {
        for version in &entry.change.versions {
            let fresh = seen.insert(version.path.clone());
            if let Some(from) = &version.renamed_from {
                seen.insert(from.clone());
            }
            if fresh && version.sha256.is_some() {
                let time = version.content_time.unwrap_or(entry.change.time);
                versions.push(Version {
                    content_time: Some(time),
                    ..version.clone()
                });
            }
        }
    }
    Ok(Some((oldest.change.clone(), versions)))
}
