//! A snapshot of environment variables, so that libraries never read the real ones.

use std::collections::BTreeMap;

/// What a host gives to all that it runs, hooks too. Beside it no word about who acts counts: it may come from a
/// repository.
const OF_HOSTS: [&str; 3] = ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_PROJECT_DIR"];

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

    /// Whether a host of agents runs this. An empty word for it counts: a repository may have emptied it.
    pub fn is_of_host(&self) -> bool {
        OF_HOSTS.iter().any(|name| self.0.contains_key(*name))
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
