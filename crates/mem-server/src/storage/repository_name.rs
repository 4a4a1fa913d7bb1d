//! `owner/repo`, as the query of a request says it.

use std::fmt;

use mem_sync::Repository;
use mem_sync::repository::InvalidRepository;

/// A repository's name, checked and in lower case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepositoryName(String);

impl RepositoryName {
    /// Reads a name.
    ///
    /// # Errors
    /// It is not `owner/repo`.
    pub fn parse(text: &str) -> Result<Self, InvalidRepository> {
        Repository::of_name(text).map(|repository| Self(repository.name().to_owned()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What the repository's store is found by.
    pub(crate) fn handle(&self) -> String {
        format!("team:{}", self.0)
    }
}

impl fmt::Display for RepositoryName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
