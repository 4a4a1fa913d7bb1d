//! What can be wrong before a server is asked, or with what it answers.

use mem_core::memory_path::{escaped, printable};
use mem_core::{Diagnose, ErrorKind};

/// A store or a memory cannot be worked on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum StoresError {
    /// Nobody said which server.
    #[error("no server of memory stores is known")]
    NoServer,
    /// Not a server's address. It is not quoted: it may hold a password.
    #[error("that is not the address of a server of memory stores")]
    NotAServer,
    /// An agent, and an environment that moves what is said.
    #[error("`{0}` names the server, and an agent runs this")]
    ByEnvironment(String),
    /// No store of that name.
    #[error("there is no store `{}`", printable(.0))]
    NoStore(String),
    /// Several stores of that name.
    #[error("{} stores are called `{}`", .1.len(), printable(.0))]
    ManyStores(String, Vec<String>),
    /// Nothing at a path.
    #[error("there is no memory at `{}`", escaped(.0))]
    NoMemory(String),
    /// A text that is to leave, or its name, holds a secret.
    #[error("{} holds a secret: {why}", .what)]
    Secret {
        /// What, as it may be shown.
        what: String,
        /// Rule and line.
        why: String,
    },
    /// A version without a text.
    #[error("the version `{0}` has no content: it was redacted, or is that of a deletion")]
    NoContent(String),
    /// Somebody was quicker.
    #[error("`{}` is not what was expected: its sha256 is {is}", escaped(path))]
    Stale {
        /// The memory.
        path: String,
        /// What it is.
        is: String,
    },
    /// A deleted memory cannot come back where it was.
    #[error(
        "`{}` cannot come back: `{}` stands in its way",
        escaped(path),
        escaped(other)
    )]
    InItsWay {
        /// Where it was.
        path: String,
        /// The memory there now, above it or below it.
        other: String,
        /// The version that was to be written anew.
        version: String,
    },
    /// A name of the SDKs.
    #[error("`{}` cannot be a memory: {}", escaped(.0), super::reserved::WHY)]
    Reserved(String),
    /// A directory that holds something else.
    #[error("`{}` is not empty", escaped(.0))]
    NotEmpty(String),
    /// The store is closed.
    #[error("the store is archived: nothing can be written there")]
    Archived,
}

impl Diagnose for StoresError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::NoServer | Self::NoStore(_) | Self::NoMemory(_) | Self::NoContent(_) => {
                ErrorKind::NotFound
            }
            Self::NotAServer | Self::ManyStores(..) | Self::NotEmpty(_) => ErrorKind::Invalid,
            Self::ByEnvironment(_) | Self::Secret { .. } | Self::Reserved(_) | Self::Archived => {
                ErrorKind::Refused
            }
            Self::Stale { .. } | Self::InItsWay { .. } => ErrorKind::Conflict,
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NoServer => "give --base-url URL, or `mem config set stores.base_url URL`; with \
                 ANTHROPIC_API_KEY it is https://api.anthropic.com"
                .to_owned(),
            Self::NotAServer => "write it as `https://host`, without `/v1`".to_owned(),
            Self::ByEnvironment(_) => {
                "ask the person to run `mem config set stores.base_url URL`".to_owned()
            }
            Self::NoStore(_) => "`mem store list --archived` lists all of them".to_owned(),
            Self::ManyStores(_, ids) => format!("give the id: {}", ids.join(", ")),
            Self::NoMemory(_) => "`mem store memories STORE` lists them".to_owned(),
            Self::Secret { .. } => {
                "write where the secret is kept instead; `mem secrets allow` allows a finding, with a \
                 reason"
                    .to_owned()
            }
            Self::NoContent(_) => "`mem store versions STORE` lists the others".to_owned(),
            Self::Stale { .. } => "look at it again with `mem store cat`, and repeat".to_owned(),
            Self::InItsWay {
                path,
                other,
                version,
            } => format!(
                "`mem store mv STORE {other} PATH` makes room; `mem store cat STORE {path} --version {version}` \
                 prints the text, for `mem store put` at another path",
                other = escaped(other),
                path = escaped(path),
                version = printable(version)
            ),
            Self::Reserved(_) => "write it at another path".to_owned(),
            Self::NotEmpty(_) => "name another directory, or give --force".to_owned(),
            Self::Archived => "it can be read and exported".to_owned(),
        })
    }
}
