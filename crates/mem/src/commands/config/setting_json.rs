//! A setting as commands show it.

use mem_core::config::{Setting, SettingKey};
use serde_json::{Value, json};

use mem_team::masking;

/// The stable shape: `{"key","value","layer","origin","takes","description"}`, value and origin null where nothing
/// is set and there is no default. A secret in the value is masked.
pub(super) fn setting_json(key: &SettingKey, setting: Option<&Setting>) -> Value {
    json!({
        "key": key.name,
        "value": setting.map(|setting| masking::masked_value(key.name, &setting.value)),
        "layer": setting.map(|setting| setting.origin.as_str()),
        "origin": setting.map(|setting| setting.origin.to_string()),
        "takes": key.expected(),
        "description": key.description_line(),
    })
}
