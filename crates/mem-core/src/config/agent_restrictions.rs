//! Settings that hold agents back: an agent's environment may hold it back further, and not less.

use super::key::SettingKey;
use super::setting_types::{SettingType as _, TeamFlow, TextReview, WriteMode};
use super::value::SettingValue;
use super::{Config, Settings};

impl Config {
    /// Whether a value would hold agents back less than what is set now.
    pub(super) fn would_loosen(&self, key: &SettingKey, value: &SettingValue) -> bool {
        let Settings {
            memory,
            team,
            extract,
            ..
        } = &self.values;
        let is_auto = TeamFlow::from_value(value) == Some(TeamFlow::Auto);
        match key.name {
            "memory.write" => WriteMode::from_value(value).is_some_and(|new| new < memory.write),
            "memory.review" => TextReview::from_value(value).is_some_and(|new| new < memory.review),
            "team.push" => is_auto && team.push == TeamFlow::Review,
            "team.report_refused" => !team.report_refused && value.boolean() == Some(true),
            "team.pull" => is_auto && team.pull == TeamFlow::Review,
            "extract.enabled" => !extract.enabled && value.boolean() == Some(true),
            _ => false,
        }
    }
}
