//! Carrying out effects that run `mem`: each on a thread, each ending in an event.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use serde::Deserialize;

use super::data::{
    ConflictAnswer, DiffAnswer, HistoryAnswer, InboxAnswer, ListAnswer, Problem, SearchAnswer,
    UndoAnswer, VerifyAnswer,
};
use super::state::{Effect, Event, Waiting};
use crate::program::{Program, ProgramError};

/// So many memories a ranking has at most.
const RANKED_MAX: &str = "200";

/// Runs commands in the background and hands their events over.
#[derive(Debug)]
pub struct Jobs {
    program: Program,
    events: Sender<Event>,
    running: Arc<AtomicUsize>,
    verifier: Sender<Effect>,
    ranker: Sender<Effect>,
}

impl Jobs {
    /// Jobs of a program, and where their events arrive.
    #[must_use]
    pub fn new(program: Program) -> (Self, Receiver<Event>) {
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
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.running.load(Ordering::SeqCst) > 0
    }

    /// Starts what an effect asks for. Effects that need the terminal are not for here.
    pub fn start(&self, effect: Effect) {
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
#[must_use]
pub fn carry_out(program: &Program, effect: &Effect) -> Option<Event> {
    let event = match effect {
        Effect::Load => {
            let answer = program.read::<ListAnswer>(["list", "--text"]);
            Event::Loaded(answer.map(ListAnswer::into_memories).map_err(Problem::from))
        }
        Effect::LoadWaiting => Event::Waiting(read_waiting(program).map_err(Problem::from)),
        Effect::Verify(label) => Event::Verified(label.clone(), verify(program, label)),
        Effect::VerifyAll => {
            let answer = program.read::<VerifyAnswer>(["verify"]);
            Event::AllVerified(answer.map(|answer| answer.notes).map_err(Problem::from))
        }
        Effect::Rank(query) => {
            let words = ["search", "--limit", RANKED_MAX, "--", query];
            let answer = program.read::<SearchAnswer>(words);
            Event::Ranked(
                query.clone(),
                answer.map(SearchAnswer::into_ranks).map_err(Problem::from),
            )
        }
        Effect::ReadHistory(label) => {
            let answer = program.read::<HistoryAnswer>(["history", "--", label]);
            let versions = answer.map(|answer| answer.versions).map_err(Problem::from);
            Event::HistoryRead(label.clone(), versions)
        }
        Effect::ReadDiff { change, is_global } => {
            let mut words = vec!["diff", change];
            words.extend(is_global.then_some("--global"));
            let answer = program.read::<DiffAnswer>(words);
            let text = answer.map(DiffAnswer::into_text).map_err(Problem::from);
            Event::DiffRead(change.clone(), text)
        }
        Effect::PlanUndo { change, is_global } => {
            let mut words = vec!["undo", "--dry-run"];
            words.extend(is_global.then_some("--global"));
            words.extend(change.as_deref());
            let answer = program.read::<UndoAnswer>(words);
            Event::UndoPlanned(
                *is_global,
                answer.map(UndoAnswer::into_plan).map_err(Problem::from),
            )
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
fn verify(program: &Program, label: &str) -> Result<super::data::Report, Problem> {
    let answer = program.read::<VerifyAnswer>(["verify", "--", label])?;
    let none = || Problem {
        message: "the memory was not checked".to_owned(),
        hint: None,
        kind: String::new(),
    };
    answer.notes.into_iter().next().ok_or_else(none)
}

/// Inbox and conflicts. Where nothing is shared there are no conflicts.
fn read_waiting(program: &Program) -> Result<Waiting, ProgramError> {
    let mut inbox = program.read::<InboxAnswer>(["inbox", "list"])?.entries;
    inbox.reverse();
    let mut conflicts = Vec::new();
    for command in ["team", "sync"] {
        match program.read::<ConflictAnswer>([command, "resolve"]) {
            Ok(answer) => conflicts.extend(answer.conflicts.into_iter().map(|mut conflict| {
                conflict.command = command.to_owned();
                conflict
            })),
            Err(ProgramError::Refused(refusal)) if refusal.kind == "not_found" => {}
            Err(error) => return Err(error),
        }
    }
    Ok((inbox, conflicts))
}
