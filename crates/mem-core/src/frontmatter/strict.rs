//! The YAML parser's view of a frontmatter, kept away from input that costs it too much.

use serde_yaml::{Mapping, Value};

use super::raw_value::RawValue;
use crate::limits::FRONTMATTER_YAML_BYTES_MAX;

/// Opening brackets beyond this are a nest built to be slow, not a memory.
const BRACKETS_MAX: usize = 256;

/// A parsed mapping, or why there is none.
pub(super) enum StrictMapping {
    Mapping(Mapping),
    /// The parser refuses it; line and column count from 1 inside the block, 0 when not known.
    Invalid {
        line: usize,
        column: usize,
        message: String,
    },
    /// Not given to the parser: the limit that it is over.
    TooLarge(String),
    /// Not UTF-8.
    Binary,
}

/// Parses a block.
pub(super) fn parse(block: &[u8]) -> StrictMapping {
    if block.len() > FRONTMATTER_YAML_BYTES_MAX {
        return StrictMapping::TooLarge(format!("{FRONTMATTER_YAML_BYTES_MAX} bytes"));
    }
    let brackets = block.iter().filter(|b| matches!(b, b'[' | b'{')).count();
    if brackets > BRACKETS_MAX {
        return StrictMapping::TooLarge(format!("{BRACKETS_MAX} opening brackets"));
    }
    let Ok(text) = std::str::from_utf8(block) else {
        return StrictMapping::Binary;
    };
    match serde_yaml::from_str::<Value>(text).map(untagged) {
        Ok(Value::Mapping(mapping)) => StrictMapping::Mapping(mapping),
        Ok(Value::Null) => StrictMapping::Mapping(Mapping::new()),
        Ok(_) => StrictMapping::Invalid {
            line: 1,
            column: 1,
            message: "it is not a list of keys and values".to_owned(),
        },
        Err(error) => {
            let at = error.location();
            StrictMapping::Invalid {
                line: at.as_ref().map_or(0, serde_yaml::Location::line),
                column: at.as_ref().map_or(0, serde_yaml::Location::column),
                message: first_clause(&error.to_string()),
            }
        }
    }
}

/// The reason without the place, which is told apart.
fn first_clause(message: &str) -> String {
    let end = message.find(" at line ").unwrap_or(message.len());
    message[..end].to_owned()
}

fn untagged(value: Value) -> Value {
    match value {
        Value::Tagged(tagged) => untagged(tagged.value),
        other => other,
    }
}

/// A value and whether its text is the one that stands in the file (a number loses its form).
pub(super) fn raw_of(value: &Value) -> (RawValue, bool) {
    match value {
        Value::Null => (RawValue::Null, true),
        Value::String(text) => (RawValue::Text(text.clone()), true),
        Value::Bool(_) | Value::Number(_) => (RawValue::Text(scalar_text(value)), false),
        Value::Mapping(_) => (RawValue::Map, true),
        Value::Tagged(tagged) => raw_of(&tagged.value),
        Value::Sequence(items) => {
            let faithful = items.iter().all(Value::is_string);
            let items = items
                .iter()
                .map(scalar_text)
                .filter(|item| !item.is_empty());
            (RawValue::List(items.collect()), faithful)
        }
    }
}

fn scalar_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(on) => on.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Tagged(tagged) => scalar_text(&tagged.value),
        Value::Null | Value::Sequence(_) | Value::Mapping(_) => String::new(),
    }
}
