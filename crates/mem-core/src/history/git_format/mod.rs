//! The format before: a bare git repository (`history.git`), a commit a change, and a journal of changes whose objects
//! might not be on the disk yet. It is read once, whole, into a database that takes its place.
//!
//! The message of a commit is a summary line, an empty line, and the change as JSON; or `sealed`, an empty line, and
//! the same sealed, in base 64. The first parent of a commit is the directory's own past, a second one what an adoption
//! brought along.

mod journal;
mod record;
mod sealed_record;
mod torn;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::Path;

use git2::{Commit, Delta, Oid, Repository, Sort, Tree};

use self::journal::Journal;
use self::record::Record;
use super::change::Change;
use super::database::{History, OWN};
use super::error::HistoryError;
use super::place::{beside, put_in_place, remove_tree};
use super::sealed::Form;
use super::write::FileChange;
use crate::sealing::Seal;
use crate::{MemoryPath, base64};

/// The one reference, holding the newest change.
const HEAD_REF: &str = "refs/heads/main";
/// What a sealed message begins with: its summary line.
const SEALED: &str = "sealed\n\n";
/// What errors call the two.
const MESSAGE: &str = "a change of the history";
const FILE: &str = "a file of the history";

impl History {
    /// Takes over what an earlier `mem` left: `git` and `journal` become the history at `path`, and go.
    ///
    /// # Errors
    /// Something cannot be read, opened or written; then both stay as they are.
    pub(crate) fn take_over(
        git: &Path,
        journal: &Path,
        path: &Path,
        seal: &Seal,
    ) -> Result<(), HistoryError> {
        let beside = beside(path);
        remove_tree(&beside)?;
        let new = Self::init(&beside, seal)?;
        let read = read_into(&new, git, journal);
        let closed = read.and_then(|()| new.close());
        if let Err(error) = closed {
            remove_tree(&beside)?;
            return Err(error);
        }
        crate::platform::sync_tree(&beside).map_err(HistoryError::io("sync", &beside))?;
        put_in_place(&beside, path)?;
        remove_earlier(git, journal)
    }
}

/// Removes what was taken over.
pub(crate) fn remove_earlier(git: &Path, journal: &Path) -> Result<(), HistoryError> {
    remove_tree(git)?;
    match std::fs::remove_file(journal) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(HistoryError::io("remove", journal)(error))
        }
        _ => Ok(()),
    }
}

fn read_into(new: &History, git: &Path, journal: &Path) -> Result<(), HistoryError> {
    let journal = Journal::read(journal, &new.seal)?;
    crate::libgit2::prepare();
    let repository = Repository::open_bare(git)?;
    let reader = Reader {
        repository: &repository,
        seal: &new.seal,
    };
    let form = Form(new.seal.key()?);
    let head = reader.head(journal.checkpoint)?;
    // The database is the only one's who writes it: nothing is synced before all of it is there.
    let write = new.begin("OFF")?;
    for (commit, lineage) in reader.commits(head)? {
        reader.copy(new, commit, lineage, &form)?;
    }
    let last = journal.records.len();
    for (number, record) in journal.records.iter().enumerate() {
        let is_pending = number + 1 == last && Some(record.commit) != head;
        reader.copy_record(new, record, &form, is_pending)?;
    }
    Ok(write.commit()?)
}

/// One file of a change, opened; no content where it went.
type Contents = BTreeMap<MemoryPath, Option<Vec<u8>>>;

struct Reader<'r> {
    repository: &'r Repository,
    seal: &'r Seal,
}

impl Reader<'_> {
    /// The newest commit that can be read: that of the reference, or the last one that was synced.
    fn head(&self, checkpoint: Option<Oid>) -> Result<Option<Oid>, HistoryError> {
        let head = match self.repository.refname_to_id(HEAD_REF) {
            Ok(oid) => Some(oid),
            Err(error) if error.code() == git2::ErrorCode::NotFound => None,
            Err(_) if checkpoint.is_some() => checkpoint,
            Err(error) => return Err(error.into()),
        };
        let is_whole = |oid: &Oid| self.whole_commit(*oid).is_ok();
        match head {
            Some(head) if !is_whole(&head) && checkpoint.as_ref().is_some_and(is_whole) => {
                Ok(checkpoint)
            }
            head => Ok(head),
        }
    }

    fn whole_commit(&self, oid: Oid) -> Result<Commit<'_>, HistoryError> {
        torn::require_whole(self.repository, oid)?;
        Ok(self.repository.find_commit(oid)?)
    }

    /// All commits with their lineages, parents first.
    fn commits(&self, head: Option<Oid>) -> Result<Vec<(Oid, i64)>, HistoryError> {
        let Some(head) = head else {
            return Ok(Vec::new());
        };
        // A lineage is a chain of first parents; the newest heads come first.
        let (mut lineages, mut heads) = (HashMap::new(), VecDeque::from([head]));
        let mut lineage = OWN;
        while let Some(head) = heads.pop_front() {
            let mut next = Some(head).filter(|head| !lineages.contains_key(head));
            let is_new = next.is_some();
            while let Some(oid) = next.filter(|oid| !lineages.contains_key(oid)) {
                lineages.insert(oid, lineage);
                let commit = self.whole_commit(oid)?;
                heads.extend(commit.parent_ids().skip(1));
                next = commit.parent_ids().next();
            }
            lineage += i64::from(is_new);
        }
        let mut walk = self.repository.revwalk()?;
        walk.set_sorting(Sort::TOPOLOGICAL | Sort::REVERSE)?;
        walk.push(head)?;
        let of = |oid: Result<Oid, git2::Error>| {
            let oid = oid?;
            Ok((oid, lineages.get(&oid).copied().unwrap_or(OWN)))
        };
        walk.map(of).collect()
    }

    /// Copies one commit. One without files began a history and says nothing.
    fn copy(&self, new: &History, oid: Oid, lineage: i64, form: &Form) -> Result<(), HistoryError> {
        let commit = self.whole_commit(oid)?;
        let change = self.change(&commit)?;
        if change.versions.is_empty() {
            return Ok(());
        }
        let files = self.files(&commit)?;
        let files: Vec<FileChange<'_>> = files
            .iter()
            .map(|(path, bytes)| FileChange {
                path,
                before: None,
                bytes: bytes.as_deref(),
                after: None,
            })
            .collect();
        new.insert(lineage, &change, &files, form, false).map(drop)
    }

    /// Copies a record of the journal whose commit was not reached.
    fn copy_record(
        &self,
        new: &History,
        record: &Record,
        form: &Form,
        is_pending: bool,
    ) -> Result<(), HistoryError> {
        let (change, committed) = match &record.change {
            Some(change) => (change.clone(), Contents::new()),
            None => {
                let commit = self.whole_commit(record.commit)?;
                (self.change(&commit)?, self.files(&commit)?)
            }
        };
        if new.find(change.id.as_str()).is_ok() {
            return Ok(());
        }
        let files = record.files.iter().map(|file| FileChange {
            path: &file.path,
            before: file.before,
            bytes: match &file.bytes {
                Some(bytes) => Some(bytes),
                None => committed.get(&file.path).and_then(Option::as_deref),
            },
            after: None,
        });
        let files: Vec<FileChange<'_>> = files.collect();
        new.insert(OWN, &change, &files, form, is_pending).map(drop)
    }

    /// The change that a commit records.
    fn change(&self, commit: &Commit<'_>) -> Result<Change, HistoryError> {
        let foreign = || HistoryError::Missing(format!("commit {}", commit.id()));
        let message = commit.message().ok();
        let json = match message.and_then(|text| text.strip_prefix(SEALED)) {
            None => {
                let plain = message.and_then(|text| text.split_once("\n\n"));
                return plain
                    .and_then(|(_, json)| serde_json::from_str(json).ok())
                    .ok_or_else(foreign);
            }
            Some(sealed) => base64::decode(sealed.trim_end()).ok_or_else(foreign)?,
        };
        let parents: Vec<String> = commit.parent_ids().map(|id| id.to_string()).collect();
        let belonging = ["change", &commit.tree_id().to_string(), &parents.join(" ")];
        let plain = self.seal.opened(json, &belonging, MESSAGE)?;
        serde_json::from_slice(&plain).map_err(|_| foreign())
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
            let bytes = match delta.status() {
                Delta::Deleted => None,
                _ => Some(self.content(file.id(), is_sealed)?),
            };
            files.insert(path, bytes);
        }
        Ok(files)
    }

    fn tree(&self, commit: &Commit<'_>) -> Result<Tree<'_>, HistoryError> {
        torn::require_whole(self.repository, commit.tree_id())?;
        Ok(self.repository.find_tree(commit.tree_id())?)
    }

    fn content(&self, blob: Oid, is_sealed: bool) -> Result<Vec<u8>, HistoryError> {
        torn::require_whole(self.repository, blob)?;
        let blob = self.repository.find_blob(blob)?;
        if !is_sealed {
            return Ok(blob.content().to_vec());
        }
        let key = self.seal.key_of(blob.content(), FILE)?;
        Ok(key.open(blob.content(), &["file"], FILE)?)
    }
}
