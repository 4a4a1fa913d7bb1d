//! What is asked of a state of the ref, as the protocol answers it.

use git2::Oid;

use super::GitRemoteError;
use super::ref_tree::{RefTree, TreeItem};
use super::store::LockedMirror;
use crate::key::EntryKey;
use crate::limits::ANSWER_BYTES_MAX;
use crate::remote::{RemoteError, StateQuery};
use crate::wire::{RemoteEntry, StateAnswer, Tombstone};

/// What is asked of a state.
pub(super) fn answer_query(
    shelf: &mut RefTree,
    store: &LockedMirror,
    query: &StateQuery,
) -> Result<StateAnswer, GitRemoteError> {
    let mut texts = std::mem::take(&mut shelf.texts);
    let is_asked = |key: &EntryKey| query.keys.is_empty() || query.keys.contains(key);
    let all = shelf.files.iter().chain(&shelf.clashing);
    let asked: Vec<(&EntryKey, &TreeItem)> = all.filter(|(key, _)| is_asked(key)).collect();
    let bytes: usize = asked.iter().map(|(_, stored)| stored.bytes).sum();
    if !query.hashes && bytes > ANSWER_BYTES_MAX {
        return Err(RemoteError::AnswerTooLarge.into());
    }
    let mut answer = StateAnswer {
        version: shelf.version,
        ..StateAnswer::default()
    };
    for (key, stored) in asked {
        let record = shelf.records.get(key);
        let content = match query.hashes {
            true => None,
            false => Some(match texts.remove(key) {
                Some(text) => text,
                None => read_blob_text(store, stored.blob)?,
            }),
        };
        let entry = RemoteEntry {
            content,
            sha256: stored.sha256,
            updated_at: record.map(|record| record.at.clone()).unwrap_or_default(),
            actor: record
                .map(|record| record.actor.clone())
                .unwrap_or_default(),
        };
        let told = match shelf.clashing.contains_key(key) {
            true => &mut answer.clashing,
            false => &mut answer.entries,
        };
        told.insert(key.clone(), entry);
    }
    for (key, sha256, record) in shelf.deleted_entries().filter(|(key, ..)| is_asked(key)) {
        let tombstone = Tombstone {
            sha256,
            updated_at: record.at.clone(),
            actor: record.actor.clone(),
        };
        answer.deleted.insert(key.clone(), tombstone);
    }
    Ok(answer)
}

/// The text of a blob that was found to be one.
fn read_blob_text(store: &LockedMirror, blob: Oid) -> Result<String, GitRemoteError> {
    let blob = store.repository.find_blob(blob);
    let blob = blob?;
    Ok(String::from_utf8_lossy(blob.content()).into_owned())
}
