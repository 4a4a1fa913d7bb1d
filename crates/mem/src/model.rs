//! The model of the user's settings.

use std::time::Duration;

use mem_agent::model::Model;
use mem_core::Config;

/// The program of `model.command`; `None` where none is set.
pub(crate) fn configured(config: &Config) -> Option<Model> {
    let seconds = config.integer("model.timeout").unwrap_or_default();
    let limit = Duration::from_secs(u64::try_from(seconds).unwrap_or_default().max(1));
    Model::new(config.text("model.command"), limit)
}
