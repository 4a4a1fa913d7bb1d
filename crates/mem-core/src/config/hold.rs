//! Settings that hold agents back: an agent's environment may hold it back further, and not less.

use super::Config;
use super::key::SettingKey;
use super::value::SettingValue;

/// `memory.write`, from the tightest.
const WRITE: [&str; 3] = ["read-only", "confirm", "auto"];
/// `memory.review`, from the tightest.
const REVIEW: [&str; 3] = ["tools", "outside", "none"];

impl Config {
    /// Whether a value would hold agents back less than what is set now.
    pub(super) fn would_loosen(&self, key: &SettingKey, value: &SettingValue) -> bool {
        let Some(now) = self.get(key.name).map(|setting| &setting.value) else {
            return false;
        };
        let is_looser = |words: &[&str]| {
            let rank = |value: &SettingValue| words.iter().position(|word| *word == value.text());
            rank(value) > rank(now)
        };
        match key.name {
            "memory.write" => is_looser(&WRITE),
            "memory.review" => is_looser(&REVIEW),
            "team.push" | "team.pull" => now.text() == "review" && value.text() != "review",
            "extract.enabled" => now.boolean() == Some(false) && value.boolean() == Some(true),
            _ => false,
        }
    }
}
