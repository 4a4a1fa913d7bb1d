//! Writing the whole history anew: what a redaction and a clean-up have in common.
//!
//! The new history is built beside the old one and takes its place in one rename; nothing of the old one (free
//! pages, the log) survives.
//!
//! Updating rows in place would be less to write, and would leave the old text in the write-ahead log, which cannot be
//! emptied while a reader uses it. A new database has no byte of the old one. The order, and what a kill leaves:
//!
//! ```text
//!            build history.new    sync it    exchange the two    remove history.new
//!  history   old                             new                 new
//!  .new      part of the new      new        old                 -
//!            swept, the rewrite is lost      swept, the rewrite holds
//! ```
//!
//! **Invariant:** ids, order and lineages of the changes that stay are the same as before. `epoch` is new, so that a
//! catalog of the old writing is not believed; numbers are the same where no change is dropped.
//!
//! **Cost:** every content of every change is read and written once, one change in memory at a time; the disk holds both
//! histories until the end. Tests: `kills::a_redaction_that_was_killed_can_be_finished_and_nothing_comes_back`,
//! `kills::packing_that_was_killed_loses_no_version`,
//! `store::redaction::a_text_is_gone_from_every_byte_and_the_record_stays`,
//! `store::redaction::a_bounded_history_keeps_the_newest_changes_and_every_id`.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;

use super::change::Change;
use super::database::{ChangeSequence, History, OWN};
use super::digest::Sha256;
use super::error::HistoryError;
use super::sealed::RowForm;
use super::staging::{beside, put_in_place, remove_tree, swap};
use super::write::{Brought, FileChange, LOST};
use crate::MemoryPath;
use crate::sealing::{SealError, StateCipher};

/// What to change while rewriting. Every part may leave things as they are.
pub trait HistoryRewrite {
    /// The new content of a file, `None` to keep it. `digest` is that of what the history stores of it.
    fn content(&self, path: &str, digest: &Sha256, bytes: &[u8]) -> Option<Vec<u8>>;
    /// The new name of a file or folder, `None` to keep it.
    fn name(&self, _name: &str) -> Option<String> {
        None
    }
    /// Whether what is recorded of a cited file, its path or its id, is to be forgotten.
    fn forgets(&self, _recorded: &str) -> bool {
        false
    }
    /// Adjusts a change's record; `touched` tells whether a path's content was changed.
    fn record(&self, change: &mut Change, touched: &dyn Fn(&str) -> bool);
    /// How many of the newest changes of the directory's own stay, `None` for all.
    fn keep(&self) -> Option<usize> {
        None
    }
}

/// What a rewrite went through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// Changes of the new history.
    pub changes: usize,
    /// Changes and contents of the new history; each of them was looked at.
    pub objects: usize,
    /// Files whose content was changed, over all changes.
    pub rewritten: usize,
    /// Names of files and folders that were changed, over all changes.
    pub names: usize,
    /// Contents that hold what was to be removed; after a redaction of a note these are files of
    /// the very same content that belong to other notes.
    pub hits: usize,
}

/// A row of `files`, its content opened.
struct StoredFile {
    path: String,
    content: Option<(Sha256, Vec<u8>)>,
    is_lost: bool,
}

impl History {
    /// Rewrites the history in place and returns it anew.
    ///
    /// # Errors
    /// Something in it is damaged or the disk is full; the old history is then untouched.
    pub fn rewrite(self, plan: &dyn HistoryRewrite) -> Result<(Self, Proof), HistoryError> {
        let form = self.form()?;
        self.rewrite_as(plan, &form)
    }

    /// The same in another form.
    pub(super) fn rewrite_as(
        self,
        plan: &dyn HistoryRewrite,
        form: &RowForm,
    ) -> Result<(Self, Proof), HistoryError> {
        let place = self.path().to_owned();
        let beside = beside(&place);
        remove_tree(&beside)?;
        let built = self.build(&beside, plan, form);
        if built.is_err() {
            remove_tree(&beside)?;
        }
        let proof = built?;
        // The new one was written without any sync (`OFF`), because it does not count before the exchange. From the
        // exchange on it is the only one, so all of it is on the disk first.
        crate::platform::sync_tree(&beside).map_err(HistoryError::io("sync", &beside))?;
        let seal = self.seal.clone();
        // Closed before the exchange: Windows renames no folder with an open file.
        drop(self);
        swap(&beside, &place)?;
        let reopened = Self::open(&place, &seal)?;
        let history = reopened.ok_or_else(|| HistoryError::Gone(place))?;
        Ok((history, proof))
    }

    /// Builds the new history at `beside`.
    fn build(
        &self,
        beside: &Path,
        plan: &dyn HistoryRewrite,
        form: &RowForm,
    ) -> Result<Proof, HistoryError> {
        let new = Self::init(beside, &self.seal)?;
        let write = new.begin("OFF")?;
        let dropped = self.dropped(plan.keep())?;
        let mut rewriter = Rewriter {
            plan,
            rewritten: HashSet::new(),
            names: BTreeSet::new(),
        };
        let mut changes = 0;
        let mut bases = self.files_before(dropped)?;
        for (sequence, lineage) in self.places()?.into_iter().filter(|one| one.0 > dropped) {
            let mut files = self.files_of(sequence)?;
            // The first change of a lineage that stays gets the files of those that do not, as if it had written
            // them: the state as of a change is a query over earlier rows, and these rows are gone.
            let base = bases.remove(&lineage).unwrap_or_default();
            let own: HashSet<String> = files.iter().map(|one| one.path.clone()).collect();
            files.extend(base.into_iter().filter(|one| !own.contains(&one.path)));
            let mut change = self.change(sequence)?;
            let (files, touched) = rewriter.files(files)?;
            plan.record(&mut change, &|path| touched.contains(path));
            new.insert(lineage, &change, &file_changes(&files), form, false)?;
            changes += 1;
        }
        write.commit()?;
        new.note_pages()?;
        let query = "SELECT count(*) FROM contents";
        let contents: i64 = new.db.query_row(query, (), |row| row.get(0))?;
        let contents = usize::try_from(contents).unwrap_or_default();
        new.close()?;
        Ok(Proof {
            changes,
            objects: changes + contents,
            rewritten: rewriter.rewritten.len(),
            names: rewriter.names.len(),
            hits: 0,
        })
    }

    /// The newest change of the directory's own that does not stay, and everything before it; one before all
    /// where all stay.
    fn dropped(&self, keep: Option<usize>) -> Result<ChangeSequence, HistoryError> {
        let none = ChangeSequence(i64::MIN);
        let Some(at) = keep.and_then(|keep| keep.checked_sub(1)) else {
            return Ok(none);
        };
        match self.own_entries().nth(at).transpose()? {
            Some(oldest) => Ok(self.parent(oldest.sequence)?.unwrap_or(none)),
            None => Ok(none),
        }
    }

    /// The files of each lineage as of a change, which stand in for what does not stay.
    fn files_before(
        &self,
        dropped: ChangeSequence,
    ) -> Result<HashMap<i64, Vec<StoredFile>>, HistoryError> {
        let mut query = self.db.prepare(
            "SELECT lineage, path, max(sequence), content FROM files JOIN changes USING (sequence)
             WHERE sequence <= ? GROUP BY lineage, path",
        )?;
        let mut rows = query.query([dropped.0])?;
        let mut bases: HashMap<i64, Vec<StoredFile>> = HashMap::new();
        let is_sealed = self.is_sealed()?;
        while let Some(row) = rows.next()? {
            let (lineage, path): (i64, String) = (row.get(0)?, row.get(1)?);
            let content: Option<i64> = row.get(3)?;
            if content.is_some() {
                let file = self.stored_file(path, content, is_sealed)?;
                bases.entry(lineage).or_default().push(file);
            }
        }
        Ok(bases)
    }

    /// The places of all changes with their lineages, oldest first.
    fn places(&self) -> Result<Vec<(ChangeSequence, i64)>, HistoryError> {
        let mut query = self
            .db
            .prepare("SELECT sequence, lineage FROM changes ORDER BY sequence")?;
        let rows = query.query_map((), |row| Ok((ChangeSequence(row.get(0)?), row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The same up to the first that cannot be read.
    fn readable_places(&self) -> Vec<(ChangeSequence, i64)> {
        let query = "SELECT sequence, lineage FROM changes ORDER BY sequence";
        let Ok(mut query) = self.db.prepare(query) else {
            return Vec::new();
        };
        let rows = query.query_map((), |row| Ok((ChangeSequence(row.get(0)?), row.get(1)?)));
        let rows = rows.into_iter().flatten();
        rows.map_while(Result::ok).collect()
    }

    /// What a change did to files.
    fn files_of(&self, sequence: ChangeSequence) -> Result<Vec<StoredFile>, HistoryError> {
        let is_sealed = self.is_sealed()?;
        let rows = self.file_rows(sequence)?.into_iter();
        rows.map(|(path, content)| self.stored_file(path, content, is_sealed))
            .collect()
    }

    /// The same; a content that is damaged counts as lost.
    fn readable_files_of(&self, sequence: ChangeSequence) -> Result<Vec<StoredFile>, HistoryError> {
        let is_sealed = self.is_sealed()?;
        let rows = self.file_rows(sequence)?.into_iter();
        let files =
            rows.map(
                |(path, content)| match self.stored_file(path.clone(), content, is_sealed) {
                    Err(error) if error.is_damage() => {
                        self.stored_file(path, Some(LOST), is_sealed)
                    }
                    read => read,
                },
            );
        files.collect()
    }

    /// The paths that a change touched, each with the row of its content.
    fn file_rows(
        &self,
        sequence: ChangeSequence,
    ) -> Result<Vec<(String, Option<i64>)>, HistoryError> {
        let mut query = self
            .db
            .prepare_cached("SELECT path, content FROM files WHERE sequence = ?")?;
        let rows = query.query_map([sequence.0], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn stored_file(
        &self,
        path: String,
        content: Option<i64>,
        is_sealed: bool,
    ) -> Result<StoredFile, HistoryError> {
        let is_lost = content == Some(LOST);
        let content = content.filter(|_| !is_lost);
        let content = content.map(|content| self.opened_row(&path, content, is_sealed));
        Ok(StoredFile {
            content: content.transpose()?,
            path,
            is_lost,
        })
    }

    /// A content by its row, for a rewrite that names the file which it fails at.
    fn opened_row(
        &self,
        path: &str,
        content: i64,
        is_sealed: bool,
    ) -> Result<(Sha256, Vec<u8>), HistoryError> {
        let mut query = self
            .db
            .prepare_cached("SELECT digest, bytes FROM contents WHERE id = ?")?;
        let row = query.query_row([content], |row| Ok((row.get(0)?, row.get(1)?)));
        let (digest, stored): (Vec<u8>, Vec<u8>) = row.map_err(unreadable(path))?;
        let digest = Sha256::from_slice(&digest);
        let digest = digest.filter(|digest| *digest == Sha256::digest(&stored));
        let digest = digest.ok_or_else(|| HistoryError::Missing(path.to_owned()))?;
        let opened = self.opened_content(stored, is_sealed);
        Ok((digest, opened.map_err(closed(path))?))
    }

    /// A new history at `path` with what can be read of a damaged one, and how many changes that are. It takes its
    /// place when it is whole.
    pub(crate) fn salvaged(
        path: &Path,
        seal: &StateCipher,
        damaged: &Brought,
    ) -> Result<(Self, usize), HistoryError> {
        let beside = beside(path);
        remove_tree(&beside)?;
        let new = Self::init(&beside, seal)?;
        let changes = new.salvage(damaged)?;
        new.close()?;
        crate::platform::sync_tree(&beside).map_err(HistoryError::io("sync", &beside))?;
        put_in_place(&beside, path)?;
        let history = Self::open(path, seal)?;
        let history = history.ok_or_else(|| HistoryError::Gone(path.to_owned()))?;
        Ok((history, changes))
    }

    fn salvage(&self, damaged: &Brought) -> Result<usize, HistoryError> {
        let Ok(Some(other)) = damaged.open() else {
            return Ok(0);
        };
        let write = self.begin("OFF")?;
        let form = self.form()?;
        let mut changes = 0;
        for (sequence, lineage) in other.readable_places() {
            let read = other.change(sequence).and_then(|change| {
                let files = parsed(other.readable_files_of(sequence)?)?;
                Ok((change, files))
            });
            // A change that cannot be read is left out: each of the others holds whole contents, no differences.
            let Ok((change, files)) = read else { continue };
            self.insert(lineage, &change, &file_changes(&files), &form, false)?;
            changes += 1;
        }
        write.commit()?;
        Ok(changes)
    }

    /// Copies the changes of another history, in the form that this one has, as lineages of their own. What is
    /// here already (a directory may be adopted twice) is passed over. Inside of a transaction.
    pub(super) fn copy_lineages(&self, other: &Self, form: &RowForm) -> Result<(), HistoryError> {
        let query = "SELECT coalesce(max(lineage), 0) FROM changes";
        let mut newest: i64 = self.db.query_row(query, (), |row| row.get(0))?;
        let mut lineages: HashMap<i64, i64> = HashMap::new();
        for (sequence, lineage) in other.places()? {
            let change = other.change(sequence)?;
            if let Ok(known) = self.find(change.id.as_str()) {
                let here = self.lineage(known.sequence)?;
                if here != OWN {
                    lineages.insert(lineage, here);
                }
                continue;
            }
            let here = *lineages.entry(lineage).or_insert_with(|| {
                newest += 1;
                newest
            });
            let files = parsed(other.files_of(sequence)?)?;
            self.insert(here, &change, &file_changes(&files), form, false)?;
        }
        Ok(())
    }
}

/// A content of a file, or none where it went, and whether it is lost.
type Contents = BTreeMap<MemoryPath, (Option<Vec<u8>>, bool)>;

fn parsed(files: Vec<StoredFile>) -> Result<Contents, HistoryError> {
    let parsed = files.into_iter().map(|file| {
        let path = MemoryPath::parse(&file.path);
        let path = path.map_err(|_| HistoryError::Missing(file.path))?;
        Ok((path, (file.content.map(|(_, bytes)| bytes), file.is_lost)))
    });
    parsed.collect()
}

fn file_changes(files: &Contents) -> Vec<FileChange<'_>> {
    let changes = files.iter().map(|(path, (bytes, is_lost))| FileChange {
        path,
        before: None,
        bytes: bytes.as_deref(),
        after: None,
        is_lost: *is_lost,
    });
    changes.collect()
}

/// The state of one rewrite.
struct Rewriter<'r> {
    plan: &'r dyn HistoryRewrite,
    /// Contents that were changed, by the paths that they stood at.
    rewritten: HashSet<(String, Sha256)>,
    /// Paths whose last name was changed.
    names: BTreeSet<String>,
}

impl Rewriter<'_> {
    /// The files of a change, rewritten, and the paths whose contents are others now.
    fn files(
        &mut self,
        files: Vec<StoredFile>,
    ) -> Result<(Contents, HashSet<String>), HistoryError> {
        let (mut written, mut touched) = (Contents::new(), HashSet::new());
        for StoredFile {
            path,
            content,
            is_lost,
        } in files
        {
            let content = content.map(|(digest, bytes)| {
                let Some(new) = self.plan.content(&path, &digest, &bytes) else {
                    return bytes;
                };
                if new != bytes {
                    touched.insert(path.clone());
                }
                self.rewritten.insert((path.clone(), digest));
                new
            });
            let new = self.path(&path)?;
            // A file that got its new name before leaves its old one, which is the same now.
            if content.is_some() || is_lost || !written.contains_key(&new) {
                written.insert(new, (content, is_lost));
            }
        }
        Ok((written, touched))
    }

    fn path(&mut self, path: &str) -> Result<MemoryPath, HistoryError> {
        let mut new = String::with_capacity(path.len());
        let mut end = 0;
        for name in path.split('/') {
            end += name.len();
            let named = self.plan.name(name);
            if named.is_some() {
                self.names.insert(path[..end].to_owned());
            }
            end += 1;
            if !new.is_empty() {
                new.push('/');
            }
            new.push_str(named.as_deref().unwrap_or(name));
        }
        MemoryPath::parse(&new).map_err(|_| HistoryError::Missing(path.to_owned()))
    }
}

/// A file whose content is gone or damaged: whoever mends it has to know which.
fn unreadable(path: &str) -> impl FnOnce(rusqlite::Error) -> HistoryError {
    let path = path.to_owned();
    move |reason| HistoryError::Unreadable { path, reason }
}

/// A file that is sealed and cannot be opened.
fn closed(path: &str) -> impl FnOnce(SealError) -> HistoryError {
    let path = path.to_owned();
    move |source| HistoryError::Closed { path, source }
}
