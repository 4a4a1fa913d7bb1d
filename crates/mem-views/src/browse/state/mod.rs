//! The browser as a state machine: [`State::update`] takes an [`Event`] and says which [`Effect`]s are to be carried
//! out. It draws nothing, runs nothing and reads no clock.
//!
//! ```text
//!   terminal, jobs --Event--> State::update --Effect--> jobs (commands on threads), terminal (editor, end)
//!                                  |
//!                                  v
//!                                draw
//! ```
//!
//! Each view is a list with a pane about what is selected in it. The pane alone fills the screen while
//! [`State::is_reading`].

mod event;
mod keys;
mod memories;
mod review;
#[cfg(test)]
pub(crate) mod tests;

use std::collections::BTreeMap;

use jiff::Timestamp;

pub(crate) use self::event::{Action, Effect, Event, Key, Waiting};
use super::data::{CommandResult, Memory, Problem};
use super::filter;
use super::layout::Layout;
use super::page;
use super::text::{Line, Tone};
use crate::answers::{Change, CheckedMemory, Conflict, InboxEntry, Version};

/// Which list is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum View {
    /// The memories.
    #[default]
    Memories,
    /// Writes that wait.
    Inbox,
    /// Conflicts: texts of here that a remote's replaced.
    Conflicts,
    /// Versions of the selected memory.
    History,
}

/// A position in a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cursor {
    /// The selected row.
    pub selected: usize,
    /// The first row that is shown.
    pub top: usize,
}

/// The order of the memories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Order {
    /// The newest first.
    #[default]
    Newest,
    /// By title.
    Title,
    /// The worst verdict first.
    Verdict,
}

/// What stands over the views and takes the keys.
#[derive(Clone, Debug)]
pub(crate) enum Dialog {
    /// The keys.
    Help,
    /// A command refused, or failed.
    Problem(Problem),
    /// A question before a command.
    Question {
        /// What it is about, and what the command would do.
        lines: Vec<Line>,
        /// The command.
        action: Action,
        /// What is typed and what for, where the command takes a text.
        typed: Option<(TextRole, String)>,
    },
}

impl Dialog {
    /// A question before a command, with lines below it.
    fn question(question: String, mut lines: Vec<Line>, action: Action) -> Self {
        lines.insert(0, Line::of(Tone::Strong, question));
        Self::Question {
            lines,
            action,
            typed: None,
        }
    }

    /// The same with the text that the command takes.
    fn with_text(mut self, role: TextRole, text: String) -> Self {
        if let Self::Question { typed, .. } = &mut self {
            *typed = Some((role, text));
        }
        self
    }
}

/// What a command takes a text for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextRole {
    /// The reason of a change.
    Reason,
    /// The new title of a memory.
    Title,
}

impl TextRole {
    /// What stands before the text.
    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Reason => "reason (may be empty): ",
            Self::Title => "new title: ",
        }
    }
}

/// The versions of a memory.
#[derive(Clone, Debug)]
pub(crate) struct History {
    /// The label of the memory.
    pub label: String,
    /// Whether it is one of one's own across repositories.
    pub is_global: bool,
    /// The versions, the newest first; `None` until they are read.
    pub versions: Option<Vec<Version>>,
}

/// All that the browser knows.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// Columns and rows.
    pub size: (u16, u16),
    /// Whether a memory is to be chosen for a script.
    pub is_picking: bool,
    /// The present, for ages.
    pub now: Timestamp,
    /// All memories.
    pub memories: Vec<Memory>,
    /// Whether they were read.
    pub is_loaded: bool,
    /// Positions in `memories` that the filter leaves.
    pub shown: Vec<usize>,
    /// The filter.
    pub query: String,
    /// Whether keys go to the filter.
    pub is_typing: bool,
    /// Whether the filter is a prompt, ranked as recall ranks.
    pub is_ranking: bool,
    /// The order without a filter.
    pub order: Order,
    /// The list that is shown.
    pub view: View,
    /// Whether the pane fills the screen.
    pub is_reading: bool,
    /// The first line of the pane that is shown.
    pub scroll: usize,
    /// What waits for the person.
    pub waiting: Waiting,
    /// Whether inbox and conflicts were read since they were asked for.
    pub is_waiting_read: bool,
    /// The versions that are shown.
    pub history: Option<History>,
    /// What stands over the views.
    pub dialog: Option<Dialog>,
    /// The last thing to say.
    pub notice: Option<String>,
    /// The command that runs.
    pub busy: Option<String>,
    /// What is known of the citations of memories, by label.
    pub reports: BTreeMap<String, CommandResult<CheckedMemory>>,
    /// What changes made different, by id, as far as it was read.
    pub diffs: BTreeMap<String, CommandResult<String>>,
    authors: BTreeMap<String, CommandResult<Option<Change>>>,
    ranks: Option<(String, BTreeMap<String, usize>)>,
    cursors: [Cursor; 4],
    /// Changes that were made here, each with whether it is about global memories; without an id, the last one of all.
    made: Vec<(Option<String>, bool)>,
    /// What the event asks for.
    effects: Vec<Effect>,
}

impl State {
    /// Before anything is read.
    pub(crate) fn new(size: (u16, u16), is_picking: bool, now: Timestamp) -> Self {
        Self {
            size,
            is_picking,
            now,
            is_typing: is_picking,
            ..Self::default()
        }
    }

    /// What is to be done first.
    pub(crate) fn first_effects() -> Vec<Effect> {
        vec![Effect::Load, Effect::LoadWaiting]
    }

    /// Takes an event; returns what it asks for.
    pub(crate) fn update(&mut self, event: Event) -> Vec<Effect> {
        match event {
            Event::Key(key) => self.press(key),
            Event::Pasted(text) => self.paste(&text),
            Event::Resized(columns, rows) => self.size = (columns, rows),
            Event::Loaded(answer) => self.loaded(answer),
            Event::Waiting(answer) => self.waiting_read(answer),
            Event::Verified(label, answer) => self.verified(label, answer),
            Event::AuthorRead(label, answer) => drop(self.authors.insert(label, answer)),
            Event::AllVerified(answer) => self.all_verified(answer),
            Event::Ranked(query, answer) => self.ranked(query, answer),
            Event::HistoryRead(label, answer) => self.history_read(&label, answer),
            Event::DiffRead(change, answer) => drop(self.diffs.insert(change, answer)),
            Event::UndoPlanned(is_global, answer) => self.undo_planned(is_global, answer),
            Event::Changed(action, answer) => self.changed(action, answer),
            Event::TerminalBack(action, said) => self.terminal_back(action, said),
        }
        self.keep_in_sight();
        std::mem::take(&mut self.effects)
    }

    /// Asks for everything that was read at first.
    fn read_again(&mut self) {
        self.effects.extend(Self::first_effects());
    }

    /// Rows of the list that is shown.
    pub(crate) fn row_count(&self) -> usize {
        match self.view {
            View::Memories => self.shown.len(),
            View::Inbox => self.waiting.inbox.len(),
            View::Conflicts => self.waiting.conflicts.len(),
            View::History => self.versions().len(),
        }
    }

    /// The versions that are shown, as far as they were read.
    pub(crate) fn versions(&self) -> &[Version] {
        let history = self.history.as_ref();
        let versions = history.and_then(|history| history.versions.as_deref());
        versions.unwrap_or_default()
    }

    /// The memory of a row.
    pub(crate) fn memory_at(&self, row: usize) -> Option<&Memory> {
        self.memories.get(*self.shown.get(row)?)
    }

    /// Where the list stands.
    pub(crate) fn cursor(&self) -> Cursor {
        self.cursors[self.view as usize]
    }

    /// The selected memory: also while its history is shown.
    pub(crate) fn selected_memory(&self) -> Option<&Memory> {
        self.memory_at(self.cursors[View::Memories as usize].selected)
    }

    /// The selected inbox entry.
    pub(crate) fn selected_entry(&self) -> Option<&InboxEntry> {
        let at = self.cursors[View::Inbox as usize].selected;
        self.waiting.inbox.get(at)
    }

    /// The selected conflict.
    pub(crate) fn selected_conflict(&self) -> Option<&Conflict> {
        let at = self.cursors[View::Conflicts as usize].selected;
        self.waiting.conflicts.get(at)
    }

    /// The selected version.
    pub(crate) fn selected_version(&self) -> Option<&Version> {
        let at = self.cursors[View::History as usize].selected;
        self.versions().get(at)
    }

    /// Who changed a memory last, as far as it was read.
    pub(crate) fn last_change(&self, label: &str) -> Option<&Change> {
        self.authors.get(label)?.as_ref().ok()?.as_ref()
    }

    /// Whether the rows are those that recall's ranking gives.
    pub(crate) fn is_ranked(&self) -> bool {
        self.is_ranking
            && self
                .ranks
                .as_ref()
                .is_some_and(|(query, _)| *query == self.query)
    }

    /// Moves the selection to a row of the list that is shown; asks for what its pane needs.
    fn select(&mut self, row: usize) {
        let row = row.min(self.row_count().saturating_sub(1));
        let cursor = &mut self.cursors[self.view as usize];
        if cursor.selected != row {
            cursor.selected = row;
            self.scroll = 0;
        }
        self.read_for_pane();
    }

    /// Asks for what the pane lacks.
    fn read_for_pane(&mut self) {
        if let (View::Memories, Some(memory)) = (self.view, self.selected_memory()) {
            let label = memory.label.clone();
            if !self.reports.contains_key(&label) {
                self.effects.push(Effect::Verify(label.clone()));
            }
            if !self.authors.contains_key(&label) {
                self.effects.push(Effect::ReadAuthor(label));
            }
        }
        if let (View::History, Some(history)) = (self.view, &self.history)
            && let Some(change) = self.selected_version().map(|one| &one.change.id)
            && !self.diffs.contains_key(change)
        {
            self.effects.push(Effect::ReadDiff {
                change: change.clone(),
                is_global: history.is_global,
            });
        }
    }

    /// Shows another list.
    fn show(&mut self, view: View) {
        (self.view, self.is_reading, self.scroll) = (view, false, 0);
        if view == View::History {
            self.cursors[view as usize] = Cursor::default();
        }
        self.select(self.cursor().selected);
    }

    /// Applies filter and order, with `label` selected if it is still there.
    fn refilter(&mut self, label: Option<&str>) {
        self.shown = match self.ranks.as_ref().filter(|_| self.is_ranked()) {
            Some((_, ranks)) => {
                let rank = |at: usize| Some((*ranks.get(&self.memories[at].label)?, at));
                let mut found: Vec<_> = (0..self.memories.len()).filter_map(rank).collect();
                found.sort_unstable();
                found.into_iter().map(|(_, at)| at).collect()
            }
            None => filter::find_fitting(&self.query, &self.memories),
        };
        let kept = label.and_then(|label| {
            self.shown
                .iter()
                .position(|at| self.memories[*at].label == label)
        });
        let cursor = &mut self.cursors[View::Memories as usize];
        match (label, kept) {
            (_, Some(row)) => cursor.selected = row,
            (None, None) => cursor.selected = 0,
            // The memory is gone: the one that has its row now is selected.
            (Some(_), None) => {
                cursor.selected = cursor.selected.min(self.shown.len().saturating_sub(1));
            }
        }
        if self.view == View::Memories {
            if kept.is_none() {
                self.scroll = 0;
            }
            self.read_for_pane();
        }
    }

    /// Keeps the selected row and the pane within what is there.
    fn keep_in_sight(&mut self) {
        let layout = Layout::of(self.size, self.is_reading);
        let (count, rows) = (self.row_count(), usize::from(layout.list.height).max(1));
        let cursor = &mut self.cursors[self.view as usize];
        cursor.selected = cursor.selected.min(count.saturating_sub(1));
        cursor.top = cursor
            .top
            .min(cursor.selected)
            .min(count.saturating_sub(rows));
        cursor.top = cursor.top.max((cursor.selected + 1).saturating_sub(rows));
        if self.scroll > 0 {
            let lines = page::pane_lines(self, usize::from(layout.pane.width)).len();
            self.scroll = self
                .scroll
                .min(lines.saturating_sub(usize::from(layout.pane.height)));
        }
    }

    /// Shows what a command said when it refused.
    fn show_problem(&mut self, problem: Problem) {
        self.dialog = Some(Dialog::Problem(problem));
    }

    /// Ends with the selected memory's file, or with none.
    fn finish(&mut self, is_chosen: bool) {
        let chosen = self.selected_memory().filter(|_| is_chosen);
        let path = chosen.map(|memory| memory.path.clone());
        self.effects.push(Effect::Finish(path));
    }
}
