//! What a memory *is*: where it lives, its files, its index, its logs and its history.
//!
//! # Layout
//! - [`location`]: from a directory and an environment to the memory directories of a project.
//!   [`project`] finds the canonical git root, [`slug`] its directory's name, [`host_settings`],
//!   [`kill_switch`] and [`trust`] who else has a say, [`config`] what `mem` itself is set to.
//! - [`registry`], [`projects`] and [`alias_dirs`]: memories that were left behind by a move.
//! - [`topic`] and [`frontmatter`]: one Markdown file, read in every form seen in the wild and
//!   edited without touching a byte that need not change.
//! - [`index`]: `MEMORY.md`, the list of pointers.
//! - [`plain`]: a directory of files that is no project's, and that nothing leads out of.
//! - [`store`]: the only way to change files of a memory: lock, gates, pending change, exchange of files, history.
//! - [`export`] and [`import`]: a whole memory, and other tools' memories, out and in.
//! - [`sealing`]: how state and caches are sealed, where a person wants that.
//! - [`name_resolution`]: from the name of a memory, standing or gone, to its id. [`unified_diff`]: what a change makes of a
//!   file.
//! - [`run`]: what a run is given, and what it opens with that. [`recognition`]: the repository that it knows again.
//! - [`history`]: a database outside the memory directory; every change has an id.
//!
//! Nothing here prints, reads the environment, looks at the clock or opens a network connection:
//! callers hand in [`Dirs`], [`Environment`] and [`Now`].

#![cfg_attr(
    test,
    expect(
        clippy::disallowed_methods,
        reason = "tests put plain files into place and read them"
    )
)]

// So that what the derive of errors writes has one path everywhere.
extern crate self as mem_core;

pub mod adopt;
pub mod agent_memory;
pub mod alias_dirs;
pub mod appended_file;
pub mod atomic;
pub mod audit;
pub mod bounded_log;
pub mod bulk_deletions;
pub mod check;
pub mod compact_sort;
pub mod config;
pub mod daily_log;
pub mod delimiters;
mod directory_removal;
pub mod dirs;
pub mod duplicates;
pub mod environment;
pub mod erasure;
pub mod error;
pub mod export;
pub mod file_diff;
pub mod foreign_text;
pub mod frontmatter;
pub mod git_ignore;
pub mod history;
pub mod host_settings;
pub mod host_user;
pub mod hosts;
pub mod import;
pub mod inbox;
pub mod index;
pub mod installed;
pub mod kill_switch;
pub mod leftovers;
pub mod libgit2;
pub mod limits;
pub mod location;
pub mod memory;
pub mod memory_path;
pub mod memory_type;
pub mod name_resolution;
pub mod notes;
pub mod now;
pub mod oldest_files;
pub mod parallel;
pub mod percent;
pub mod plain;
mod platform;
pub mod plural;
pub mod project;
pub mod projects;
pub mod recognition;
pub mod registry;
pub mod regular_file;
pub mod relative_time;
pub mod run;
pub mod scope;
pub mod sealing;
pub mod search;
pub mod slug;
pub mod sorted_lines;
pub mod spellings;
pub mod state_file;
pub mod store;
pub mod taxonomy;
pub mod text_detection;
pub mod text_source;
pub mod timed_program;
pub mod topic;
pub mod trust;
pub mod unified_diff;
pub mod unsaved_text;

pub use config::Config;
pub use dirs::Dirs;
pub use environment::Environment;
pub use error::{Diagnose, ErrorKind};
pub use memory_path::MemoryPath;
pub use memory_type::MemoryType;
pub use now::Now;
pub use run::RunContext;
pub use scope::Scope;
pub use text_source::TextSource;
