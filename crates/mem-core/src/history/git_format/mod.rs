//! The format before: a bare git repository (`history.git`), a commit a change, and a journal of changes whose objects
//! might not be on the disk yet. It is read once, whole, into a database that takes its place.
//!
//! The message of a commit is a summary line, an empty line, and the change as JSON; or `sealed`, an empty line, and
//! the same sealed, in base 64. The first parent of a commit is the directory's own past, a second one what an adoption
//! brought along.

mod journal;
mod record;
mod sealed_record;
mod truncated_objects;

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use git2::{Commit, Delta, Oid, Repository, Tree};

use self::journal::Journal;
use self::record::JournalRecord;
use super::change::{Change, FileOperation};
use super::database::{History, OWN};
use super::digest::Sha256;
use super::error::HistoryError;
use super::sealed::RowForm;
use super::staging::{beside, put_in_place, remove_tree};
use super::write::FileChange;
use crate::MemoryPath;
use crate::regular_file::if_there;
use crate::sealing::StateCipher;

/// The one reference, holding the newest change.
const HEAD_REF: &str = "refs/heads/main";
/// What a sealed message begins with: its summary line.
const SEALED: &str = "sealed\n\n";
/// What errors call the two.
const MESSAGE: &str = "a change of the history";
const FILE: &str = "a file of the history";

/// What a takeover came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TakenOver {
    /// Changes that were read.
    pub(crate) changes: usize,
    /// Commits and contents that could not be read.
    pub(crate) lost: usize,
}

impl History {
    /// Takes over what an earlier `mem` left: `git` and `journal` become the history at `path`. Both stay, for
    /// [`remove_earlier`] or to be set aside.
    ///
    /// # Errors
    /// Nothing of it can be read, or something cannot be opened or written; then nothing is at `path`.
    pub(crate) fn take_over(
        git: &Path,
        journal: &Path,
        path: &Path,
        seal: &StateCipher,
    ) -> Result<TakenOver, HistoryError> {
        let beside = beside(path);
        remove_tree(&beside)?;
        let new = Self::init(&beside, seal)?;
        let read = new.read_earlier(git, journal);
        let closed = read.and_then(|taken| new.close().map(|()| taken));
        if closed.is_err() {
            remove_tree(&beside)?;
        }
        let taken = closed?;
        crate::platform::sync_tree(&beside).map_err(HistoryError::io("sync", &beside))?;
        put_in_place(&beside, path)?;
        Ok(taken)
    }

    /// Takes what a process of an earlier version recorded after the takeover.
    ///
    /// # Errors
    /// As for [`History::take_over`]; then nothing changed.
    pub(crate) fn take_later(&self, git: &Path, journal: &Path) -> Result<TakenOver, HistoryError> {
        match self.taken_head()? == Some(newest_in(git, journal, &self.seal)?) {
            true => Ok(TakenOver::default()),
            false => self.read_earlier(git, journal),
        }
    }

    /// Reads both into this history, in one transaction.
    fn read_earlier(&self, git: &Path, journal: &Path) -> Result<TakenOver, HistoryError> {
        // One that may not be read is not damaged.
        std::fs::read_dir(git).map_err(HistoryError::io("read", git))?;
        let newest = newest_in(git, journal, &self.seal)?;
        let journal = Journal::read(journal, &self.seal)?;
        crate::libgit2::prepare();
        let repository = Repository::open_bare(git);
        let mut taken = TakenOver::default();
        let write = self.begin("FULL")?;
        let form = self.form()?;
        let reader = repository.as_ref().ok().map(|repository| GitHistoryReader {
            repository,
            seal: &self.seal,
            journal: &journal,
        });
        let mut head = None;
        match &reader {
            Some(reader) => {
                head = reader.head();
                for (commit, lineage) in reader.commits(head, &mut taken) {
                    reader.copy(self, commit, lineage, &form, &mut taken)?;
                }
            }
            None => taken.lost += 1,
        }
        let last = journal.records.len();
        for (number, record) in journal.records.iter().enumerate() {
            let is_pending = number + 1 == last && Some(record.commit) != head;
            copy_record(self, reader.as_ref(), record, &form, is_pending, &mut taken)?;
        }
        if taken.changes == 0 && self.head()?.is_none() {
            return Err(match repository {
                Err(error) => error.into(),
                Ok(_) => HistoryError::Gone(git.to_owned()),
            });
        }
        self.note_taken_head(&newest)?;
        write.commit()?;
        Ok(taken)
    }
}

/// The newest commit that a repository or its journal names, as text.
fn newest_in(git: &Path, journal: &Path, seal: &StateCipher) -> Result<String, HistoryError> {
    let journal = Journal::read(journal, seal)?;
    crate::libgit2::prepare();
    let repository = Repository::open_bare(git).ok();
    let head = repository.and_then(|repository| repository.refname_to_id(HEAD_REF).ok());
    let newest = journal.records.last().map(|record| record.commit).or(head);
    Ok(newest.map_or_else(|| "-".to_owned(), |oid| oid.to_string()))
}

/// Removes what was taken over.
pub(crate) fn remove_earlier(git: &Path, journal: &Path) -> Result<(), HistoryError> {
    remove_tree(git)?;
    let removed = if_there(std::fs::remove_file(journal));
    removed
        .map(drop)
        .map_err(HistoryError::io("remove", journal))
}

/// Copies a record of the journal whose commit was not reached.
fn copy_record(
    new: &History,
    reader: Option<&GitHistoryReader<'_>>,
    record: &JournalRecord,
    form: &RowForm,
    is_pending: bool,
    taken: &mut TakenOver,
) -> Result<(), HistoryError> {
    let (change, committed) = match (&record.change, reader) {
        (Some(change), _) => (change.clone(), Contents::new()),
        (None, Some(reader)) => match reader.read(record.commit, taken) {
            Some(read) => read,
            None => return Ok(()),
        },
        (None, None) => {
            taken.lost += 1;
            return Ok(());
        }
    };
    if new.find(change.id.as_str()).is_ok() {
        return Ok(());
    }
    let files = record.files.iter().map(|file| {
        let content = match &file.bytes {
            Some(bytes) => GitContent::Is(bytes.clone()),
            None if file.after.is_none() => GitContent::Gone,
            None => committed
                .get(&file.path)
                .cloned()
                .unwrap_or(GitContent::Lost),
        };
        (file.path.clone(), (file.before, content))
    });
    insert(new, OWN, &change, &files.collect(), form, is_pending, taken)
}

fn insert(
    new: &History,
    lineage: i64,
    change: &Change,
    files: &BTreeMap<MemoryPath, (Option<Sha256>, GitContent)>,
    form: &RowForm,
    is_pending: bool,
    taken: &mut TakenOver,
) -> Result<(), HistoryError> {
    let changes = files.iter().map(|(path, (before, content))| FileChange {
        path,
        before: *before,
        bytes: match content {
            GitContent::Is(bytes) => Some(bytes),
            _ => None,
        },
        after: None,
        is_lost: matches!(content, GitContent::Lost),
    });
    new.insert(
        lineage,
        change,
        &changes.collect::<Vec<_>>(),
        form,
        is_pending,
    )?;
    taken.changes += 1;
    Ok(())
}

/// What stands at a path behind a change.
#[derive(Clone)]
enum GitContent {
    Is(Vec<u8>),
    Gone,
    /// Something, which cannot be read.
    Lost,
}

type Contents = BTreeMap<MemoryPath, GitContent>;

struct GitHistoryReader<'r> {
    repository: &'r Repository,
    seal: &'r StateCipher,
    journal: &'r Journal,
}

impl GitHistoryReader<'_> {
    /// The newest commit whose past can be read: that of the reference, unless the last one that was synced is not
    /// among its past, as where a power failure took what came between. The journal has that.
    fn head(&self) -> Option<Oid> {
        let head = self.repository.refname_to_id(HEAD_REF).ok();
        let checkpoint = self.journal.checkpoint;
        let Some(head) = head else {
            return checkpoint;
        };
        let mut next = Some(head);
        while let Some(oid) = next.filter(|oid| Some(*oid) != checkpoint) {
            match self.whole_commit(oid) {
                Ok(commit) => next = commit.parent_ids().next(),
                Err(_) => return checkpoint.or(Some(head)),
            }
        }
        match next {
            None if checkpoint.is_some() => checkpoint,
            _ => Some(head),
        }
    }

    fn whole_commit(&self, oid: Oid) -> Result<Commit<'_>, HistoryError> {
        truncated_objects::require_whole(self.repository, oid)?;
        Ok(self.repository.find_commit(oid)?)
    }

    /// All commits that can be read, with their lineages, parents first.
    fn commits(&self, head: Option<Oid>, taken: &mut TakenOver) -> Vec<(Oid, i64)> {
        // A lineage is a chain of first parents; the newest heads come first.
        let (mut lineages, mut heads) = (HashMap::new(), VecDeque::from_iter(head));
        let mut lineage = OWN;
        while let Some(head) = heads.pop_front() {
            let is_new = !lineages.contains_key(&head);
            let mut next = Some(head);
            while let Some(oid) = next.filter(|oid| !lineages.contains_key(oid)) {
                lineages.insert(oid, lineage);
                let Ok(commit) = self.whole_commit(oid) else {
                    break;
                };
                heads.extend(commit.parent_ids().skip(1));
                next = commit.parent_ids().next();
            }
            lineage += i64::from(is_new);
        }
        let (mut ordered, mut met) = (Vec::new(), HashSet::new());
        let mut stack: Vec<(Oid, bool)> = head.map(|head| (head, false)).into_iter().collect();
        while let Some((oid, is_behind)) = stack.pop() {
            let lineage = lineages.get(&oid).copied().unwrap_or(OWN);
            if is_behind {
                ordered.push((oid, lineage));
            } else if met.insert(oid) {
                match self.whole_commit(oid) {
                    Ok(commit) => {
                        stack.push((oid, true));
                        let parents: Vec<Oid> = commit.parent_ids().collect();
                        stack.extend(parents.into_iter().rev().map(|parent| (parent, false)));
                    }
                    Err(_) => taken.lost += 1,
                }
            }
        }
        ordered
    }

    /// Copies one commit, with the contents of the journal where its own cannot be read. One without files began a
    /// history and says nothing.
    fn copy(
        &self,
        new: &History,
        oid: Oid,
        lineage: i64,
        form: &RowForm,
        taken: &mut TakenOver,
    ) -> Result<(), HistoryError> {
        let Some((change, mut files)) = self.read(oid, taken) else {
            return Ok(());
        };
        if change.versions.is_empty() || new.find(change.id.as_str()).is_ok() {
            return Ok(());
        }
        let mut records = self.journal.records.iter();
        if let Some(record) = records.find(|record| record.commit == oid) {
            for file in &record.files {
                if let Some(bytes) = &file.bytes {
                    files.insert(file.path.clone(), GitContent::Is(bytes.clone()));
                }
            }
        }
        // What a change did is known by its record, whatever became of its tree.
        for version in &change.versions {
            let is_there = version.operation != FileOperation::Deleted;
            files.entry(version.path.clone()).or_insert(match is_there {
                true => GitContent::Lost,
                false => GitContent::Gone,
            });
            if let Some(from) = &version.renamed_from {
                files.entry(from.clone()).or_insert(GitContent::Gone);
            }
        }
        let lost = files
            .values()
            .filter(|content| matches!(content, GitContent::Lost));
        taken.lost += lost.count();
        let files = files
            .into_iter()
            .map(|(path, content)| (path, (None, content)));
        insert(new, lineage, &change, &files.collect(), form, false, taken)
    }

    /// The change that a commit records and what it did to files, as far as that can be read.
    fn read(&self, oid: Oid, taken: &mut TakenOver) -> Option<(Change, Contents)> {
        let commit = self.whole_commit(oid).ok();
        let change = commit.as_ref().and_then(|commit| self.change(commit).ok());
        let recorded = || {
            let mut records = self.journal.records.iter();
            records.find(|record| record.commit == oid)?.change.clone()
        };
        let Some(change) = change.or_else(recorded) else {
            taken.lost += 1;
            return None;
        };
        let files = commit.and_then(|commit| self.files(&commit).ok());
        Some((change, files.unwrap_or_default()))
    }

    /// The change that a commit records.
    fn change(&self, commit: &Commit<'_>) -> Result<Change, HistoryError> {
        let foreign = || HistoryError::Missing(format!("commit {}", commit.id()));
        let message = commit.message().map_err(|_| foreign())?;
        let plain = match message.strip_prefix(SEALED) {
            None => message.to_owned(),
            Some(sealed) => {
                let sealed = STANDARD.decode(sealed.trim_end()).map_err(|_| foreign())?;
                let parents: Vec<String> = commit.parent_ids().map(|id| id.to_string()).collect();
                let belonging = ["change", &commit.tree_id().to_string(), &parents.join(" ")];
                let plain = self.seal.opened(sealed, &belonging, MESSAGE)?;
                String::from_utf8(plain.into_owned()).map_err(|_| foreign())?
            }
        };
        let json = plain.split_once("\n\n").map(|(_, json)| json);
        let change = json.and_then(|json| serde_json::from_str(json).ok());
        change.ok_or_else(foreign)
    }

    /// What a commit did to files: the difference of its tree to that of its first parent.
    fn files(&self, commit: &Commit<'_>) -> Result<Contents, HistoryError> {
        let is_sealed = commit.message_bytes().starts_with(SEALED.as_bytes());
        let before = match commit.parent(0) {
            Ok(parent) if !self.change(&parent)?.versions.is_empty() => Some(self.tree(&parent)?),
            _ => None,
        };
        let tree = self.tree(commit)?;
        let diff = self
            .repository
            .diff_tree_to_tree(before.as_ref(), Some(&tree), None)?;
        let mut files = Contents::new();
        for delta in diff.deltas() {
            let file = match delta.status() {
                Delta::Deleted => delta.old_file(),
                _ => delta.new_file(),
            };
            let name = String::from_utf8_lossy(file.path_bytes().unwrap_or_default()).into_owned();
            let Ok(path) = MemoryPath::parse(&name) else {
                return Err(HistoryError::Missing(name));
            };
            let content = match delta.status() {
                Delta::Deleted => GitContent::Gone,
                _ => self
                    .content(file.id(), is_sealed)
                    .map_or(GitContent::Lost, GitContent::Is),
            };
            files.insert(path, content);
        }
        Ok(files)
    }

    fn tree(&self, commit: &Commit<'_>) -> Result<Tree<'_>, HistoryError> {
        truncated_objects::require_whole(self.repository, commit.tree_id())?;
        Ok(self.repository.find_tree(commit.tree_id())?)
    }

    fn content(&self, blob: Oid, is_sealed: bool) -> Result<Vec<u8>, HistoryError> {
        truncated_objects::require_whole(self.repository, blob)?;
        let blob = self.repository.find_blob(blob)?;
        if !is_sealed {
            return Ok(blob.content().to_vec());
        }
        let key = self.seal.key_of(blob.content(), FILE)?;
        Ok(key.open(blob.content(), &["file"], FILE)?)
    }
}
