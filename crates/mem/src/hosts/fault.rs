//! Why a host's settings were left as they are.

use std::io;
use std::path::PathBuf;

use mem_core::{Diagnose, ErrorKind};

/// A host's file could not be changed; it is as it was.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HostFault {
    /// It cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is no text.
    #[error("`{}` is not UTF-8 text", .0.display())]
    NotText(PathBuf),
    /// It does not parse.
    #[error("`{}` is broken: {reason}", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// Where and why.
        reason: String,
    },
    /// A part of it is of another type than the host's documentation says.
    #[error("`{part}` in `{}` {reason}", path.display())]
    Shape {
        /// The file.
        path: PathBuf,
        /// The key.
        part: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// Its owner has made it read-only.
    #[error("`{}` is read-only", .0.display())]
    ReadOnly(PathBuf),
    /// Somebody wrote it in between.
    #[error("`{}` was changed by something else at the same time", .0.display())]
    Raced(PathBuf),
    /// Another program has the name already.
    #[error("`{}` has another server called `mem`{}", path.display(), runs(command))]
    Taken {
        /// The file.
        path: PathBuf,
        /// What it runs.
        command: String,
    },
    /// The client has no such file.
    #[error("{client} keeps no such file for the scope {scope}")]
    NoFile {
        /// The client.
        client: &'static str,
        /// The scope.
        scope: &'static str,
    },
}

/// What the entry runs; a server that is reached by its address runs nothing.
fn runs(command: &str) -> String {
    match command {
        "" => String::new(),
        command => format!(", which runs `{command}`"),
    }
}

impl Diagnose for HostFault {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Read { .. } => ErrorKind::Io,
            Self::ReadOnly(_) => ErrorKind::Refused,
            Self::Raced(_) | Self::Taken { .. } => ErrorKind::Conflict,
            Self::NotText(_) | Self::Broken { .. } | Self::Shape { .. } | Self::NoFile { .. } => {
                ErrorKind::Invalid
            }
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Read { .. } => "check that it is a file that you may read",
            Self::NotText(_) | Self::Broken { .. } | Self::Shape { .. } => {
                "it was left as it is: mend it, or put in by hand what --print shows"
            }
            Self::ReadOnly(_) => "make it writable, or put in by hand what --print shows",
            Self::Raced(_) => "try again",
            Self::Taken { .. } => "rename that entry, or put in by hand what --print shows",
            Self::NoFile { .. } => "take another --scope, or put in by hand what --print shows",
        };
        Some(hint.to_owned())
    }
}
