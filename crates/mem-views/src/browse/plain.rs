//! The browser line by line: a numbered list and a prompt, nothing drawn. For screen readers, and for pipes.
//!
//! It presses the keys of the browser in the terminal for the person, so that both do the same.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use super::Options;
use super::data::age_text;
use super::jobs::carry_out;
use super::page::pane_lines;
use super::state::{Dialog, Effect, Event, Key, State, TextRole, View};
use super::text::{Line, clean_line, clean_text};
use crate::program::Program;

/// Rows that are listed at once.
const PAGE_ROWS: usize = 20;
/// Cells of a line.
const CELLS: usize = 78;

/// What can be typed.
const HELP: &str = "\
NUMBER       read (with --pick: choose)
/WORDS       filter; / alone lists all again
=WORDS       rank by meaning as recall does
Enter        the next rows
n            write a new memory in your editor
e NUMBER     edit in your editor; in the inbox the entry waits on
R NUMBER     rename
d NUMBER     remove
s NUMBER     move to the team
p NUMBER     pin, or unpin
h NUMBER     history; then NUMBER reads a change, R NUMBER writes that version back
v NUMBER     check citations again
i, c         inbox, conflicts; then NUMBER reads, b goes back
a, x NUMBER  in the inbox: accept, reject
m, t NUMBER  in the conflicts: write mine, keep theirs
u            undo the last change
r            read everything again
q            quit";

/// The conversation.
struct Conversation<'c> {
    program: &'c Program,
    state: State,
    input: &'c mut dyn BufRead,
    output: &'c mut dyn Write,
    next_row: usize,
    finished: Option<Option<PathBuf>>,
}

/// Talks until the input ends or the person does. Returns the file that was chosen.
///
/// # Errors
///
/// When input or output break.
pub fn run(
    program: &Program,
    options: &Options,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> io::Result<Option<PathBuf>> {
    let mut state = State::new((80, 24), options.is_picking, options.now);
    state.is_typing = false;
    state.query.clone_from(&options.query);
    let mut talk = Conversation {
        program,
        state,
        input,
        output,
        next_row: 0,
        finished: None,
    };
    talk.run_effects(State::first_effects())?;
    talk.list()?;
    while talk.finished.is_none() {
        match talk.ask("> ")? {
            Some(line) => talk.obey(line.trim())?,
            None => break,
        }
    }
    Ok(talk.finished.flatten())
}

impl Conversation<'_> {
    /// Carries effects out until there are none, then says what there is to say.
    fn run_effects(&mut self, effects: Vec<Effect>) -> io::Result<()> {
        let mut waiting = VecDeque::from(effects);
        while let Some(effect) = waiting.pop_front() {
            let event = match effect {
                Effect::Finish(chosen) => {
                    self.finished = Some(chosen);
                    return Ok(());
                }
                Effect::RunInTerminal(action) => {
                    let said = match self.program.run_in_terminal(&action.arguments, true) {
                        Ok((status, printed)) => status.success().then_some(printed),
                        Err(error) => {
                            writeln!(self.output, "error: {error}")?;
                            None
                        }
                    };
                    Some(Event::TerminalBack(action, said))
                }
                effect => carry_out(self.program, &effect),
            };
            if let Some(event) = event {
                waiting.extend(self.state.update(event));
            }
        }
        if let Some(notice) = self.state.notice.take() {
            writeln!(self.output, "{notice}")?;
        }
        self.answer_dialog()
    }

    /// Presses a key.
    fn press(&mut self, key: Key) -> io::Result<()> {
        let effects = self.state.update(Event::Key(key));
        self.run_effects(effects)
    }

    /// Shows what stands over the views, and presses what the person answers.
    fn answer_dialog(&mut self) -> io::Result<()> {
        match self.state.dialog.clone() {
            None => Ok(()),
            Some(Dialog::Help) => self.press(Key::Esc),
            Some(Dialog::Problem(problem)) => {
                self.state.dialog = None;
                writeln!(self.output, "error: {}", problem.message)?;
                match &problem.hint {
                    Some(hint) => writeln!(self.output, "hint: {hint}"),
                    None => Ok(()),
                }
            }
            Some(Dialog::Question { lines, typed, .. }) => {
                self.lines(&lines)?;
                if let Some((TextRole::Title, _)) = typed {
                    let title = self.ask(TextRole::Title.label())?.unwrap_or_default();
                    self.state.update(Event::Key(Key::Ctrl('u')));
                    self.state.update(Event::Pasted(title));
                    return self.press(Key::Enter);
                }
                let answer = self.ask("yes or no [no]: ")?.unwrap_or_default();
                if !matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes") {
                    return self.press(Key::Esc);
                }
                if typed.is_none() {
                    return self.press(Key::Char('y'));
                }
                let reason = self.ask(TextRole::Reason.label())?.unwrap_or_default();
                self.state.update(Event::Pasted(reason));
                self.press(Key::Enter)
            }
        }
    }

    /// Prompts; `None` at the end of the input.
    fn ask(&mut self, prompt: &str) -> io::Result<Option<String>> {
        write!(self.output, "{prompt}")?;
        self.output.flush()?;
        let mut line = String::new();
        let has_more = self.input.read_line(&mut line)? > 0;
        Ok(has_more.then_some(line))
    }

    fn lines(&mut self, lines: &[Line]) -> io::Result<()> {
        lines
            .iter()
            .try_for_each(|line| writeln!(self.output, "{}", line.plain().trim_end()))
    }

    /// Lists the next rows.
    fn list(&mut self) -> io::Result<()> {
        let count = self.state.row_count();
        if count == 0 {
            let is_filter = !self.state.is_ranking && !self.state.query.is_empty();
            let what = match self.state.view {
                View::Memories if is_filter => "no memory fits; =WORDS ranks by meaning",
                View::Memories => "no memory fits",
                View::Inbox => "the inbox is empty",
                View::Conflicts => "there are no conflicts",
                View::History => "there is no history",
            };
            return writeln!(self.output, "{what}");
        }
        let first = Some(self.next_row).filter(|row| *row < count);
        let first = first.unwrap_or(0);
        let rows = first..(first + PAGE_ROWS).min(count);
        self.next_row = rows.end;
        writeln!(self.output, "{} to {} of {count}", first + 1, rows.end)?;
        for row in rows {
            let text = self.row(row);
            writeln!(self.output, "{}. {text}", row + 1)?;
        }
        let waiting = &self.state.waiting;
        let (inbox, conflicts) = (waiting.inbox.len(), waiting.conflicts.len());
        if self.state.view == View::Memories && inbox + conflicts > 0 {
            writeln!(
                self.output,
                "{inbox} in the inbox (i), {conflicts} conflicts (c)"
            )?;
        }
        Ok(())
    }

    /// A row in words.
    fn row(&self, row: usize) -> String {
        let state = &self.state;
        let text = match state.view {
            View::Memories => state.memory_at(row).map(|one| {
                let age = age_text(state.now, one.modified);
                let mut facts = format!("{}, {}, {age}", one.kind, one.scope);
                if let Some(verdict) = &one.verdict {
                    facts = format!("{facts}, {}", clean_line(verdict));
                }
                if one.is_pinned {
                    facts.push_str(", pinned");
                }
                format!("{}: {} ({facts})", one.title, one.description)
            }),
            View::Inbox => state.waiting.inbox.get(row).map(|entry| {
                let (verb, author) = (clean_line(&entry.change.verb), entry.change.author());
                format!("{verb} {}, by {author}", entry.files_text())
            }),
            View::Conflicts => {
                let conflict = state.waiting.conflicts.get(row);
                conflict.map(|one| format!("{}: {}", one.command, clean_line(&one.file)))
            }
            View::History => state.versions().get(row).map(|version| {
                let change = &version.change;
                let age = age_text(state.now, change.time());
                let operation = clean_line(&version.operation);
                format!("{operation}, {age}, by {}", change.author())
            }),
        };
        text.unwrap_or_default()
    }

    /// Does what a line says.
    fn obey(&mut self, line: &str) -> io::Result<()> {
        if let Some(words) = line.strip_prefix(['/', '=']) {
            return self.filter(words.trim(), line.starts_with('='));
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let key = word.chars().next().map_or(Key::Esc, Key::Char);
        let number = |text: &str| text.trim().parse().ok().filter(|number| *number > 0);
        match (word, number(word), number(rest)) {
            ("", ..) => self.list(),
            ("?" | "help", ..) => writeln!(self.output, "{HELP}"),
            ("q" | "quit", ..) => {
                self.finished = Some(None);
                Ok(())
            }
            (_, Some(row), _) => self.read(row),
            ("b", ..) => {
                self.press(Key::Esc)?;
                self.list_from_start()
            }
            ("i" | "c", ..) if self.state.view == View::Memories => {
                self.press(key)?;
                self.list_from_start()
            }
            ("u" | "r" | "n", ..) => self.press(key),
            ("e" | "d" | "s" | "p" | "h" | "v" | "a" | "x" | "m" | "t" | "R", _, Some(row)) => {
                if !self.select(row)? {
                    return Ok(());
                }
                let view = self.state.view;
                self.press(key)?;
                match word {
                    "h" if self.state.view != view => self.list_from_start(),
                    "v" => self.show_pane(),
                    _ => Ok(()),
                }
            }
            _ => {
                let line = clean_line(&clean_text(line));
                writeln!(self.output, "`{line}` is not understood; ? lists what is")
            }
        }
    }

    fn list_from_start(&mut self) -> io::Result<()> {
        self.next_row = 0;
        self.list()
    }

    /// Filters, or ranks.
    fn filter(&mut self, words: &str, is_ranking: bool) -> io::Result<()> {
        if self.state.view != View::Memories {
            self.press(Key::Esc)?;
        }
        if self.state.is_ranking != is_ranking {
            self.press(Key::Tab)?;
        }
        self.press(Key::Char('/'))?;
        self.press(Key::Ctrl('u'))?;
        let effects = self.state.update(Event::Pasted(words.to_owned()));
        self.run_effects(effects)?;
        self.state.is_typing = false;
        self.list_from_start()
    }

    /// Selects a row by its number; says so where there is none.
    fn select(&mut self, number: usize) -> io::Result<bool> {
        if number > self.state.row_count() {
            writeln!(self.output, "there is no row {number}")?;
            return Ok(false);
        }
        self.press(Key::Home)?;
        for _ in 1..number {
            // Each key would ask for what the pane shows; the last one does.
            self.state.update(Event::Key(Key::Down));
        }
        if number > 1 {
            self.press(Key::Up)?;
            self.press(Key::Down)?;
        }
        Ok(true)
    }

    /// Reads a row, or chooses it.
    fn read(&mut self, number: usize) -> io::Result<()> {
        if !self.select(number)? {
            return Ok(());
        }
        if self.state.is_picking && self.state.view == View::Memories {
            return self.press(Key::Enter);
        }
        self.show_pane()
    }

    fn show_pane(&mut self) -> io::Result<()> {
        let lines = pane_lines(&self.state, CELLS);
        self.lines(&lines)
    }
}
