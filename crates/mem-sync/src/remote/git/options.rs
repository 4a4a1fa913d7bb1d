//! What the git remote has to be told; it finds nothing out by itself.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::GitRemoteError;
use crate::repository::Repository;

/// The ref of a team's memory.
pub const TEAM_REF: &str = "refs/mem/team";

/// A clock.
pub type Clock = Arc<dyn Fn() -> jiff::Timestamp + Send + Sync>;

/// Where the remote is, where its copy is kept, and who asks.
#[derive(Clone)]
pub struct GitOptions {
    /// A bare repository of our own, in the state place; made where there is none.
    pub store: PathBuf,
    /// The address, as `git fetch` takes it.
    pub url: String,
    /// The ref, below `refs/mem/`, such as [`TEAM_REF`].
    pub reference: String,
    /// The user's repository: its settings of addresses, credentials and proxies are used, and a
    /// relative path is relative to it.
    pub work: PathBuf,
    /// Named in the messages of commits.
    pub repository: Repository,
    /// `Name <mail>`.
    pub actor: String,
    /// The program.
    pub git: PathBuf,
    /// The environment that it is given; most of its `GIT_*` variables are left out.
    pub environment: Vec<(OsString, OsString)>,
    /// The time.
    pub now: Clock,
    /// After this, a git that still runs is ended.
    pub deadline: Duration,
    /// Whether a remote that anybody can read may be written to.
    pub allow_public: bool,
}

impl GitOptions {
    /// Checks what can be checked without running anything.
    pub(super) fn check_options(&self) -> Result<(), GitRemoteError> {
        let is_ours = self.reference.starts_with("refs/mem/")
            && git2::Reference::is_valid_name(&self.reference);
        if !is_ours {
            return Err(GitRemoteError::Reference(self.reference.clone()));
        }
        super::address::check_address(&self.url)
    }

    /// Now, RFC 3339, in whole seconds.
    pub(super) fn current_time(&self) -> (String, i64) {
        let seconds = (self.now)().as_second();
        let time = jiff::Timestamp::from_second(seconds).unwrap_or_default();
        (time.to_string(), seconds)
    }
}

impl fmt::Debug for GitOptions {
    /// Without the address and the environment: both may hold secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GitOptions")
            .field("store", &self.store)
            .field("reference", &self.reference)
            .field("repository", &self.repository)
            .finish_non_exhaustive()
    }
}
