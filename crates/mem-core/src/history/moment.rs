//! The files as of one commit, of which many are read.
//!
//! The commit and the trees of its folders are opened once: both name every file of a change, so that opening them
//! for each file again is work that grows with the square of their number.

use std::collections::HashMap;

use git2::{Commit, ErrorCode, ObjectType, Oid, Tree};

use super::error::HistoryError;
use super::form;
use super::repository::History;
use super::torn;
use crate::MemoryPath;

/// One commit, open for reading.
pub(crate) struct Moment<'h> {
    history: &'h History,
    commit: Commit<'h>,
    /// By their paths, the outermost by the empty one; `None` for what is no folder.
    folders: HashMap<String, Option<Tree<'h>>>,
}

impl std::fmt::Debug for Moment<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Moment").field(&self.commit.id()).finish()
    }
}

impl History {
    /// The files as of a commit.
    ///
    /// # Errors
    /// The commit is missing or damaged.
    pub(crate) fn at(&self, commit: Oid) -> Result<Moment<'_>, HistoryError> {
        let commit = self.commit(commit)?;
        let folders = HashMap::from([(String::new(), Some(commit.tree()?))]);
        Ok(Moment {
            history: self,
            commit,
            folders,
        })
    }
}

impl<'h> Moment<'h> {
    /// The bytes of a file, `None` where it did not exist then.
    pub(crate) fn content(&mut self, path: &MemoryPath) -> Result<Option<Vec<u8>>, HistoryError> {
        let Some(blob) = self.blob_id(path)? else {
            return Ok(None);
        };
        let repo = &self.history.repo;
        torn::require_whole(repo, blob)?;
        let blob = repo.find_blob(blob)?;
        Ok(Some(match form::is_sealed(&self.commit) {
            true => form::opened_file(blob.content(), &self.history.seal)?,
            false => blob.content().to_vec(),
        }))
    }

    /// The blob at a path.
    pub(crate) fn blob_id(&mut self, path: &MemoryPath) -> Result<Option<Oid>, HistoryError> {
        let folder = self.folder(path.parent().unwrap_or_default())?;
        let entry = folder
            .map(|tree| entry_of(tree, path.file_name()))
            .transpose()?;
        Ok(entry.flatten().map(|(id, _)| id))
    }

    /// The tree of a folder.
    fn folder(&mut self, folder: &str) -> Result<Option<&Tree<'h>>, HistoryError> {
        if !self.folders.contains_key(folder) {
            let (above, name) = folder.rsplit_once('/').unwrap_or(("", folder));
            let entry = match self.folder(above)? {
                Some(tree) => entry_of(tree, name)?,
                None => None,
            };
            let id = entry.and_then(|(id, is_folder)| is_folder.then_some(id));
            let tree = id.map(|id| self.history.repo.find_tree(id)).transpose()?;
            self.folders.insert(folder.to_owned(), tree);
        }
        Ok(self.folders.get(folder).and_then(Option::as_ref))
    }
}

/// What a tree has under a name, and whether that is a folder.
fn entry_of(tree: &Tree<'_>, name: &str) -> Result<Option<(Oid, bool)>, HistoryError> {
    match tree.get_path(name.as_ref()) {
        Ok(entry) => Ok(Some((entry.id(), entry.kind() == Some(ObjectType::Tree)))),
        Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{Actor, Author, Change, ChangeId};
    use crate::sealing::Seal;

    #[test]
    fn files_are_found_in_folders_and_nowhere_else() {
        let place = tempfile::tempdir().unwrap();
        let history = History::open_or_init(&place.path().join("h"), &Seal::default()).unwrap();
        let path = |text: &str| MemoryPath::parse(text).unwrap();
        let there = ["a.md", "b/a.md", "b/c/a.md", "b/c/d"].map(path);
        let contents: Vec<_> = there
            .iter()
            .map(|one| (one, Some(one.as_str().as_bytes())))
            .collect();
        let change = Change {
            id: ChangeId::derive(&[b"x"]),
            verb: "save".to_owned(),
            author: Author::of(Actor::Person),
            reason: None,
            time: "2026-11-21T10:00:00Z".parse().unwrap(),
            undoes: Vec::new(),
            is_base: false,
            versions: Vec::new(),
        };
        let commit = history.prepare(&change, &contents, &[], false).unwrap();
        let mut moment = history.at(commit).unwrap();
        for one in &there {
            let bytes = moment.content(one).unwrap();
            assert_eq!(bytes.as_deref(), Some(one.as_str().as_bytes()));
        }
        for none in ["b.md", "c/a.md", "b/x/a.md", "b/c/d/e.md", "a.md/x"] {
            assert_eq!(moment.blob_id(&path(none)).unwrap(), None, "{none}");
        }
    }
}
