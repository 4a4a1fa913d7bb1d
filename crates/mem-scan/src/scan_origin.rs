//! A finding with the place it stands at.

use mem_secrets::{Fingerprint, InputOrigin, SecretFinding};

use super::validity::FindingValidity;

/// Where scanned bytes come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScanOrigin {
    /// What people are shown: a path as they gave it, `-` for standard input.
    pub shown: String,
    /// The path from the repository's root, which configurations speak of; with `/`.
    pub path: String,
    /// The commit that added it.
    pub commit: Option<String>,
    /// What that commit is.
    pub commit_kind: CommitKind,
    /// What the bytes are.
    pub kind: ContentKind,
}

/// What the commit of a finding is: the safe next step depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CommitKind {
    /// A commit with one parent; also the value before the kind is known.
    #[default]
    Ordinary,
    /// A commit without a parent to rebase on.
    Root,
    /// A commit with several parents.
    Merge,
    /// An annotated tag, which no rebase rewrites.
    Tag,
    /// A commit of a reference below `refs/notes/`.
    Notes,
}

/// What scanned bytes are: the safe next step depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContentKind {
    /// A file that lies on the disk, or a stream.
    #[default]
    File,
    /// A file as it is staged.
    Staged,
    /// A memory file.
    Memory,
    /// A file of a commit.
    Blob,
    /// The message of a commit or a tag.
    Message,
    /// The author, committer or tagger.
    Person,
    /// The name of a file.
    Name,
}

impl ScanOrigin {
    /// A file on the disk.
    pub(crate) fn file(shown: &str, path: &str) -> Self {
        Self {
            shown: shown.to_owned(),
            path: path.to_owned(),
            ..Self::default()
        }
    }

    /// What the scanner is told.
    pub(crate) fn origin(&self) -> InputOrigin {
        let origin = match self.kind {
            ContentKind::Message | ContentKind::Person | ContentKind::Name => {
                InputOrigin::unknown()
            }
            _ if self.path == "-" => InputOrigin::unknown(),
            _ => InputOrigin::path(&self.path),
        };
        match &self.commit {
            Some(commit) => origin.in_commit(commit),
            None => origin,
        }
    }
}

/// A finding at its place.
#[derive(Clone, Debug)]
pub struct LocatedFinding {
    /// What the scanner says.
    pub finding: SecretFinding,
    /// Where it stands.
    pub place: ScanOrigin,
    /// The keyed hash of the secret.
    pub fingerprint: Fingerprint,
    /// Its first column and the one behind its last, from 1, in Unicode code points; `None` in UTF-16, and in files
    /// that are read in windows.
    pub code_point_columns: Option<(u64, u64)>,
    /// With `--validate`: what the token's provider says.
    pub validity: Option<FindingValidity>,
}

impl LocatedFinding {
    /// What findings are sorted by.
    pub(crate) fn order(&self) -> (&str, Option<&str>, u64, u64, &str) {
        let (place, finding) = (&self.place, &self.finding);
        let commit = place.commit.as_deref();
        (
            &place.shown,
            commit,
            finding.line,
            finding.column,
            &finding.rule,
        )
    }
}
