//! How what is kept beside memories is sealed, without knowing where keys come from: whoever starts hands
//! [`StateKeys`] in with its directories, and every place of state gets its [`StateCipher`] from them.
//!
//! A place is a folder with keys of its own: the state of one memory directory, or all state of a person. What is
//! sealed says so in its first bytes and names its key, so that readers cope with a mixture while keys change.
//!
//! **Invariant:** a key that cannot be had is an error and never `None`. `None` means that a place is to be plain, and a
//! caller that took a missing key for it would write a secret in the open.

use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{Diagnose, ErrorKind};

/// What every sealed content begins with; no UTF-8 text does.
pub const MAGIC: [u8; 3] = [0xF5, b'M', b'V'];

/// Whether bytes look sealed.
pub fn is_sealed(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Something cannot be sealed or opened. Nothing was overwritten.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct SealError {
    message: String,
    hint: Option<String>,
    kind: ErrorKind,
}

impl SealError {
    /// What whoever has the keys says.
    pub fn from_error(error: &(impl Diagnose + fmt::Display)) -> Self {
        Self {
            message: error.to_string(),
            hint: error.hint(),
            kind: error.kind(),
        }
    }

    fn no_keys(what: &str) -> Self {
        Self {
            message: format!("{what} is encrypted, and this program was given no keys"),
            hint: Some("use a `mem` that was built with encryption".to_owned()),
            kind: ErrorKind::NotFound,
        }
    }
}

impl Diagnose for SealError {
    fn kind(&self) -> ErrorKind {
        self.kind
    }

    fn hint(&self) -> Option<String> {
        self.hint.clone()
    }
}

/// One key. What it seals opens by it alone, and only for what it was sealed for.
pub trait StateKey: fmt::Debug + Send + Sync {
    /// Its public name.
    fn name(&self) -> String;
    /// Seals, never twice to the same bytes. `belonging` is what the content is a part of.
    ///
    /// # Errors
    /// The system gives no random bytes.
    fn seal(&self, plain: &[u8], belonging: &[&str]) -> Result<Vec<u8>, SealError>;
    /// Seals the same content of the same belonging to the same bytes, for what is found by its checksum. It shows
    /// which contents are the same, and nothing more.
    ///
    /// # Errors
    /// The content is too large.
    fn seal_alike(&self, plain: &[u8], belonging: &[&str]) -> Result<Vec<u8>, SealError>;
    /// Opens what it sealed. `what` is what errors call it.
    ///
    /// # Errors
    /// It was changed, cut short, or belongs elsewhere.
    fn open(
        &self,
        sealed: &[u8],
        belonging: &[&str],
        what: &'static str,
    ) -> Result<Vec<u8>, SealError>;
}

/// What is to become of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncryptionTarget {
    /// It has a key: the one it has, or a first one.
    Sealed,
    /// A new key takes the place of the one it has.
    Rotated,
    /// What comes stays plain.
    Plain,
}

/// The keys of all places.
pub trait Keys: fmt::Debug + Send + Sync {
    /// The key that new contents of a place are sealed with; `None` where they stay plain.
    ///
    /// # Errors
    /// There is one, and it cannot be had.
    fn current(&self, place: &Path) -> Result<Option<Arc<dyn StateKey>>, SealError>;
    /// The name of that key, which takes no master key to know.
    ///
    /// # Errors
    /// What is known of the place's keys cannot be read.
    fn current_name(&self, place: &Path) -> Result<Option<String>, SealError>;
    /// The key that something of a place was sealed with.
    ///
    /// # Errors
    /// It is not there, or cannot be had.
    fn of(
        &self,
        place: &Path,
        sealed: &[u8],
        what: &'static str,
    ) -> Result<Arc<dyn StateKey>, SealError>;
    /// The name of the key that something was sealed with, for which no master key is needed; `None` where it has
    /// none that can be read.
    fn name_of(&self, sealed: &[u8]) -> Option<String>;
    /// Gives a place that begins its first key, where the person has everything sealed.
    ///
    /// # Errors
    /// It cannot be made or written down.
    fn begin(&self, place: &Path) -> Result<(), SealError>;
    /// Says what new contents of a place are sealed with, and wraps all its keys by the first master key.
    ///
    /// # Errors
    /// A key of the place cannot be had; then nothing changed.
    fn appoint(&self, place: &Path, appointed: EncryptionTarget) -> Result<(), SealError>;
    /// Ends the keys of a place but the one that seals, and tells how many those were.
    ///
    /// # Errors
    /// The system's.
    fn end_others(&self, place: &Path) -> Result<usize, SealError>;
}

/// The keys of a person, or none: then nothing is sealed, and what is cannot be opened. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct StateKeys(Option<Arc<dyn Keys>>);

impl StateKeys {
    /// Those that somebody keeps.
    pub fn by(keys: Arc<dyn Keys>) -> Self {
        Self(Some(keys))
    }

    /// The seal of a place.
    pub fn of(&self, place: &Path) -> StateCipher {
        StateCipher {
            keys: self.0.clone(),
            place: place.to_owned(),
        }
    }
}

/// How contents of one place are sealed and opened.
#[derive(Clone, Debug, Default)]
pub struct StateCipher {
    keys: Option<Arc<dyn Keys>>,
    place: PathBuf,
}

/// Two are the same where their places are.
impl PartialEq for StateCipher {
    fn eq(&self, other: &Self) -> bool {
        self.place == other.place
    }
}

impl Eq for StateCipher {}

impl StateCipher {
    /// The key of new contents; `None` where they stay plain.
    ///
    /// # Errors
    /// There is one, and it cannot be had.
    pub fn key(&self) -> Result<Option<Arc<dyn StateKey>>, SealError> {
        self.keys
            .as_ref()
            .map_or(Ok(None), |keys| keys.current(&self.place))
    }

    /// The name of that key.
    ///
    /// # Errors
    /// What is known of the place's keys cannot be read.
    pub fn key_name(&self) -> Result<Option<String>, SealError> {
        self.keys
            .as_ref()
            .map_or(Ok(None), |keys| keys.current_name(&self.place))
    }

    /// The key that something was sealed with.
    ///
    /// # Errors
    /// It is not there, or cannot be had.
    pub fn key_of(
        &self,
        sealed: &[u8],
        what: &'static str,
    ) -> Result<Arc<dyn StateKey>, SealError> {
        let keys = self.keys.as_ref();
        keys.ok_or_else(|| SealError::no_keys(what))?
            .of(&self.place, sealed, what)
    }

    /// The name of the key that something was sealed with, for people and for comparing.
    pub fn name_of(&self, sealed: &[u8]) -> String {
        let name = self.keys.as_ref().and_then(|keys| keys.name_of(sealed));
        name.unwrap_or_else(|| "unknown".to_owned())
    }

    /// A content as it is to be stored: sealed, or as it is where the place stays plain.
    ///
    /// # Errors
    /// The key cannot be had: nothing is to be stored then.
    pub fn closed<'b>(
        &self,
        plain: impl Into<Cow<'b, [u8]>>,
        belonging: &[&str],
    ) -> Result<Cow<'b, [u8]>, SealError> {
        let plain = plain.into();
        Ok(match self.key()? {
            Some(key) => Cow::Owned(key.seal(&plain, belonging)?),
            None => plain,
        })
    }

    /// A stored content as it is, opened where it is sealed.
    ///
    /// # Errors
    /// The key cannot be had; it was changed, cut short, or belongs elsewhere.
    pub fn opened<'b>(
        &self,
        stored: impl Into<Cow<'b, [u8]>>,
        belonging: &[&str],
        what: &'static str,
    ) -> Result<Cow<'b, [u8]>, SealError> {
        let stored = stored.into();
        // Plain is taken as it is: a place that was just sealed still holds some. Where plain must not be taken for
        // sealed, as in a sealed history, the caller checks (`history::sealed`).
        if !is_sealed(&stored) {
            return Ok(stored);
        }
        let key = self.key_of(&stored, what)?;
        Ok(Cow::Owned(key.open(&stored, belonging, what)?))
    }

    /// Gives the place its first key where the person has everything sealed and it has none yet.
    ///
    /// # Errors
    /// It cannot be made or written down.
    pub fn begin(&self) -> Result<(), SealError> {
        self.keys
            .as_ref()
            .map_or(Ok(()), |keys| keys.begin(&self.place))
    }

    /// Says what new contents are sealed with.
    ///
    /// # Errors
    /// A key of the place cannot be had; then nothing changed.
    pub fn appoint(&self, appointed: EncryptionTarget) -> Result<(), SealError> {
        match &self.keys {
            Some(keys) => keys.appoint(&self.place, appointed),
            None => Err(SealError::no_keys("this place")),
        }
    }

    /// Ends the keys that nothing is sealed with any more.
    ///
    /// # Errors
    /// The system's.
    pub fn end_others(&self) -> Result<usize, SealError> {
        self.keys
            .as_ref()
            .map_or(Ok(0), |keys| keys.end_others(&self.place))
    }
}
