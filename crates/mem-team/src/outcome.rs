//! What the last run came to: what `mem team status` tells without asking the remote.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use mem_core::state_file::{self, StateError};
use mem_sync::EntryKey;
use mem_sync::client::RoundReport;
use mem_sync::plan::BlockedFile;
use serde::{Deserialize, Serialize};

use super::outbound_scan::{is_hidden, shown_key};
use super::place::SharePlace;
use super::sync_run::RoundRun;

/// The last run, and the last one that reached the remote.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SyncRuns {
    /// When both ends were last compared.
    pub synced_at: Option<Timestamp>,
    /// When that was last tried.
    pub tried_at: Option<Timestamp>,
    /// Why the last try stopped, unless it went through.
    pub error: Option<String>,
    /// Whether that was for want of a connection.
    pub is_offline: bool,
    /// What may not leave as it is, by key, and why: rule and line, never the value.
    pub blocked: BTreeMap<String, String>,
    /// What of it the server was told (`refusals`): files and rules.
    pub reported: BTreeSet<String>,
    /// What the remote has and is not taken here, by its name, and why.
    pub refused: BTreeMap<String, String>,
    /// What nobody could take as the remote has it, by its name, and why: until the remote is another.
    pub rejected: BTreeMap<String, String>,
    /// What the remote has and was rejected in the inbox, by key.
    #[serde(rename = "turned_down")]
    pub rejected_in_inbox: BTreeSet<String>,
    /// What a daemon did since a command last told what was done.
    pub untold: UnreportedChanges,
}

/// What a daemon did, by key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct UnreportedChanges {
    /// What it sent.
    pub sent: BTreeSet<EntryKey>,
    /// What it took or merged.
    pub taken: BTreeSet<EntryKey>,
}

impl UnreportedChanges {
    /// What was done before, and by this run.
    pub(crate) fn and_report(mut self, report: &RoundReport) -> Self {
        self.sent.extend(report.pushed.iter().cloned());
        self.taken.extend(report.taken.iter().cloned());
        self.taken.extend(report.merged.iter().cloned());
        self
    }
}

impl SyncRuns {
    /// What was kept.
    pub fn load_runs(place: &SharePlace) -> Self {
        state_file::read(&place.outcome()).0
    }

    /// Keeps what a run came to. Nothing rests on it, so nobody waits for the disk.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn save_runs(&self, place: &SharePlace) -> Result<(), StateError> {
        state_file::put_soon(&place.outcome(), self)
    }

    /// What is known after a run that went through.
    pub(crate) fn from_run(run: &RoundRun, now: Timestamp) -> Self {
        let report = &run.report;
        let blocked = report.blocked.iter().map(|one| {
            let (file, why) = (file_of(one), one.to_string());
            (file, why)
        });
        let in_review = report.in_review.iter().map(|key| {
            let why = "nobody has looked at it: `mem team review`".to_owned();
            (key.to_string(), why)
        });
        let rejected = report.rejected.iter().map(|one| {
            let name = mem_core::memory_path::printable(&one.name);
            (name, one.rejection.message.clone())
        });
        Self {
            synced_at: Some(now),
            tried_at: Some(now),
            error: report.unscanned.as_ref().map(ToString::to_string),
            is_offline: false,
            blocked: blocked.chain(in_review).collect(),
            reported: BTreeSet::new(),
            refused: run.refused.clone(),
            rejected: rejected.collect(),
            rejected_in_inbox: run.reviewed.rejected.clone(),
            untold: UnreportedChanges::default(),
        }
    }

    /// The same where the remote was not told anew: what could not be taken before stands there yet.
    pub(crate) fn after_run(self, before: Self) -> Self {
        let mut rejected = before.rejected;
        rejected.extend(self.rejected);
        Self { rejected, ..self }
    }

    /// What the remote has and was not taken, by its name, and why.
    pub fn not_taken(&self) -> impl Iterator<Item = (&String, &String)> {
        self.refused.iter().chain(&self.rejected)
    }

    /// Why a key waits, if that was said of it.
    pub fn why_blocked(&self, key: &EntryKey) -> Option<&str> {
        let why = self.blocked.get(key.as_str()).map(String::as_str);
        why.or_else(|| {
            // It is not kept under a name that holds a secret.
            let is_named = self.blocked.keys().any(|name| name.ends_with('…'));
            (is_named && is_hidden(&shown_key(key)))
                .then_some("the name itself: give the file another one")
        })
    }
}

/// The file that a block is about, as it may be shown.
pub fn file_of(blocked: &BlockedFile) -> String {
    match blocked {
        BlockedFile::Secret { shown, .. } => shown.clone(),
        BlockedFile::AboutPerson(key)
        | BlockedFile::NotText(key)
        | BlockedFile::TooLargeAsSent(key) => key.to_string(),
        BlockedFile::TooLarge { key, .. } => key.to_string(),
    }
}
