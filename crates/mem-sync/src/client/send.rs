//! What leaves: scanned, in portions, one after the other, each on the state that it was decided on.

use std::collections::{BTreeMap, VecDeque};

use mem_core::history::Sha256;
use mem_core::memory_path::printable;

use super::{Local, Outgoing as Chosen, RoundReport, StopReason, SyncClient};
use crate::base::{RejectedContent, SyncStateStorage};
use crate::decide::{Decision, KnownKey, decide};
use crate::facts::Facts;
use crate::files::SyncFiles;
use crate::key::EntryKey;
use crate::outbound_scan::OutboundScan;
use crate::plan::{Outgoing, inspect_outgoing, split_batches};
use crate::remote::{PutOutcome, Remote, RemoteError};
use crate::wire::{KeyRejection, PutBody, RejectionCode};

/// More files than this are not sent in vain: a look is cheap beside them.
const FILES_MAX: usize = 16;

impl<R: Remote, F: SyncFiles, S: OutboundScan, K: SyncStateStorage> SyncClient<R, F, S, K> {
    /// Deletes what is to be deleted for everybody, where it is still what was meant, and nobody here has
    /// taken it back before it was sent.
    pub(super) fn delete_for_everybody(
        &mut self,
        local: &Local,
        report: &mut RoundReport,
    ) -> Result<(), StopReason> {
        let mut body = PutBody::default();
        for (key, sha256) in std::mem::take(&mut self.state.deleting) {
            let is_restored = digest_here(local, &key).is_some() && self.files.is_restored(&key);
            match self.state.remote_of(&key) {
                Some(KnownKey::At(_)) if is_restored => drop(report.kept.insert(key)),
                Some(KnownKey::At(now)) if now == sha256 => {
                    self.state.deleting.insert(key.clone(), sha256);
                    body.delete.insert(key);
                }
                Some(KnownKey::At(_)) => drop(report.kept.insert(key)),
                Some(KnownKey::Gone(_)) => drop(report.deleted.insert(key)),
                // Nothing there can be marked as deleted, so the deletion would reach nobody.
                None => drop(report.absent.insert(key)),
            }
        }
        self.state
            .reasons
            .retain(|key, _| body.delete.contains(key));
        if body.delete.is_empty() {
            return Ok(());
        }
        for (key, text) in &self.state.reasons {
            match self.screen.find_leaks(key, text) {
                Ok(leaks) if leaks.is_empty() => {
                    body.reasons.insert(key.clone(), text.clone());
                }
                // It goes without: what is to be deleted may be just what leaked.
                Ok(_) => {}
                Err(error) => {
                    report.unscanned = Some(error);
                    return Ok(());
                }
            }
        }
        // A request of its own, on the condition of the look: what somebody wrote meanwhile is not deleted with it.
        let put = match self.put_entries(&body) {
            // Whoever may not delete is not to be refused again and again.
            Err(RemoteError::Forbidden) => {
                let meant = std::mem::take(&mut self.state.deleting);
                report.kept.extend(meant.into_keys());
                self.state.reasons.clear();
                self.save_state()?;
                return Err(RemoteError::Forbidden.into());
            }
            put => put?,
        };
        for (key, sha256) in std::mem::take(&mut self.state.deleting) {
            if put.answer.rejected.contains_key(key.as_str()) {
                report.kept.insert(key);
                continue;
            }
            self.see(&key, KnownKey::Gone(sha256));
            report.deleted.insert(key);
        }
        self.state.reasons.clear();
        self.arrive(&put)
    }

    /// Sends what is to be sent without a look, if that is all there is to do. Returns whether the remote took it.
    ///
    /// The condition of the write is that the remote is what it was last seen to be. Where it holds, the look would
    /// have said just that; where it does not, nothing was written, and the round begins with a look.
    pub(super) fn send_ahead(
        &mut self,
        facts: &Facts,
        report: &mut RoundReport,
    ) -> Result<bool, StopReason> {
        let Some(outgoing) = self.only_outgoing(facts) else {
            return Ok(false);
        };
        let mut attempt = RoundReport {
            not_modified: true,
            unnamed: report.unnamed.clone(),
            ..RoundReport::default()
        };
        let sent = self.send(outgoing, &mut attempt);
        let was_taken = !attempt.pushed.is_empty();
        match sent {
            // Whoever may not write takes what others wrote all the same.
            Err(StopReason::Remote(RemoteError::Raced { .. } | RemoteError::Forbidden))
                if !was_taken =>
            {
                return Ok(false);
            }
            // What left before a later portion failed has left.
            Ok(()) | Err(_) if was_taken => *report = attempt,
            _ => {}
        }
        sent.map(|()| was_taken)
    }

    /// What is to be sent, as far as is known; `None` where something else is to be done as well, and
    /// where nothing is.
    fn only_outgoing(&self, facts: &Facts) -> Option<Chosen> {
        let state = &self.state;
        if state.view.etag.is_none() || !state.deleting.is_empty() || !state.held.is_empty() {
            return None;
        }
        let mut outgoing = Chosen::new();
        for one in &facts.open {
            match decide(one.base, one.mine, one.remote) {
                Decision::Settled | Decision::Forget => {}
                Decision::Push => outgoing.extend(one.mine.map(|mine| (one.key.clone(), mine))),
                _ => return None,
            }
        }
        (1..=FILES_MAX)
            .contains(&outgoing.len())
            .then_some(outgoing)
    }

    /// Sends files, less what may not leave.
    pub(super) fn send(
        &mut self,
        local: Chosen,
        report: &mut RoundReport,
    ) -> Result<(), StopReason> {
        let Some(outgoing) = self.inspected(local, report)? else {
            return Ok(());
        };
        let mut queue: VecDeque<PutBody> =
            split_batches(&outgoing, self.remote.put_bytes_max()).into();
        // A chain: each portion is conditional on the state that the one before it made. A colleague who writes between
        // two portions stops the rest, and what was acknowledged stays so.
        while let Some(body) = queue.pop_front() {
            match self.put_entries(&body) {
                Ok(put) => {
                    // Saved per portion: a crash now repeats none of those that went through.
                    self.acknowledged(&body, &put, &outgoing, report)?;
                }
                Err(RemoteError::TooLarge) => self.smaller(body, &mut queue, report),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Looks at everything before the first of it leaves; `None` where a scan could not run.
    fn inspected(
        &mut self,
        local: Chosen,
        report: &mut RoundReport,
    ) -> Result<Option<BTreeMap<EntryKey, Outgoing>>, StopReason> {
        let mut outgoing = BTreeMap::new();
        for (key, sha256) in local {
            let bytes = self.files.read(&key)?;
            // What is scanned is what is sent: the very bytes, not the file again.
            let Some(bytes) = bytes.filter(|bytes| Sha256::digest(bytes) == sha256) else {
                report.overtaken.insert(key);
                continue;
            };
            match inspect_outgoing(&key, bytes, &self.screen) {
                // After the scan: a secret is told at once, not when a person has looked.
                Ok(Ok(_)) if self.screen.is_in_review(&key, sha256) => {
                    report.in_review.insert(key);
                }
                Ok(Ok(one)) => {
                    let revives = report.revived.contains(&key);
                    outgoing.insert(key, Outgoing { revives, ..one });
                }
                Ok(Err(blocked)) => report.blocked.push(blocked),
                Err(error) => {
                    report.unscanned = Some(error);
                    return Ok(None);
                }
            }
        }
        Ok(Some(outgoing))
    }

    /// Remembers what the remote said. What it did not mention is not acknowledged: nobody knows what became of
    /// it, and a round that passed over that would call both ends in step.
    fn acknowledged(
        &mut self,
        body: &PutBody,
        put: &PutOutcome,
        outgoing: &BTreeMap<EntryKey, Outgoing>,
        report: &mut RoundReport,
    ) -> Result<(), StopReason> {
        for (key, one) in outgoing
            .iter()
            .filter(|(key, _)| body.entries.contains_key(*key))
        {
            if put.answer.written.get(key) == Some(&one.sha256) {
                let known = KnownKey::At(one.sha256);
                self.see(key, known);
                self.agree(key, Some(known));
                report.pushed.insert(key.clone());
            }
        }
        self.arrive(put)?;
        for (name, why) in &put.answer.rejected {
            let key = EntryKey::parse(name).ok();
            let sent = key.as_ref().and_then(|key| outgoing.get_key_value(key));
            if let Some((key, one)) = sent {
                self.hold(key, one.sha256, why, report);
            }
        }
        answered(body, put)
    }

    /// The view is now what a write of ours has made of it. A power failure that takes that back is an answer that
    /// was lost.
    fn arrive(&mut self, put: &PutOutcome) -> Result<(), StopReason> {
        self.state.view.etag = Some(put.etag.clone());
        self.state.view.version = put.answer.version;
        if !self.policy.is_dry {
            self.keep.note(&mut self.state)?;
        }
        Ok(())
    }

    /// A key of the view is now ours; the next look says when.
    pub(super) fn see(&mut self, key: &EntryKey, known: KnownKey) {
        self.state.set_seen(key, Some(known.into()));
    }

    /// A portion was too large for this remote: its halves may not be. One file that is, waits.
    fn smaller(
        &mut self,
        mut body: PutBody,
        queue: &mut VecDeque<PutBody>,
        report: &mut RoundReport,
    ) {
        let middle = body.entries.keys().nth(body.entries.len() / 2).cloned();
        let (Some(middle), true) = (middle, body.entries.len() > 1) else {
            for (key, text) in &body.entries {
                let why = "the remote does not take so much at once";
                let why = KeyRejection::new(RejectionCode::TooLarge, why);
                self.hold(key, Sha256::digest(text.as_bytes()), &why, report);
            }
            return;
        };
        let entries = body.entries.split_off(&middle);
        let revive = body.revive.split_off(&middle);
        let second = PutBody {
            entries,
            revive,
            ..PutBody::default()
        };
        queue.push_front(second);
        queue.push_front(body);
    }

    fn hold(
        &mut self,
        key: &EntryKey,
        sha256: Sha256,
        why: &KeyRejection,
        report: &mut RoundReport,
    ) {
        let etag = self.state.view.etag.clone();
        let held = RejectedContent {
            sha256,
            code: why.code,
            message: why.message.clone(),
            etag: etag.filter(|_| why.code.depends_on_the_store()),
        };
        self.state.held.insert(key.clone(), held.clone());
        report.held.push((key.clone(), held));
    }
}

/// The checksum of the file of a key; `None` where there is none.
pub(super) fn digest_here(local: &Local, key: &EntryKey) -> Option<Sha256> {
    let at = local.binary_search_by(|(name, _)| name.as_str().cmp(key.as_str()));
    Some(local.get(at.ok()?)?.1)
}

/// Refuses an answer that passes over a key, or says that it has another content.
fn answered(body: &PutBody, put: &PutOutcome) -> Result<(), StopReason> {
    let (written, rejected) = (&put.answer.written, &put.answer.rejected);
    for (key, text) in &body.entries {
        let key_shown = printable(key.as_str());
        let why = match written.get(key) {
            Some(sha256) if *sha256 == Sha256::digest(text.as_bytes()) => continue,
            Some(_) => format!("it took another content of `{key_shown}` than it was sent"),
            None if rejected.contains_key(key.as_str()) => continue,
            None => format!("it does not say what became of `{key_shown}`"),
        };
        return Err(RemoteError::Nonsense(why).into());
    }
    Ok(())
}
