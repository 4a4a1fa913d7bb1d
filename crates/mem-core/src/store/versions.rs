//! From what happened to the files to the versions of a change.

use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::Timestamp;

use super::catalog::Catalog;
use super::change_metadata::ChangeMetadata;
use super::walk::Stat;
use crate::MemoryPath;
use crate::history::{
    Brought, Change, ChangeId, CitationSnapshot, FileOperation, NoteId, Sha256, Version, VersionId,
};

/// In a change of more files, the ids that are taken are gathered first.
const SEARCHES_MAX: usize = 16;

/// What happened to one file.
#[derive(Clone, Debug)]
pub(super) struct FileDelta {
    /// The file.
    pub(super) path: MemoryPath,
    /// The digest before, `None` for nothing.
    pub(super) before: Option<Sha256>,
    /// The digest and size after, `None` for nothing.
    pub(super) after: Option<(Sha256, u64)>,
    /// The stat after, where it is known already.
    pub(super) stat: Stat,
    /// When the content came to be, where that is not now.
    pub(super) content_time: Option<Timestamp>,
    /// What the content rested on when it was written.
    pub(super) cited: CitationSnapshot,
    /// Who wrote it elsewhere.
    pub(super) by: Option<String>,
}

/// What the caller knows about notes beyond the files.
#[derive(Clone, Debug, Default)]
pub(super) struct Identities {
    /// Renames: new path -> old path.
    pub(super) renamed_from: BTreeMap<MemoryPath, MemoryPath>,
    /// Ids that new files bring along.
    pub(super) notes: BTreeMap<MemoryPath, NoteId>,
    /// What gives way to what says it now: old path -> new path.
    pub(super) superseded: BTreeMap<MemoryPath, MemoryPath>,
    /// The changes that are taken back.
    pub(super) undoes: Vec<ChangeId>,
    /// A history that comes along.
    pub(super) brought: Option<Brought>,
}

/// Builds the change: one version a file, renames folded into one.
pub(super) fn change_of(
    order: &ChangeMetadata,
    deltas: &[FileDelta],
    identities: &Identities,
    catalog: &Catalog,
    store_key: &str,
) -> Change {
    let id = change_id(order, deltas, catalog, store_key);
    // Looked up once: a search among thousands of notes for each of thousands would take seconds.
    let moved_away: HashSet<&MemoryPath> = identities.renamed_from.values().collect();
    let superseded = identities.superseded.iter();
    let predecessors = superseded.map(|(old, new)| (new, old)).rev().collect();
    let taken: HashSet<NoteId> = match deltas.len() > SEARCHES_MAX {
        true => catalog.iter().map(|(_, entry)| entry.note).collect(),
        false => HashSet::new(),
    };
    let next_id = |path: &MemoryPath| match deltas.len() > SEARCHES_MAX {
        true => catalog.next_id_beside(store_key, path, |id| taken.contains(id)),
        false => catalog.next_id(store_key, path),
    };
    let note_id = |path: &MemoryPath| {
        let known = catalog.get(path).map(|entry| entry.note);
        known.unwrap_or_else(|| next_id(path))
    };
    let versions = deltas
        .iter()
        .filter(|delta| delta.after.is_some() || !moved_away.contains(&delta.path))
        .map(|delta| version_of(&id, delta, identities, &predecessors, note_id))
        .collect();
    Change {
        id,
        verb: order.verb.to_owned(),
        author: order.author.clone(),
        reason: order.reason.clone(),
        time: order.now.0,
        undoes: identities.undoes.clone(),
        is_base: false,
        versions,
    }
}

fn version_of(
    change: &ChangeId,
    delta: &FileDelta,
    identities: &Identities,
    predecessors: &HashMap<&MemoryPath, &MemoryPath>,
    note_id: impl Fn(&MemoryPath) -> NoteId,
) -> Version {
    let renamed_from = identities.renamed_from.get(&delta.path).cloned();
    let home = renamed_from.as_ref().unwrap_or(&delta.path);
    let given = identities.notes.get(&delta.path).cloned();
    let successor = identities.superseded.get(&delta.path);
    let predecessor = predecessors.get(&delta.path);
    let operation = match (&delta.after, delta.before, &renamed_from) {
        (None, ..) => FileOperation::Deleted,
        (Some(_), None, None) => FileOperation::Created,
        (Some(_), ..) => FileOperation::Modified,
    };
    Version {
        id: VersionId::derive(&[change.as_str().as_bytes(), delta.path.as_str().as_bytes()]),
        note: given.unwrap_or_else(|| note_id(home)),
        path: delta.path.clone(),
        operation,
        renamed_from,
        sha256: delta.after.map(|(digest, _)| digest),
        size: delta.after.map(|(_, size)| size),
        content_time: delta.content_time,
        cited: delta.cited.clone(),
        by: delta.by.clone(),
        supersedes: predecessor.map(|old| note_id(old)),
        superseded_by: successor.map(&note_id),
        redacted: false,
    }
}

/// An id that no other change of this directory has: it takes in the past by the head of the history.
fn change_id(
    order: &ChangeMetadata,
    deltas: &[FileDelta],
    catalog: &Catalog,
    store_key: &str,
) -> ChangeId {
    let parent = catalog.head.map(|head| head.to_string());
    let time = order.now.0.as_nanosecond().to_le_bytes();
    let mut parts: Vec<Vec<u8>> = vec![
        store_key.as_bytes().to_vec(),
        parent.unwrap_or_default().into_bytes(),
        time.to_vec(),
        order.verb.as_bytes().to_vec(),
    ];
    for delta in deltas {
        parts.push(delta.path.as_str().as_bytes().to_vec());
        parts.push(
            delta
                .after
                .map(|(digest, _)| digest.as_bytes().to_vec())
                .unwrap_or_default(),
        );
    }
    let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
    ChangeId::derive(&parts)
}
