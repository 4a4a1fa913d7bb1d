//! What can be wrong with the rules that a user wrote.

use std::io;
use std::path::{Path, PathBuf};

use mem_core::Diagnose;
use mem_secrets::{BaselineError, FingerprintError, RulesConfigError};

use crate::files::reason;
use crate::git::GitObjectError;

/// The rules of a scan cannot be read or changed.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum RulesError {
    /// A configuration that is none.
    #[error("`{}`, {cause}", path.display())]
    #[diagnose(Invalid, hint = "mend it, or name another with --config")]
    Config {
        /// The file.
        path: PathBuf,
        /// Line, rule and problem.
        cause: RulesConfigError,
    },
    /// A file that cannot be read.
    #[error("cannot read `{}`: {}", path.display(), reason(cause))]
    #[diagnose(kind = cause.into())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        cause: io::Error,
    },
    /// `extend` leads out of the repository, or in circles.
    #[error("`{}` extends `{base}`, which is outside of the repository or extends too much", path.display())]
    #[diagnose(Invalid)]
    Extends {
        /// The file.
        path: PathBuf,
        /// What it names.
        base: String,
    },
    /// A key file with something else in it.
    #[error("`{}` is not a key of 64 hexadecimal digits", .0.display())]
    #[diagnose(
        Corrupt,
        hint = "restore it from git: the allows beside it are made with it"
    )]
    Key(PathBuf),
    /// A baseline that is none.
    #[error("`{}` is no report: {cause}", path.display())]
    #[diagnose(
        Invalid,
        hint = "give a report of `mem scan --format json`, or a JSON report of gitleaks"
    )]
    Baseline {
        /// The file.
        path: PathBuf,
        /// The problem.
        cause: BaselineError,
    },
    /// A fingerprint that is none.
    #[error(transparent)]
    #[diagnose(Usage, hint = "copy it from the output of `mem scan`")]
    Fingerprint(#[from] FingerprintError),
    /// What the remote has of the repository cannot be looked up.
    #[error(transparent)]
    Remote(GitObjectError),
    /// An allow without a reason.
    #[error("an allow needs a reason")]
    #[diagnose(
        Usage,
        hint = "say with --reason why it is no secret, or why it may stay"
    )]
    NoReason,
    /// The user's own part of a key cannot be kept.
    #[error("the system has no random bytes: {0}")]
    #[diagnose(Io)]
    Random(String),
}

impl RulesError {
    /// A file that must be there is not.
    pub(super) fn missing_file(path: &Path) -> Self {
        Self::Read {
            path: path.to_owned(),
            cause: io::Error::new(io::ErrorKind::NotFound, "there is no such file"),
        }
    }
}
