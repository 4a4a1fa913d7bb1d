//! Who does something: the union of the memory stores API, with a name for people.

/// What kind of somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActorKind {
    /// A token of this server, `apikey_…`.
    ApiKey,
    /// A session of an agent, `sesn_…`.
    Session,
    /// A person, `user_…`.
    User,
    /// A service account, `svac_…`.
    ServiceAccount,
}

impl ActorKind {
    /// As it is stored.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::ApiKey => "api_key",
            Self::Session => "session",
            Self::User => "user",
            Self::ServiceAccount => "service_account",
        }
    }

    /// From what is stored.
    pub(crate) fn from_stored(text: &str) -> Option<Self> {
        match text {
            "api_key" => Some(Self::ApiKey),
            "session" => Some(Self::Session),
            "user" => Some(Self::User),
            "service_account" => Some(Self::ServiceAccount),
            _ => None,
        }
    }
}

/// Somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StorageActor {
    /// What kind.
    pub kind: ActorKind,
    /// The public id.
    pub id: String,
    /// What people call it; empty where it has no name.
    pub name: String,
}

impl StorageActor {
    /// Somebody with a name.
    pub fn new(kind: ActorKind, id: &str, name: &str) -> Self {
        Self {
            kind,
            id: id.to_owned(),
            name: name.to_owned(),
        }
    }

    /// What the team protocol calls them: the name, or the id where there is none.
    pub fn label(&self) -> &str {
        if self.name.is_empty() {
            &self.id
        } else {
            &self.name
        }
    }
}
