//! `mem`'s own settings: a flag, the environment, the repository's table, `config.toml`, the default.
//!
//! Every key, its type, its default and what it does stand in one table, `settings.rs`. No file inside a repository is
//! read here.

mod documentation;
mod edit;
mod error;
mod file;
mod history_retention;
mod key;
mod origin;
mod setting_types;
mod settings;
mod spelling_suggestion;
mod value;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::dirs::Dirs;
use crate::environment::Environment;

pub use documentation::{page, template};
pub use edit::{forget_remotes, forget_repository, set, unset, unset_all};
pub use error::ConfigError;
pub use history_retention::HistoryRetention;
use key::VARIABLE_PREFIX;
pub use key::{SettingKey, SettingKind};
pub use origin::SettingOrigin;
use setting_types::SettingType as _;
pub use setting_types::{
    ColorWhen, MemoryMode, RecordBackend, Share, TeamFlow, TextReview, WriteMode,
};
pub use settings::*;
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
    /// The values, defaults included.
    pub values: Settings,
    file: PathBuf,
    /// What somebody set, as it was written, and where.
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
            config = config.with_settings(loaded.settings);
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
                self.insert(key.name, Setting { value, origin });
            }
        }
        Ok(())
    }

    fn add_flags(&mut self, flags: &[(String, String)]) -> Result<(), ConfigError> {
        for (name, text) in flags {
            let key = SettingKey::find(name)?;
            let value = key.parse(text, COMMAND_LINE)?;
            let origin = SettingOrigin::Flag;
            self.insert(key.name, Setting { value, origin });
        }
        Ok(())
    }

    fn with_settings(mut self, settings: BTreeMap<&'static str, Setting>) -> Self {
        for (key, setting) in settings {
            self.insert(key, setting);
        }
        self
    }

    /// Sets a key above what is set: layers come weakest first.
    fn insert(&mut self, key: &'static str, setting: Setting) {
        self.values.assign(key, &setting.value);
        self.set.insert(key, setting);
    }

    /// Log mode has one writer of the index, team memory has many: the two do not compose.
    fn check(&self) -> Result<(), ConfigError> {
        let Settings { memory, team, .. } = &self.values;
        if memory.mode == MemoryMode::Log && !team.remote.is_empty() {
            return Err(ConfigError::LogModeWithTeam {
                mode: self.origin("memory.mode").to_string(),
                remote: self.origin("team.remote").to_string(),
            });
        }
        Ok(())
    }

    /// The user's settings file, whether or not it exists.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The value of a key and its origin; `None` for a key that has no default and was not set. What somebody set is as
    /// it was written.
    pub fn get(&self, key: &str) -> Option<Setting> {
        self.set.get(key).cloned().or_else(|| {
            let origin = SettingOrigin::Default;
            self.values
                .value(key)
                .map(|value| Setting { value, origin })
        })
    }

    /// Whether somebody set the key.
    pub fn is_set(&self, key: &str) -> bool {
        self.set.contains_key(key)
    }

    /// Where a key's value comes from.
    pub fn origin(&self, key: &str) -> SettingOrigin {
        self.set
            .get(key)
            .map_or(SettingOrigin::Default, |setting| setting.origin.clone())
    }

    /// Every key in the order of the documentation, with its setting if it has one.
    pub fn all(&self) -> impl Iterator<Item = (&'static SettingKey, Option<Setting>)> {
        KEYS.iter().map(|key| (key, self.get(key.name)))
    }

    /// Whether a value would hold agents back less than what is set now.
    fn would_loosen(&self, key: &SettingKey, value: &SettingValue) -> bool {
        let Settings {
            memory,
            team,
            extract,
            ..
        } = &self.values;
        let is_auto = TeamFlow::from_value(value) == Some(TeamFlow::Auto);
        match key.name {
            "memory.write" => WriteMode::from_value(value).is_some_and(|new| new < memory.write),
            "memory.review" => TextReview::from_value(value).is_some_and(|new| new < memory.review),
            "team.push" => is_auto && team.push == TeamFlow::Review,
            "team.report_refused" => !team.report_refused && value.boolean() == Some(true),
            "team.pull" => is_auto && team.pull == TeamFlow::Review,
            "extract.enabled" => !extract.enabled && value.boolean() == Some(true),
            _ => false,
        }
    }
}
