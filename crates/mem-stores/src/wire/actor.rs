//! Who did something.

use serde::{Deserialize, Serialize};

/// Somebody, told apart by `type`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum ApiActor {
    /// A session of an agent, `sesn_…`.
    #[serde(rename = "session_actor")]
    Session {
        /// Which.
        session_id: String,
    },
    /// A key of the API, `apikey_…`.
    #[serde(rename = "api_actor")]
    Api {
        /// Which.
        api_key_id: String,
    },
    /// A person, `user_…`.
    #[serde(rename = "user_actor")]
    User {
        /// Which.
        user_id: String,
    },
    /// A service account, `svac_…`.
    #[serde(rename = "service_account_actor")]
    ServiceAccount {
        /// Which.
        service_account_id: String,
    },
    /// A kind that is not known yet.
    #[serde(other, rename = "unknown_actor")]
    Unknown,
}

impl ApiActor {
    /// The public id; `None` for a kind that is not known.
    pub fn id(&self) -> Option<&str> {
        match self {
            Self::Session { session_id } => Some(session_id),
            Self::Api { api_key_id } => Some(api_key_id),
            Self::User { user_id } => Some(user_id),
            Self::ServiceAccount { service_account_id } => Some(service_account_id),
            Self::Unknown => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actors_are_told_apart_by_their_type() {
        let text = r#"{"type":"api_actor","api_key_id":"apikey_1"}"#;
        let actor: ApiActor = serde_json::from_str(text).unwrap();
        assert_eq!(actor.id(), Some("apikey_1"));
        assert_eq!(serde_json::to_string(&actor).unwrap(), text);
        let later: ApiActor =
            serde_json::from_str(r#"{"type":"robot_actor","robot_id":"x"}"#).unwrap();
        assert_eq!(later, ApiActor::Unknown);
    }
}
