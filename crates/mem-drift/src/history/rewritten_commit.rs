//! Commits that a rewritten history left behind, and what became of them.

use git2::{Commit, Oid};

/// What a rebase keeps of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RewrittenCommit {
    /// The commit that was left behind.
    pub(crate) id: Oid,
    author: Vec<u8>,
    written: i64,
    summary: Vec<u8>,
}

impl RewrittenCommit {
    pub(crate) fn from_commit(commit: &Commit<'_>) -> Self {
        let author = commit.author();
        Self {
            id: commit.id(),
            author: author.email_bytes().to_vec(),
            written: author.when().seconds(),
            summary: commit.summary_bytes().unwrap_or_default().to_vec(),
        }
    }

    /// Whether a commit is this one under another id.
    pub(super) fn matches_commit(&self, commit: &Commit<'_>) -> bool {
        let author = commit.author();
        self.written == author.when().seconds()
            && self.author == author.email_bytes()
            && self.summary == commit.summary_bytes().unwrap_or_default()
    }
}
