//! The pusher and puller: one round after the other.
//!
//! A round looks at both ends, decides key by key, writes files, then sends. Where all there is to do is to
//! send a few files it sends them first, on the condition that the remote still is what it last was. It may be stopped
//! anywhere, by an error or by the end of the process: what it did is remembered before the next thing is begun, and
//! the next round goes on from there. [`SyncClient::step`] makes one round and says what to do next; it does
//! not sleep.
//!
//! ```text
//!  list -> compare -> few files to send, nothing else? -- yes --> PUT if-match ----+--> done
//!                          | no                                  raced             |
//!                          v                                       |               |
//!                         look <-----------------------------------+               |
//!                          |                                                       |
//!          delete -> compare -> decide -> write files -> PUT if-match, portion by portion
//! ```
//!
//! Files are written before anything is sent: a merged text is sent as the file that holds it, and one whose file was
//! edited meanwhile is not sent at all. **Invariant:** every request that changes the remote names the state it was
//! decided on; where that is over, nothing is written there and the next round looks again.
//! **Cost:** a round without changes is one request and no write here; else contents only of keys that differ.
//!
//! Tests: `convergence::everybody_ends_up_with_the_same_and_nothing_is_lost`,
//! `convergence::and_so_they_do_through_a_git_remote`,
//! `convergence::requests::a_change_is_one_conditional_request_and_none_is_one_as_well`,
//! `convergence::rounds::nothing_to_do_is_one_request_and_no_save`.
//!
//! # Layout
//! - `fetch`: the remote as it is now, bad keys left out, and contents that are needed.
//! - `local`: what the decisions mean for the files.
//! - `send`: what leaves, with and without a look.
//! - [`Backoff`], [`RoundReport`], [`StopReason`]: when to try again, what was done, what stopped it.

mod fetch;
mod local;
mod report;
mod retry;
mod send;
mod stop_reason;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use mem_core::history::Sha256;
use mem_core::state_file::StateError;

pub use fetch::portions;
pub use report::RoundReport;
pub use retry::Backoff;
pub use stop_reason::StopReason;

use crate::base::{SyncState, SyncStateStorage};
use crate::decide::KnownKey;
use crate::facts::Facts;
use crate::files::SyncFiles;
use crate::key::{EntryKey, InvalidKey};
use crate::outbound_scan::OutboundScan;
use crate::remote::{ErrorClass, PutOutcome, Remote, RemoteError};
use crate::wire::{ETag, PutAnswer, PutBody, RejectedKey, RejectionCode};

/// Both ends of one repository's memory, and what is remembered of them.
#[derive(Debug)]
pub struct SyncClient<R, F, S, K> {
    /// The other end.
    pub remote: R,
    /// The tier.
    pub files: F,
    /// What may leave.
    pub screen: S,
    /// Where the state is kept.
    pub keep: K,
    /// When to try again.
    pub backoff: Backoff,
    /// What this remote asks for.
    pub policy: Policy,
    state: SyncState,
    failures: u32,
    /// What rounds did before something stopped them.
    done: RoundReport,
}

/// What a remote asks for, beyond what holds for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Whether two changed texts are merged. Otherwise each such pair is a conflict, which the remote wins.
    pub merges: bool,
    /// Whether the files only mirror the remote: local changes are conflicts too, and nothing may be sent.
    pub is_read_only: bool,
    /// Whether what the remote had, and does not even know as deleted, is sent again. Otherwise a copy of it is kept and the
    /// file goes.
    pub resends_lost: bool,
    /// Whether a round only tells what it would do: writes look as if the remote had taken them, and no state is kept.
    pub is_dry: bool,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            merges: true,
            is_read_only: false,
            resends_lost: true,
            is_dry: false,
        }
    }
}

/// What may move in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Files are written, nothing is sent.
    Pull,
    /// Changes are sent, no file is written; keys that changed at both ends wait.
    Push,
    /// Both.
    Both,
}

/// What a round came to.
#[derive(Debug)]
pub enum RoundStep {
    /// All that can be done is done.
    Done(Box<RoundReport>),
    /// To be tried again after this wait.
    Again {
        /// How long.
        after: Duration,
        /// Why.
        why: StopReason,
    },
    /// Over, for now: tried too often, or trying again would not help.
    Stopped(StopReason),
}

/// The names and checksums of the local files, in the order of their names.
type Local = [(String, Sha256)];
/// Files that are to be sent, as they are.
type Outgoing = BTreeMap<EntryKey, Sha256>;
/// Contents of the remote, as of the view.
type Texts = BTreeMap<EntryKey, Arc<Vec<u8>>>;

impl<R: Remote, F: SyncFiles, S: OutboundScan, K: SyncStateStorage> SyncClient<R, F, S, K> {
    /// A client that goes on from `state`.
    pub fn new(remote: R, files: F, screen: S, keep: K, state: SyncState) -> Self {
        Self {
            remote,
            files,
            screen,
            keep,
            backoff: Backoff::default(),
            policy: Policy::default(),
            state,
            failures: 0,
            done: RoundReport::default(),
        }
    }

    /// What was done by rounds that something stopped, and is told by nothing else.
    pub fn so_far(&mut self) -> RoundReport {
        std::mem::take(&mut self.done)
    }

    /// How many files were sent by rounds that something stopped.
    pub fn sent_so_far(&self) -> usize {
        self.done.pushed.len()
    }

    /// What is remembered.
    pub fn state(&self) -> &SyncState {
        &self.state
    }

    /// Deletes an entry for everybody, with the next round: the content that the remote was last seen to
    /// have. What somebody writes meanwhile is not deleted. Everybody is told the reason.
    ///
    /// Returns `false` where the remote is not known to have it.
    ///
    /// # Errors
    /// The wish could not be saved.
    pub fn delete(&mut self, key: &EntryKey, reason: Option<&str>) -> Result<bool, StopReason> {
        let is_there = self.state.will_delete(key, reason);
        if is_there {
            self.save_state()?;
        }
        Ok(is_there)
    }

    fn save_state(&mut self) -> Result<(), StateError> {
        match self.policy.is_dry {
            true => Ok(()),
            false => self.keep.save(&mut self.state),
        }
    }

    /// Writes to the remote, on the condition of the last look.
    fn put_entries(&mut self, body: &PutBody) -> Result<PutOutcome, RemoteError> {
        let etag = self.state.view.etag.as_ref();
        if !self.policy.is_dry {
            return self.remote.put_entries(body, etag);
        }
        let written = body.entries.iter();
        let written = written.map(|(key, text)| (key.clone(), Sha256::digest(text.as_bytes())));
        Ok(PutOutcome {
            etag: etag.cloned().unwrap_or_else(|| ETag::of_version(0)),
            answer: PutAnswer {
                written: written.collect(),
                ..PutAnswer::default()
            },
        })
    }

    /// Makes one round and says what to do next. `jitter` is any number, a new one each time.
    pub fn step(&mut self, direction: Direction, jitter: u32) -> RoundStep {
        let why = match self.round(direction) {
            Ok(report) => {
                self.failures = 0;
                let report = report.with_done(self.so_far());
                return RoundStep::Done(Box::new(report));
            }
            Err(why) => why,
        };
        let again = matches!(why.class(), ErrorClass::Transient | ErrorClass::Race);
        if let (true, StopReason::Remote(error)) = (again, &why) {
            self.failures += 1;
            if let Some(after) = self.backoff.wait(self.failures, jitter, error) {
                return RoundStep::Again { after, why };
            }
        }
        let times = std::mem::take(&mut self.failures);
        RoundStep::Stopped(match why {
            StopReason::Remote(RemoteError::Raced { .. }) if times > 1 => {
                StopReason::Outrun { times }
            }
            why => why,
        })
    }

    /// One round.
    ///
    /// # Errors
    /// See [`StopReason`]; what was done until then is remembered.
    pub fn round(&mut self, direction: Direction) -> Result<RoundReport, StopReason> {
        let mut report = RoundReport::default();
        let made = self.make_round(direction, &mut report);
        if let Err(why) = made {
            report.revived.retain(|key| report.pushed.contains(key));
            // A rate-limited remote refuses between any two portions. Counting these refusals over a long push would
            // end it although it makes progress (`convergence::rate_limit`).
            if !report.pushed.is_empty() {
                // What stopped it is the first failure since something went through.
                self.failures = 0;
            }
            let before = self.so_far();
            self.done = report.with_done(before);
            return Err(why);
        }
        Ok(report)
    }

    fn make_round(
        &mut self,
        direction: Direction,
        report: &mut RoundReport,
    ) -> Result<(), StopReason> {
        let mut local = self.files.list()?;
        local.sort_unstable();
        self.finish_taking(&local);
        let facts = Facts::compare(&self.state, &local);
        let unnamed = facts.unnamed.iter().map(unnamed);
        report.unnamed.extend(unnamed);
        // A dry run that does not look could not say what the look would change.
        let looks_first = direction == Direction::Pull || self.policy.is_dry;
        if looks_first || !self.send_ahead(&facts, report)? {
            self.look_and_settle(&local, facts, direction, report)?;
        }
        self.state.quota = self.remote.quota().map(str::to_owned);
        if !self.state.is_saved() {
            self.save_state()?;
        }
        Ok(())
    }

    /// Notes what a round that was cut off had written already: the next batch forgets what was to be taken.
    fn finish_taking(&mut self, local: &Local) {
        for (key, sha256) in std::mem::take(&mut self.state.taking) {
            let at = local.binary_search_by(|(name, _)| name.as_str().cmp(key.as_str()));
            let mine = at.ok().and_then(|at| local.get(at));
            if mine.is_some_and(|(_, mine)| *mine == sha256) {
                self.state.set_base(&key, Some(KnownKey::At(sha256)));
            }
        }
    }

    /// A round that begins with a look.
    fn look_and_settle(
        &mut self,
        local: &Local,
        mut facts: Facts,
        direction: Direction,
        report: &mut RoundReport,
    ) -> Result<(), StopReason> {
        let mut texts = self.fetch_view(local, direction, report)?;
        self.note_removals(&facts);
        let deletes = direction != Direction::Pull && !self.state.deleting.is_empty();
        let deleted = match deletes {
            true => self.delete_for_everybody(local, report),
            false => Ok(()),
        };
        // Whoever may not delete, takes what others wrote all the same.
        let is_refused = |why: &StopReason| why.class() == ErrorClass::Permanent;
        let refused = match deleted {
            Err(why) if is_refused(&why) => Some(why),
            deleted => deleted.map(|()| None)?,
        };
        // The comparison from before the look is used again where neither the view nor a row can have changed.
        if deletes || !report.not_modified {
            facts = Facts::compare(&self.state, local);
        }
        let mut outgoing = self.apply_decisions(facts, direction, &mut texts, report)?;
        report.compared = true;
        if let Some(why) = refused {
            return Err(why);
        }
        if direction == Direction::Pull {
            report.waiting = outgoing.into_keys().collect();
            return Ok(());
        }
        self.leave_out_held(&mut outgoing, report);
        let sent = self.send(outgoing, report);
        report.revived.retain(|key| report.pushed.contains(key));
        sent
    }

    /// Takes out what the remote has refused as it is.
    fn leave_out_held(&mut self, outgoing: &mut Outgoing, report: &mut RoundReport) {
        let state = &mut self.state;
        state
            .held
            .retain(|key, held| outgoing.get(key) == Some(&held.sha256));
        let held: BTreeSet<EntryKey> = outgoing
            .iter()
            .filter(|(key, sha256)| state.is_held(key, **sha256).is_some())
            .map(|(key, _)| key.clone())
            .collect();
        for key in held {
            outgoing.remove(&key);
            if let Some(why) = state.held.get(&key) {
                report.held.push((key, why.clone()));
            }
        }
    }
}

/// A name that is no key.
fn unnamed((name, why): &(String, InvalidKey)) -> RejectedKey {
    RejectedKey::new(name, RejectionCode::InvalidKey, &why.to_string())
}
