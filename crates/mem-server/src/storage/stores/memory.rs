//! A memory: what is asked for, and what is answered. Paths are absolute, `/a/b.md`, and valid: without control
//! characters, which lists and conflicts rely on.

use jiff::Timestamp;
use mem_core::history::Sha256;

/// A memory that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryRecord {
    /// `mem_…`.
    pub id: String,
    /// `memstore_…`.
    pub store_id: String,
    /// Where it is.
    pub path: String,
    /// Where it was asked for, and can be opened. Changes answer with it always.
    pub content: Option<String>,
    /// Of the raw UTF-8.
    pub content_sha256: Sha256,
    /// Of the raw UTF-8, in bytes.
    pub content_size: u64,
    /// The newest version, `memver_…`.
    pub version_id: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
}

/// What is to be changed of a memory; `None` leaves it as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryChange {
    /// Its content.
    pub content: Option<String>,
    /// Its path; the id stays.
    pub path: Option<String>,
    /// Only then.
    pub precondition: Option<Precondition>,
}

/// What has to be so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precondition {
    /// The memory's content has this checksum. Where it has another, but all is already as the change would
    /// have it, that is a success.
    ContentSha256(Sha256),
    /// Nothing is where a rename leads to; else the change as a whole is left out, which is a success.
    NotExists,
}

/// Which memories are asked for; in the order of their paths' bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryQuery {
    /// Paths that begin with this text; with `/` at its end that is whole segments. Empty: all.
    pub prefix: String,
    /// What lies deeper than the first segment below the prefix is rolled up into one item a folder.
    pub roll_up: bool,
    /// With content.
    pub content: bool,
    /// A content that cannot be opened is left out of its item; else nothing is told of the page.
    pub as_far_as_open: bool,
    /// At most so many items; one at least.
    pub limit: u32,
    /// Those after this path, or this folder (with `/` at its end).
    pub after: Option<String>,
}

/// An item of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listed {
    /// A memory.
    Memory(Box<MemoryRecord>),
    /// A folder, `/` at its end, that has memories below it.
    Prefix(String),
}
