//! What happens to the browser, and what it wants done.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::super::data::{CommandResult, Memory, UndoPlan};
use crate::answers::{Change, CheckedMemory, Conflict, InboxEntry, Version};

/// A key, as far as the browser tells keys apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// A character.
    Char(char),
    /// A character with Ctrl.
    Ctrl(char),
    /// Enter.
    Enter,
    /// Escape.
    Esc,
    /// Tab.
    Tab,
    /// Backspace.
    Backspace,
    /// Delete.
    Delete,
    /// Up.
    Up,
    /// Down.
    Down,
    /// Left.
    Left,
    /// Right.
    Right,
    /// A page up.
    PageUp,
    /// A page down.
    PageDown,
    /// To the start.
    Home,
    /// To the end.
    End,
}

/// What waits for a person.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waiting {
    /// Writes, the newest first.
    pub inbox: Vec<InboxEntry>,
    /// Conflicts: texts of here that a remote's replaced.
    pub conflicts: Vec<Conflict>,
    /// Whether there is a team to move memories to.
    pub has_team: bool,
}

/// Something that happened.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// A key was pressed.
    Key(Key),
    /// A text was pasted.
    Pasted(String),
    /// The terminal has another size: columns and rows.
    Resized(u16, u16),
    /// The memories were read.
    Loaded(CommandResult<Vec<Memory>>),
    /// Inbox and conflicts were read.
    Waiting(CommandResult<Waiting>),
    /// The citations of one memory were checked.
    Verified(String, CommandResult<CheckedMemory>),
    /// Who changed a memory last was read.
    AuthorRead(String, CommandResult<Option<Change>>),
    /// All memories were checked.
    AllVerified(CommandResult<Vec<CheckedMemory>>),
    /// The memories were ranked for a query: labels with their ranks.
    Ranked(String, CommandResult<BTreeMap<String, usize>>),
    /// The versions of a memory were read.
    HistoryRead(String, CommandResult<Vec<Version>>),
    /// The difference that a change made was read.
    DiffRead(String, CommandResult<String>),
    /// What an undo would do is known.
    UndoPlanned(bool, CommandResult<Option<UndoPlan>>),
    /// A command ended; with the id of the change that it made.
    Changed(Action, CommandResult<Option<String>>),
    /// A command that had the terminal ended, with what it printed; `None` where it failed.
    TerminalBack(Action, Option<String>),
}

/// A command that changes memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Action {
    /// The words after `mem --json`.
    pub arguments: Vec<String>,
    /// What is done, such as `removing a.md`.
    pub doing: String,
    /// What is said when it is done; empty where the words of the command say it.
    pub done: String,
    /// Whether it is about one's own notes across repositories: `mem undo --global` is about those.
    pub is_global: bool,
}

impl Action {
    /// A command by its words.
    pub(crate) fn new(words: &[&str], doing: String, done: String, is_global: bool) -> Self {
        Self {
            arguments: words.iter().map(|word| (*word).to_owned()).collect(),
            doing,
            done,
            is_global,
        }
    }
}

/// Something to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Read the memories.
    Load,
    /// Read inbox and conflicts.
    LoadWaiting,
    /// Check the citations of a memory.
    Verify(String),
    /// Read who changed a memory last.
    ReadAuthor(String),
    /// Check all memories.
    VerifyAll,
    /// Rank the memories for a query.
    Rank(String),
    /// Read the versions of a memory.
    ReadHistory(String),
    /// Read what a change made different.
    ReadDiff {
        /// The id of the change.
        change: String,
        /// Whether one's own notes across repositories were changed.
        is_global: bool,
    },
    /// Find what an undo would do: of a change, or of the last one.
    PlanUndo {
        /// The id of the change.
        change: Option<String>,
        /// Whether of one's own notes across repositories.
        is_global: bool,
    },
    /// Run a command.
    Run(Action),
    /// Give the terminal to a command, such as `edit a.md`.
    RunInTerminal(Action),
    /// Stop as Ctrl-Z stops a program.
    Suspend,
    /// End, with the file that was chosen.
    Finish(Option<PathBuf>),
}
