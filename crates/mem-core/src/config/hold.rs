//! Settings that hold agents back: an agent's environment may hold it back further, and not less.

use std::path::Path;

use super::error::ConfigError;
use super::key::{KEYS, Key};
use super::value::Value;
use super::{Config, file};
use crate::dirs::Dirs;

/// `memory.write`, from the tightest.
const WRITE: [&str; 3] = ["read-only", "confirm", "auto"];

impl Config {
    /// Holds an agent to what the person's settings say where they are by default. Otherwise `XDG_CONFIG_HOME` in the
    /// environment of an agent would loosen what `MEM_TEAM_PUSH` may not.
    ///
    /// # Errors
    /// That file cannot be read.
    pub(super) fn hold_to_unmoved(
        &mut self,
        dirs: &Dirs,
        repository: Option<&Path>,
    ) -> Result<(), ConfigError> {
        let Some(path) = dirs.unmoved_config_file() else {
            return Ok(());
        };
        let Some(text) = file::read(&path)? else {
            return Ok(());
        };
        let loaded = file::parse(&path, &text, repository, dirs.home.as_deref())?;
        let unmoved = Self {
            set: loaded.settings,
            ..Self::default()
        };
        for key in KEYS {
            let Some(moved) = self.get(key.name).map(|setting| &setting.value) else {
                continue;
            };
            if let Some(held) = unmoved
                .get(key.name)
                .filter(|_| unmoved.would_loosen(key, moved))
            {
                self.warnings.push(format!(
                    "`{}` of `{}` is ignored: an agent runs this, and `{}` holds it back further",
                    key.name,
                    self.file.display(),
                    path.display()
                ));
                self.set.insert(key.name, held.clone());
            }
        }
        Ok(())
    }

    /// Whether a value would hold agents back less than what is set now.
    pub(super) fn would_loosen(&self, key: &Key, value: &Value) -> bool {
        let Some(now) = self.get(key.name).map(|setting| &setting.value) else {
            return false;
        };
        let rank = |value: &Value| WRITE.iter().position(|word| *word == value.text());
        match key.name {
            "memory.write" => rank(value) > rank(now),
            "team.push" | "team.pull" => now.text() == "review" && value.text() != "review",
            "extract.enabled" => now.boolean() == Some(false) && value.boolean() == Some(true),
            _ => false,
        }
    }
}
