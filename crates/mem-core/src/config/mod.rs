//! `mem`'s own settings: a flag, the environment, the repository's table, `config.toml`, the default.
//!
//! Every key and its default stands in one commented file, [`DEFAULTS`], which is also the
//! documentation. No file inside a repository is read here.

mod edit;
mod error;
mod file;
mod hold;
mod keep;
mod key;
mod nearest;
mod origin;
mod value;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crate::dirs::Dirs;
use crate::environment::Environment;

pub use edit::{forget_repository, is_set, set, unset};
pub use error::ConfigError;
pub use keep::HistoryRetention;
use key::VARIABLE_PREFIX;
pub use key::{KEYS, SettingKey, SettingKind};
pub use origin::SettingOrigin;
pub use value::SettingValue;

/// What a key is set to for each repository that the settings name, by its root.
///
/// # Errors
/// The file cannot be read.
pub fn of_repositories(
    dirs: &Dirs,
    key: &str,
) -> Result<Vec<(PathBuf, SettingValue)>, ConfigError> {
    let text = file::read(&dirs.config_file())?.unwrap_or_default();
    let found = file::in_repositories(&text, key).into_iter();
    let root = |name: &str| match (name.strip_prefix("~/"), &dirs.home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(name),
    };
    Ok(found.map(|(name, value)| (root(&name), value)).collect())
}

/// Where a value stood that no file and no variable gave.
const COMMAND_LINE: &str = "the command line";

/// The embedded default file: every key, what it does, and its default.
pub const DEFAULTS: &str = mem_templates::CONFIG;

/// [`DEFAULTS`] with every value commented out: what a new `config.toml` holds, so that nothing
/// counts as set before somebody sets it.
pub fn template() -> String {
    let is_value = |line: &str| line.starts_with(|c: char| c.is_ascii_lowercase());
    DEFAULTS
        .split_inclusive('\n')
        .flat_map(|line| [if is_value(line) { "# " } else { "" }, line])
        .collect()
}

/// The defaults as values; parsed only when a key is asked for that nobody set.
static DEFAULT_VALUES: LazyLock<BTreeMap<&'static str, Setting>> =
    LazyLock::new(|| file::defaults(DEFAULTS));

/// A value and where it was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The value.
    pub value: SettingValue,
    /// Where it was found.
    pub origin: SettingOrigin,
}

/// The settings in force for one repository, or for none.
#[derive(Clone, Debug, Default)]
pub struct Config {
    file: PathBuf,
    set: BTreeMap<&'static str, Setting>,
    /// What was read past: unknown keys, with the key that was probably meant.
    pub warnings: Vec<String>,
}

impl Config {
    /// Loads the settings. Without a `config.toml` this parses nothing.
    ///
    /// `repository` is the canonical root whose table counts; `flags` are keys and values given on
    /// the command line.
    ///
    /// # Errors
    /// An unreadable or malformed file, a value of the wrong type (with file, line and key), an
    /// unknown key among the flags, and combinations that exclude each other.
    pub fn load(
        dirs: &Dirs,
        environment: &Environment,
        repository: Option<&Path>,
        flags: &[(String, String)],
    ) -> Result<Self, ConfigError> {
        let mut config = Self {
            file: dirs.config_file(),
            ..Self::default()
        };
        if let Some(text) = file::read(&config.file)? {
            let loaded = file::parse(&config.file, &text, repository, dirs.home.as_deref())?;
            config.set = loaded.settings;
            config.warnings = loaded.warnings;
        }
        config.add_environment(environment)?;
        config.add_flags(flags)?;
        config.check()?;
        Ok(config)
    }

    fn add_environment(&mut self, environment: &Environment) -> Result<(), ConfigError> {
        // Seldom is any variable set, and every start comes through here.
        if !environment.has_any(VARIABLE_PREFIX) {
            return Ok(());
        }
        for key in KEYS {
            let variable = key.variable();
            if let Some(text) = environment.get(&variable) {
                let value = key.parse(text, &variable)?;
                if environment.is_of_agent() && self.would_loosen(key, &value) {
                    self.warnings.push(format!(
                        "{variable} is not heeded: an agent runs this, and `{}` holds it back further",
                        key.name
                    ));
                    continue;
                }
                let origin = SettingOrigin::Environment(variable);
                self.set.insert(key.name, Setting { value, origin });
            }
        }
        Ok(())
    }

    fn add_flags(&mut self, flags: &[(String, String)]) -> Result<(), ConfigError> {
        for (name, text) in flags {
            let key = SettingKey::find(name)?;
            let value = key.parse(text, COMMAND_LINE)?;
            let origin = SettingOrigin::Flag;
            self.set.insert(key.name, Setting { value, origin });
        }
        Ok(())
    }

    /// Log mode has one writer of the index, team memory has many: the two do not compose.
    fn check(&self) -> Result<(), ConfigError> {
        let is_log = self
            .set
            .get("memory.mode")
            .is_some_and(|s| s.value.text() == "log");
        let remote = self
            .set
            .get("team.remote")
            .filter(|s| !s.value.text().is_empty());
        match (is_log, remote) {
            (true, Some(remote)) => Err(ConfigError::LogModeWithTeam {
                mode: self.origin("memory.mode").to_string(),
                remote: remote.origin.to_string(),
            }),
            _ => Ok(()),
        }
    }

    /// The user's settings file, whether or not it exists.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The value of a key and its origin; `None` for a key that has no default and was not set.
    pub fn get(&self, key: &str) -> Option<&Setting> {
        self.set.get(key).or_else(|| DEFAULT_VALUES.get(key))
    }

    /// A value that somebody set, without looking at the defaults.
    pub fn explicit(&self, key: &str) -> Option<&Setting> {
        self.set.get(key)
    }

    /// A text; empty when unset.
    pub fn text(&self, key: &str) -> &str {
        self.get(key).map_or("", |setting| setting.value.text())
    }

    /// A switch; `None` when unset.
    pub fn boolean(&self, key: &str) -> Option<bool> {
        self.get(key).and_then(|setting| setting.value.boolean())
    }

    /// A whole number; `None` when unset.
    pub fn integer(&self, key: &str) -> Option<i64> {
        self.get(key).and_then(|setting| setting.value.integer())
    }

    /// A number, whole or not; `None` when unset.
    pub fn number(&self, key: &str) -> Option<f64> {
        self.get(key).and_then(|setting| setting.value.number())
    }

    /// A list of texts; empty when unset.
    pub fn list(&self, key: &str) -> &[String] {
        self.get(key).map_or(&[], |setting| setting.value.list())
    }

    /// Where a key's value comes from.
    pub fn origin(&self, key: &str) -> SettingOrigin {
        self.set
            .get(key)
            .map_or(SettingOrigin::Default, |setting| setting.origin.clone())
    }

    /// `history.keep`.
    pub fn history_keep(&self) -> HistoryRetention {
        HistoryRetention::parse(self.text("history.keep")).unwrap_or_default()
    }

    /// Every key in the order of the documentation, with its setting if it has one.
    pub fn all(&self) -> impl Iterator<Item = (&'static SettingKey, Option<&Setting>)> {
        KEYS.iter().map(|key| (key, self.get(key.name)))
    }
}
