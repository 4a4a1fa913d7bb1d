//! Changes of memories as a person asks for them: each on condition of the text that was there, and none at a path that
//! the SDKs keep. Callers scan for secrets first what a change sends.

use mem_core::Diagnose;
use mem_core::history::Sha256;
use mem_core::memory_path::{escaped, printable};

use super::name_lookup::{self, NamedError};
use super::{ClientError, StoresClient};
use crate::StorePath;
use crate::path::InvalidStorePath;
use crate::wire::{
    ContentView, CreateMemory, DeletedMemory, FailureKind, MemoryStore, MemoryVersion,
    Precondition, StoreMemory, UpdateMemory,
};

/// A store or a memory cannot be worked on.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum StoreEditError {
    /// A version without a text.
    #[error("the version `{}` has no content: it was redacted, or is that of a deletion", printable(.0))]
    #[diagnose(NotFound, hint = "`mem store versions STORE` lists the others")]
    NoContent(String),
    /// Somebody was quicker.
    #[error("`{}` is not what was expected: its sha256 is {is}", escaped(path))]
    #[diagnose(Conflict, hint = "look at it again with `mem store cat`, and repeat")]
    Stale {
        /// The memory.
        path: String,
        /// What it is.
        is: String,
    },
    /// A deleted memory cannot come back where it was.
    #[error(
        "`{}` cannot come back: `{}` is in its way",
        escaped(path),
        escaped(other)
    )]
    #[diagnose(
        Conflict,
        hint = format!("`mem store mv STORE {other} PATH` makes room; `mem store cat STORE {path} --version {version}` prints the text, for `mem store put` at another path", other = escaped(other), path = escaped(path), version = printable(version))
    )]
    InItsWay {
        /// Where it was.
        path: String,
        /// The memory there now, above it or below it.
        other: String,
        /// The version that was to be written.
        version: String,
    },
    /// A name of the SDKs.
    #[error("`{}` cannot be a memory: {}", escaped(.0), StorePath::RESERVED_WHY)]
    #[diagnose(Refused, hint = "write it at another path")]
    Reserved(String),
    /// The store is closed.
    #[error("the store is archived: nothing can be written there")]
    #[diagnose(Refused, hint = "it can be read and exported")]
    Archived,
    /// Nothing is called so.
    #[error(transparent)]
    Named(#[from] NamedError),
    /// No path of a memory.
    #[error(transparent)]
    Path(#[from] InvalidStorePath),
    /// What the server says.
    #[error(transparent)]
    Client(#[from] ClientError),
}

/// Refuses a store that is closed.
///
/// # Errors
/// It is.
pub fn require_open(store: MemoryStore) -> Result<MemoryStore, StoreEditError> {
    match store.archived_at {
        Some(_) => Err(StoreEditError::Archived),
        None => Ok(store),
    }
}

/// Refuses a path that is the SDKs'.
///
/// # Errors
/// It is.
pub fn require_free(path: &StorePath) -> Result<(), StoreEditError> {
    match path.is_reserved() {
        true => Err(StoreEditError::Reserved(path.as_str().to_owned())),
        false => Ok(()),
    }
}

/// The text of a version; none of one that was redacted or is a deletion.
///
/// # Errors
/// It has none.
pub fn require_content(version: &MemoryVersion) -> Result<&str, StoreEditError> {
    let none = || StoreEditError::NoContent(version.id.clone());
    version.content.as_deref().ok_or_else(none)
}

/// What has to be there still: what was expected, else what was read just now.
fn write_precondition(
    expected: Option<Sha256>,
    there: &StoreMemory,
) -> Result<Precondition, StoreEditError> {
    let content_sha256 = there.content_sha256.clone();
    match expected {
        Some(expected) if expected.to_string() != content_sha256 => Err(StoreEditError::Stale {
            path: there.path.clone(),
            is: content_sha256,
        }),
        _ => Ok(Precondition::ContentSha256 { content_sha256 }),
    }
}

impl StoresClient {
    /// Writes a memory at a path, over what is there where that may be. Says whether it was made.
    ///
    /// # Errors
    /// What is there is not what is expected; what the server says.
    pub async fn put_text(
        &self,
        store: &str,
        path: &StorePath,
        content: String,
        can_replace: bool,
        expected: Option<Sha256>,
    ) -> Result<(StoreMemory, bool), StoreEditError> {
        require_free(path)?;
        let there = match can_replace {
            true => name_lookup::memory_at(self, store, path).await?,
            false => None,
        };
        let Some(there) = there else {
            if expected.is_some() {
                return Err(NamedError::NoMemory(path.as_str().to_owned()).into());
            }
            let memory = self.create_text(store, path.clone(), content).await?;
            return Ok((memory, true));
        };
        let memory = self.replace_text(store, &there, content, expected).await?;
        Ok((memory, false))
    }

    async fn create_text(
        &self,
        store: &str,
        path: StorePath,
        content: String,
    ) -> Result<StoreMemory, ClientError> {
        let new = CreateMemory {
            path,
            content,
            precondition: None,
        };
        self.create_memory(store, &new).await
    }

    async fn replace_text(
        &self,
        store: &str,
        there: &StoreMemory,
        content: String,
        expected: Option<Sha256>,
    ) -> Result<StoreMemory, StoreEditError> {
        let change = UpdateMemory {
            content: Some(content),
            path: None,
            precondition: Some(write_precondition(expected, there)?),
        };
        Ok(self.update_memory(store, &there.id, &change).await?)
    }

    /// Moves a memory to another path.
    ///
    /// # Errors
    /// Nothing is called so; what the server says.
    pub async fn move_memory(
        &self,
        store: &str,
        named: &str,
        path: StorePath,
    ) -> Result<StoreMemory, StoreEditError> {
        require_free(&path)?;
        let there = name_lookup::find_memory(self, store, named, ContentView::Basic).await?;
        let change = UpdateMemory {
            content: None,
            path: Some(path),
            precondition: Some(write_precondition(None, &there)?),
        };
        Ok(self.update_memory(store, &there.id, &change).await?)
    }

    /// Deletes a memory, and says where it stood.
    ///
    /// # Errors
    /// Nothing is called so, or it is not what is expected; what the server says.
    pub async fn remove_memory(
        &self,
        store: &str,
        named: &str,
        expected: Option<Sha256>,
    ) -> Result<(String, DeletedMemory), StoreEditError> {
        let there = name_lookup::find_memory(self, store, named, ContentView::Basic).await?;
        write_precondition(expected, &there)?;
        let expected = Some(there.content_sha256.as_str());
        let deleted = self.delete_memory(store, &there.id, expected).await?;
        Ok((there.path, deleted))
    }

    /// Writes the text of a version again: to its memory, or where that was deleted at the path of the version. Says
    /// whether it was made.
    ///
    /// # Errors
    /// The version has no content, something is in its way, or the SDKs keep its path; what the server says.
    pub async fn roll_back(
        &self,
        store: &str,
        version: &MemoryVersion,
    ) -> Result<(StoreMemory, bool), StoreEditError> {
        let content = require_content(version)?.to_owned();
        let none = || StoreEditError::NoContent(version.id.clone());
        let path = version.path.as_deref().ok_or_else(none)?;
        let there = match self
            .memory(store, &version.memory_id, ContentView::Basic)
            .await
        {
            Ok(there) => there,
            Err(error) if error.is_not_found() => {
                let at = StorePath::parse(path)?;
                require_free(&at)?;
                let made = self.create_text(store, at, content).await;
                let memory = made.map_err(|error| in_its_way(error, path, &version.id))?;
                return Ok((memory, true));
            }
            Err(error) => return Err(error.into()),
        };
        // It may have been moved since.
        if let Ok(at) = StorePath::parse(&there.path) {
            require_free(&at)?;
        }
        let memory = self.replace_text(store, &there, content, None).await?;
        Ok((memory, false))
    }
}

/// The error where another memory has the path: its hint differs from that of a write at a chosen path.
fn in_its_way(error: ClientError, path: &str, version: &str) -> StoreEditError {
    let refusal = error.refusal();
    let conflict = refusal.filter(|one| one.kind == Some(FailureKind::MemoryPathConflict));
    match conflict.and_then(|one| one.conflicting_path.clone()) {
        None => error.into(),
        Some(other) => StoreEditError::InItsWay {
            path: path.to_owned(),
            other,
            version: version.to_owned(),
        },
    }
}
