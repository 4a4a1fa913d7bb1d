//! One subcommand, one file; a noun with verbs of its own is a folder.
//!
//! To add one: its file, its `mod` line and its line in the table.

pub(crate) mod completions;
pub(crate) mod edit;
pub(crate) mod help;
pub(crate) mod list;
pub(crate) mod log;
pub(crate) mod man;
pub(crate) mod path;
pub(crate) mod remove;
pub(crate) mod rename;
pub(crate) mod save;
pub(crate) mod show;

crate::table::commands! {
    "Everyday commands" {
        save => "Save a memory",
        list => "List memories",
        show => "Show a memory",
        edit => "Edit a memory in your editor",
        remove => "Remove a memory",
        log => "Append to the daily log, or show it",
    }
    "More commands" {
        rename => "Rename a memory",
        completions => "Print a completion script for a shell",
        help => "Explain a command",
        man => "Write the manual pages into a directory",
        path => "Print where memory lives",
    }
}
