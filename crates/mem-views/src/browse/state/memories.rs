//! What the commands answered about memories, and the commands that keys run on them.

use std::collections::BTreeMap;

use super::super::data::{CommandResult, Memory, UndoPlan, age_text, ago_text};
use super::super::page;
use super::super::text::{Line, Tone, clean_line};
use crate::answers::{CheckedMemory, Version};

use super::{Action, Dialog, Effect, History, Order, State, TextRole, TypedText, View};

/// So many lines of a difference stand in a question.
const QUESTION_LINES_MAX: usize = 12;

impl State {
    /// Takes the memories that were read.
    pub(super) fn loaded(&mut self, answer: CommandResult<Vec<Memory>>) -> Vec<Effect> {
        let memories = match answer {
            Ok(memories) => memories,
            Err(problem) => {
                self.show_problem(problem);
                return Vec::new();
            }
        };
        let selected = self.selected_memory().map(|memory| memory.label.clone());
        self.is_loaded = true;
        self.memories = memories;
        self.reports.clear();
        self.authors.clear();
        self.diffs.clear();
        self.sort();
        let mut effects = self.refilter(selected.as_deref());
        if self.is_ranking && !self.query.is_empty() {
            effects.push(Effect::Rank(self.query.clone()));
        }
        effects
    }

    /// Brings the memories into the order that was asked for.
    fn sort(&mut self) {
        match self.order {
            Order::Newest => self
                .memories
                .sort_by_key(|one| std::cmp::Reverse(one.modified)),
            Order::Title => self
                .memories
                .sort_by_cached_key(|one| one.title.to_lowercase()),
            Order::Verdict => {
                self.memories
                    .sort_by_key(|one| std::cmp::Reverse(severity(one.verdict.as_deref())));
            }
        }
    }

    /// The next order.
    pub(super) fn reorder(&mut self) -> Vec<Effect> {
        let (order, words) = match self.order {
            Order::Newest => (Order::Title, "by title"),
            Order::Title => (Order::Verdict, "the worst verdict first"),
            Order::Verdict => (Order::Newest, "the newest first"),
        };
        self.order = order;
        self.notice = Some(format!("order: {words}"));
        self.sort();
        self.refilter(None)
    }

    /// Takes the report of one memory.
    pub(super) fn verified(&mut self, label: String, answer: CommandResult<CheckedMemory>) {
        if let Ok(report) = &answer {
            for memory in self
                .memories
                .iter_mut()
                .filter(|memory| memory.label == label)
            {
                memory.verdict = Some(report.verdict.clone());
            }
        }
        self.reports.insert(label, answer);
    }

    /// Takes the reports of all memories.
    pub(super) fn all_verified(&mut self, answer: CommandResult<Vec<CheckedMemory>>) {
        self.busy = None;
        let reports = match answer {
            Ok(reports) => reports,
            Err(problem) => return self.show_problem(problem),
        };
        let is_bad = |report: &&CheckedMemory| severity(Some(&report.verdict)) > 2;
        let bad = reports.iter().filter(is_bad).count();
        self.notice = Some(format!(
            "{} checked, {bad} drifted or broken",
            reports.len()
        ));
        let by_label: BTreeMap<String, CheckedMemory> = reports
            .into_iter()
            .map(|report| (report.file.clone(), report))
            .collect();
        for memory in &mut self.memories {
            if let Some(report) = by_label.get(&memory.label) {
                memory.verdict = Some(report.verdict.clone());
            }
        }
        self.reports.extend(
            by_label
                .into_iter()
                .map(|(label, report)| (label, Ok(report))),
        );
    }

    /// Takes a ranking.
    pub(super) fn ranked(
        &mut self,
        query: String,
        answer: CommandResult<BTreeMap<String, usize>>,
    ) -> Vec<Effect> {
        match answer {
            Ok(ranks) if query == self.query && self.is_ranking => {
                self.ranks = Some((query, ranks));
                self.refilter(None)
            }
            Ok(_) => Vec::new(),
            Err(problem) => {
                self.is_ranking = false;
                self.show_problem(problem);
                self.refilter(None)
            }
        }
    }

    /// Takes the versions of a memory.
    pub(super) fn history_read(
        &mut self,
        label: &str,
        answer: CommandResult<Vec<Version>>,
    ) -> Vec<Effect> {
        let Some(history) = self
            .history
            .as_mut()
            .filter(|history| history.label == label)
        else {
            return Vec::new();
        };
        match answer {
            Ok(versions) => {
                history.versions = Some(versions);
                self.needed_for_pane()
            }
            Err(problem) => {
                self.show_problem(problem);
                self.show(View::Memories)
            }
        }
    }

    /// Takes what an undo would do, and asks.
    pub(super) fn undo_planned(
        &mut self,
        is_global: bool,
        answer: CommandResult<Option<UndoPlan>>,
    ) {
        self.busy = None;
        let plan = match answer {
            Ok(Some(plan)) => plan,
            Ok(None) => {
                self.notice = Some("no change to undo".to_owned());
                return;
            }
            Err(problem) => {
                // What was undone elsewhere meanwhile is not asked about again.
                self.made.pop();
                return self.show_problem(problem);
            }
        };
        let change = &plan.change;
        let verb = clean_line(&change.verb);
        let age = age_text(self.now, change.time());
        let question = format!("Undo `{verb}` by {} ({age})?", change.author());
        let diff: Vec<&str> = plan.diff.lines().collect();
        let shown = diff.iter().take(QUESTION_LINES_MAX);
        let shown = shown.map(|line| page::diff_line(line));
        let mut lines: Vec<Line> = std::iter::once(Line::empty()).chain(shown).collect();
        if diff.len() > QUESTION_LINES_MAX {
            let more = diff.len() - QUESTION_LINES_MAX;
            lines.push(Line::of(Tone::Faint, format!("… {more} more lines")));
        }
        let mut words = vec!["undo", &change.id];
        words.extend(is_global.then_some("--global"));
        let (doing, done) = (format!("undoing `{verb}`"), format!("undone: {verb}"));
        let action = Action::new(&words, doing, done, is_global);
        self.ask(question, lines, action, None);
    }

    /// Takes the end of a command.
    pub(super) fn changed(
        &mut self,
        action: Action,
        answer: CommandResult<Option<String>>,
    ) -> Vec<Effect> {
        self.busy = None;
        match answer {
            Ok(change) => {
                let is_undo = action.arguments.first().is_some_and(|verb| verb == "undo");
                match change {
                    _ if is_undo => drop(self.made.pop()),
                    Some(change) => self.made.push((Some(change), action.is_global)),
                    None => {}
                }
                self.notice = Some(action.done);
            }
            Err(problem) => self.show_problem(problem),
        }
        Self::first_effects()
    }

    /// Runs a command, one at a time.
    pub(super) fn run(&mut self, action: Action) -> Vec<Effect> {
        if let Some(busy) = &self.busy {
            self.notice = Some(format!("wait: {busy}"));
            return Vec::new();
        }
        self.busy = Some(action.doing.clone());
        self.notice = None;
        vec![Effect::Run(action)]
    }

    /// Takes the end of a command that had the terminal: it printed what it did, or nothing where it did nothing.
    pub(super) fn terminal_back(&mut self, action: Action, said: Option<String>) -> Vec<Effect> {
        let of_inbox = action.arguments.first().is_some_and(|verb| verb == "inbox");
        let Some(said) = said else {
            return Self::first_effects();
        };
        let said = clean_line(said.trim());
        if !said.is_empty() && !of_inbox {
            self.made.push((None, action.is_global));
        }
        self.notice = Some(match (said.as_str(), of_inbox) {
            ("", true) => "nothing was changed: it still waits".to_owned(),
            ("", false) => "nothing was changed".to_owned(),
            _ if action.done.is_empty() => said,
            _ => action.done,
        });
        Self::first_effects()
    }

    /// Asks before a command, with lines below the question, and for the text that it takes.
    pub(super) fn ask(
        &mut self,
        question: String,
        mut lines: Vec<Line>,
        action: Action,
        typed: Option<TypedText>,
    ) -> Vec<Effect> {
        lines.insert(0, Line::of(Tone::Strong, question));
        self.dialog = Some(Dialog::Question {
            lines,
            action,
            typed,
        });
        Vec::new()
    }

    /// Pins the selected memory, or lets it go.
    pub(super) fn toggle_pin(&mut self) -> Vec<Effect> {
        let Some(memory) = self.selected_memory() else {
            return Vec::new();
        };
        let shown = clean_line(&memory.label);
        let (pin, doing, done) = match memory.is_pinned {
            true => ("--pin=false", "unpinning", "unpinned"),
            false => ("--pin=true", "pinning", "pinned"),
        };
        let (doing, done) = (format!("{doing} {shown}"), format!("{done} {shown}"));
        let words = ["edit", pin, "--", &memory.label];
        let action = Action::new(&words, doing, done, memory.scope == "global");
        self.run(action)
    }

    /// Asks before the selected memory is removed.
    pub(super) fn ask_removal(&mut self) -> Vec<Effect> {
        let Some(memory) = self.selected_memory() else {
            return Vec::new();
        };
        let shown = clean_line(&memory.label);
        let is_team = memory.scope == "team";
        let note = match is_team {
            true => Line::of(Tone::Bad, "A memory that the team has goes for everybody."),
            false => Line::of(Tone::Faint, "`u` brings it back."),
        };
        let lines = memory_question(memory, note);
        let mut words = vec!["remove"];
        words.extend(is_team.then_some("--yes"));
        words.extend(["--", &memory.label]);
        let done = format!("removed {shown}; `u` brings it back");
        let is_global = memory.scope == "global";
        let action = Action::new(&words, format!("removing {shown}"), done, is_global);
        let reason = TypedText {
            role: TextRole::Reason,
            text: String::new(),
        };
        self.ask(format!("Remove {shown}?"), lines, action, Some(reason))
    }

    /// Asks for another title of the selected memory.
    pub(super) fn ask_title(&mut self) -> Vec<Effect> {
        let Some(memory) = self.selected_memory() else {
            return Vec::new();
        };
        let shown = clean_line(&memory.label);
        let note = "Its file and its line in MEMORY.md follow; `u` takes it back.";
        let lines = vec![Line::empty(), Line::of(Tone::Faint, note)];
        let words = ["rename", "--", &memory.label];
        let (doing, done) = (format!("renaming {shown}"), format!("renamed `{shown}`"));
        let action = Action::new(&words, doing, done, memory.scope == "global");
        let title = TypedText {
            role: TextRole::Title,
            text: memory.title.clone(),
        };
        self.ask(format!("Rename {shown}?"), lines, action, Some(title))
    }

    /// The command that lets a person write a new memory.
    pub(super) fn writing() -> Vec<Effect> {
        let doing = "writing a memory".to_owned();
        let action = Action::new(&["edit", "--new"], doing, String::new(), false);
        vec![Effect::RunInTerminal(action)]
    }

    /// Asks before the selected memory is moved to the team, where there is one.
    pub(super) fn ask_sharing(&mut self) -> Vec<Effect> {
        if !self.waiting.has_team {
            self.notice = Some("no team is set up: `mem team setup` does".to_owned());
            return Vec::new();
        }
        let Some(memory) = self.selected_memory() else {
            return Vec::new();
        };
        let shown = clean_line(&memory.label);
        let note = "The next sync sends it to everybody; until then `u` takes it back.";
        let lines = memory_question(memory, Line::of(Tone::Faint, note));
        let doing = format!("moving {shown} to the team");
        let done = format!("moved {shown} to the team");
        let words = ["team", "share", "--", &memory.label];
        let action = Action::new(&words, doing, done, false);
        self.ask(format!("Move {shown} to the team?"), lines, action, None)
    }

    /// Finds what an undo would do: of the last change made here, else of the last change of all.
    pub(super) fn plan_undo(&mut self) -> Vec<Effect> {
        if let Some(busy) = &self.busy {
            self.notice = Some(format!("wait: {busy}"));
            return Vec::new();
        }
        self.busy = Some("looking for the last change".to_owned());
        let memory = self.selected_memory();
        let last = (None, memory.is_some_and(|one| one.scope == "global"));
        let (change, is_global) = self.made.last().cloned().unwrap_or(last);
        vec![Effect::PlanUndo { change, is_global }]
    }

    /// Opens the history of the selected memory.
    pub(super) fn open_history(&mut self) -> Vec<Effect> {
        let Some(memory) = self.selected_memory() else {
            return Vec::new();
        };
        let label = memory.label.clone();
        let is_global = memory.scope == "global";
        self.history = Some(History {
            label: label.clone(),
            is_global,
            versions: None,
        });
        self.show(View::History);
        vec![Effect::ReadHistory(label)]
    }

    /// Asks before the selected version is written back.
    pub(super) fn ask_restoring(&mut self) -> Vec<Effect> {
        let (Some(history), Some(version)) = (&self.history, self.selected_version()) else {
            return Vec::new();
        };
        let shown = clean_line(&history.label);
        let ago = ago_text(self.now, version.change.time());
        let author = version.change.author_words();
        let lines = vec![
            Line::of(Tone::Plain, format!("It was written {ago} by {author}.")),
            Line::empty(),
            Line::of(
                Tone::Faint,
                "The text of now stays in the history; `u` brings it back.",
            ),
        ];
        let is_global = history.is_global;
        let name = history.label.strip_prefix("global:").filter(|_| is_global);
        let mut words = vec!["restore", "--rev", &version.change.id];
        words.extend(is_global.then_some("--global"));
        words.extend(["--", name.unwrap_or(&history.label)]);
        let (doing, done) = (format!("restoring {shown}"), format!("restored {shown}"));
        let action = Action::new(&words, doing, done, is_global);
        let question = format!("Write this version of {shown} back?");
        self.ask(question, lines, action, None)
    }
}

/// What stands below a question about a memory.
fn memory_question(memory: &Memory, note: Line) -> Vec<Line> {
    let title = Line::of(Tone::Plain, memory.title.clone());
    vec![title, Line::empty(), note]
}

/// How bad a verdict is: an unknown one is no worse than a fresh one.
fn severity(verdict: Option<&str>) -> u8 {
    match verdict {
        Some("broken") => 4,
        Some("drifted") => 3,
        Some("aging") => 2,
        Some(_) => 1,
        None => 0,
    }
}
