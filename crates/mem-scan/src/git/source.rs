//! Where objects are read from: one interface, so that repositories of SHA-1 and of SHA-256 are scanned alike.

use std::collections::HashMap;

use super::id::ObjectId;
use super::object::{Commit, Object, ObjectError, ObjectKind, TreeEntry};
use super::open::GitObjectError;

/// Commits, tags and trees are never larger in earnest.
const OBJECT_BYTES_MAX: usize = 1 << 30;

/// A file of the index that differs from `HEAD`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct IndexDelta {
    /// Its path; what is no Unicode is replaced.
    pub path: String,
    /// Its blob.
    pub new: ObjectId,
    /// The blob that it was before, under this name or another.
    pub old: Option<ObjectId>,
    /// Whether no file had the name.
    pub is_new_name: bool,
}

/// A remote of the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RemoteUrl {
    /// Its name.
    pub name: String,
    /// Where it is pushed to.
    pub url: String,
}

/// The objects and references of one repository.
pub(crate) trait ObjectSource: Send {
    /// An object of at most so many bytes.
    ///
    /// # Errors
    /// It is missing, broken or larger.
    fn read(&self, id: ObjectId, bytes_max: usize) -> Result<Object, ObjectError>;

    /// What every reference and `HEAD` name. References that cannot be read are added to the problems.
    ///
    /// # Errors
    /// The references cannot be listed.
    fn references(&self, problems: &mut Vec<String>) -> Result<Vec<ObjectId>, GitObjectError>;

    /// What the remote-tracking references of a remote name.
    fn tracked(&self, remote: &str) -> Vec<ObjectId>;

    /// The remotes that are configured.
    fn remotes(&self) -> Vec<RemoteUrl>;

    /// The commit that a revision names.
    fn commit_named(&self, revision: &str) -> Option<ObjectId>;

    /// The best common ancestors of a commit and of any of the others.
    fn merge_bases(&self, one: ObjectId, others: &[ObjectId]) -> Vec<ObjectId>;

    /// The commits that are reachable from some and not from others, parents first.
    ///
    /// # Errors
    /// A commit cannot be read.
    fn between(
        &self,
        wanted: &[ObjectId],
        hidden: &[ObjectId],
    ) -> Result<Vec<ObjectId>, ObjectError>;

    /// The renamed files of a commit, and the blob that each was renamed from, by git's similarity index.
    ///
    /// # Errors
    /// A tree cannot be read.
    fn renames(
        &self,
        parent: ObjectId,
        commit: ObjectId,
    ) -> Result<HashMap<String, ObjectId>, ObjectError>;

    /// Files of the index that differ from `HEAD`; before the first commit everything does.
    ///
    /// # Errors
    /// The index cannot be read.
    fn staged(&self) -> Result<Vec<IndexDelta>, GitObjectError>;

    /// Whether objects may be missing because the remote keeps them: a partial clone.
    fn is_partial(&self) -> bool;

    /// Whether the parents of the oldest commits are missing.
    fn is_shallow(&self) -> bool;
}

impl dyn ObjectSource + '_ {
    /// A commit.
    ///
    /// # Errors
    /// It is missing, broken or no commit.
    pub(crate) fn read_commit(&self, id: ObjectId) -> Result<Commit, ObjectError> {
        self.read_object(id)?.commit()
    }

    /// The entries of a directory.
    ///
    /// # Errors
    /// It is missing, broken or no directory.
    pub(crate) fn read_tree(&self, id: ObjectId) -> Result<Vec<TreeEntry>, ObjectError> {
        self.read_object(id)?.tree_entries(id.as_bytes().len())
    }

    /// An object of any kind.
    ///
    /// # Errors
    /// It is missing or broken.
    pub(crate) fn read_object(&self, id: ObjectId) -> Result<Object, ObjectError> {
        self.read(id, OBJECT_BYTES_MAX)
    }

    /// The commit that an object is, or that a row of tags leads to.
    pub(crate) fn commit_of(&self, id: ObjectId) -> Option<ObjectId> {
        let mut id = id;
        loop {
            let object = self.read_object(id).ok()?;
            match object.kind {
                ObjectKind::Commit => return Some(id),
                // An object is named by its content, so no tag leads back to itself.
                ObjectKind::Tag => id = object.tag().ok()?.target,
                ObjectKind::Tree | ObjectKind::Blob => return None,
            }
        }
    }

    /// The file at a path of a tree, with `/`; `None` where none is there.
    pub(crate) fn find_file(&self, tree: ObjectId, path: &str) -> Option<ObjectId> {
        let (folder, name) = match path.split_once('/') {
            Some((folder, rest)) => (folder, Some(rest)),
            None => (path, None),
        };
        let entries = self.read_tree(tree).ok()?;
        let entry = entries
            .into_iter()
            .find(|entry| entry.name == folder.as_bytes())?;
        match (entry.kind?, name) {
            (ObjectKind::Tree, Some(rest)) => self.find_file(entry.id, rest),
            (ObjectKind::Blob, None) => Some(entry.id),
            _ => None,
        }
    }
}
