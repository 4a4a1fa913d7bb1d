//! What the decisions mean for the files: one batch, with everything that gives way kept first.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mem_core::history::Sha256;
use mem_core::index::{self, IndexChange, MemoryIndex};

use super::{Direction, Outgoing, RoundReport, StopReason, SyncClient, Texts};
use crate::base::{Conflict, FileContent, SyncStateStorage};
use crate::decide::{Decision, KnownKey, decide};
use crate::facts::{Fact, Facts};
use crate::files::{BatchFile, SyncFiles};
use crate::key::EntryKey;
use crate::merge::merge_texts;
use crate::outbound_scan::OutboundScan;
use crate::remote::Remote;

/// What is decided about keys, and from what.
type Decided = BTreeMap<EntryKey, (Decision, Fact)>;

/// What is to be done with the files, and what is true of each once it is done.
#[derive(Debug, Default)]
struct LocalBatch {
    changes: Vec<BatchFile>,
    /// What the file will have in common with the remote.
    base: BTreeMap<EntryKey, KnownKey>,
    /// Files that are to be sent after they have been written.
    outgoing: Outgoing,
    conflicts: BTreeSet<EntryKey>,
    /// Files that changed at both ends.
    merging: BTreeSet<EntryKey>,
    /// Copies that were made for this batch: they go again where the text stands after all.
    copies: Vec<Conflict>,
}

impl LocalBatch {
    /// Where a change is told once it was made.
    fn report_list<'r>(
        &self,
        change: &BatchFile,
        report: &'r mut RoundReport,
    ) -> &'r mut BTreeSet<EntryKey> {
        match &change.new {
            _ if self.conflicts.contains(&change.key) => &mut report.conflicts,
            _ if self.merging.contains(&change.key) => &mut report.merged,
            Some(_) => &mut report.taken,
            None => &mut report.removed,
        }
    }
}

impl<R: Remote, F: SyncFiles, S: OutboundScan, K: SyncStateStorage> SyncClient<R, F, S, K> {
    /// Brings the files in step with the view, of which some texts are there already, and returns what is to be sent.
    pub(super) fn apply_decisions(
        &mut self,
        facts: Facts,
        direction: Direction,
        texts: &mut Texts,
        report: &mut RoundReport,
    ) -> Result<Outgoing, StopReason> {
        let mut outgoing = Outgoing::new();
        let mut decided = Decided::new();
        let mut indexes = Vec::new();
        for one in facts.open {
            match self.decide(&one) {
                Decision::Settled => self.state.set_base(&one.key, one.remote),
                Decision::Forget => self.state.set_base(&one.key, None),
                Decision::Push if self.may_merge_index(&one) => indexes.push(one),
                Decision::Push => outgoing.extend(one.mine.map(|mine| (one.key, mine))),
                Decision::Remove if self.is_restored(&one) => {
                    report.revived.insert(one.key.clone());
                    outgoing.extend(one.mine.map(|mine| (one.key, mine)));
                }
                // Else a pull between a removal and its push would bring the file back.
                Decision::Take if self.is_leaving(&one) => {}
                decision => drop(decided.insert(one.key.clone(), (decision, one))),
            }
        }
        self.leave_out_waiting(&mut decided, report);
        // An index that links to an undecided memory is decided with that memory.
        let contested = decided.iter();
        let contested = contested.filter(|(key, (_, one))| !key.is_index() && is_changed_here(one));
        let contested: BTreeSet<EntryKey> = contested.map(|(key, _)| key.clone()).collect();
        for one in indexes {
            match self.links_to_any(&one, &contested)? {
                true => drop(decided.insert(one.key.clone(), (Decision::Merge, one))),
                false => outgoing.extend(one.mine.map(|mine| (one.key, mine))),
            }
        }
        if direction == Direction::Push {
            decided
                .retain(|_, (decision, _)| matches!(decision, Decision::Merge | Decision::Shelve));
            report.overtaken.clear();
            report.behind = decided.into_keys().collect();
            return Ok(outgoing);
        }
        if !decided.is_empty() {
            let batch = self.batch(&decided, texts, report)?;
            outgoing.extend(self.apply(batch, report)?);
        }
        Ok(outgoing)
    }

    /// What is to happen to a key under the policy of this remote.
    fn decide(&mut self, one: &Fact) -> Decision {
        let decision = decide(one.base, one.mine, one.remote);
        match (decision, one.mine, one.remote) {
            (Decision::Push, _, Some(KnownKey::At(_))) if self.policy.is_read_only => {
                Decision::Merge
            }
            (Decision::Push, Some(mine), remote)
                if self.policy.is_read_only
                    || !self.policy.resends_lost && remote.is_none() && one.base.is_some() =>
            {
                // A mirror keeps no file that the remote does not have.
                self.see(&one.key, KnownKey::Gone(mine));
                Decision::Shelve
            }
            _ => decision,
        }
    }

    /// Whether an index that changed only here is merged with the remote's where memories of it are undecided.
    fn may_merge_index(&self, one: &Fact) -> bool {
        self.policy.merges && one.key.is_index() && matches!(one.remote, Some(KnownKey::At(_)))
    }

    /// Whether an index links to one of some memories, as it is here or as it was last agreed on. An index of which the
    /// agreed text is not known counts as one that does.
    fn links_to_any(
        &mut self,
        one: &Fact,
        memories: &BTreeSet<EntryKey>,
    ) -> Result<bool, StopReason> {
        if memories.is_empty() {
            return Ok(false);
        }
        let links = |text: &[u8]| !linked_keys(&one.key, text).is_disjoint(memories);
        let ours = self.files.read(&one.key)?.unwrap_or_default();
        // The agreed text is looked for in the history, which takes time.
        Ok(links(&ours) || self.base_text(&one.key).is_none_or(|base| links(&base)))
    }

    /// The text of a file that both ends last agreed on, where it is known.
    fn base_text(&mut self, key: &EntryKey) -> Option<Vec<u8>> {
        let Some(KnownKey::At(sha256)) = self.state.base(key) else {
            return None;
        };
        let earlier = self.files.earlier(key, sha256);
        earlier.filter(|bytes| is(bytes, Some(sha256)))
    }

    /// Whether what was seen to be deleted stands here again because somebody took that back.
    fn is_restored(&mut self, one: &Fact) -> bool {
        one.mine.is_some() && one.base == one.remote && self.files.is_restored(&one.key)
    }

    /// Whether what the remote has is missing here because it is to be deleted there: by the next round that
    /// sends, or once the remote allows it.
    fn is_leaving(&mut self, one: &Fact) -> bool {
        let meant = self.state.deleting.get(&one.key);
        let is_meant = meant.is_some_and(|meant| one.remote == Some(KnownKey::At(*meant)));
        let is_as_seen = one.base == one.remote;
        one.mine.is_none() && (is_meant || is_as_seen && self.files.is_undeletable(&one.key))
    }

    /// Notes a deletion for each file that is gone here by a removal through this program, and stands at the
    /// remote as it was last seen here.
    pub(super) fn note_removals(&mut self, facts: &Facts) {
        for one in facts.open.iter().filter(|one| one.mine.is_none()) {
            let is_seen = one.base.is_some() && one.base == self.state.remote_of(&one.key);
            let is_noted = self.state.deleting.contains_key(&one.key);
            if is_seen && !is_noted && self.files.is_removed(&one.key) {
                self.state.will_delete(&one.key, None);
            }
        }
    }

    /// Takes out what already waits here for a person, as it is now at the remote.
    fn leave_out_waiting(&mut self, decided: &mut Decided, report: &mut RoundReport) {
        let files = &mut self.files;
        decided.retain(|key, (decision, one)| {
            let waits = match (&decision, one.remote) {
                (Decision::Take | Decision::Merge, Some(KnownKey::At(sha256))) => {
                    files.awaits(key, sha256)
                }
                _ => false,
            };
            if waits {
                report.overtaken.insert(key.clone());
                if *decision == Decision::Merge {
                    report.undecided.insert(key.clone());
                }
            }
            !waits
        });
    }

    /// Remembers that a file and the remote have this in common.
    pub(super) fn agree(&mut self, key: &EntryKey, known: Option<KnownKey>) {
        if known.is_some() {
            self.state.set_base(key, known);
        }
    }

    fn batch(
        &mut self,
        decided: &Decided,
        texts: &mut Texts,
        report: &mut RoundReport,
    ) -> Result<LocalBatch, StopReason> {
        let needed = decided
            .iter()
            .filter(|(_, (decision, _))| matches!(decision, Decision::Take | Decision::Merge));
        let needed: BTreeSet<EntryKey> = needed.map(|(key, _)| key.clone()).collect();
        self.fetch(&needed, texts, report)?;
        let mut batch = LocalBatch::default();
        // Indexes last: their entries go with what is decided about the memories.
        let (indexes, files): (Vec<_>, Vec<_>) =
            decided.iter().partition(|(key, _)| key.is_index());
        for (key, (decision, one)) in files.into_iter().chain(indexes) {
            let mine = one.mine;
            let text = texts.remove(key);
            match (decision, text) {
                (Decision::Take, Some(text)) => self.change(key, mine, Some(text), &mut batch),
                (Decision::Remove, _) => self.change(key, mine, None, &mut batch),
                (Decision::Shelve, _) => self.give_way(key, mine, None, &mut batch)?,
                (Decision::Merge, Some(text)) => {
                    if one.base != one.remote || !self.policy.merges {
                        batch.merging.insert(key.clone());
                    }
                    self.unite(key, mine, text, &mut batch, report)?;
                }
                _ => {}
            }
        }
        Ok(batch)
    }

    /// Adds a file's change, after which it has in common with the remote what that is now.
    fn change(
        &self,
        key: &EntryKey,
        expected: Option<Sha256>,
        new: Option<Arc<Vec<u8>>>,
        batch: &mut LocalBatch,
    ) {
        let Some(seen) = self.state.last_view(key) else {
            return;
        };
        batch.base.insert(key.clone(), seen.known);
        batch.changes.push(BatchFile {
            key: key.clone(),
            expected,
            new,
            remote: match seen.known {
                KnownKey::At(sha256) => Some(sha256),
                KnownKey::Gone(_) => None,
            },
            actor: seen.actor,
            updated_at: seen.updated_at,
        });
    }

    /// The remote wins; the local text is kept.
    fn give_way(
        &mut self,
        key: &EntryKey,
        mine: Option<Sha256>,
        new: Option<Arc<Vec<u8>>>,
        batch: &mut LocalBatch,
    ) -> Result<(), StopReason> {
        let bytes = self.files.read(key)?.unwrap_or_default();
        let (Some(remote), true) = (self.state.remote_of(key), is(&bytes, mine)) else {
            return Ok(());
        };
        let copy = Conflict {
            key: key.clone(),
            local: FileContent::new(bytes),
            base: self.state.base(key),
            remote,
        };
        let before = self.state.conflicts.len();
        self.state.keep(copy.clone());
        if self.state.conflicts.len() > before {
            batch.copies.push(copy);
        }
        batch.conflicts.insert(key.clone());
        self.change(key, mine, new, batch);
        Ok(())
    }

    /// Both changed.
    fn unite(
        &mut self,
        key: &EntryKey,
        mine: Option<Sha256>,
        theirs: Arc<Vec<u8>>,
        batch: &mut LocalBatch,
        report: &mut RoundReport,
    ) -> Result<(), StopReason> {
        let ours = self.files.read(key)?.unwrap_or_default();
        if !is(&ours, mine) {
            report.overtaken.insert(key.clone());
            return Ok(());
        }
        let base = self.base_text(key);
        let agreed = base.as_deref().unwrap_or_default();
        let entries = self.with_remote_entries(key, agreed, &ours, &theirs, batch)?;
        let is_changed_there = self.state.base(key) != self.state.remote_of(key);
        let both = match self.policy.merges {
            true if is_changed_there => merge_texts(key, base.as_deref(), &entries, &theirs),
            true => Some(entries.into_owned()),
            false => None,
        };
        let Some(both) = both else {
            return self.give_way(key, mine, Some(theirs), batch);
        };
        if both != *theirs {
            batch.outgoing.insert(key.clone(), Sha256::digest(&both));
        }
        if both == ours {
            // All of theirs stands here already: nothing is written, and nobody is asked.
            self.agree(key, self.state.remote_of(key));
            if batch.merging.contains(key) {
                report.merged.insert(key.clone());
            }
            return Ok(());
        }
        self.change(key, mine, Some(Arc::new(both)), batch);
        Ok(())
    }

    /// An index of this machine with the remote's entries of all memories that changed here and get the remote's state
    /// all the same. An entry that changed here stays, because no copy of it is kept; so does one in the sibling index.
    fn with_remote_entries<'o>(
        &mut self,
        key: &EntryKey,
        base: &[u8],
        ours: &'o [u8],
        theirs: &[u8],
        batch: &LocalBatch,
    ) -> Result<Cow<'o, [u8]>, StopReason> {
        let is_remotes = |change: &&BatchFile| {
            let of = &change.key;
            let is_merge = batch.merging.contains(of) && !batch.conflicts.contains(of);
            !is_merge && self.state.base(of) != change.expected.map(KnownKey::At)
        };
        let remotes = batch.changes.iter().filter(is_remotes);
        let remotes: BTreeSet<&EntryKey> = remotes.map(|change| &change.key).collect();
        if !key.is_index() || remotes.is_empty() {
            return Ok(Cow::Borrowed(ours));
        }
        let mut kept = BTreeSet::new();
        if let Some(sibling) = key.sibling_index() {
            let text = self.files.read(&sibling)?.unwrap_or_default();
            kept = linked_keys(&sibling, &text);
        }
        index::select(base, ours, |change| {
            if let IndexChange::Entry { file, .. } = change {
                kept.extend(key.linked(file));
            }
            false
        });
        let made = index::select(ours, theirs, |change| match change {
            IndexChange::Entry { file, .. } | IndexChange::NoEntry { file } => key
                .linked(file)
                .is_some_and(|of| remotes.contains(&of) && !kept.contains(&of)),
            IndexChange::Text(_) | IndexChange::NoText(_) => false,
        });
        Ok(Cow::Owned(made.bytes))
    }

    /// Writes the files. Copies and the intent are safe before the first of them is touched.
    fn apply(
        &mut self,
        mut batch: LocalBatch,
        report: &mut RoundReport,
    ) -> Result<Outgoing, StopReason> {
        if batch.changes.is_empty() {
            return Ok(batch.outgoing);
        }
        let taking = batch.changes.iter().filter_map(|change| {
            match (&change.new, batch.base.get(&change.key)) {
                (Some(_), Some(&KnownKey::At(sha256))) => Some((change.key.clone(), sha256)),
                _ => None,
            }
        });
        // One save for both: the copies of what gives way, and what is about to be written. From here on a crash loses
        // no text and makes no conflict.
        self.state.taking = taking.collect();
        self.save_state()?;
        // A file that changed since it was decided about is left, not overwritten, and is missing from `applied`. The
        // next round decides about it again.
        let applied = self.files.apply(&batch.changes)?;
        for change in &batch.changes {
            let key = &change.key;
            if applied.contains(key) {
                self.agree(key, batch.base.get(key).copied());
                batch.report_list(change, report).insert(key.clone());
                continue;
            }
            batch.outgoing.remove(key);
            report.overtaken.insert(key.clone());
            if batch.merging.contains(key) {
                report.undecided.insert(key.clone());
            }
            let is_copy = |one: &Conflict| one.key == *key && batch.copies.contains(one);
            self.state.conflicts.retain(|one| !is_copy(one));
        }
        self.state.taking.clear();
        self.save_state()?;
        Ok(batch.outgoing)
    }
}

/// Whether a file is another one than it last had in common with the remote, or is gone.
fn is_changed_here(one: &Fact) -> bool {
    one.base != one.mine.map(KnownKey::At)
}

/// The keys of the files that an index links to.
fn linked_keys(index: &EntryKey, text: &[u8]) -> BTreeSet<EntryKey> {
    let parsed = MemoryIndex::parse(text);
    let entries = parsed.entries();
    entries
        .filter_map(|(_, entry)| index.linked(entry.file()))
        .collect()
}

/// Whether these bytes are the ones that were decided about.
fn is(bytes: &[u8], sha256: Option<Sha256>) -> bool {
    sha256 == Some(Sha256::digest(bytes))
}
