//! The closed list of keys and what may be said for each.

use super::error::ConfigError;
use super::keep::HistoryRetention;
use super::nearest::nearest;
use super::value::Value;

/// How the environment variables of all keys begin.
pub(super) const VARIABLE_PREFIX: &str = "MEM_";

/// A setting's name and what it takes. The default stands in the embedded file.
#[derive(Debug)]
pub struct SettingKey {
    /// Dotted, as in `config.toml`.
    pub name: &'static str,
    /// What it takes.
    pub kind: Kind,
}

/// What a key takes.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
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
    SettingKey::new("editor", Kind::Text),
    SettingKey::new("color", Kind::Choice(&["auto", "always", "never"])),
    SettingKey::new("notify", Kind::Boolean),
    SettingKey::new("memory.enabled", Kind::Boolean),
    SettingKey::new("memory.mode", Kind::Choice(&["index", "log"])),
    SettingKey::new(
        "memory.write",
        Kind::Choice(&["auto", "confirm", "read-only"]),
    ),
    SettingKey::new("history.keep", Kind::Keep),
    SettingKey::new("model.command", Kind::Text),
    SettingKey::new("model.api", Kind::Text),
    SettingKey::new("model.name", Kind::Text),
    SettingKey::new("model.key_file", Kind::Text),
    SettingKey::new("model.max_tokens", Kind::Integer),
    SettingKey::new("model.timeout", Kind::Integer),
    SettingKey::new("extract.enabled", Kind::Boolean),
    SettingKey::new("dream.nightly", Kind::Boolean),
    SettingKey::new("dream.max_share", Kind::Share),
    SettingKey::new("team.remote", Kind::Text),
    SettingKey::new("team.repo", Kind::Text),
    SettingKey::new("team.pull", Kind::Choice(&["auto", "review"])),
    SettingKey::new("team.push", Kind::Choice(&["auto", "review"])),
    SettingKey::new("team.glance", Kind::Boolean),
    SettingKey::new("sync.remote", Kind::Text),
    SettingKey::new("sync.name", Kind::Text),
    SettingKey::new("stores.base_url", Kind::Text),
    SettingKey::new("encryption.key", Kind::Text),
    SettingKey::new("daemon.autostart", Kind::Boolean),
    SettingKey::new("daemon.idle_minutes", Kind::Integer),
    SettingKey::new("recall.limit", Kind::Integer),
    SettingKey::new("recall.budget_chars", Kind::Integer),
    SettingKey::new("recall.session_chars", Kind::Integer),
    SettingKey::new("recall.min_score", Kind::Share),
    SettingKey::new("recall.background", Kind::Boolean),
    SettingKey::new("recall.weights.lexical", Kind::Number),
    SettingKey::new("recall.weights.coverage", Kind::Number),
    SettingKey::new("recall.weights.soft", Kind::Number),
    SettingKey::new("recall.weights.name", Kind::Number),
    SettingKey::new("recall.weights.description", Kind::Number),
    SettingKey::new("recall.weights.body", Kind::Number),
    SettingKey::new("recall.weights.k1", Kind::Number),
    SettingKey::new("recall.weights.b", Kind::Number),
    SettingKey::new("recall.weights.statics", Kind::Number),
    SettingKey::new("recall.weights.sentence", Kind::Number),
    SettingKey::new("recall.weights.latin", Kind::Number),
    SettingKey::new("recall.weights.freshness", Kind::Number),
    SettingKey::new("recall.weights.half_life_days", Kind::Number),
    SettingKey::new("recall.weights.importance", Kind::Number),
    SettingKey::new("recall.weights.pinned", Kind::Number),
    SettingKey::new("recall.weights.used", Kind::Number),
    SettingKey::new("recall.weights.drift", Kind::Number),
    SettingKey::new("records.backend", Kind::Choice(&["files", "qdrant"])),
    SettingKey::new("records.qdrant_url", Kind::Text),
    SettingKey::new("records.half_life_days", Kind::Number),
    SettingKey::new("prune.max_entries", Kind::Integer),
    SettingKey::new("prune.below", Kind::Number),
    SettingKey::new("prune.expired", Kind::Boolean),
    SettingKey::new("cost.context_tokens", Kind::Integer),
    SettingKey::new("cost.index_share", Kind::Share),
];

impl SettingKey {
    const fn new(name: &'static str, kind: Kind) -> Self {
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
    pub(super) fn parse(&self, text: &str, place: &str) -> Result<Value, ConfigError> {
        let value = match self.kind {
            Kind::Boolean => boolean(text).map(Value::Boolean),
            Kind::Integer => text.trim().parse().ok().map(Value::Integer),
            Kind::Number | Kind::Share => text.trim().parse().ok().map(Value::Number),
            Kind::Text | Kind::Choice(_) | Kind::Keep => Some(Value::Text(text.to_owned())),
            Kind::List => Some(Value::List(
                text.split(',').map(|item| item.trim().to_owned()).collect(),
            )),
        };
        value
            .filter(|value| self.takes(value))
            .ok_or_else(|| self.wrong(place, text))
    }

    /// Whether the value is of the key's kind.
    pub(super) fn takes(&self, value: &Value) -> bool {
        match (self.kind, value) {
            (Kind::Boolean, Value::Boolean(_))
            | (Kind::Number, Value::Integer(_))
            | (Kind::Text, Value::Text(_))
            | (Kind::List, Value::List(_)) => true,
            (Kind::Integer, Value::Integer(number)) => *number >= 0,
            (Kind::Number, Value::Number(number)) => number.is_finite(),
            (Kind::Share, value) => value
                .number()
                .is_some_and(|number| (0.0..=1.0).contains(&number)),
            (Kind::Choice(words), Value::Text(text)) => words.contains(&text.as_str()),
            (Kind::Keep, Value::Text(text)) => HistoryRetention::parse(text).is_some(),
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
            Kind::Boolean => "true or false".to_owned(),
            Kind::Integer => "a whole number from 0 on".to_owned(),
            Kind::Number => "a number".to_owned(),
            Kind::Share => "a number from 0 to 1".to_owned(),
            Kind::Text => "a text in quotes".to_owned(),
            Kind::Choice(words) => format!("one of \"{}\"", words.join("\", \"")),
            Kind::List => "a list of texts".to_owned(),
            Kind::Keep => "\"0\", a number such as \"500\", or days such as \"90d\"".to_owned(),
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
