//! Where the master key is: a file, the system's keyring, or what a program prints. A person says so; no file of
//! a repository is asked, and the key itself is in no setting, argument or variable.

mod keyring;
mod program;

use std::fmt;
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use mem_core::sealing::StateKeys;
use mem_core::{Config, Dirs, Environment, state_file};
#[cfg(feature = "server")]
use mem_server::storage::MasterSource;
use mem_vault::{KeyId, LocalKeys, MasterKeys, VaultError, key_file};

use crate::context::Context;
use crate::usage::UsageError;

/// The setting.
const KEY: &str = "encryption.key";
/// Its variable, for a server that has no home.
const VARIABLE: &str = "MEM_ENCRYPTION_KEY";
/// The file of a person that set nothing, beside their settings.
const FILE: &str = "master.key";

/// A place of master keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum KeySource {
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
    pub(crate) fn for_context(context: &Context) -> Result<Option<Self>> {
        match context.dirs() {
            Ok(dirs) => Self::from_settings(dirs, &context.env).map(Some),
            Err(_) => {
                let said = context.env.get(VARIABLE);
                said.map(|text| parse_source(text, None)).transpose()
            }
        }
    }

    /// What the settings of somebody with a home say.
    fn from_settings(dirs: &Dirs, env: &Environment) -> Result<Self> {
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
    /// As for [`KeySource::for_context`], or nothing is said.
    pub(crate) fn require_source(context: &Context) -> Result<Self> {
        Self::for_context(context)?.ok_or_else(|| VaultError::NoMaster(None).into())
    }

    /// The keys; none where there are none yet.
    ///
    /// # Errors
    /// See [`VaultError`].
    pub(crate) fn ask(&self) -> Result<MasterKeys, VaultError> {
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
    pub(crate) fn make_first(&self, context: &Context) -> Result<()> {
        if !self.ask()?.key_ids().is_empty() {
            return Ok(());
        }
        let made = match self {
            Self::File(path) => key_file::create_key_file(path),
            Self::Keyring => {
                let _held = lock_keyring(context)?;
                keyring::create_key()
            }
            Self::Program(_) => Err(program::brings_its_own()),
        };
        match made {
            Ok(_) => context.printer.print_warning(format_args!(
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
    pub(crate) fn renew_key(&self, context: &Context) -> Result<()> {
        match self {
            Self::File(path) => key_file::renew_key_file(path)?,
            Self::Keyring => {
                let _held = lock_keyring(context)?;
                keyring::renew_key()?
            }
            Self::Program(_) => return Err(program::brings_its_own().into()),
        };
        context.printer.say(format_args!(
            "a new master key stands first ({self}); the old ones stay for what else they open, backups too: \
             `mem encrypt drop` destroys those that wrap nothing any more"
        ));
        Ok(())
    }

    /// Ends some of the keys; the first one stays.
    ///
    /// # Errors
    /// There is none; it cannot be written; those of a program are out of reach.
    pub(crate) fn end_keys(&self, dropped: &[KeyId], context: &Context) -> Result<()> {
        match self {
            Self::File(path) => key_file::end_keys(path, dropped)?,
            Self::Keyring => {
                let _held = lock_keyring(context)?;
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
    pub(crate) fn end_copies(&self) -> Result<usize, VaultError> {
        match self {
            Self::File(path) => key_file::end_copies(path),
            Self::Keyring | Self::Program(_) => Ok(0),
        }
    }

    /// Destroys the keys.
    ///
    /// # Errors
    /// They cannot be removed; those of a program are out of reach.
    #[cfg(feature = "server")]
    pub(crate) fn destroy(&self) -> Result<(), VaultError> {
        match self {
            Self::File(path) => key_file::destroy_key_file(path),
            Self::Keyring => keyring::destroy_keys(),
            Self::Program(_) => Err(program::keeps_its_own()),
        }
    }

    /// The same for a server.
    #[cfg(feature = "server")]
    pub(crate) fn source(self) -> MasterSource {
        MasterSource::new(move || self.ask())
    }
}

/// Held while the keys of a keyring are changed: it has no lock of its own. Nobody without a home has one.
fn lock_keyring(context: &Context) -> Result<Option<File>> {
    let dirs = context.dirs().ok();
    let lock = dirs.map(|dirs| state_file::lock(&dirs.state.join("keyring.lock")));
    Ok(lock.transpose()?)
}

/// Refuses a value of the setting that says no place, such as a key itself.
///
/// # Errors
/// It does not; what was given is not quoted.
pub(crate) fn judge_setting(name: &str, value: &str) -> Result<()> {
    match name == KEY && !value.is_empty() {
        // Any home does: it is not kept.
        true => parse_source(value, Some(PathBuf::from("/"))).map(|_| ()),
        false => Ok(()),
    }
}

/// The keys of what this machine keeps. Settings are read, and the master key is asked for, once something sealed is
/// met: who has nothing encrypted pays nothing.
pub(crate) fn state_keys(dirs: &Dirs, env: &Environment) -> StateKeys {
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

/// The source for a server: none where nothing is said.
///
/// # Errors
/// As for [`KeySource::for_context`].
#[cfg(feature = "server")]
pub(crate) fn source(context: &Context) -> Result<MasterSource> {
    Ok(KeySource::for_context(context)?.map_or_else(MasterSource::none, KeySource::source))
}

/// What was written instead may be a key: it is not quoted.
fn parse_source(text: &str, home: Option<PathBuf>) -> Result<KeySource> {
    let wrong = || {
        let message = format!("`{KEY}` does not say where the master key is");
        let hint = "write file:/absolute/path, keyring, or command:LINE; never the key itself";
        UsageError::new(message, hint)
    };
    if text == "keyring" {
        return Ok(KeySource::Keyring);
    }
    if let Some(line) = text.strip_prefix("command:") {
        let line = line.trim();
        return match line.is_empty() {
            true => Err(wrong().into()),
            false => Ok(KeySource::Program(line.to_owned())),
        };
    }
    let path = text.strip_prefix("file:").ok_or_else(wrong)?;
    let path = match (path.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(path),
    };
    match path.is_absolute() {
        true => Ok(KeySource::File(path)),
        false => Err(wrong().into()),
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
