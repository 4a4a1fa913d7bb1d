//! What can go wrong with an import.

use std::io;
use std::path::PathBuf;

use crate::error::Diagnose;
use crate::limits::{IMPORT_BYTES_MAX, IMPORTED_TOPICS_MAX};
use crate::memory::MemoryError;
use crate::memory_path::InvalidPath;
use crate::store::StoreError;

/// An error of an import. Nothing was written.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum ImportError {
    /// The source cannot be read.
    #[error("cannot read `{}`", path.display())]
    #[diagnose(kind = source.into())]
    Read {
        /// What.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// One file is over its limit.
    #[error("`{origin}` is larger than {limit_bytes} bytes")]
    #[diagnose(Invalid, hint = "memories are short; leave it out, or split it")]
    TooLarge {
        /// Which.
        origin: String,
        /// The limit.
        limit_bytes: u64,
    },
    /// All files together are.
    #[error("there is more than {IMPORT_BYTES_MAX} bytes to import")]
    #[diagnose(Invalid, hint = "import it folder by folder")]
    TooMuch,
    /// Too many parts.
    #[error("there are {0} memories to make, over the limit of {IMPORTED_TOPICS_MAX}")]
    #[diagnose(Invalid, hint = "`--only WORD` takes a part of them")]
    TooManyTopics(usize),
    /// Neither Markdown nor an export.
    #[error("`{}` is neither a Markdown file nor an export", .0.display())]
    #[diagnose(
        Invalid,
        hint = "give a directory, a `.md` file, or the JSON of `mem export --json`"
    )]
    Unknown(PathBuf),
    /// An index alone.
    #[error("`{}` is an index, which says nothing without its files", .0.display())]
    #[diagnose(Invalid, hint = "import the directory that it stands in")]
    IndexAlone(PathBuf),
    /// The source holds the memory, or the whole repository, or is it.
    #[error("`{}` holds the memory or the repository that it would be imported into", .0.display())]
    #[diagnose(Invalid, hint = "name a directory that holds nothing but memories")]
    Own(PathBuf),
    /// What calls itself an export cannot be believed.
    #[error("`{origin}` is not an export that can be read: {reason}")]
    #[diagnose(Corrupt, hint = "export it again with `mem export`")]
    Damaged {
        /// Which document.
        origin: String,
        /// Why.
        reason: String,
    },
    /// A file of an export is not what the manifest says.
    #[error("`{file}` of the export `{origin}` {fault}")]
    #[diagnose(
        Corrupt,
        hint = "export it again; or delete `mem-export.json` and import `private`, `team` and \
                `global` one by one, as they stand"
    )]
    Altered {
        /// Which export.
        origin: String,
        /// Which file.
        file: String,
        /// What is wrong.
        fault: &'static str,
    },
    /// There is nothing of that tool's.
    #[error("there is nothing to import: no {}", .places.join(", no "))]
    #[diagnose(
        NotFound,
        hint = "`mem import PATH` takes a directory or a file from anywhere"
    )]
    Nothing {
        /// Where it was looked for.
        places: Vec<String>,
    },
    /// A name does not fit.
    #[error(transparent)]
    Path(#[from] InvalidPath),
    /// An index cannot be changed.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// A directory failed, or a gate refused.
    #[error(transparent)]
    Store(#[from] StoreError),
}
