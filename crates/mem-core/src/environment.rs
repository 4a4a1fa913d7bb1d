//! A snapshot of environment variables, so that libraries never read the real ones.

use std::collections::BTreeMap;

use crate::hosts;

/// The token of a team's server.
pub const TOKEN_VARIABLE: &str = "MEM_TOKEN";
/// The key of a model behind an API.
pub const MODEL_KEY_VARIABLE: &str = "MEM_MODEL_KEY";
/// What Claude Code gives to its hooks, which it runs without an agent's word.
const OF_HOOKS: &str = "CLAUDE_PROJECT_DIR";

/// Environment variables by name. Values that are not Unicode are left out by the caller.
#[derive(Clone, Debug, Default)]
pub struct Environment(BTreeMap<String, String>);

impl Environment {
    /// Returns the value of a variable; an empty value counts as unset.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    /// Returns whether a switch is on: set to anything but empty, `0`, `false`, `no` or `off`.
    pub fn is_on(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| {
            !matches!(
                value.to_ascii_lowercase().as_str(),
                "0" | "false" | "no" | "off"
            )
        })
    }

    /// Returns whether a variable is there, with whatever value.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Returns whether a variable is there whose name begins so.
    pub fn has_any(&self, prefix: &str) -> bool {
        self.0.keys().any(|name| name.starts_with(prefix))
    }

    /// Whether a host of agents runs this, as a command of an agent or as a hook. Beside its marks no word about who
    /// acts counts: it may come from a repository.
    pub fn is_of_host(&self) -> bool {
        self.has(OF_HOOKS) || hosts::of_agent(self).is_some()
    }

    /// Whether an agent runs this, or a host behind its person's back.
    pub fn is_of_agent(&self) -> bool {
        self.is_of_host() || self.get("MEM_ACTOR") == Some("agent")
    }

    /// All variables, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

impl<K: Into<String>, V: Into<String>> FromIterator<(K, V)> for Environment {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        Self(
            pairs
                .into_iter()
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
        )
    }
}
