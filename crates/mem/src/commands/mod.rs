//! One subcommand, one file; a noun with verbs of its own is a folder.
//!
//! To add one: its file, its `mod` line and its line in the table.

pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod diff;
pub(crate) mod gc;
pub(crate) mod help;
pub(crate) mod history;
pub(crate) mod man;
pub(crate) mod path;
pub(crate) mod redact;
pub(crate) mod restore;
pub(crate) mod trust;
pub(crate) mod undo;

crate::table::commands! {
    "Everyday commands" {
        history => "List what happened, newest first",
        undo => "Take changes back",
    }
    "More commands" {
        path => "Print where memory lives",
        diff => "Show what changed",
        restore => "Bring a note, or an older version of it, back",
        redact => "Remove content from the files and every version, for good",
        gc => "Pack the history, and drop what is not kept",
        config => "Read and change settings",
        trust => "Let this repository say where its memory is kept",
        completions => "Print a completion script for a shell",
        help => "Explain a command",
        man => "Write the manual pages into a directory",
    }
}
