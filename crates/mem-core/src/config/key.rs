//! What a key is, and what it takes.

use super::error::ConfigError;
use super::history_retention::HistoryRetention;
use super::settings::KEYS;
use super::spelling_suggestion::nearest;
use super::value::SettingValue;

/// How the environment variables of all keys begin.
pub(super) const VARIABLE_PREFIX: &str = "MEM_";

/// A setting's name, what it takes and what it does.
#[derive(Debug)]
pub struct SettingKey {
    /// Dotted, as in `config.toml`.
    pub name: &'static str,
    /// What it takes.
    pub kind: SettingKind,
    /// What it does: lines that each begin with a space and end with a line feed, as comments of the table have them.
    pub description: &'static str,
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
    /// `0`, a number of changes, or a number of days such as `90d`.
    Keep,
}

impl SettingKey {
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

    /// What it does, in one line.
    pub fn description_line(&self) -> String {
        self.description
            .lines()
            .map(str::trim)
            .collect::<Vec<_>>()
            .join(" ")
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
            | (SettingKind::Text, SettingValue::Text(_)) => true,
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
