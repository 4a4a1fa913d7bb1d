//! What a person looks at before it comes in: with `team.pull = "review"` what colleagues wrote waits in the inbox.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use mem_core::history::{Author, AuthorKind, Sha256};
use mem_core::inbox::{File, Inbox, InboxEntry, InboxError};
use mem_core::store::{ChangeMetadata, LocalStore};
use mem_core::{MemoryPath, Now};
use mem_sync::EntryKey;
use mem_sync::files::BatchFile;

use super::files::BatchItem;
use super::settings::TeamShare;

/// What becomes of changes that a person looks at first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReviewedKeys {
    /// Keys whose change waits in the inbox.
    pub waiting: BTreeSet<String>,
    /// Keys whose change was rejected there: it is not asked about again.
    pub rejected: BTreeSet<String>,
}

/// What a person has said to a content so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReviewAnswer {
    /// Nothing yet.
    Waits,
    /// No.
    Rejected,
}

impl ReviewedKeys {
    /// Whether a key's change is one of these.
    pub fn has_key(&self, key: &EntryKey) -> bool {
        self.waiting.contains(key.as_str()) || self.rejected.contains(key.as_str())
    }

    /// Adds a key's change.
    pub(crate) fn add_answer(&mut self, key: &EntryKey, answer: ReviewAnswer) {
        let keys = match answer {
            ReviewAnswer::Waits => &mut self.waiting,
            ReviewAnswer::Rejected => &mut self.rejected,
        };
        keys.insert(key.to_string());
    }
}

/// Which of the changes nobody has rejected yet. The others are noted.
pub(crate) fn not_rejected<'c>(
    store: &LocalStore,
    changes: Vec<BatchItem<'c>>,
    reviewed: &mut ReviewedKeys,
) -> Vec<BatchItem<'c>> {
    let mut by_path: HashMap<MemoryPath, Vec<InboxEntry>> = HashMap::new();
    for entry in rejected(store) {
        for file in &entry.files {
            let entries = by_path.entry(file.path.clone()).or_default();
            entries.push(entry.clone());
        }
    }
    let mut open = changes;
    open.retain(|(change, path)| {
        let said = by_path.get(path).map_or(&[][..], Vec::as_slice);
        let is_open = !said.iter().any(|entry| wants_change(entry, path, change));
        if !is_open {
            reviewed.add_answer(&change.key, ReviewAnswer::Rejected);
        }
        is_open
    });
    open
}

/// What was rejected, and not merely replaced by what waits now.
fn rejected(store: &LocalStore) -> Vec<InboxEntry> {
    let inbox = Inbox::for_paths(store.places());
    let (waiting, mut rejected) = (inbox.waiting().entries, inbox.rejected().entries);
    // Entries of an earlier version say in the later one only that they were replaced.
    let all = waiting.iter().chain(&rejected);
    let replaced: BTreeSet<_> = all.flat_map(|one| one.replaces.clone()).collect();
    rejected.retain(|one| !one.is_replaced && !replaced.contains(&one.id));
    rejected
}

/// What colleagues wrote and is in the inbox, or was rejected there.
pub(crate) fn inbox_of_team(store: &LocalStore) -> BTreeMap<(MemoryPath, Sha256), ReviewAnswer> {
    let waiting = Inbox::for_paths(store.places()).waiting().entries;
    let rejected = rejected(store).into_iter();
    let rejected = rejected.map(|entry| (entry, ReviewAnswer::Rejected));
    // What waits is asked about, whatever was said to it before.
    let all = rejected.chain(
        waiting
            .into_iter()
            .map(|entry| (entry, ReviewAnswer::Waits)),
    );
    all.filter(|(entry, _)| entry.author.actor == AuthorKind::Team)
        .flat_map(|(entry, answer)| {
            let remote = entry.remote;
            let files = entry.files.into_iter();
            files.map(move |file| (file, remote, answer))
        })
        .filter_map(|(file, remote, answer)| {
            let new = file.new?;
            let sha256 = remote.unwrap_or_else(|| Sha256::digest(&new.0));
            Some(((file.path, sha256), answer))
        })
        .collect()
}

/// Takes out of the inbox what of colleagues is settled: it stands here already, or was taken past the inbox,
/// because a person has it reviewed no longer, or was deleted at the remote since. `is_open` says of which files the
/// former is not so, `is_gone` of which the latter is.
pub(crate) fn drop_resolved(
    share: &TeamShare,
    is_open: impl Fn(&str) -> bool,
    is_gone: impl Fn(&str) -> bool,
) -> Result<(), InboxError> {
    let (store, tier) = (&share.store, share.tier);
    let inbox = Inbox::for_paths(store.places());
    let mut past = Vec::new();
    for entry in inbox.waiting().entries {
        let files = entry.files.iter();
        let keys: Option<Vec<&str>> = files.map(|file| tier.file(&file.path)).collect();
        let (Some(keys), AuthorKind::Team) = (keys, entry.author.actor) else {
            continue;
        };
        let stands = |file: &File| {
            let wanted = file.new.as_ref().map(|content| content.0.as_slice());
            store
                .read(&file.path)
                .is_ok_and(|held| held.as_deref() == wanted)
        };
        let brings = entry.files.iter().all(|file| file.new.is_some());
        if entry.files.iter().all(stands) {
            inbox.remove(&entry.id)?;
        } else if !keys.iter().any(|key| is_open(key))
            || brings && keys.iter().all(|key| is_gone(key))
        {
            past.push(entry);
        }
    }
    inbox.replace(past)
}

/// The order of what waits for a person. What the same colleague changes again replaces what waits.
pub(crate) fn inbox_metadata(now: Now) -> ChangeMetadata {
    let mut author = Author::from_actor(AuthorKind::Team);
    author.session = Some("team".to_owned());
    ChangeMetadata::new("pull", author, now)
}

fn wants_change(entry: &InboxEntry, path: &MemoryPath, change: &BatchFile) -> bool {
    entry.author.actor == AuthorKind::Team
        && entry.files.iter().any(|file| {
            let new = file.new.as_ref().map(|content| content.0.as_slice());
            let old = file.old.as_ref().map(|content| Sha256::digest(&content.0));
            // A removal of one text is not that of a later one.
            let is_it = new.is_some() || old == change.expected;
            file.path == *path && new == change.new.as_deref().map(Vec::as_slice) && is_it
        })
}
