//! Who does something: the union of the memory stores API, with a name for people.

use super::sql::stored_words;

/// What kind of somebody.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ActorKind {
    /// A token of this server, `apikey_…`.
    ApiKey,
    /// A session of an agent, `sesn_…`.
    Session,
    /// A person, `user_…`.
    #[default]
    User,
    /// A service account, `svac_…`.
    ServiceAccount,
}

stored_words!(ActorKind {
    ApiKey => "api_key",
    Session => "session",
    User => "user",
    ServiceAccount => "service_account",
});

/// Somebody; by default nobody.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
