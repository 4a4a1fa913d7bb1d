//! What the commands answered about memories, and the commands that keys run on them.

use std::collections::BTreeMap;

use super::super::data::{CommandResult, Memory, UndoPlan, age_text, ago_text};
use super::super::page;
use super::super::text::{Line, Tone, clean_line};
use crate::answers::{CheckedMemory, Version};

use super::{Action, Dialog, Effect, History, Order, State, TextRole, View};

/// So many lines of a difference stand in a question.
const QUESTION_LINES_MAX: usize = 12;

impl State {
    /// Takes the memories that were read.
    pub(super) fn loaded(&mut self, answer: CommandResult<Vec<Memory>>) {
        let memories = match answer {
            Ok(memories) => memories,
            Err(problem) => return self.show_problem(problem),
        };
        let selected = self.selected_memory().map(|memory| memory.label.clone());
        self.is_loaded = true;
        self.memories = memories;
        self.reports.clear();
        self.authors.clear();
        self.diffs.clear();
        self.sort();
        self.refilter(selected.as_deref());
        if self.is_ranking && !self.query.is_empty() {
            self.effects.push(Effect::Rank(self.query.clone()));
        }
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
    pub(super) fn reorder(&mut self) {
        let (order, words) = match self.order {
            Order::Newest => (Order::Title, "by title"),
            Order::Title => (Order::Verdict, "the worst verdict first"),
            Order::Verdict => (Order::Newest, "the newest first"),
        };
        self.order = order;
        self.notice = Some(format!("order: {words}"));
        self.sort();
        self.refilter(None);
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
    pub(super) fn ranked(&mut self, query: String, answer: CommandResult<BTreeMap<String, usize>>) {
        match answer {
            Ok(ranks) if query == self.query && self.is_ranking => {
                self.ranks = Some((query, ranks));
                self.refilter(None);
            }
            Ok(_) => {}
            Err(problem) => {
                self.is_ranking = false;
                self.show_problem(problem);
                self.refilter(None);
            }
        }
    }

    /// Takes the versions of a memory.
    pub(super) fn history_read(&mut self, label: &str, answer: CommandResult<Vec<Version>>) {
        let history = self.history.as_mut();
        let Some(history) = history.filter(|history| history.label == label) else {
            return;
        };
        match answer {
            Ok(versions) => {
                history.versions = Some(versions);
                self.read_for_pane();
            }
            Err(problem) => {
                self.show_problem(problem);
                self.show(View::Memories);
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
        self.dialog = Some(Dialog::question(question, lines, action));
    }

    /// Takes the end of a command.
    pub(super) fn changed(&mut self, action: Action, answer: CommandResult<Option<String>>) {
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
        self.read_again();
    }

    /// Runs a command, where there is one to run, one at a time.
    pub(super) fn run(&mut self, action: Option<Action>) {
        if let Some(action) = action
            && self.begin(&action.doing)
        {
            self.notice = None;
            self.effects.push(Effect::Run(action));
        }
    }

    /// Begins what is not to run beside another, or says that it has to wait.
    fn begin(&mut self, doing: &str) -> bool {
        if let Some(busy) = &self.busy {
            self.notice = Some(format!("wait: {busy}"));
            return false;
        }
        self.busy = Some(doing.to_owned());
        true
    }

    /// Gives the terminal to a command, where there is one to run.
    pub(super) fn run_in_terminal(&mut self, action: Option<Action>) {
        self.effects.extend(action.map(Effect::RunInTerminal));
    }

    /// Takes the end of a command that had the terminal: it printed what it did, or nothing where it did nothing.
    pub(super) fn terminal_back(&mut self, action: Action, said: Option<String>) {
        self.read_again();
        let of_inbox = action.arguments.first().is_some_and(|verb| verb == "inbox");
        let Some(said) = said else {
            return;
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
    }

    /// The command that pins the selected memory, or lets it go.
    pub(super) fn pinning(&self) -> Option<Action> {
        let memory = self.selected_memory()?;
        let shown = clean_line(&memory.label);
        let (pin, doing, done) = match memory.is_pinned {
            true => ("--pin=false", "unpinning", "unpinned"),
            false => ("--pin=true", "pinning", "pinned"),
        };
        let (doing, done) = (format!("{doing} {shown}"), format!("{done} {shown}"));
        let words = ["edit", pin, "--", &memory.label];
        Some(Action::new(&words, doing, done, memory.is_global()))
    }

    /// The question before the selected memory is removed.
    pub(super) fn removal(&self) -> Option<Dialog> {
        let memory = self.selected_memory()?;
        let shown = clean_line(&memory.label);
        let is_team = memory.scope == "team";
        let note = match is_team {
            true => Line::of(Tone::Bad, "A memory that the team has goes for everybody."),
            false => Line::of(Tone::Faint, "`u` brings it back."),
        };
        let mut words = vec!["remove"];
        words.extend(is_team.then_some("--yes"));
        words.extend(["--", &memory.label]);
        let done = format!("removed {shown}; `u` brings it back");
        let action = Action::new(
            &words,
            format!("removing {shown}"),
            done,
            memory.is_global(),
        );
        let lines = memory_question(memory, note);
        let question = Dialog::question(format!("Remove {shown}?"), lines, action);
        Some(question.with_text(TextRole::Reason, String::new()))
    }

    /// The question for another title of the selected memory.
    pub(super) fn renaming(&self) -> Option<Dialog> {
        let memory = self.selected_memory()?;
        let shown = clean_line(&memory.label);
        let note = "Its file and its line in MEMORY.md follow; `u` takes it back.";
        let lines = vec![Line::empty(), Line::of(Tone::Faint, note)];
        let words = ["rename", "--", &memory.label];
        let (doing, done) = (format!("renaming {shown}"), format!("renamed `{shown}`"));
        let action = Action::new(&words, doing, done, memory.is_global());
        let question = Dialog::question(format!("Rename {shown}?"), lines, action);
        Some(question.with_text(TextRole::Title, memory.title.clone()))
    }

    /// The command that lets a person write a new memory.
    pub(super) fn writing() -> Action {
        let doing = "writing a memory".to_owned();
        Action::new(&["edit", "--new"], doing, String::new(), false)
    }

    /// The question before the selected memory is moved to the team.
    pub(super) fn sharing(&self) -> Option<Dialog> {
        let memory = self.selected_memory()?;
        let shown = clean_line(&memory.label);
        let note = "The next sync sends it to everybody; until then `u` takes it back.";
        let lines = memory_question(memory, Line::of(Tone::Faint, note));
        let doing = format!("moving {shown} to the team");
        let done = format!("moved {shown} to the team");
        let words = ["team", "share", "--", &memory.label];
        let action = Action::new(&words, doing, done, false);
        let question = format!("Move {shown} to the team?");
        Some(Dialog::question(question, lines, action))
    }

    /// Finds what an undo would do: of the last change made here, else of the last change of all.
    pub(super) fn plan_undo(&mut self) {
        if self.begin("looking for the last change") {
            let last = (None, self.selected_memory().is_some_and(Memory::is_global));
            let (change, is_global) = self.made.last().cloned().unwrap_or(last);
            self.effects.push(Effect::PlanUndo { change, is_global });
        }
    }

    /// Opens the history of the selected memory.
    pub(super) fn open_history(&mut self) {
        let Some(memory) = self.selected_memory() else {
            return;
        };
        let (label, is_global) = (memory.label.clone(), memory.is_global());
        self.effects.push(Effect::ReadHistory(label.clone()));
        self.history = Some(History {
            label,
            is_global,
            versions: None,
        });
        self.show(View::History);
    }

    /// The question before the selected version is written back.
    pub(super) fn restoring(&self) -> Option<Dialog> {
        let (history, version) = (self.history.as_ref()?, self.selected_version()?);
        let shown = clean_line(&history.label);
        let ago = ago_text(self.now, version.change.time());
        let author = version.change.author_words();
        let note = "The text of now stays in the history; `u` brings it back.";
        let lines = vec![
            Line::of(Tone::Plain, format!("It was written {ago} by {author}.")),
            Line::empty(),
            Line::of(Tone::Faint, note),
        ];
        let is_global = history.is_global;
        let name = history.label.strip_prefix("global:").filter(|_| is_global);
        let mut words = vec!["restore", "--rev", &version.change.id];
        words.extend(is_global.then_some("--global"));
        words.extend(["--", name.unwrap_or(&history.label)]);
        let (doing, done) = (format!("restoring {shown}"), format!("restored {shown}"));
        let action = Action::new(&words, doing, done, is_global);
        let question = format!("Write this version of {shown} back?");
        Some(Dialog::question(question, lines, action))
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
