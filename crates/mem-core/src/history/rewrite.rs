//! Writing the whole history anew: what a redaction and a clean-up have in common.
//!
//! The new history is built beside the old one, as one pack, and takes its place in one rename;
//! nothing of the old one (loose objects, packs, unreachable leftovers) survives.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use git2::{Commit, ObjectType, Odb, Oid, Repository, Sort, Tree};

use super::change::Change;
use super::error::HistoryError;
use super::form::{self, Form};
use super::objects;
use super::pack::in_one_pack;
use super::place::{beside, remove_tree, swap};
use super::repository::History;
use super::torn;
use crate::sealing::{Seal, SealError};

/// What to change while rewriting. Every part may leave things as they are.
pub trait Rewrite {
    /// The new content of a file, `None` to keep it. `path` is the file's path at that commit.
    fn content(&self, path: &str, blob: Oid, bytes: &[u8]) -> Option<Vec<u8>>;
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
    /// Commits of the new history.
    pub changes: usize,
    /// Objects of the new history; each of them was looked at.
    pub objects: usize,
    /// Files whose content was changed, over all commits.
    pub rewritten: usize,
    /// Names of files and folders that were changed, over all commits.
    pub names: usize,
    /// Objects that hold what was to be removed; after a redaction of a note these are files of
    /// the very same content that belong to other notes.
    pub hits: usize,
}

/// The state of one rewrite.
pub(super) struct Rewriter<'r> {
    old: &'r Repository,
    new: &'r Repository,
    plan: &'r dyn Rewrite,
    /// How the old objects are opened, and the new ones written.
    seal: &'r Seal,
    form: &'r Form,
    /// Whether the files of the commit at hand are sealed.
    is_sealed: bool,
    pub(super) commits: HashMap<Oid, Oid>,
    /// What became of each file, and whether its content is another.
    blobs: HashMap<(String, Oid), (Oid, bool)>,
    rewritten: usize,
    /// Paths whose last name was changed.
    names: BTreeSet<String>,
}

impl History {
    /// Rewrites the history in place and returns it anew.
    ///
    /// # Errors
    /// Objects are damaged or the disk is full; the old history is then untouched.
    pub fn rewrite(self, plan: &dyn Rewrite) -> Result<(Self, Proof), HistoryError> {
        let form = self.form_after(self.head()?)?;
        self.rewrite_as(plan, &form)
    }

    /// The same in another form.
    pub(super) fn rewrite_as(
        self,
        plan: &dyn Rewrite,
        form: &Form,
    ) -> Result<(Self, Proof), HistoryError> {
        let place = self.path().to_owned();
        let beside = beside(&place);
        remove_tree(&beside)?;
        let built = build(&self, &beside, plan, form);
        if built.is_err() {
            remove_tree(&beside)?;
        }
        let proof = built?;
        crate::platform::sync_tree(&beside).map_err(HistoryError::io("sync", &beside))?;
        let seal = self.seal.clone();
        drop(self);
        swap(&beside, &place)?;
        let reopened = Self::open(&place, &seal)?;
        let history = reopened.ok_or_else(|| HistoryError::NoSuchChange("HEAD".to_owned()))?;
        Ok((history, proof))
    }

    /// Shows every object, unpacked and opened.
    ///
    /// # Errors
    /// An object cannot be read or opened.
    pub(crate) fn each_object(
        &self,
        show: &mut dyn FnMut(ObjectType, &[u8]),
    ) -> Result<(), HistoryError> {
        self.objects(show, &mut |_, error| Err(error))
    }

    /// The same for those that can be read and opened. Says how many cannot.
    ///
    /// # Errors
    /// The objects cannot be listed.
    pub(crate) fn each_readable(
        &self,
        show: &mut dyn FnMut(ObjectType, &[u8]),
    ) -> Result<usize, HistoryError> {
        let mut closed = 0;
        self.objects(show, &mut |_, _| {
            closed += 1;
            Ok(())
        })?;
        Ok(closed)
    }

    /// The same; what is wrong with one is handed over by its id, or by none for the newest change.
    pub(super) fn objects(
        &self,
        show: &mut dyn FnMut(ObjectType, &[u8]),
        fail: &mut dyn FnMut(Option<Oid>, HistoryError) -> Result<(), HistoryError>,
    ) -> Result<(), HistoryError> {
        let odb = self.repo.odb()?;
        let mut ids = Vec::new();
        odb.foreach(|oid| {
            ids.push(*oid);
            true
        })?;
        let is_sealed = match self.is_sealed() {
            Ok(is_sealed) => is_sealed,
            Err(error) => {
                fail(None, error)?;
                false
            }
        };
        for oid in ids {
            if let Err(error) = self.object(&odb, oid, is_sealed, show) {
                fail(Some(oid), error)?;
            }
        }
        Ok(())
    }

    fn object(
        &self,
        odb: &Odb<'_>,
        oid: Oid,
        is_sealed: bool,
        show: &mut dyn FnMut(ObjectType, &[u8]),
    ) -> Result<(), HistoryError> {
        torn::require_whole(&self.repo, oid)?;
        let object = odb.read(oid)?;
        match object.kind() {
            ObjectType::Blob if is_sealed => {
                show(
                    ObjectType::Blob,
                    &form::opened_file(object.data(), &self.seal)?,
                );
            }
            ObjectType::Commit if is_sealed => {
                let change = self.change(oid)?;
                show(ObjectType::Commit, change.to_message()?.as_bytes());
            }
            kind => show(kind, object.data()),
        }
        Ok(())
    }
}

impl History {
    /// How many of these objects are there.
    pub(crate) fn count_existing(
        &self,
        objects: impl IntoIterator<Item = Oid>,
    ) -> Result<usize, HistoryError> {
        let odb = self.repo.odb()?;
        Ok(objects.into_iter().filter(|oid| odb.exists(*oid)).count())
    }
}

/// Builds the new history at `beside`.
fn build(
    old: &History,
    beside: &Path,
    plan: &dyn Rewrite,
    form: &Form,
) -> Result<Proof, HistoryError> {
    let new = History::init(beside, &old.seal)?;
    let order = commits_to_keep(old, plan.keep())?;
    let old_head = old.head()?;
    let (head, mut proof) = in_one_pack(beside, |repo| {
        let mut rewriter = Rewriter::new(old, repo, plan, form);
        for commit in order {
            rewriter.commit(commit)?;
        }
        let head = old_head.and_then(|oid| rewriter.commits.get(&oid).copied());
        let changes = rewriter.commits.len();
        Ok((
            head,
            Proof {
                changes,
                objects: 0,
                rewritten: rewriter.rewritten,
                names: rewriter.names.len(),
                hits: 0,
            },
        ))
    })?;
    let odb = new.repo.odb()?;
    odb.refresh()?;
    odb.foreach(|_| {
        proof.objects += 1;
        true
    })?;
    new.set_head(head)?;
    Ok(proof)
}

/// The commits of the new history, parents first: the newest of the directory's own, each with
/// what it brought along.
pub(super) fn commits_to_keep(
    old: &History,
    keep: Option<usize>,
) -> Result<Vec<Oid>, HistoryError> {
    let Some(head) = old.head()? else {
        return Ok(Vec::new());
    };
    let mut walk = old.repo.revwalk()?;
    walk.set_sorting(Sort::TOPOLOGICAL)?;
    walk.push(head)?;
    let oldest = keep.and_then(|keep| old.own_entries().nth(keep.checked_sub(1)?));
    if let Some(oldest) = oldest.transpose()?
        && let Some(dropped) = old.parent(oldest.commit)?
    {
        walk.hide(dropped)?;
    }
    let newest_first: Vec<Oid> = walk.collect::<Result<_, _>>()?;
    Ok(newest_first.into_iter().rev().collect())
}

impl<'r> Rewriter<'r> {
    pub(super) fn new(
        old: &'r History,
        new: &'r Repository,
        plan: &'r dyn Rewrite,
        form: &'r Form,
    ) -> Self {
        Self {
            old: &old.repo,
            new,
            plan,
            seal: &old.seal,
            form,
            is_sealed: false,
            commits: HashMap::new(),
            blobs: HashMap::new(),
            rewritten: 0,
            names: BTreeSet::new(),
        }
    }

    pub(super) fn commit(&mut self, oid: Oid) -> Result<(), HistoryError> {
        torn::require_whole(self.old, oid)?;
        let commit = self.old.find_commit(oid)?;
        torn::require_whole(self.old, commit.tree_id())?;
        let mut change = form::change_of(&commit, self.seal)?;
        self.is_sealed = form::is_sealed(&commit);
        let mut touched = Vec::new();
        let tree = self.tree(&commit.tree()?, "", &mut touched)?;
        self.plan
            .record(&mut change, &|path| touched.iter().any(|one| one == path));
        let parents = self.parents(&commit, &change)?;
        let written = objects::write_commit(self.new, self.form, &change, tree, &parents)?;
        self.commits.insert(oid, written);
        Ok(())
    }

    /// The parents that stay. The first one is the directory's own past: where it is dropped and
    /// one that was brought along stays, its files stand in for it.
    fn parents(&mut self, commit: &Commit<'_>, change: &Change) -> Result<Vec<Oid>, HistoryError> {
        let kept = |id: Oid| self.commits.get(&id).copied();
        let mut parents: Vec<Oid> = commit.parent_ids().filter_map(kept).collect();
        let own = commit.parent_ids().next();
        if let Some(own) = own.filter(|own| kept(*own).is_none() && !parents.is_empty()) {
            let tree = self.old.find_commit(own)?.tree()?;
            let tree = self.tree(&tree, "", &mut Vec::new())?;
            let beginning = Change::beginning(change);
            let written = objects::write_commit(self.new, self.form, &beginning, tree, &[])?;
            parents.insert(0, written);
        }
        Ok(parents)
    }

    fn tree(
        &mut self,
        tree: &Tree<'_>,
        folder: &str,
        touched: &mut Vec<String>,
    ) -> Result<Oid, HistoryError> {
        let mut builder = self.new.treebuilder(None)?;
        for entry in tree {
            let name = String::from_utf8_lossy(entry.name_bytes()).into_owned();
            let new_name = self.plan.name(&name);
            let path = if folder.is_empty() {
                name
            } else {
                format!("{folder}/{name}")
            };
            if new_name.is_some() {
                self.names.insert(path.clone());
            }
            let id = match entry.kind() {
                Some(ObjectType::Tree) => {
                    torn::require_whole(self.old, entry.id())?;
                    self.tree(&self.old.find_tree(entry.id())?, &path, touched)?
                }
                _ => self.blob(&path, entry.id(), touched)?,
            };
            let name = new_name.as_deref().map(str::as_bytes);
            let name = name.unwrap_or(entry.name_bytes());
            builder.insert(name, id, entry.filemode())?;
        }
        Ok(builder.write()?)
    }

    fn blob(
        &mut self,
        path: &str,
        oid: Oid,
        touched: &mut Vec<String>,
    ) -> Result<Oid, HistoryError> {
        let key = (path.to_owned(), oid);
        let (new, is_changed) = match self.blobs.get(&key) {
            Some(&known) => known,
            None => {
                torn::require_whole(self.old, oid).map_err(unreadable(path))?;
                let blob = self.old.find_blob(oid).map_err(unreadable(path))?;
                let old = match self.is_sealed {
                    true => {
                        let opened = form::opened_file(blob.content(), self.seal);
                        Cow::Owned(opened.map_err(closed(path))?)
                    }
                    false => Cow::Borrowed(blob.content()),
                };
                let changed = self.plan.content(path, oid, &old);
                self.rewritten += usize::from(changed.is_some());
                let is_changed = changed.as_deref().is_some_and(|new| *new != *old);
                let bytes = changed.as_deref().unwrap_or(&old);
                let new = objects::write_file(self.new, self.form, bytes)?;
                self.blobs.insert(key, (new, is_changed));
                (new, is_changed)
            }
        };
        if is_changed {
            touched.push(path.to_owned());
        }
        Ok(new)
    }
}

/// A file whose object is gone or damaged: whoever mends it has to know which.
fn unreadable(path: &str) -> impl FnOnce(git2::Error) -> HistoryError {
    let path = path.to_owned();
    move |reason| HistoryError::Unreadable { path, reason }
}

/// A file that is sealed and cannot be opened.
fn closed(path: &str) -> impl FnOnce(SealError) -> HistoryError {
    let path = path.to_owned();
    move |source| HistoryError::Closed { path, source }
}
