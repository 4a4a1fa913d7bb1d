//! What the remote is now: one conditional request, and contents only of what is needed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::send::digest_here;
use super::{Direction, Local, RoundReport, StopReason, SyncClient, Texts};
use crate::base::{KeyView, RemoteView, SyncStateStorage};
use crate::decide::KnownKey;
use crate::files::SyncFiles;
use crate::key::EntryKey;
use crate::limits::{ASKED_KEYS_BYTES_MAX, ASKED_KEYS_MAX};
use crate::outbound_scan::OutboundScan;
use crate::remote::{Fetched, Remote, RemoteError, StateQuery};
use crate::wire::{ETag, RejectedKey, StateAnswer};

impl<R: Remote, F: SyncFiles, S: OutboundScan, K: SyncStateStorage> SyncClient<R, F, S, K> {
    /// Brings the view up to date. The first look asks for the contents as well, where they are wanted:
    /// all of them are new.
    pub(super) fn fetch_view(
        &mut self,
        local: &Local,
        direction: Direction,
        report: &mut RoundReport,
    ) -> Result<Texts, StopReason> {
        let is_first = self.state.view.etag.is_none() && direction != Direction::Push;
        let mut query = StateQuery {
            hashes: !is_first,
            keys: BTreeSet::new(),
        };
        let etag = self.state.view.etag.as_ref();
        let mut found = self.remote.get_state(&query, etag);
        if is_first && found == Err(RemoteError::AnswerTooLarge) {
            query.hashes = true;
            found = self.remote.get_state(&query, None);
        }
        match found? {
            Fetched::NotModified => {
                report.not_modified = true;
                Ok(Texts::new())
            }
            Fetched::Found {
                etag,
                mut answer,
                mut rejected,
            } => {
                let texts = take_contents(&mut answer);
                answer.resolve_clashes(&mut rejected, |key| self.weight(key, local));
                let is_put_back = answer.is_put_back;
                let (view, keys) = view(etag, answer);
                let mut forgotten = self.state.set_view(view, keys, is_put_back);
                let bad: BTreeSet<&str> = rejected.iter().map(|one| one.name.as_str()).collect();
                forgotten.entries.retain(|key| !bad.contains(key.as_str()));
                report.lost.extend(forgotten.entries);
                self.go_on_from_older(forgotten.changes, local, report);
                let deletions = forgotten.deletions;
                report.undeleted.extend(deletions.keys().cloned());
                self.state.deleting.extend(deletions);
                report.rejected.extend(rejected);
                Ok(texts)
            }
        }
    }

    /// Makes an older content of the remote what both ends last had in common, so that what followed it here is a change
    /// of this machine, which is sent again. Taken for a change of the remote it would overwrite what followed.
    ///
    /// ```text
    /// base    v1 -> v2       base    v2 -> v1 again
    /// remote  v1 -> v2       remote  v2 -> v1, an older state was restored
    /// here    v1 -> v2       here    v2: push
    /// ```
    ///
    /// A content that never stood here was written after the restore, or before this machine had the key. Nobody knows
    /// which, so both are merged without a base, and a copy of what gives way is kept. Times do not tell: some remotes
    /// have them from the clocks of writers. A tombstone of a content that stood here earlier is older, too; any other is a
    /// deletion.
    fn go_on_from_older(
        &mut self,
        changes: BTreeMap<EntryKey, KnownKey>,
        local: &Local,
        report: &mut RoundReport,
    ) {
        // A mirror follows its remote wherever that goes.
        for (key, now) in changes.into_iter().filter(|_| !self.policy.is_read_only) {
            let base = self.state.base(&key);
            if base == Some(now) {
                continue;
            }
            let here = digest_here(local, &key);
            let (common, is_sent) = match now {
                KnownKey::At(sha256) => {
                    let common = self.files.base_after_rollback(&key, base, sha256);
                    (common, common == Some(now) && here.is_some())
                }
                KnownKey::Gone(_) if !self.policy.resends_lost => continue,
                // Others may have written what never stood here, and deleted it since.
                KnownKey::Gone(sha256)
                    if here == Some(sha256) || self.files.earlier(&key, sha256).is_none() =>
                {
                    continue;
                }
                KnownKey::Gone(_) => (Some(now), here.is_some()),
            };
            self.state.set_base(&key, common);
            if is_sent {
                report.lost.insert(key);
            }
        }
    }

    /// How much speaks for a key of the remote that cannot stand beside another: what both ends have, or had, comes
    /// before what only this one has.
    fn weight(&self, key: &EntryKey, local: &Local) -> u8 {
        let stands = local.binary_search_by(|(name, _)| name.as_str().cmp(key.as_str()));
        match self.state.base(key) {
            Some(KnownKey::At(_)) => 2,
            _ => u8::from(stands.is_ok()),
        }
    }

    /// Adds the contents of some keys, as they were when they were looked at. What the remote does not give,
    /// or gives with a wrong checksum, is missing.
    pub(super) fn fetch(
        &mut self,
        keys: &BTreeSet<EntryKey>,
        texts: &mut Texts,
        report: &mut RoundReport,
    ) -> Result<(), StopReason> {
        let missing = keys.iter().filter(|key| !texts.contains_key(*key));
        let keys: BTreeSet<EntryKey> = missing.cloned().collect();
        // One request for everything is less than many for more than half of it, unless the answer is too large.
        if keys.len() > self.state.rows().count() / 2 && keys.len() > ASKED_KEYS_MAX {
            match self.fetch_some(BTreeSet::new(), &keys, texts, report) {
                Err(StopReason::Remote(RemoteError::AnswerTooLarge)) => {}
                whole => return whole,
            }
        }
        for portion in portions(&keys) {
            self.fetch_some(portion.clone(), &portion, texts, report)?;
        }
        Ok(())
    }

    /// Asks for some keys (all, where none is named) and keeps those that are wanted.
    fn fetch_some(
        &mut self,
        keys: BTreeSet<EntryKey>,
        wanted: &BTreeSet<EntryKey>,
        texts: &mut Texts,
        report: &mut RoundReport,
    ) -> Result<(), StopReason> {
        let found = self
            .remote
            .get_state(&StateQuery::of_contents(keys), None)?;
        let Fetched::Found {
            etag,
            answer,
            rejected,
        } = found
        else {
            let why = "304 to a request without a condition".to_owned();
            return Err(RemoteError::Nonsense(why).into());
        };
        // The contents have to be of the moment that was decided about. Mixing two moments would write a state that
        // never existed at the remote, such as an index without the memory it names.
        if self.state.view.etag.as_ref() != Some(&etag) {
            return Err(RemoteError::Raced { etag: Some(etag) }.into());
        }
        // What clashes with another entry was decided about when it was looked at.
        let mut rejected = rejected;
        rejected.retain(|one| is_of(one, wanted));
        rejected.retain(|one| !answer.clashing.keys().any(|key| key.as_str() == one.name));
        report.rejected.extend(rejected);
        for (key, entry) in answer.entries.into_iter().chain(answer.clashing) {
            let is_it = self.state.remote_of(&key) == Some(KnownKey::At(entry.sha256));
            if let (true, true, Some(text)) = (is_it, wanted.contains(&key), entry.content) {
                texts.insert(key, Arc::new(text.into_bytes()));
            }
        }
        Ok(())
    }
}

/// Whether a key that was not taken is one of those.
fn is_of(one: &RejectedKey, keys: &BTreeSet<EntryKey>) -> bool {
    EntryKey::parse(&one.name).is_ok_and(|key| keys.contains(&key))
}

/// Takes the contents out of an answer.
fn take_contents(answer: &mut StateAnswer) -> Texts {
    let entries = answer.entries.iter_mut().chain(&mut answer.clashing);
    let texts = entries.filter_map(|(key, entry)| {
        let content = entry.content.take()?;
        Some((key.clone(), Arc::new(content.into_bytes())))
    });
    texts.collect()
}

fn view(etag: ETag, answer: StateAnswer) -> (RemoteView, BTreeMap<EntryKey, KeyView>) {
    let entries = answer.entries.into_iter();
    let there =
        entries.map(|(key, one)| (key, KnownKey::At(one.sha256), one.actor, one.updated_at));
    let deleted = answer.deleted.into_iter();
    let gone =
        deleted.map(|(key, one)| (key, KnownKey::Gone(one.sha256), one.actor, one.updated_at));
    let keys = there.chain(gone).map(|(key, known, actor, updated_at)| {
        let seen = KeyView {
            known,
            actor,
            updated_at,
        };
        (key, seen)
    });
    let view = RemoteView {
        etag: Some(etag),
        version: answer.version,
    };
    (view, keys.collect())
}

/// As many keys as fit into one address, and so on.
pub fn portions(keys: &BTreeSet<EntryKey>) -> Vec<BTreeSet<EntryKey>> {
    let mut portions = Vec::new();
    let mut portion = BTreeSet::new();
    let mut bytes = 0;
    for key in keys {
        let more = key.as_str().len();
        let is_full = portion.len() == ASKED_KEYS_MAX || bytes + more > ASKED_KEYS_BYTES_MAX;
        if is_full && !portion.is_empty() {
            portions.push(std::mem::take(&mut portion));
            bytes = 0;
        }
        bytes += more;
        portion.insert(key.clone());
    }
    if !portion.is_empty() {
        portions.push(portion);
    }
    portions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portions_fit_into_an_address() {
        let keys: BTreeSet<EntryKey> = (0..250)
            .map(|n| EntryKey::parse(&format!("{n}{}", "x".repeat(n))).unwrap())
            .collect();
        let portions = portions(&keys);
        for portion in &portions {
            let bytes: usize = portion.iter().map(|key| key.as_str().len()).sum();
            assert!(portion.len() <= ASKED_KEYS_MAX && bytes <= ASKED_KEYS_BYTES_MAX);
        }
        let all: BTreeSet<EntryKey> = portions.into_iter().flatten().collect();
        assert_eq!(all, keys);
    }
}
