//! What waits for a person: inbox entries and conflicts.

use super::super::data::CommandResult;
use super::super::text::{Line, Tone, clean_line};
use super::{Action, Effect, State, View, Waiting};
use crate::answers::ChangedFile;

impl State {
    /// Takes inbox and conflicts.
    pub(super) fn waiting_read(&mut self, answer: CommandResult<Waiting>) {
        match answer {
            Ok(waiting) => self.waiting = waiting,
            Err(problem) => self.show_problem(problem),
        }
    }

    /// Accepts the selected entry.
    pub(super) fn accept(&mut self) -> Vec<Effect> {
        match self.inbox_action("accept", "accepting", "accepted") {
            Some((action, _)) => self.run(action),
            None => Vec::new(),
        }
    }

    /// Asks before the selected entry is rejected.
    pub(super) fn ask_rejection(&mut self) -> Vec<Effect> {
        let Some((action, files)) = self.inbox_action("reject", "rejecting", "rejected") else {
            return Vec::new();
        };
        let note = Line::of(
            Tone::Faint,
            "`mem inbox list --rejected` shows it for a while.",
        );
        self.ask(format!("Reject {files}?"), vec![note], action, false)
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

    /// Asks before a conflict is resolved with one of its texts.
    pub(super) fn ask_resolving(&mut self, is_mine: bool) -> Vec<Effect> {
        let Some(conflict) = self.selected_conflict() else {
            return Vec::new();
        };
        let shown = clean_line(&conflict.file);
        let (flag, question, what) = match is_mine {
            true => ("--mine", "Write your text", "The next sync sends it."),
            false => (
                "--theirs",
                "Keep the remote's text",
                "Your text is forgotten.",
            ),
        };
        let tone = if is_mine { Tone::Faint } else { Tone::Bad };
        let words = [&conflict.command, "resolve", flag, "--", &conflict.file];
        let (doing, done) = (format!("resolving {shown}"), format!("resolved {shown}"));
        let action = Action::new(&words, doing, done, false);
        let note = Line::of(tone, what);
        self.ask(format!("{question} as {shown}?"), vec![note], action, false)
    }

    /// The command that lets a person edit what is selected.
    pub(super) fn editing(&self) -> Vec<Effect> {
        let words: Option<Vec<&str>> = match self.view {
            View::Memories | View::History => self
                .selected_memory()
                .map(|memory| vec!["edit", "--", &memory.label]),
            View::Inbox => self
                .selected_entry()
                .map(|entry| vec!["inbox", "edit", &entry.change.id]),
            View::Conflicts => self
                .selected_conflict()
                .map(|conflict| vec![&conflict.command, "resolve", "--edit", "--", &conflict.file]),
        };
        let words = words.map(|words| words.into_iter().map(str::to_owned).collect());
        words.map(Effect::RunInTerminal).into_iter().collect()
    }
}
