//! A directory of its own for every user of a host, whatever their id.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use mem_core::host_user::user_name;

/// Where the memories of a user are: `<base>/users/<name>/memories`.
pub(super) fn root(base: &Path, user: &OsStr) -> PathBuf {
    base.join("users").join(user_name(user)).join("memories")
}
