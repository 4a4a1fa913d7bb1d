//! Where the master key is: a file, the system's keyring, or what a program prints. A person says so; no file of
//! a repository is asked, and the key itself is in no setting, argument or variable.

mod keyring;
mod program;

use std::fmt;
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use mem_core::config::ConfigError;
use mem_core::sealing::StateKeys;
use mem_core::state_file::{self, StateError};
use mem_core::{Config, Diagnose, Dirs, Environment, RunContext};

use crate::{KeyId, LocalKeys, MasterKeys, VaultError, key_file};

/// The setting.
const KEY: &str = "encryption.key";
/// Its variable, for a server that has no home.
const VARIABLE: &str = "MEM_ENCRYPTION_KEY";
/// The file of a person that set nothing, beside their settings.
const FILE: &str = "master.key";

/// No master key can be had, made or changed.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum KeySourceError {
    /// The setting is none. What was written instead may be a key: it is not quoted.
    #[error("`{KEY}` does not say where the master key is")]
    #[diagnose(
        Usage,
        hint = "write file:/absolute/path, keyring, or command:LINE; never the key itself"
    )]
    Malformed,
    /// The settings cannot be read.
    #[error("{0}")]
    #[diagnose(transparent)]
    Config(#[from] ConfigError),
    /// The key or its place refuses.
    #[error(transparent)]
    Vault(#[from] VaultError),
    /// The lock of a keyring, or what killed runs left, cannot be had.
    #[error(transparent)]
    State(#[from] StateError),
}

/// A place of master keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeySource {
    /// A file that its owner alone may read.
    File(PathBuf),
    /// The keyring of the operating system.
    Keyring,
    /// What a command line prints.
    Program(String),
}

impl KeySource {
    /// What the settings say; `None` without a home and without the variable.
    ///
    /// # Errors
    /// The settings cannot be read, or say something else.
    pub fn for_run(run: &RunContext) -> Result<Option<Self>, KeySourceError> {
        match run.dirs() {
            Ok(dirs) => Self::from_settings(dirs, &run.env).map(Some),
            Err(_) => {
                let said = run.env.get(VARIABLE);
                said.map(|text| parse_source(text, None)).transpose()
            }
        }
    }

    /// What the settings of somebody with a home say.
    fn from_settings(dirs: &Dirs, env: &Environment) -> Result<Self, KeySourceError> {
        let config = Config::load(dirs, env, None, &[])?;
        let home = dirs.home.clone();
        match config.values.encryption.key.as_str() {
            "" => Ok(Self::File(dirs.config.join(FILE))),
            text => parse_source(text, home),
        }
    }

    /// The same where it has to be said.
    ///
    /// # Errors
    /// As for [`KeySource::for_run`], or nothing is said.
    pub fn require_source(run: &RunContext) -> Result<Self, KeySourceError> {
        Self::for_run(run)?.ok_or_else(|| VaultError::NoMaster(None).into())
    }

    /// The keys; none where there are none yet.
    ///
    /// # Errors
    /// See [`VaultError`].
    pub fn ask(&self) -> Result<MasterKeys, VaultError> {
        match self {
            Self::File(path) => Ok(key_file::read(path)?.unwrap_or_default()),
            Self::Keyring => Ok(keyring::read()?.unwrap_or_default()),
            Self::Program(line) => program::ask_program(line),
        }
    }

    /// Makes a first key where there is none, and says to keep a copy of it. Of several at the same time one does so,
    /// and the others go on with its key.
    ///
    /// # Errors
    /// It cannot be written; a program has to bring its own.
    pub fn make_first(&self, run: &RunContext) -> Result<(), KeySourceError> {
        if !self.ask()?.key_ids().is_empty() {
            return Ok(());
        }
        let made = match self {
            Self::File(path) => key_file::create_key_file(path),
            Self::Keyring => {
                let _held = lock_keyring(run)?;
                keyring::create_key()
            }
            Self::Program(_) => Err(program::brings_its_own()),
        };
        match made {
            Ok(_) => run.print_warning(format_args!(
                "made a master key ({self}): keep a copy elsewhere, without it nobody reads anything"
            )),
            // Somebody else did so meanwhile, and was told.
            Err(VaultError::Exists(_)) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    /// Puts a new key before those that are there.
    ///
    /// # Errors
    /// There is none; it cannot be written; a program has to bring its own.
    pub fn renew_key(&self, run: &RunContext) -> Result<(), KeySourceError> {
        match self {
            Self::File(path) => key_file::renew_key_file(path)?,
            Self::Keyring => {
                let _held = lock_keyring(run)?;
                keyring::renew_key()?
            }
            Self::Program(_) => return Err(program::brings_its_own().into()),
        };
        run.say(format_args!(
            "a new master key stands first ({self}); the old ones stay for what else they open, backups too: \
             `mem encrypt drop` destroys those that wrap nothing any more"
        ));
        Ok(())
    }

    /// Ends some of the keys; the first one stays.
    ///
    /// # Errors
    /// There is none; it cannot be written; those of a program are out of reach.
    pub fn end_keys(&self, dropped: &[KeyId], run: &RunContext) -> Result<(), KeySourceError> {
        match self {
            Self::File(path) => key_file::end_keys(path, dropped)?,
            Self::Keyring => {
                let _held = lock_keyring(run)?;
                keyring::end_keys(dropped)?
            }
            Self::Program(_) => return Err(program::keeps_its_own().into()),
        };
        Ok(())
    }

    /// Ends copies of the keys that killed processes left beside them.
    ///
    /// # Errors
    /// One cannot be removed.
    pub fn end_copies(&self) -> Result<usize, VaultError> {
        match self {
            Self::File(path) => key_file::end_copies(path),
            Self::Keyring | Self::Program(_) => Ok(0),
        }
    }

    /// Destroys the keys.
    ///
    /// # Errors
    /// They cannot be removed; those of a program are out of reach.
    pub fn destroy(&self) -> Result<(), VaultError> {
        match self {
            Self::File(path) => key_file::destroy_key_file(path),
            Self::Keyring => keyring::destroy_keys(),
            Self::Program(_) => Err(program::keeps_its_own()),
        }
    }
}

/// Held while the keys of a keyring are changed: it has no lock of its own. Nobody without a home has one.
fn lock_keyring(run: &RunContext) -> Result<Option<File>, KeySourceError> {
    let dirs = run.dirs().ok();
    let lock = dirs.map(|dirs| state_file::lock(&dirs.state.join("keyring.lock")));
    Ok(lock.transpose()?)
}

/// Refuses a value of the setting that says no place, such as a key itself.
///
/// # Errors
/// It does not; what was given is not quoted.
pub fn check_setting(name: &str, value: &str) -> Result<(), KeySourceError> {
    match name == KEY && !value.is_empty() {
        // Any home does: it is not kept.
        true => parse_source(value, Some(PathBuf::from("/"))).map(|_| ()),
        false => Ok(()),
    }
}

/// The keys of what this machine keeps. Settings are read, and the master key is asked for, once something sealed is
/// met: who has nothing encrypted pays nothing.
pub fn state_keys(dirs: &Dirs, env: &Environment) -> StateKeys {
    let (places, env) = (dirs.clone(), env.clone());
    let ask = move || match KeySource::from_settings(&places, &env) {
        Ok(origin) => origin.ask(),
        Err(error) => Err(VaultError::Source {
            origin: "the setting `encryption.key`",
            why: error.to_string(),
        }),
    };
    StateKeys::by(Arc::new(LocalKeys::from_home(&dirs.state, ask)))
}

/// What was written instead may be a key: it is not quoted.
fn parse_source(text: &str, home: Option<PathBuf>) -> Result<KeySource, KeySourceError> {
    if text == "keyring" {
        return Ok(KeySource::Keyring);
    }
    if let Some(line) = text.strip_prefix("command:") {
        let line = line.trim();
        return match line.is_empty() {
            true => Err(KeySourceError::Malformed),
            false => Ok(KeySource::Program(line.to_owned())),
        };
    }
    let path = text
        .strip_prefix("file:")
        .ok_or(KeySourceError::Malformed)?;
    let path = match (path.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(path),
    };
    match path.is_absolute() {
        true => Ok(KeySource::File(path)),
        false => Err(KeySourceError::Malformed),
    }
}

impl fmt::Display for KeySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "file:{}", path.display()),
            Self::Keyring => f.write_str("keyring"),
            // A command line may hold what opens the key.
            Self::Program(_) => f.write_str("command"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_read_and_a_key_in_its_place_is_not_quoted() {
        let home = Some(PathBuf::from("/home/me"));
        let read = |text: &str| parse_source(text, home.clone());
        let file = |path: &str| KeySource::File(PathBuf::from(path));
        assert_eq!(read("file:/etc/mem/key").unwrap(), file("/etc/mem/key"));
        assert_eq!(read("file:~/key").unwrap(), file("/home/me/key"));
        assert_eq!(read("keyring").unwrap(), KeySource::Keyring);
        let program = KeySource::Program("pass mem".to_owned());
        assert_eq!(read("command: pass mem").unwrap(), program);
        assert!(!program.to_string().contains("pass"));
        let key = "ab".repeat(32);
        for wrong in [
            key.as_str(),
            "file:",
            "file:key",
            "command: ",
            "/etc/key",
            "Keyring",
        ] {
            let error = read(wrong).unwrap_err().to_string();
            assert!(!error.contains("abab"), "{error}");
        }
    }
}
