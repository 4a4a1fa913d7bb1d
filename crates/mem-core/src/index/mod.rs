//! `MEMORY.md`, the list of pointers: read line by line, changed without losing a byte of what
//! people put there.
//!
//! # Layout
//! - [`MemoryIndex`] tells the lines apart: entries, headings, code, what is not loaded, and the rest.
//! - [`put`], [`remove`], [`rename`] change one pointer; [`repair`](repair()) all of them.
//! - [`merge`](merge()) unites two indexes that come from one; [`select`] applies some of the changes of one.
//! - [`load_index`](load_index()) is the text that a host loads; [`fit`](fit()) brings an index that is
//!   over the cap back under it.
//!
//! An entry is a list item that is one link and its hook: `- [Title](file.md) — hook`. A link in
//! prose or in a table, and a `[[wikilink]]`, is a mention: the file is no orphan, and the line
//! is never touched but by a rename.

mod change;
mod duplicate_entries;
mod entry;
pub(crate) mod fence;
mod fit;
mod insertion;
mod line;
mod link;
mod loaded_index;
mod merge;
mod names;
mod pieces;
mod pins;
mod pointer;
mod references;
mod repair;
mod selection;
mod target;

pub use change::{add_missing, put, remove, rename, retitle};
pub use entry::IndexEntry;
pub use fit::{Age, Fitted, fit, prose_size};
pub use line::{IndexLine, LineKind, MemoryIndex};
pub use loaded_index::{IndexSize, LoadedIndex, load_index, size};
pub use merge::merge;
pub use pointer::{NewIndexEntry, hook_line};
pub use references::{FileReference, ReferenceKind};
pub use repair::{Dangling, Repair, repair};
pub use selection::{IndexChange, IndexContents, IndexSelection, select};

pub(crate) use repair::IndexSurvey;
