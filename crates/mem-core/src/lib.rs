//! What a memory *is*: where it lives, its files, its index, its logs and its history.
//!
//! # Layout
//! - [`location`]: from a directory and an environment to the memory directories of a project
//!   (canonical git root, slug, precedence, kill switches).
//! - [`topic`] and [`frontmatter`]: one Markdown file, read in every form seen in the wild and
//!   edited without touching a byte that need not change.
//! - [`index`]: `MEMORY.md`, the list of pointers.
//! - [`store`]: the one door to the files. Lock, gate, journal, atomic replace, history.
//! - [`history`]: a bare git repository outside the memory directory; every change has an id.
//!
//! Nothing here prints, reads the environment, looks at the clock or opens a network connection:
//! callers hand in [`Dirs`], [`Environment`] and [`Now`].

pub mod check;
pub mod dirs;
pub mod duplicates;
pub mod environment;
pub mod error;
pub mod frontmatter;
pub mod index;
pub mod kind;
pub mod limits;
pub mod memory_path;
pub mod notes;
pub mod now;
pub mod scope;
pub mod search;
pub mod taxonomy;
pub mod topic;

pub use dirs::Dirs;
pub use environment::Environment;
pub use error::{Diagnose, ErrorKind};
pub use kind::MemoryType;
pub use memory_path::MemoryPath;
pub use now::Now;
pub use scope::Scope;
