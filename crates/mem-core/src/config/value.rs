//! A setting's value, between TOML, JSON and text.

use std::fmt;

/// A value of one of the kinds that keys take.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum SettingValue {
    /// A switch.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// A number with a fraction.
    Number(f64),
    /// A text.
    Text(String),
}

impl SettingValue {
    /// The text; empty for other kinds.
    pub fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Boolean(_) | Self::Integer(_) | Self::Number(_) => "",
        }
    }

    /// The switch.
    pub fn boolean(&self) -> Option<bool> {
        match self {
            Self::Boolean(value) => Some(*value),
            Self::Integer(_) | Self::Number(_) | Self::Text(_) => None,
        }
    }

    /// The number.
    pub fn integer(&self) -> Option<i64> {
        match self {
            Self::Integer(value) => Some(*value),
            Self::Boolean(_) | Self::Number(_) | Self::Text(_) => None,
        }
    }

    /// The number, whole or not.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(value) => Some(*value),
            Self::Integer(value) => Some(*value as f64),
            Self::Boolean(_) | Self::Text(_) => None,
        }
    }

    /// Reads a TOML value; `None` for kinds that no key takes.
    pub(super) fn from_toml(value: &toml_edit::Value) -> Option<Self> {
        if let Some(flag) = value.as_bool() {
            return Some(Self::Boolean(flag));
        }
        if let Some(number) = value.as_integer() {
            return Some(Self::Integer(number));
        }
        if let Some(number) = value.as_float() {
            return Some(Self::Number(number));
        }
        value.as_str().map(|text| Self::Text(text.to_owned()))
    }

    /// The value as TOML.
    pub(super) fn to_toml(&self) -> toml_edit::Value {
        match self {
            Self::Boolean(flag) => (*flag).into(),
            Self::Integer(number) => (*number).into(),
            Self::Number(number) => (*number).into(),
            Self::Text(text) => text.as_str().into(),
        }
    }
}

/// As in `config.toml`.
impl fmt::Display for SettingValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_toml())
    }
}
