//! The three tiers a memory can live in.

use std::fmt;
use std::str::FromStr;

/// A tier: whose memory it is and how far it travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// This person, this repository.
    Private,
    /// Everybody who works on this repository.
    Team,
    /// This person, every repository.
    Global,
}

impl Scope {
    /// All tiers, in the order in which they are shown.
    pub const ALL: [Self; 3] = [Self::Private, Self::Team, Self::Global];

    /// The word used on the command line and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Private => "private",
            Self::Team => "team",
            Self::Global => "global",
        }
    }

    /// A file of the tier as one names it: with its tier where that is not the private one.
    pub fn label(self, file: &str) -> String {
        match self {
            Self::Private => file.to_owned(),
            scope => format!("{scope}:{file}"),
        }
    }

    /// A command for the tier. Those of `mem team` are for the team's alone, and take no `--scope`.
    pub fn command(self, command: &str) -> String {
        match self {
            Self::Private => command.to_owned(),
            Self::Team if command.starts_with("mem team ") => command.to_owned(),
            scope => format!("{command} --scope {scope}"),
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The word is none of private, team, global.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not a scope (private, team, global)")]
pub struct UnknownScope(pub String);

impl FromStr for Scope {
    type Err = UnknownScope;

    fn from_str(word: &str) -> Result<Self, UnknownScope> {
        Self::ALL
            .into_iter()
            .find(|scope| scope.as_str() == word)
            .ok_or_else(|| UnknownScope(word.to_owned()))
    }
}
