//! What a note cites, from its Markdown alone.
//!
//! Precise first: what could as well be a word, a command, a value or somebody else's file is no
//! citation, or a tentative one, which is told only when the repository knows it. A false alarm costs more than a
//! miss, since warnings that are often wrong are read no more. Test: `evaluation::gone_and_moved_are_told_precisely`.

mod claim;
mod claim_words;
mod context;
mod declaration;
mod extract;
mod markdown;
mod passage;
mod path;
mod prose;
mod reference;
mod span;
mod symbol;
mod url;
mod words;

use serde::{Deserialize, Serialize};

pub use claim::CitationClaim;
pub use extract::extract_citations;
pub(crate) use extract::{is_dated, note_citations};

/// What kind of thing is cited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CitationKind {
    /// A file or a folder.
    Path,
    /// A line of a file.
    Line,
    /// Lines of a file.
    Range,
    /// A function, a method or a macro.
    Function,
    /// A type, by its spelling.
    Type,
    /// Another identifier.
    Symbol,
    /// A flag of a command.
    Flag,
    /// An environment variable.
    Env,
    /// A dotted key of a configuration.
    Key,
    /// A commit.
    Commit,
    /// A branch.
    Branch,
    /// A tag.
    Tag,
    /// Another note.
    Note,
    /// A web address of this repository.
    Url,
}

impl CitationKind {
    /// The stable word for `--json`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Line => "line",
            Self::Range => "range",
            Self::Function => "function",
            Self::Type => "type",
            Self::Symbol => "symbol",
            Self::Flag => "flag",
            Self::Env => "env",
            Self::Key => "key",
            Self::Commit => "commit",
            Self::Branch => "branch",
            Self::Tag => "tag",
            Self::Note => "note",
            Self::Url => "url",
        }
    }
}

/// What has to be looked up.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CitationTarget {
    /// A file or a folder, with `/` between its parts.
    Path {
        /// Without a leading `./` and without a trailing `/`.
        path: String,
        /// The first and the last line cited, from 1.
        lines: Option<(u32, u32)>,
        /// Whether it was written with a trailing `/`.
        is_folder: bool,
    },
    /// An identifier: each alternative is a list of words that stand in one file.
    Symbol {
        /// Spellings, the plainest first.
        alternatives: Vec<Vec<String>>,
    },
    /// A commit, by the first digits of its id in lower case.
    Commit(String),
    /// A branch, without `refs/heads/`.
    Branch(String),
    /// A tag, without `refs/tags/`.
    Tag(String),
    /// Another note, by whatever name.
    Note(String),
}

/// Something that a note cites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// As it stands in the note, without backticks.
    pub text: String,
    /// What kind of thing it is.
    pub kind: CitationKind,
    /// The line of the note, from 1.
    pub line: usize,
    /// What to look up.
    pub target: CitationTarget,
    /// Whether it may be no citation at all, which the repository has to tell.
    pub is_tentative: bool,
    /// Whether the note says that it is there, or something else of it.
    pub claim: CitationClaim,
    /// The paragraphs and list items that hold it, in the order of the text.
    pub passages: Vec<usize>,
    /// Those that introduce its lists.
    pub intros: Vec<usize>,
}

impl Citation {
    /// Whether another citation is in a passage with this one, or introduces its list.
    pub(crate) fn is_beside(&self, other: &Self) -> bool {
        let mut own = self.passages.iter().chain(&self.intros);
        own.any(|passage| other.passages.binary_search(passage).is_ok())
    }
}

/// A shape recognised in a piece of text, before it is known where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CitationShape {
    pub(crate) kind: CitationKind,
    pub(crate) target: CitationTarget,
    pub(crate) is_tentative: bool,
}

impl CitationShape {
    fn firm_shape(kind: CitationKind, target: CitationTarget) -> Self {
        Self {
            kind,
            target,
            is_tentative: false,
        }
    }

    fn tentative_shape(kind: CitationKind, target: CitationTarget) -> Self {
        Self {
            kind,
            target,
            is_tentative: true,
        }
    }
}
