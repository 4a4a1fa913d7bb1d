//! A setting as commands show it.

use mem_core::config::{Key, Setting};
use serde_json::{Value, json};

/// The stable shape: `{"key","value","layer","origin"}`, value and origin null where nothing
/// is set and there is no default.
pub(super) fn shape(key: &Key, setting: Option<&Setting>) -> Value {
    json!({
        "key": key.name,
        "value": setting.map(|setting| &setting.value),
        "layer": setting.map(|setting| setting.origin.as_str()),
        "origin": setting.map(|setting| setting.origin.to_string()),
    })
}
