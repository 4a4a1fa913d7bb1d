//! Times as they are stored: microseconds since 1970.

use jiff::Timestamp;

use super::StorageError;

/// From what is stored.
pub(super) fn from_stored(microseconds: i64) -> Result<Timestamp, StorageError> {
    Timestamp::from_microsecond(microseconds)
        .map_err(|_| StorageError::Corrupt("a time that is none"))
}

/// From what may be stored.
pub(super) fn from_optional(microseconds: Option<i64>) -> Result<Option<Timestamp>, StorageError> {
    microseconds.map(from_stored).transpose()
}

/// RFC 3339, from what is stored.
pub(super) fn text(microseconds: i64) -> Result<String, StorageError> {
    from_stored(microseconds).map(|time| time.to_string())
}
