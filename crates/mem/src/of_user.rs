//! Errors of what is asked about the records of one user: the commands that their hints name are about them too.

use mem_core::{Diagnose, ErrorKind};

use mem_core::host_user::HostUser;

/// Commands that take `--user`.
const COMMANDS: [&str; 3] = ["`mem history", "`mem undo", "`mem restore"];

/// An error whose hint is about a user's records.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(crate) struct OfUser {
    kind: ErrorKind,
    message: String,
    hint: Option<String>,
}

impl OfUser {
    /// The same error for whoever asked about a user.
    pub(crate) fn about_user<E>(user: Option<&HostUser>, error: E) -> anyhow::Error
    where
        E: Diagnose + Send + Sync + 'static,
    {
        let Some(user) = user else {
            return error.into();
        };
        let flag = user.flag();
        let hint = error.hint().map(|hint| {
            let about =
                |hint: String, command: &&str| hint.replace(*command, &format!("{command}{flag}"));
            COMMANDS.iter().fold(hint, about)
        });
        let of_user = Self {
            kind: error.kind(),
            message: error.to_string(),
            hint,
        };
        of_user.into()
    }
}

impl Diagnose for OfUser {
    fn kind(&self) -> ErrorKind {
        self.kind
    }

    fn hint(&self) -> Option<String> {
        self.hint.clone()
    }
}
