//! What the commits of the ref did, told key by key.

use std::collections::BTreeMap;

use git2::{Commit, Delta, DiffOptions, Oid, Repository, Tree};
use mem_core::history::Sha256;

use super::GitRemoteError;
use super::ledger::{self, Records};
use crate::key::EntryKey;
use crate::limits::ENTRY_BYTES_MAX;
use crate::remote::{LogQuery, RemoteError};
use crate::wire::{ChangeLogEntry, LogOperation, LogPage};

/// Commits that one page looks at; where a key changes more seldom than that, pages are short.
const LOOKED_AT_MAX: usize = 100_000;

/// One page. It is named by a commit, and by how many of its keys were told.
pub(super) fn read_log_page(
    repository: &Repository,
    head: Option<Oid>,
    query: &LogQuery,
) -> Result<LogPage, GitRemoteError> {
    let (mut at, mut skip) = match &query.page {
        None => (head, 0),
        Some(page) => parse_page_start(repository, page)?,
    };
    let mut answer = LogPage::default();
    for _ in 0..LOOKED_AT_MAX {
        let Some(id) = at else { break };
        let commit = repository.find_commit(id)?;
        let changes = commit_changes(repository, &commit, query.key.as_ref())?;
        for (told, change) in changes.into_iter().enumerate().skip(skip) {
            if answer.changes.len() == query.page_size() as usize {
                answer.next_page = Some(format!("{id}-{told}"));
                return sanitize_page(&answer);
            }
            answer.changes.push(change);
        }
        skip = 0;
        at = commit.parent_id(0).ok();
    }
    answer.next_page = at.map(|id| format!("{id}-0"));
    sanitize_page(&answer)
}

/// Through its JSON: what others wrote is cut and cleaned as if it came over the line.
fn sanitize_page(page: &LogPage) -> Result<LogPage, GitRemoteError> {
    Ok(LogPage::read(&page.to_json()).map_err(RemoteError::from)?)
}

fn parse_page_start(
    repository: &Repository,
    page: &str,
) -> Result<(Option<Oid>, usize), GitRemoteError> {
    let place = page.split_once('-').and_then(|(commit, told)| {
        let id = Oid::from_str(commit).ok()?;
        repository.find_commit(id).ok()?;
        Some((Some(id), told.parse().ok()?))
    });
    let message = "there is no such page".to_owned();
    let status = 400;
    place.ok_or_else(|| RemoteError::Refused { status, message }.into())
}

/// What one commit did, by key.
pub(super) fn commit_changes(
    repository: &Repository,
    commit: &Commit<'_>,
    only: Option<&EntryKey>,
) -> Result<Vec<ChangeLogEntry>, git2::Error> {
    let new = commit.tree()?;
    let old = commit
        .parent(0)
        .ok()
        .map(|parent| parent.tree())
        .transpose()?;
    let version = ledger::read_version(repository, &new).unwrap_or_default();
    let mut touched = BTreeMap::new();
    let mut options = DiffOptions::new();
    if let Some(key) = only {
        options.disable_pathspec_match(true);
        options.pathspec(key.as_str());
        options.pathspec(format!("{}/{}", ledger::FOLDER, ledger::shard_of(key)));
    }
    let diff = repository.diff_tree_to_tree(old.as_ref(), Some(&new), Some(&mut options))?;
    let mut records = Records::new();
    for delta in diff.deltas() {
        let Some(path) = delta.new_file().path().and_then(|path| path.to_str()) else {
            continue;
        };
        match path
            .strip_prefix(ledger::FOLDER)
            .and_then(|rest| rest.strip_prefix('/'))
        {
            Some(shard) if ledger::is_shard(shard) => {
                let before = old
                    .as_ref()
                    .map(|old| ledger::read_shard(repository, old, shard));
                let before = before.unwrap_or_default();
                let now = ledger::read_shard(repository, &new, shard).into_iter();
                records.extend(now.filter(|(key, record)| {
                    !before.get(key).is_some_and(|before| before.is_same(record))
                }));
            }
            Some(_) => {}
            None => drop(EntryKey::parse(path).map(|key| touched.insert(key, delta.status()))),
        }
    }
    for key in records.keys() {
        touched.entry(key.clone()).or_insert(Delta::Unmodified);
    }
    let mut entries = Vec::new();
    for (key, status) in touched {
        if only.is_none_or(|only| *only == key) {
            let was_there = old
                .as_ref()
                .is_some_and(|old| was_there(repository, old, &key));
            let change = KeyChange {
                commit,
                tree: &new,
                version,
                status,
                was_there,
            };
            entries.push(change.log_entry(repository, key, &records));
        }
    }
    Ok(entries)
}

/// Whether a key held content, redacted or not.
fn was_there(repository: &Repository, tree: &Tree<'_>, key: &EntryKey) -> bool {
    if find_blob(tree, key).is_some() {
        return true;
    }
    let records = ledger::read_shard(repository, tree, &ledger::shard_of(key));
    let record = records.get(key);
    record.is_some_and(|record| record.redacted.is_some() && record.deleted.is_none())
}

/// The blob of a key in a tree.
pub(super) fn find_blob(tree: &Tree<'_>, key: &EntryKey) -> Option<Oid> {
    let entry = tree.get_path(key.as_str().as_ref()).ok()?;
    (entry.kind() == Some(git2::ObjectType::Blob)).then(|| entry.id())
}

/// A key in a commit.
struct KeyChange<'a> {
    commit: &'a Commit<'a>,
    tree: &'a Tree<'a>,
    version: u64,
    status: Delta,
    was_there: bool,
}

impl KeyChange<'_> {
    fn log_entry(
        &self,
        repository: &Repository,
        key: EntryKey,
        records: &Records,
    ) -> ChangeLogEntry {
        let record = records.get(&key);
        let content = find_blob(self.tree, &key).and_then(|id| {
            let (bytes, _) = repository.odb().ok()?.read_header(id).ok()?;
            let content = (bytes <= ENTRY_BYTES_MAX).then(|| repository.find_blob(id).ok())??;
            Some((Sha256::digest(content.content()), bytes as u64))
        });
        let is_deleted = match record {
            Some(record) => record.deleted.is_some(),
            None => self.status == Delta::Deleted,
        };
        let operation = match (is_deleted, self.was_there) {
            (true, _) => LogOperation::Deleted,
            (false, true) => LogOperation::Modified,
            (false, false) => LogOperation::Created,
        };
        let by_hand = || {
            let author = self.commit.author();
            let time = jiff::Timestamp::from_second(author.when().seconds()).unwrap_or_default();
            (
                author.name().unwrap_or_default().to_owned(),
                time.to_string(),
            )
        };
        let (actor, at) = match record {
            Some(record) => (record.actor.clone(), record.at.clone()),
            None => by_hand(),
        };
        let redacted = record.and_then(|record| record.redacted.clone()).unzip();
        ChangeLogEntry {
            key,
            operation,
            sha256: content.map(|(sha256, _)| sha256),
            size_bytes: content.map(|(_, bytes)| bytes),
            actor,
            at,
            version: self.version,
            redacted_at: redacted.0,
            redacted_by: redacted.1,
            reason: record.and_then(|record| record.reason.clone()),
        }
    }
}
