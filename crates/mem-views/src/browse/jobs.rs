//! Carrying out effects that run `mem`: each on a thread, each ending in an event.

use std::ffi::OsStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::data::{CommandResult, Problem, newest_first, ranks};
use super::state::{Effect, Event, Waiting};
use crate::answers::{
    self, CheckedMemory, Conflict, Conflicts, Diffs, Inbox, MemoryList, Verified, Versions,
};
use crate::program::{Program, ProgramError};

/// So many memories a ranking has at most.
const RANKED_MAX: &str = "200";

/// Runs commands in the background and hands their events over.
#[derive(Debug)]
pub(crate) struct Jobs {
    program: Program,
    events: Sender<Event>,
    running: Arc<AtomicUsize>,
    verifier: Sender<Effect>,
    ranker: Sender<Effect>,
    reader: Sender<Effect>,
}

impl Jobs {
    /// Jobs of a program, and where their events arrive.
    pub(crate) fn new(program: Program) -> (Self, Receiver<Event>) {
        let (events, arriving) = mpsc::channel();
        let running = Arc::new(AtomicUsize::new(0));
        let newest = || newest_only(program.clone(), events.clone(), Arc::clone(&running));
        let (verifier, ranker, reader) = (newest(), newest(), newest());
        (
            Self {
                program,
                events,
                running,
                verifier,
                ranker,
                reader,
            },
            arriving,
        )
    }

    /// Whether an event is still to come.
    pub(crate) fn is_running(&self) -> bool {
        self.running.load(Ordering::SeqCst) > 0
    }

    /// Starts what an effect asks for. Effects that need the terminal are not for here.
    pub(crate) fn start(&self, effect: Effect) {
        self.running.fetch_add(1, Ordering::SeqCst);
        let queue = match &effect {
            Effect::Verify(_) => Some(&self.verifier),
            Effect::Rank(_) => Some(&self.ranker),
            Effect::ReadAuthor(_) => Some(&self.reader),
            _ => None,
        };
        if let Some(queue) = queue {
            // The worker ends with the browser alone.
            let _ = queue.send(effect);
            return;
        }
        let (program, events) = (self.program.clone(), self.events.clone());
        let running = Arc::clone(&self.running);
        thread::spawn(move || finish(&program, &effect, &events, &running));
    }
}

/// A worker that carries out the newest effect that it was sent, and leaves out those that came before: the selection
/// and the query have moved on.
fn newest_only(
    program: Program,
    events: Sender<Event>,
    running: Arc<AtomicUsize>,
) -> Sender<Effect> {
    let (sender, waiting) = mpsc::channel::<Effect>();
    thread::spawn(move || {
        while let Ok(mut effect) = waiting.recv() {
            while let Ok(newer) = waiting.try_recv() {
                effect = newer;
                running.fetch_sub(1, Ordering::SeqCst);
            }
            finish(&program, &effect, &events, &running);
        }
    });
    sender
}

/// Carries an effect out and sends its event, if there is one.
fn finish(program: &Program, effect: &Effect, events: &Sender<Event>, running: &AtomicUsize) {
    if let Some(event) = carry_out(program, effect) {
        // Nobody listens once the browser has ended.
        let _ = events.send(event);
    }
    running.fetch_sub(1, Ordering::SeqCst);
}

/// The answer of a command, made into what an event has.
fn ask<T: DeserializeOwned, U>(
    program: &Program,
    words: impl IntoIterator<Item = impl AsRef<OsStr>>,
    into: impl FnOnce(T) -> U,
) -> CommandResult<U> {
    program.read(words).map(into).map_err(Problem::from)
}

/// Runs the command of an effect and waits for its answer; `None` for effects of the terminal.
pub(crate) fn carry_out(program: &Program, effect: &Effect) -> Option<Event> {
    let event = match effect {
        Effect::Load => Event::Loaded(ask(program, ["list", "--text"], newest_first)),
        Effect::LoadWaiting => Event::Waiting(read_waiting(program).map_err(Problem::from)),
        Effect::Verify(label) => Event::Verified(label.clone(), verify(program, label)),
        Effect::ReadAuthor(label) => {
            let author = |memory: answers::Memory| memory.provenance.modified;
            Event::AuthorRead(label.clone(), ask(program, ["show", "--", label], author))
        }
        Effect::VerifyAll => {
            Event::AllVerified(ask(program, ["verify"], |answer: Verified| answer.notes))
        }
        Effect::Rank(query) => {
            let words = ["search", "--limit", RANKED_MAX, "--", query];
            let ranks = ask(program, words, |found: MemoryList| ranks(&found));
            Event::Ranked(query.clone(), ranks)
        }
        Effect::ReadHistory(label) => {
            let words = ["history", "--", label];
            let versions = ask(program, words, |answer: Versions| answer.versions);
            Event::HistoryRead(label.clone(), versions)
        }
        Effect::ReadDiff { change, is_global } => {
            let mut words = vec!["diff", change];
            words.extend(is_global.then_some("--global"));
            Event::DiffRead(change.clone(), ask(program, words, Diffs::into_text))
        }
        Effect::PlanUndo { change, is_global } => {
            let mut words = vec!["undo", "--dry-run"];
            words.extend(is_global.then_some("--global"));
            words.extend(change.as_deref());
            Event::UndoPlanned(*is_global, ask(program, words, Diffs::into_plan))
        }
        Effect::Run(action) => {
            // The id of the change that it made, as far as it says.
            let change = |answer: Value| answer["change"].as_str().map(str::to_owned);
            Event::Changed(action.clone(), ask(program, &action.arguments, change))
        }
        Effect::RunInTerminal(_) | Effect::Suspend | Effect::Finish(_) => return None,
    };
    Some(event)
}

/// The report of one memory.
fn verify(program: &Program, label: &str) -> CommandResult<CheckedMemory> {
    let answer = program.read::<Verified>(["verify", "--", label])?;
    let none = || Problem {
        message: "the memory was not checked".to_owned(),
        hint: None,
        kind: String::new(),
    };
    answer.notes.into_iter().next().ok_or_else(none)
}

/// Inbox and conflicts. Where nothing is shared there are no conflicts.
fn read_waiting(program: &Program) -> Result<Waiting, ProgramError> {
    let mut waiting = Waiting {
        inbox: program.read::<Inbox>(["inbox", "list"])?.entries,
        ..Waiting::default()
    };
    waiting.inbox.reverse();
    for command in ["team", "sync"] {
        match program.read::<Conflicts>([command, "resolve"]) {
            Ok(answer) => {
                waiting.has_team |= command == "team";
                let with_command = |conflict| Conflict {
                    command: command.to_owned(),
                    ..conflict
                };
                let conflicts = answer.conflicts.into_iter().map(with_command);
                waiting.conflicts.extend(conflicts);
            }
            Err(ProgramError::Refused(refusal)) if refusal.kind == "not_found" => {}
            Err(error) => return Err(error),
        }
    }
    Ok(waiting)
}
