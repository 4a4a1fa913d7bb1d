//! What a round did, and what stays as it is and why.

use std::collections::BTreeSet;

use crate::base::RejectedContent;
use crate::key::EntryKey;
use crate::outbound_scan::OutboundScanError;
use crate::plan::BlockedFile;
use crate::wire::RejectedKey;

/// One round, told key by key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoundReport {
    /// Whether the remote was as it was last seen.
    pub not_modified: bool,
    /// Whether both ends were compared, and the files brought in step, whatever became of what was to be sent.
    pub compared: bool,
    /// What the remote had and does not know any more, not even as deleted, or knows an older content of: somebody reset
    /// it, or restored an older state. What stands here is sent again.
    pub lost: BTreeSet<EntryKey>,
    /// What was deleted for everybody and stands at the remote again as it was, because somebody restored an
    /// older state: it is deleted again.
    pub undeleted: BTreeSet<EntryKey>,
    /// Files that got the remote's content.
    pub taken: BTreeSet<EntryKey>,
    /// Files that were deleted because somebody deleted them for everybody.
    pub removed: BTreeSet<EntryKey>,
    /// Files that got both changes.
    pub merged: BTreeSet<EntryKey>,
    /// Files whose text gave way; a copy is kept.
    pub conflicts: BTreeSet<EntryKey>,
    /// Files that somebody changed in between: left as they are, and looked at again by the next round.
    pub overtaken: BTreeSet<EntryKey>,
    /// What the remote has acknowledged.
    pub pushed: BTreeSet<EntryKey>,
    /// What goes to everybody again although it was deleted: somebody here took that back.
    pub revived: BTreeSet<EntryKey>,
    /// What was deleted for everybody.
    pub deleted: BTreeSet<EntryKey>,
    /// What was to be deleted for everybody and stays: somebody changed it meanwhile, took that back, or may not.
    pub kept: BTreeSet<EntryKey>,
    /// What was to be deleted for everybody and could not be: the remote has lost it, and whoever has it still
    /// sends it again.
    pub absent: BTreeSet<EntryKey>,
    /// What would be sent, had the direction allowed it.
    pub waiting: BTreeSet<EntryKey>,
    /// What changed here and at the remote, and waits for a pull because this round only sends.
    pub behind: BTreeSet<EntryKey>,
    /// What changed here and at the remote, and was not written: a person is to decide about what the remote
    /// has, or somebody changed it meanwhile.
    pub undecided: BTreeSet<EntryKey>,
    /// What is sent once a person has looked at it.
    pub in_review: BTreeSet<EntryKey>,
    /// What may not be sent.
    pub blocked: Vec<BlockedFile>,
    /// What the remote has refused, now or before.
    pub held: Vec<(EntryKey, RejectedContent)>,
    /// Local names that are no keys, and why.
    pub unnamed: Vec<RejectedKey>,
    /// Keys of the remote that were not taken.
    pub rejected: Vec<RejectedKey>,
    /// Set where nothing was sent because it could not be scanned.
    pub unscanned: Option<OutboundScanError>,
}

impl RoundReport {
    /// The same with what was done before it. What stays as it is stands in the later one.
    #[must_use]
    pub fn with_done(mut self, earlier: Self) -> Self {
        for (into, from) in [
            (&mut self.lost, earlier.lost),
            (&mut self.undeleted, earlier.undeleted),
            (&mut self.taken, earlier.taken),
            (&mut self.removed, earlier.removed),
            (&mut self.merged, earlier.merged),
            (&mut self.conflicts, earlier.conflicts),
            (&mut self.pushed, earlier.pushed),
            (&mut self.revived, earlier.revived),
            (&mut self.deleted, earlier.deleted),
            (&mut self.kept, earlier.kept),
            (&mut self.absent, earlier.absent),
        ] {
            into.extend(from);
        }
        self.compared |= earlier.compared;
        self
    }
}
