//! Why a host's settings were left as they are.

use std::io;
use std::path::PathBuf;

use mem_core::Diagnose;
use mem_core::atomic::ReplaceError;
use mem_core::project::ProjectError;
use mem_core::run::HomeError;
use mem_core::state_file::StateError;

/// A host's file could not be changed; it is as it was.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum HostFault {
    /// It cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    #[diagnose(Io, hint = "check that it is a file that you may read")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It, or the copy of it, cannot be given its permissions.
    #[error("cannot change the permissions of `{}`: {source}", path.display())]
    #[diagnose(Io, hint = "check that you own the file")]
    Permissions {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It, or the copy of it, cannot be removed.
    #[error("cannot remove `{}`: {source}", path.display())]
    #[diagnose(Io, hint = "check that you may write to its directory")]
    Remove {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It cannot be written.
    #[error(transparent)]
    Replace(#[from] ReplaceError),
    /// The list of what is installed cannot be written.
    #[error(transparent)]
    State(#[from] StateError),
    /// There is no home directory.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// There is no project to install it for.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// It is no text.
    #[error("`{}` is not UTF-8 text", .0.display())]
    #[diagnose(Invalid, hint = "it was left as it is: mend it, then try again")]
    NotText(PathBuf),
    /// It does not parse.
    #[error("`{}` is broken: {reason}", path.display())]
    #[diagnose(Invalid, hint = "it was left as it is: mend it, then try again")]
    Broken {
        /// The file.
        path: PathBuf,
        /// Where and why.
        reason: String,
    },
    /// The host takes no comments.
    #[error(
        "line {line} of `{}` has a comment, or a comma before a bracket: {host} skips such a file, and all hooks in it",
        path.display()
    )]
    #[diagnose(
        Invalid,
        hint = format!("`sed -n {line}p '{}'` shows it; take it out, then install again", path.display())
    )]
    Loose {
        /// The host.
        host: &'static str,
        /// The file.
        path: PathBuf,
        /// The first such line, from 1.
        line: usize,
    },
    /// It has no such choice.
    #[error("{0} always goes on where a hook cannot run")]
    #[diagnose(
        Invalid,
        hint = "leave `--on-failure` out: only Claude Code has the choice"
    )]
    NoFailureChoice(&'static str),
    /// Its JSON is a list or a single value.
    #[error("`{}` is not a JSON object", .0.display())]
    #[diagnose(Invalid, hint = "it was left as it is: mend it, then try again")]
    NotAnObject(PathBuf),
    /// A part of it is of another type than the host's documentation says.
    #[error("`{part}` in `{}` {reason}", path.display())]
    #[diagnose(Invalid, hint = "it was left as it is: mend it, then try again")]
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
    #[diagnose(Refused, hint = "make it writable, then try again")]
    ReadOnly(PathBuf),
    /// Somebody wrote it in between.
    #[error("`{}` was changed by something else at the same time", .0.display())]
    #[diagnose(Conflict, hint = "try again")]
    Raced(PathBuf),
    /// Another program has the name already.
    #[error("`{}` has another server called `mem`{}", path.display(), runs(command))]
    #[diagnose(Conflict, hint = "rename that entry, then try again")]
    Taken {
        /// The file.
        path: PathBuf,
        /// What it runs.
        command: String,
    },
    /// A plugin of somebody else has the name already.
    #[error("`{}` is not a plugin of `mem`", .0.display())]
    #[diagnose(Conflict, hint = "rename that file")]
    ForeignPlugin(PathBuf),
    /// The client has no such file.
    #[error("{client} keeps no such file for the scope {scope}")]
    #[diagnose(Usage, hint = "take another --scope")]
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
