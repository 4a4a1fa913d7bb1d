//! The envelope of every answer that is none.

use serde::{Deserialize, Serialize};

use crate::ApiVersion;

/// What kind of failure: the types of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// The request is wrong.
    InvalidRequest,
    /// Nobody knows who asks.
    Authentication,
    /// Nobody pays.
    Billing,
    /// Who asks may not.
    Permission,
    /// There is none.
    NotFound,
    /// Too often.
    RateLimit,
    /// Too late.
    Timeout,
    /// The server failed.
    Api,
    /// The server has no time.
    Overloaded,
    /// The memory is not as the precondition says.
    MemoryPreconditionFailed,
    /// Something stands at the path, above it or below it.
    MemoryPathConflict,
    /// Any other conflict.
    Conflict,
}

/// Every kind with its word in the research preview. The current dialect adds a suffix.
const KINDS: [(FailureKind, &str); 12] = [
    (FailureKind::InvalidRequest, "invalid_request"),
    (FailureKind::Authentication, "authentication"),
    (FailureKind::Billing, "billing"),
    (FailureKind::Permission, "permission"),
    (FailureKind::NotFound, "not_found"),
    (FailureKind::RateLimit, "rate_limit"),
    (FailureKind::Timeout, "timeout"),
    (FailureKind::Api, "api"),
    (FailureKind::Overloaded, "overloaded"),
    (
        FailureKind::MemoryPreconditionFailed,
        "memory_precondition_failed",
    ),
    (FailureKind::MemoryPathConflict, "memory_path_conflict"),
    (FailureKind::Conflict, "conflict"),
];
/// Ends every type of the current dialect.
const SUFFIX: &str = "_error";

impl FailureKind {
    /// The type on the line.
    pub fn word(self, dialect: ApiVersion) -> String {
        let suffix = match dialect {
            ApiVersion::Current => SUFFIX,
            ApiVersion::Preview => "",
        };
        // The preview has one word for whatever stands in the way.
        let kind = match (self, dialect) {
            (Self::MemoryPathConflict, ApiVersion::Preview) => Self::Conflict,
            (kind, _) => kind,
        };
        let found = KINDS.iter().find(|(one, _)| *one == kind);
        format!("{}{suffix}", found.map_or("api", |(_, word)| word))
    }

    /// What a type says, in either dialect.
    pub fn of_word(word: &str) -> Option<Self> {
        let word = word.strip_suffix(SUFFIX).unwrap_or(word);
        let found = KINDS.iter().find(|(_, one)| *one == word);
        found.map(|(kind, _)| *kind)
    }
}

/// The answer to a request that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename = "error")]
pub struct FailureEnvelope {
    /// What is wrong.
    pub error: ApiFailure,
    /// The name of the request.
    #[serde(default)]
    pub request_id: Option<String>,
}

/// What is wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiFailure {
    /// A word, see [`FailureKind`].
    #[serde(rename = "type")]
    pub kind: String,
    /// For people.
    #[serde(default)]
    pub message: String,
    /// With [`FailureKind::MemoryPathConflict`]: whose path it is; empty where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflicting_memory_id: Option<String>,
    /// With [`FailureKind::MemoryPathConflict`]: the path that is in the way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflicting_path: Option<String>,
}

impl ApiFailure {
    /// What kind it is; `None` for one that is not known.
    pub fn known_kind(&self) -> Option<FailureKind> {
        FailureKind::of_word(&self.kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_a_suffix_in_the_current_dialect_only() {
        use FailureKind::{MemoryPathConflict, MemoryPreconditionFailed};
        let word = |kind: FailureKind, dialect| kind.word(dialect);
        assert_eq!(
            word(MemoryPreconditionFailed, ApiVersion::Current),
            "memory_precondition_failed_error"
        );
        assert_eq!(
            word(MemoryPreconditionFailed, ApiVersion::Preview),
            "memory_precondition_failed"
        );
        assert_eq!(word(MemoryPathConflict, ApiVersion::Preview), "conflict");
        for (kind, _) in KINDS {
            assert_eq!(
                FailureKind::of_word(&kind.word(ApiVersion::Current)),
                Some(kind)
            );
        }
        assert_eq!(FailureKind::of_word("other_error"), None);
    }

    #[test]
    fn the_envelope_has_only_what_belongs_to_it() {
        let text = r#"{"type":"error","error":{"type":"not_found_error","message":"m"},"request_id":"req_1"}"#;
        let envelope: FailureEnvelope = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&envelope).unwrap(), text);
    }
}
