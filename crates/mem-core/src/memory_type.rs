//! The closed set of memory types.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;

/// What a memory is about. Files may carry other words: they load, with no type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MemoryType {
    /// Who the person is and how they work. Never leaves the person's own tiers.
    User,
    /// How to work here: corrections and confirmations.
    Feedback,
    /// What is going on in this project that the code does not say.
    Project,
    /// Where something is to be found outside the repository.
    Reference,
}

impl MemoryType {
    /// All types, in the order in which they are shown.
    pub const ALL: [Self; 4] = [Self::User, Self::Feedback, Self::Project, Self::Reference];

    /// The word used in frontmatter and file names.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Feedback => "feedback",
            Self::Project => "project",
            Self::Reference => "reference",
        }
    }
}

impl fmt::Display for MemoryType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The word is none of user, feedback, project, reference.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not a memory type (user, feedback, project, reference)")]
pub struct UnknownType(pub String);

impl FromStr for MemoryType {
    type Err = UnknownType;

    fn from_str(word: &str) -> Result<Self, UnknownType> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.as_str() == word)
            .ok_or_else(|| UnknownType(word.to_owned()))
    }
}
