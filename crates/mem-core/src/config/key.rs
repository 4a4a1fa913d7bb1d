//! The closed list of keys and what may be said for each.

use super::error::ConfigError;
use super::keep::HistoryRetention;
use super::nearest::nearest;
use super::value::SettingValue;

/// How the environment variables of all keys begin.
pub(super) const VARIABLE_PREFIX: &str = "MEM_";

/// A setting's name and what it takes. The default stands in the embedded file.
#[derive(Debug)]
pub struct SettingKey {
    /// Dotted, as in `config.toml`.
    pub name: &'static str,
    /// What it takes.
    pub kind: SettingKind,
}

/// What a key takes.
#[derive(Clone, Copy, Debug)]
pub enum SettingKind {
    /// `true` or `false`.
    Boolean,
    /// A whole number, not below 0.
    Integer,
    /// A number, with a fraction or without.
    Number,
    /// A number from 0 to 1.
    Share,
    /// Any text.
    Text,
    /// One of a few words.
    Choice(&'static [&'static str]),
    /// A list of texts; on the command line and in the environment separated by commas.
    List,
    /// `0`, a number of changes, or a number of days such as `90d`.
    Keep,
}

/// Every key, in the order of the documentation.
pub const KEYS: &[SettingKey] = &[
    SettingKey::new("editor", SettingKind::Text),
    SettingKey::new("color", SettingKind::Choice(&["auto", "always", "never"])),
    SettingKey::new("notify", SettingKind::Boolean),
    SettingKey::new("memory.enabled", SettingKind::Boolean),
    SettingKey::new("memory.mode", SettingKind::Choice(&["index", "log"])),
    SettingKey::new(
        "memory.write",
        SettingKind::Choice(&["auto", "confirm", "read-only"]),
    ),
    SettingKey::new(
        "memory.review",
        SettingKind::Choice(&["outside", "tools", "none"]),
    ),
    SettingKey::new("history.keep", SettingKind::Keep),
    SettingKey::new("model.command", SettingKind::Text),
    SettingKey::new("model.api", SettingKind::Text),
    SettingKey::new("model.name", SettingKind::Text),
    SettingKey::new("model.key_file", SettingKind::Text),
    SettingKey::new("model.max_tokens", SettingKind::Integer),
    SettingKey::new("model.timeout", SettingKind::Integer),
    SettingKey::new("extract.enabled", SettingKind::Boolean),
    SettingKey::new("dream.nightly", SettingKind::Boolean),
    SettingKey::new("dream.max_share", SettingKind::Share),
    SettingKey::new("team.remote", SettingKind::Text),
    SettingKey::new("team.repo", SettingKind::Text),
    SettingKey::new("team.pull", SettingKind::Choice(&["auto", "review"])),
    SettingKey::new("team.push", SettingKind::Choice(&["auto", "review"])),
    SettingKey::new("team.glance", SettingKind::Boolean),
    SettingKey::new("sync.remote", SettingKind::Text),
    SettingKey::new("sync.name", SettingKind::Text),
    SettingKey::new("stores.base_url", SettingKind::Text),
    SettingKey::new("encryption.key", SettingKind::Text),
    SettingKey::new("daemon.autostart", SettingKind::Boolean),
    SettingKey::new("daemon.idle_minutes", SettingKind::Integer),
    SettingKey::new("recall.limit", SettingKind::Integer),
    SettingKey::new("recall.budget_chars", SettingKind::Integer),
    SettingKey::new("recall.file_chars", SettingKind::Integer),
    SettingKey::new("recall.subagent_chars", SettingKind::Integer),
    SettingKey::new("recall.session_chars", SettingKind::Integer),
    SettingKey::new("recall.min_score", SettingKind::Share),
    SettingKey::new("recall.background", SettingKind::Boolean),
    SettingKey::new("recall.weights.lexical", SettingKind::Number),
    SettingKey::new("recall.weights.coverage", SettingKind::Number),
    SettingKey::new("recall.weights.soft", SettingKind::Number),
    SettingKey::new("recall.weights.name", SettingKind::Number),
    SettingKey::new("recall.weights.description", SettingKind::Number),
    SettingKey::new("recall.weights.body", SettingKind::Number),
    SettingKey::new("recall.weights.k1", SettingKind::Number),
    SettingKey::new("recall.weights.b", SettingKind::Number),
    SettingKey::new("recall.weights.statics", SettingKind::Number),
    SettingKey::new("recall.weights.sentence", SettingKind::Number),
    SettingKey::new("recall.weights.latin", SettingKind::Number),
    SettingKey::new("recall.weights.freshness", SettingKind::Number),
    SettingKey::new("recall.weights.half_life_days", SettingKind::Number),
    SettingKey::new("recall.weights.importance", SettingKind::Number),
    SettingKey::new("recall.weights.pinned", SettingKind::Number),
    SettingKey::new("recall.weights.used", SettingKind::Number),
    SettingKey::new("recall.weights.drift", SettingKind::Number),
    SettingKey::new("records.backend", SettingKind::Choice(&["files", "qdrant"])),
    SettingKey::new("records.qdrant_url", SettingKind::Text),
    SettingKey::new("records.half_life_days", SettingKind::Number),
    SettingKey::new("prune.max_entries", SettingKind::Integer),
    SettingKey::new("prune.below", SettingKind::Number),
    SettingKey::new("prune.expired", SettingKind::Boolean),
    SettingKey::new("cost.context_tokens", SettingKind::Integer),
    SettingKey::new("cost.index_share", SettingKind::Share),
];

impl SettingKey {
    const fn new(name: &'static str, kind: SettingKind) -> Self {
        Self { name, kind }
    }

    /// Finds a key by its dotted name.
    ///
    /// # Errors
    /// There is none of that name; the error knows the nearest one.
    pub fn find(name: &str) -> Result<&'static Self, ConfigError> {
        KEYS.iter()
            .find(|key| key.name == name)
            .ok_or_else(|| ConfigError::UnknownKey {
                key: name.to_owned(),
                nearest: Self::nearest(name),
            })
    }

    /// The key that was probably meant.
    pub(super) fn nearest(name: &str) -> Option<&'static str> {
        nearest(name, KEYS.iter().map(|key| key.name))
    }

    /// The environment variable of the key: `MEM_MEMORY_MODE` for `memory.mode`.
    pub fn variable(&self) -> String {
        let name = self.name.replace(['.', '-'], "_").to_ascii_uppercase();
        format!("{VARIABLE_PREFIX}{name}")
    }

    /// Reads a value given as text; `place` says where, for the error.
    pub(super) fn parse(&self, text: &str, place: &str) -> Result<SettingValue, ConfigError> {
        let value = match self.kind {
            SettingKind::Boolean => boolean(text).map(SettingValue::Boolean),
            SettingKind::Integer => text.trim().parse().ok().map(SettingValue::Integer),
            SettingKind::Number | SettingKind::Share => {
                text.trim().parse().ok().map(SettingValue::Number)
            }
            SettingKind::Text | SettingKind::Choice(_) | SettingKind::Keep => {
                Some(SettingValue::Text(text.to_owned()))
            }
            SettingKind::List => Some(SettingValue::List(
                text.split(',').map(|item| item.trim().to_owned()).collect(),
            )),
        };
        value
            .filter(|value| self.takes(value))
            .ok_or_else(|| self.wrong(place, text))
    }

    /// Whether the value is of the key's kind.
    pub(super) fn takes(&self, value: &SettingValue) -> bool {
        match (self.kind, value) {
            (SettingKind::Boolean, SettingValue::Boolean(_))
            | (SettingKind::Number, SettingValue::Integer(_))
            | (SettingKind::Text, SettingValue::Text(_))
            | (SettingKind::List, SettingValue::List(_)) => true,
            (SettingKind::Integer, SettingValue::Integer(number)) => *number >= 0,
            (SettingKind::Number, SettingValue::Number(number)) => number.is_finite(),
            (SettingKind::Share, value) => value
                .number()
                .is_some_and(|number| (0.0..=1.0).contains(&number)),
            (SettingKind::Choice(words), SettingValue::Text(text)) => {
                words.contains(&text.as_str())
            }
            (SettingKind::Keep, SettingValue::Text(text)) => {
                HistoryRetention::parse(text).is_some()
            }
            _ => false,
        }
    }

    /// The error about a value that the key does not take.
    pub(super) fn wrong(&self, place: &str, found: &str) -> ConfigError {
        ConfigError::WrongValue {
            place: place.to_owned(),
            key: self.name,
            found: found.to_owned(),
            expected: self.expected(),
        }
    }

    /// What the key takes, in words.
    pub fn expected(&self) -> String {
        match self.kind {
            SettingKind::Boolean => "true or false".to_owned(),
            SettingKind::Integer => "a whole number from 0 on".to_owned(),
            SettingKind::Number => "a number".to_owned(),
            SettingKind::Share => "a number from 0 to 1".to_owned(),
            SettingKind::Text => "a text in quotes".to_owned(),
            SettingKind::Choice(words) => format!("one of \"{}\"", words.join("\", \"")),
            SettingKind::List => "a list of texts".to_owned(),
            SettingKind::Keep => {
                "\"0\", a number such as \"500\", or days such as \"90d\"".to_owned()
            }
        }
    }
}

fn boolean(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Some(true),
        "0" | "false" | "no" | "off" => Some(false),
        _ => None,
    }
}
