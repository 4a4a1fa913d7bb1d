//! Carrying out effects that run `mem`: each on a thread, each ending in an event.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use serde::Deserialize;

use super::data::{Problem, newest_first, ranks};
use super::state::{Effect, Event, Waiting};
use crate::answers::{
    CheckedMemory, Conflict, Conflicts, Diffs, Inbox, MemoryList, Verified, Versions,
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
}

impl Jobs {
    /// Jobs of a program, and where their events arrive.
    pub(crate) fn new(program: Program) -> (Self, Receiver<Event>) {
        let (events, arriving) = mpsc::channel();
        let running = Arc::new(AtomicUsize::new(0));
        let newest = || newest_only(program.clone(), events.clone(), Arc::clone(&running));
        let (verifier, ranker) = (newest(), newest());
        (
            Self {
                program,
                events,
                running,
                verifier,
                ranker,
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

/// The id of the change that a command made, as far as it says.
#[derive(Deserialize)]
struct ChangeAnswer {
    #[serde(default)]
    change: Option<String>,
}

/// Runs the command of an effect and waits for its answer; `None` for effects of the terminal.
pub(crate) fn carry_out(program: &Program, effect: &Effect) -> Option<Event> {
    let event = match effect {
        Effect::Load => {
            let answer = program.read::<MemoryList>(["list", "--text"]);
            Event::Loaded(answer.map(newest_first).map_err(Problem::from))
        }
        Effect::LoadWaiting => Event::Waiting(read_waiting(program).map_err(Problem::from)),
        Effect::Verify(label) => Event::Verified(label.clone(), verify(program, label)),
        Effect::VerifyAll => {
            let answer = program.read::<Verified>(["verify"]);
            Event::AllVerified(answer.map(|answer| answer.notes).map_err(Problem::from))
        }
        Effect::Rank(query) => {
            let words = ["search", "--limit", RANKED_MAX, "--", query];
            let answer = program.read::<MemoryList>(words);
            let ranks = answer.map(|found| ranks(&found)).map_err(Problem::from);
            Event::Ranked(query.clone(), ranks)
        }
        Effect::ReadHistory(label) => {
            let answer = program.read::<Versions>(["history", "--", label]);
            let versions = answer.map(|answer| answer.versions).map_err(Problem::from);
            Event::HistoryRead(label.clone(), versions)
        }
        Effect::ReadDiff { change, is_global } => {
            let mut words = vec!["diff", change];
            words.extend(is_global.then_some("--global"));
            let answer = program.read::<Diffs>(words);
            let text = answer.map(Diffs::into_text).map_err(Problem::from);
            Event::DiffRead(change.clone(), text)
        }
        Effect::PlanUndo { change, is_global } => {
            let mut words = vec!["undo", "--dry-run"];
            words.extend(is_global.then_some("--global"));
            words.extend(change.as_deref());
            let plan = program.read(words).map(Diffs::into_plan);
            Event::UndoPlanned(*is_global, plan.map_err(Problem::from))
        }
        Effect::Run(action) => {
            let answer = program.read::<serde_json::Value>(&action.arguments);
            let change = answer.map(|answer| {
                let found = serde_json::from_value::<ChangeAnswer>(answer);
                found.ok().and_then(|answer| answer.change)
            });
            Event::Changed(action.clone(), change.map_err(Problem::from))
        }
        Effect::RunInTerminal(_) | Effect::Suspend | Effect::Finish(_) => return None,
    };
    Some(event)
}

/// The report of one memory.
fn verify(program: &Program, label: &str) -> Result<CheckedMemory, Problem> {
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
