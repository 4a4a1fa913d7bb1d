//! A whole history sealed, sealed by another key, or opened: written anew beside the old one, which it replaces in
//! one step, as for a redaction.

use git2::Oid;

use super::change::Change;
use super::error::HistoryError;
use super::form::{self, Form};
use super::repository::History;
use super::rewrite::{Proof, Rewrite};

impl History {
    /// Whether it is sealed: its newest change is.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn is_sealed(&self) -> Result<bool, HistoryError> {
        Ok(match self.head()? {
            Some(head) => form::is_sealed(&self.repo.find_commit(head)?),
            None => false,
        })
    }

    /// Refuses a sealed one whose key cannot be had.
    ///
    /// # Errors
    /// It is sealed, and the key of its newest change is gone; or it cannot be read.
    pub(crate) fn require_key(&self) -> Result<(), HistoryError> {
        let Some(head) = self.head()? else {
            return Ok(());
        };
        let commit = self.repo.find_commit(head)?;
        match form::is_sealed(&commit) {
            true => form::key_of(&commit, &self.seal).map(|_| ()),
            false => Ok(()),
        }
    }

    /// The names of the keys that changes are sealed with, `None` among them where one is plain. No key is needed
    /// for that.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn key_names(&self) -> Result<Vec<Option<String>>, HistoryError> {
        let mut names = Vec::new();
        let mut walk = self.repo.revwalk()?;
        if let Some(head) = self.head()? {
            walk.push(head)?;
        }
        for commit in walk {
            let name = form::key_name_of(&self.repo.find_commit(commit?)?, &self.seal)?;
            if !names.contains(&name) {
                names.push(name);
            }
        }
        Ok(names)
    }

    /// Writes it anew as its place wants it by now: sealed by the key of today, or plain.
    ///
    /// # Errors
    /// An object cannot be opened or written, which is named; the old history is then untouched.
    pub(crate) fn reseal(self) -> Result<(Self, Proof), HistoryError> {
        let form = Form(self.seal.key()?);
        self.rewrite_as(&AsItIs, &form)
    }
}

/// Leaves everything as it is.
pub(super) struct AsItIs;

impl Rewrite for AsItIs {
    fn content(&self, _: &str, _: Oid, _: &[u8]) -> Option<Vec<u8>> {
        None
    }

    fn record(&self, _: &mut Change, _: &dyn Fn(&str) -> bool) {}
}
