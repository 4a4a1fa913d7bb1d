//! What a PUT makes of a state.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use git2::build::TreeUpdateBuilder;
use git2::{FileMode, Oid, Repository, Signature, Time, Tree};
use mem_core::history::Sha256;

use super::ledger::{self, EntryMetadata};
use super::ref_tree::RefTree;
use super::{GitOptions, GitRemoteError};
use crate::key::EntryKey;
use crate::limits::{ENTRIES_MAX, ENTRY_BYTES_MAX};
use crate::wire::{KeyRejection, PutAnswer, PutBody, RejectionCode};

/// A change before it is a commit.
pub(super) struct CommitDraft {
    pub(super) answer: PutAnswer,
    version: u64,
    written: BTreeMap<EntryKey, String>,
    deleted: BTreeMap<EntryKey, Sha256>,
    reasons: BTreeMap<EntryKey, String>,
}

impl CommitDraft {
    /// Decides about every key of a body.
    pub(super) fn new(shelf: &RefTree, body: PutBody) -> Self {
        let mut draft = Self {
            answer: PutAnswer::default(),
            version: shelf.version + 1,
            written: BTreeMap::new(),
            deleted: BTreeMap::new(),
            reasons: body.reasons,
        };
        let mut keys = shelf.keys.clone();
        for key in body.delete {
            match shelf.files.get(&key) {
                Some(stored) => {
                    keys.remove(&key);
                    draft.deleted.insert(key, stored.sha256);
                }
                None => draft.reject_key(key, RejectionCode::NotFound, "there is no such entry"),
            }
        }
        for (key, text) in body.entries {
            let revives = body.revive.contains(&key);
            draft.write(shelf, &mut keys, (key, text), revives);
        }
        draft.answer.version = match draft.is_empty() {
            true => shelf.version,
            false => draft.version,
        };
        draft
    }

    fn write(
        &mut self,
        shelf: &RefTree,
        keys: &mut crate::key::KeySet,
        (key, text): (EntryKey, String),
        revives: bool,
    ) {
        let sha256 = Sha256::digest(text.as_bytes());
        let old = shelf.files.get(&key);
        if old.is_some_and(|old| old.sha256 == sha256) {
            self.answer.written.insert(key, sha256);
            return;
        }
        let tombstone = shelf.records.get(&key).and_then(|record| record.deleted);
        // The content and not the key: a client of before the deletion sends the very text again, while a new memory
        // under the old name has another one.
        if old.is_none() && tombstone == Some(sha256) && !revives {
            return self.reject_key(key, RejectionCode::Deleted, "this very content was deleted");
        }
        if text.len() > ENTRY_BYTES_MAX {
            return self.reject_key(
                key,
                RejectionCode::TooLarge,
                "its content is larger than 102,400 bytes",
            );
        }
        if old.is_none() && keys.len() >= ENTRIES_MAX {
            return self.reject_key(
                key,
                RejectionCode::StoreFull,
                "the store holds 10,000 entries already",
            );
        }
        if let Err(clash) = keys.insert(&key) {
            return self.reject_key(key, RejectionCode::from_clash(&clash), &clash.to_string());
        }
        self.answer.written.insert(key.clone(), sha256);
        self.written.insert(key, text);
    }

    fn reject_key(&mut self, key: EntryKey, code: RejectionCode, message: &str) {
        let why = KeyRejection::new(code, message);
        self.answer.rejected.insert(key.into(), why);
    }

    /// Whether nothing changes.
    pub(super) fn is_empty(&self) -> bool {
        self.written.is_empty() && self.deleted.is_empty()
    }

    /// Writes the objects; no ref moves. The new commit follows `parent`, and has what `ground` has.
    pub(super) fn write_commit(
        &self,
        repository: &Repository,
        parent: Option<Oid>,
        ground: Option<Oid>,
        shelf: &RefTree,
        options: &GitOptions,
    ) -> Result<Oid, GitRemoteError> {
        let find = |id: Option<Oid>| id.map(|id| repository.find_commit(id)).transpose();
        let parent = find(parent)?;
        // After somebody deleted the ref, `ground` holds its tombstones: the new first commit has them, and no parent.
        let base = match find(ground)? {
            Some(ground) => ground.tree()?,
            None => empty_tree(repository)?,
        };
        let changes = self.tree_changes(repository, &base, options)?;
        let tree = match update_tree(repository, &base, &changes) {
            Ok(tree) => tree,
            // Names that cannot stand beside ours are in the way: what is good is kept.
            Err(_) => self.write_clean_tree(repository, shelf, changes)?,
        };
        let tree = repository.find_tree(tree)?;
        let message = format!(
            "Team memory of {}: {} written, {} deleted\n",
            options.repository.name(),
            self.written.len(),
            self.deleted.len()
        );
        let author = commit_signature(options)?;
        let parents: Vec<_> = parent.iter().collect();
        Ok(repository.commit(None, &author, &author, &message, &tree, &parents)?)
    }

    /// Blobs by path, `None` for what goes: the entries, and the records of them.
    fn tree_changes(
        &self,
        repository: &Repository,
        base: &Tree<'_>,
        options: &GitOptions,
    ) -> Result<Changes, git2::Error> {
        let mut changes = Changes::new();
        for (key, text) in &self.written {
            let blob = repository.blob(text.as_bytes())?;
            changes.insert(key.to_string(), Some(blob));
        }
        changes.extend(self.deleted.keys().map(|key| (key.to_string(), None)));
        let at = options.current_time().0;
        let touched: BTreeSet<&EntryKey> = self.written.keys().chain(self.deleted.keys()).collect();
        let shards: BTreeSet<String> = touched.iter().map(|key| ledger::shard_of(key)).collect();
        for name in shards {
            let mut records = ledger::read_shard(repository, base, &name);
            for key in touched.iter().filter(|key| ledger::shard_of(key) == name) {
                let record = EntryMetadata {
                    version: self.version,
                    actor: options.actor.clone(),
                    at: at.clone(),
                    deleted: self.deleted.get(*key).copied(),
                    redacted: None,
                    reason: self.reasons.get(*key).cloned(),
                };
                records.insert((*key).clone(), record);
            }
            let json = serde_json::to_vec(&records).unwrap_or_default();
            let path = format!("{}/{name}", ledger::FOLDER);
            changes.insert(path, Some(repository.blob(&json)?));
        }
        let head = repository.blob(&ledger::head_file(self.version))?;
        changes.insert(format!("{}/{}", ledger::FOLDER, ledger::HEAD), Some(head));
        Ok(changes)
    }

    /// A tree of the good entries alone, with the changes.
    fn write_clean_tree(
        &self,
        repository: &Repository,
        shelf: &RefTree,
        mut changes: Changes,
    ) -> Result<Oid, git2::Error> {
        let mut shards: BTreeMap<String, ledger::Records> = BTreeMap::new();
        for (key, record) in &shelf.records {
            let shard = shards.entry(ledger::shard_of(key)).or_default();
            shard.insert(key.clone(), record.clone());
        }
        for (name, records) in shards {
            let path = format!("{}/{name}", ledger::FOLDER);
            if let Entry::Vacant(place) = changes.entry(path) {
                let json = serde_json::to_vec(&records).unwrap_or_default();
                place.insert(Some(repository.blob(&json)?));
            }
        }
        for (key, stored) in &shelf.files {
            changes.entry(key.to_string()).or_insert(Some(stored.blob));
        }
        changes.retain(|_, blob| blob.is_some());
        update_tree(repository, &empty_tree(repository)?, &changes)
    }
}

/// Blobs by path, `None` for what goes.
pub(super) type Changes = BTreeMap<String, Option<Oid>>;

/// The tree that changes make of another.
pub(super) fn update_tree(
    repository: &Repository,
    base: &Tree<'_>,
    changes: &Changes,
) -> Result<Oid, git2::Error> {
    let mut builder = TreeUpdateBuilder::new();
    for (path, blob) in changes {
        match blob {
            Some(blob) => builder.upsert(path.as_str(), *blob, FileMode::Blob),
            None => builder.remove(path.as_str()),
        };
    }
    builder.create_updated(repository, base)
}

pub(super) fn empty_tree(repository: &Repository) -> Result<Tree<'_>, git2::Error> {
    let id = repository.treebuilder(None)?.write()?;
    repository.find_tree(id)
}

/// Whoever writes, now.
pub(super) fn commit_signature(options: &GitOptions) -> Result<Signature<'static>, git2::Error> {
    let (name, mail) = match options.actor.split_once('<') {
        Some((name, mail)) => (name.trim(), mail.trim_end().trim_end_matches('>')),
        None => (options.actor.trim(), ""),
    };
    let plain = |text: &str| {
        let kept = text
            .chars()
            .filter(|c| !c.is_control() && !matches!(c, '<' | '>'));
        kept.collect::<String>()
    };
    let or = |text: String, other: &str| match text.is_empty() {
        true => other.to_owned(),
        false => text,
    };
    let time = Time::new(options.current_time().1, 0);
    let (name, mail) = (or(plain(name), "mem"), or(plain(mail), "mem@localhost"));
    Signature::new(&name, &mail, &time)
}
