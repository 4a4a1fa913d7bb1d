//! Tokens: what is known of them, never the secret itself.

use jiff::Timestamp;

/// What a token may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verb {
    /// Read.
    Read,
    /// Read and write.
    Write,
}

impl Verb {
    /// As it is stored.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }

    /// From what is stored.
    pub(crate) fn from_stored(text: &str) -> Option<Self> {
        match text {
            "read" => Some(Self::Read),
            "write" => Some(Self::Write),
            _ => None,
        }
    }
}

/// On what a token may do it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Grant {
    /// `*`, `team:OWNER/REPO`, `team:OWNER/*`, `store:*` or `store:memstore_…`.
    pub resource: String,
    /// What.
    pub verb: Verb,
}

/// A token that is to be made.
#[derive(Clone, Debug)]
pub struct NewToken {
    /// Public, `apikey_…`.
    pub id: String,
    /// The workspace that it is for.
    pub workspace: String,
    /// For people; may be empty.
    pub name: String,
    /// Of the secret.
    pub sha256: [u8; 32],
    /// What it may do.
    pub grants: Vec<Grant>,
    /// When it ends by itself.
    pub expires_at: Option<Timestamp>,
}

/// A token that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Public, `apikey_…`.
    pub id: String,
    /// The workspace that it is for.
    pub workspace: String,
    /// For people; may be empty.
    pub name: String,
    /// Of the secret.
    pub sha256: [u8; 32],
    /// What it may do, sorted.
    pub grants: Vec<Grant>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends by itself.
    pub expires_at: Option<Timestamp>,
    /// When it was ended.
    pub revoked_at: Option<Timestamp>,
}

impl Token {
    /// Whether it counts at this moment.
    pub fn is_valid(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }
}
