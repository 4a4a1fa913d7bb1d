//! Changes of one file, newest first.

use git2::Oid;

/// A commit that changed a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileCommit {
    /// The commit's place in the walk.
    pub(crate) commit: usize,
    /// When it was committed: seconds.
    pub(crate) seconds: i64,
    pub(crate) old: Option<Oid>,
    pub(crate) new: Option<Oid>,
}
