//! How changes and files stand in objects: as they are, or sealed.
//!
//! The message of a commit says which. Where it is sealed, the files of its tree are too, each by the key that it
//! names: a history is sealed or opened as a whole ([`super::History::reseal`]), and what comes later follows the
//! commit before it. The same file sealed twice is the same object, as git wants it. Names of files, sizes, times
//! and the ids of objects stay readable.

use std::borrow::Cow;
use std::sync::Arc;

use git2::{Commit, Oid};

use super::change::Change;
use super::error::HistoryError;
use crate::base64;
use crate::sealing::{Key, Seal, SealError};

/// What a sealed message begins with: its summary line.
const MARK: &str = "sealed\n\n";
/// What errors call the two.
const MESSAGE: &str = "a change of the history";
const FILE: &str = "a file of the history";

/// How new objects are written: sealed by a key, or plain.
#[derive(Clone, Debug)]
pub(super) struct Form(pub(super) Option<Arc<dyn Key>>);

impl Form {
    pub(super) fn is_plain(&self) -> bool {
        self.0.is_none()
    }

    /// A file as a blob has it.
    pub(super) fn file<'b>(&self, plain: &'b [u8]) -> Result<Cow<'b, [u8]>, SealError> {
        Ok(match &self.0 {
            Some(key) => Cow::Owned(key.seal_alike(plain, &["file"])?),
            None => Cow::Borrowed(plain),
        })
    }

    /// A change as the message of the commit that it is part of.
    pub(super) fn message(
        &self,
        change: &Change,
        tree: Oid,
        parents: &[Oid],
    ) -> Result<String, HistoryError> {
        let plain = change.to_message()?;
        let Some(key) = &self.0 else {
            return Ok(plain);
        };
        let sealed = seal_message(key.as_ref(), &plain, tree, parents)?;
        Ok(format!("{MARK}{}\n", base64::encode(&sealed)))
    }
}

fn seal_message(
    key: &dyn Key,
    plain: &str,
    tree: Oid,
    parents: &[Oid],
) -> Result<Vec<u8>, SealError> {
    let (tree, parents) = (tree.to_string(), joined(parents.iter().copied()));
    key.seal_alike(plain.as_bytes(), &["change", &tree, &parents])
}

fn joined(ids: impl Iterator<Item = Oid>) -> String {
    let ids: Vec<String> = ids.map(|id| id.to_string()).collect();
    ids.join(" ")
}

/// Whether the message of a commit is sealed, and so the files of its tree.
pub(super) fn is_sealed(commit: &Commit<'_>) -> bool {
    commit.message_bytes().starts_with(MARK.as_bytes())
}

/// What is sealed in the message of a commit; `None` where it is plain, or damaged.
fn sealed_in(commit: &Commit<'_>) -> Option<Vec<u8>> {
    let text = commit.message().ok()?.strip_prefix(MARK)?;
    base64::decode(text.trim_end())
}

/// The key that sealed a commit.
pub(super) fn key_of(commit: &Commit<'_>, seal: &Seal) -> Result<Arc<dyn Key>, HistoryError> {
    let sealed = sealed_in(commit).ok_or(HistoryError::Foreign(commit.id()))?;
    Ok(seal.key_of(&sealed, MESSAGE)?)
}

/// The name of that key; `None` where the commit is plain.
pub(super) fn key_name_of(
    commit: &Commit<'_>,
    seal: &Seal,
) -> Result<Option<String>, HistoryError> {
    if !is_sealed(commit) {
        return Ok(None);
    }
    let sealed = sealed_in(commit).ok_or(HistoryError::Foreign(commit.id()))?;
    Ok(Some(seal.name_of(&sealed)))
}

/// The change that a commit records.
pub(super) fn change_of(commit: &Commit<'_>, seal: &Seal) -> Result<Change, HistoryError> {
    let foreign = || HistoryError::Foreign(commit.id());
    if !is_sealed(commit) {
        let message = commit.message().ok();
        return message.and_then(Change::from_message).ok_or_else(foreign);
    }
    let sealed = sealed_in(commit).ok_or_else(foreign)?;
    let (tree, parents) = (commit.tree_id().to_string(), joined(commit.parent_ids()));
    let plain = seal.opened(sealed, &["change", &tree, &parents], MESSAGE)?;
    let text = std::str::from_utf8(&plain).ok();
    text.and_then(Change::from_message).ok_or_else(foreign)
}

/// A file of a sealed commit, as it is. One that is stored plain there was put in its place by somebody.
pub(super) fn opened_file(stored: &[u8], seal: &Seal) -> Result<Vec<u8>, SealError> {
    let key = seal.key_of(stored, FILE)?;
    key.open(stored, &["file"], FILE)
}
