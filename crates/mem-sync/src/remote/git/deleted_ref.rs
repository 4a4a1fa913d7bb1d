//! A ref that somebody deleted. Entries are sent anew by whoever has them; what was deleted on purpose, and
//! by whom, nobody could tell any more, and an old client would bring it back. So the copy keeps the
//! tombstones, and the next write begins with them. No content is kept: a ref may have been deleted to get rid of one.
//!
//! Test: `git::rules::tombstones_outlive_a_ref_that_somebody_deleted_and_contents_do_not`.

use std::collections::BTreeMap;

use git2::Oid;

use super::draft::{self, Changes};
use super::ledger::{self, Records};
use super::ref_tree::RefTree;
use super::store::LockedMirror;
use super::{GitOptions, GitRemoteError};

/// Where the copy keeps them.
fn deleted_reference(options: &GitOptions) -> String {
    format!("{}-lost", options.reference)
}

/// Keeps what a state that is gone says of deletions.
pub(super) fn remember_deletions(
    store: &LockedMirror,
    shelf: &RefTree,
    options: &GitOptions,
) -> Result<(), GitRemoteError> {
    let repository = &store.repository;
    let mut shards: BTreeMap<String, Records> = BTreeMap::new();
    for (key, _, record) in shelf.deleted_entries() {
        let shard = shards.entry(ledger::shard_of(key)).or_default();
        shard.insert(key.clone(), record.clone());
    }
    let mut files = BTreeMap::from([(ledger::HEAD.to_owned(), ledger::head_file(shelf.version))]);
    for (name, records) in shards {
        files.insert(name, serde_json::to_vec(&records).unwrap_or_default());
    }
    let mut changes = Changes::new();
    for (name, bytes) in files {
        let blob = repository.blob(&bytes)?;
        changes.insert(format!("{}/{name}", ledger::FOLDER), Some(blob));
    }
    let empty = draft::empty_tree(repository)?;
    let tree = draft::update_tree(repository, &empty, &changes)?;
    let tree = repository.find_tree(tree)?;
    let author = draft::commit_signature(options)?;
    let commit = repository.commit(None, &author, &author, "What was deleted\n", &tree, &[]);
    store.set_head(&deleted_reference(options), Some(commit?))
}

/// What a state without a commit begins with.
pub(super) fn find_deleted_state(
    store: &LockedMirror,
    options: &GitOptions,
) -> Result<Option<Oid>, GitRemoteError> {
    store.ref_head(&deleted_reference(options))
}

/// The remote has a ref again.
pub(super) fn forget_deleted_state(
    store: &LockedMirror,
    options: &GitOptions,
) -> Result<(), GitRemoteError> {
    store.set_head(&deleted_reference(options), None)
}
