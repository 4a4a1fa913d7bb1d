//! Whether a value is one that a setting of records or of pruning can have: told when it is set, not passed over later.

use mem_core::Diagnose;
use mem_team::address::Address;

use super::prune::MARKS;
use super::qdrant::{QdrantSettingError, URL};

/// It is none.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum RecordSettingError {
    /// Nothing gets more important by itself.
    #[error("`{HALF_LIFE}` is a number of days, and below 0 there are none")]
    #[diagnose(
        Invalid,
        hint = "0 has nothing fade; 30 is what it is without being set"
    )]
    HalfLife,
    /// Everything is below it, or nothing.
    #[error("`{BELOW}` is an importance, from 0 to 5")]
    #[diagnose(Invalid, hint = "0 has nothing go by its importance")]
    Below,
    /// No server.
    #[error(transparent)]
    #[diagnose(Invalid, hint = _0.hint())]
    Address(#[from] QdrantSettingError),
}

const HALF_LIFE: &str = "records.half_life_days";
const BELOW: &str = "prune.below";

/// Refuses what no run could use. What is no number at all the settings refuse themselves.
///
/// # Errors
/// What it is not.
pub fn check_setting(key: &str, value: &str) -> Result<(), RecordSettingError> {
    let number = value.trim().parse::<f64>().ok();
    match key {
        HALF_LIFE if number.is_some_and(|days| days < 0.0) => Err(RecordSettingError::HalfLife),
        BELOW if number.is_some_and(|mark| !MARKS.contains(&mark)) => {
            Err(RecordSettingError::Below)
        }
        URL if !value.trim().is_empty() => match Address::parse_address(value) {
            Ok(Address::Server(_)) => Ok(()),
            _ => Err(QdrantSettingError::Address.into()),
        },
        _ => Ok(()),
    }
}
