//! Errors of what is asked about the records of one user.

use mem_core::Diagnose;
use mem_core::host_user::{HostUser, UserRecordsError};

/// An error, with the user where one was named.
pub(crate) fn about_user<E>(user: Option<&HostUser>, error: E) -> anyhow::Error
where
    E: Diagnose + Send + Sync + 'static,
{
    match user {
        Some(user) => UserRecordsError::about_user(user, &error).into(),
        None => error.into(),
    }
}
