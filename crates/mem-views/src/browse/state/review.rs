//! What waits for a person: inbox entries and conflicts.

use super::super::data::{CommandResult, Memory};
use super::super::text::{Line, Tone, clean_line};
use super::{Action, Dialog, Effect, State, View, Waiting};
use crate::answers::{ChangedFile, Conflict, InboxEntry};

/// What becomes of a text that was written in place of a remote's.
const NEXT_SYNC: &str = "; the next sync shares it";

impl State {
    /// Takes inbox and conflicts. What was selected stays selected.
    pub(super) fn waiting_read(&mut self, answer: CommandResult<Waiting>) {
        self.is_waiting_read = true;
        let waiting = match answer {
            Ok(waiting) => waiting,
            Err(problem) => return self.show_problem(problem),
        };
        let entry = self.selected_entry().and_then(|selected| {
            let is_selected = |one: &InboxEntry| one.change.id == selected.change.id;
            waiting.inbox.iter().position(is_selected)
        });
        let conflict = self.selected_conflict().and_then(|selected| {
            let is_selected =
                |one: &Conflict| one.command == selected.command && one.file == selected.file;
            waiting.conflicts.iter().position(is_selected)
        });
        for (view, row) in [(View::Inbox, entry), (View::Conflicts, conflict)] {
            if let Some(row) = row {
                self.cursors[view as usize].selected = row;
            }
        }
        self.waiting = waiting;
    }

    /// Shows inbox or conflicts, and reads them again.
    pub(super) fn show_waiting(&mut self, view: View) {
        self.is_waiting_read = false;
        self.show(view);
        self.effects.push(Effect::LoadWaiting);
    }

    /// Whether a text of a memory waits that a remote's took the place of.
    pub(crate) fn has_conflict(&self, memory: &Memory) -> bool {
        let (scope, label) = (memory.scope.as_str(), memory.label.as_str());
        let file = label
            .strip_prefix(scope)
            .and_then(|rest| rest.strip_prefix(':'));
        self.waiting.conflicts.iter().any(|conflict| {
            let is_of_team = conflict.command == "team";
            is_of_team == (scope == "team") && file.unwrap_or(label) == conflict.file
        })
    }

    /// The command that accepts the selected entry.
    pub(super) fn acceptance(&self) -> Option<Action> {
        let (action, _) = self.inbox_action("accept", "accepting", "accepted")?;
        Some(action)
    }

    /// The question before the selected entry is rejected.
    pub(super) fn rejection(&self) -> Option<Dialog> {
        let (action, files) = self.inbox_action("reject", "rejecting", "rejected")?;
        let note = "`mem inbox list --rejected` shows it for a while.";
        let lines = vec![Line::of(Tone::Faint, note)];
        Some(Dialog::question(format!("Reject {files}?"), lines, action))
    }

    /// The command that decides on the selected entry, and its files.
    fn inbox_action(&self, verb: &str, doing: &str, done: &str) -> Option<(Action, String)> {
        let entry = self.selected_entry()?;
        let files = entry.files_text();
        let is_global = |file: &ChangedFile| file.file.starts_with("global:");
        let words = ["inbox", verb, &entry.change.id];
        let (doing, done) = (format!("{doing} {files}"), format!("{done} {files}"));
        let action = Action::new(&words, doing, done, entry.files.iter().all(is_global));
        Some((action, files))
    }

    /// The question before a conflict is resolved with one of its texts.
    pub(super) fn resolution(&self, is_mine: bool) -> Option<Dialog> {
        let conflict = self.selected_conflict()?;
        let shown = clean_line(&conflict.file);
        let (flag, question, note, end) = match is_mine {
            true => {
                let note = Line::of(Tone::Faint, "The next sync sends it.");
                ("--mine", "Write your text", note, NEXT_SYNC)
            }
            false => {
                let note = Line::of(Tone::Bad, "Your text is forgotten.");
                let end = "; the remote's text stays";
                ("--theirs", "Keep the remote's text", note, end)
            }
        };
        let words = [&conflict.command, "resolve", flag, "--", &conflict.file];
        let doing = format!("resolving {shown}");
        let done = format!("resolved `{shown}`{end}");
        let action = Action::new(&words, doing, done, false);
        let question = format!("{question} as {shown}?");
        Some(Dialog::question(question, vec![note], action))
    }

    /// The command that lets a person edit what is selected.
    pub(super) fn editing(&self) -> Option<Action> {
        let (words, shown, done, is_global) = match self.view {
            View::Memories | View::History => {
                let memory = self.selected_memory()?;
                let shown = clean_line(&memory.label);
                let done = format!("saved `{shown}`");
                let words = vec!["edit", "--", &memory.label];
                (words, shown, done, memory.is_global())
            }
            View::Inbox => {
                let entry = self.selected_entry()?;
                let shown = entry.files_text();
                let done = format!("changed `{shown}`: it waits until `a` accepts it");
                let words = vec!["inbox", "edit", "--keep", "--", &entry.change.id];
                (words, shown, done, false)
            }
            View::Conflicts => {
                let conflict = self.selected_conflict()?;
                let shown = clean_line(&conflict.file);
                let done = format!("resolved `{shown}`{NEXT_SYNC}");
                let words = vec![&conflict.command, "resolve", "--edit", "--", &conflict.file];
                (words, shown, done, false)
            }
        };
        let doing = format!("editing {shown}");
        Some(Action::new(&words, doing, done, is_global))
    }
}
