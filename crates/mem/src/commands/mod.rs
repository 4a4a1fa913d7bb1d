//! One subcommand, one file; a noun with verbs of its own is a folder.
//!
//! To add one: its file, its `mod` line and its line in the table.

pub(crate) mod completions;
pub(crate) mod help;
pub(crate) mod man;
pub(crate) mod path;

crate::table::commands! {
    "Everyday commands" {
    }
    "More commands" {
        completions => "Print a completion script for a shell",
        help => "Explain a command",
        man => "Write the manual pages into a directory",
        path => "Print where memory lives",
    }
}
