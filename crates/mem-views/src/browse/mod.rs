//! `mem browse`: memories in the terminal.
//!
//! A pure state machine (`state`) takes keys and answers of commands and says what is to be done. `jobs` runs the
//! commands on threads, `draw` turns the state into cells, `terminal` owns the terminal. The first frame is drawn
//! before the first memory is read.
//!
//! `plain` drives the same state line by line, for screen readers and for pipes.

mod data;
mod draw;
mod filter;
mod jobs;
mod layout;
mod markdown;
mod page;
pub mod plain;
mod side_by_side;
mod state;
mod terminal;
mod text;

use std::io::{self, BufRead as _, Write as _};
use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;

use self::draw::Theme;
use self::jobs::Jobs;
use self::state::{Effect, Event, State};
use self::terminal::Screen;
pub use self::terminal::Stream;
use crate::program::Program;

/// How long keys are waited for while a command runs: its answer is drawn that late at most.
const WAIT_RUNNING: Duration = Duration::from_millis(10);
/// How long keys are waited for otherwise: a signal is acted on that late at most.
const WAIT_IDLE: Duration = Duration::from_millis(200);

/// How the browser runs.
#[derive(Clone, Debug)]
pub struct Options {
    /// The filter to begin with.
    pub query: String,
    /// Whether a memory is to be chosen.
    pub is_picking: bool,
    /// The stream that is the terminal.
    pub stream: Stream,
    /// Whether colours may be used.
    pub has_colour: bool,
    /// The present.
    pub now: Timestamp,
}

/// Runs the browser in the terminal until the person ends it. Returns the file that was chosen.
///
/// # Errors
///
/// When the terminal cannot be used. It is as it was before.
pub fn run(program: &Program, options: &Options) -> io::Result<Option<PathBuf>> {
    let mut screen = Screen::open(
        options.stream,
        Theme {
            has_colour: options.has_colour,
        },
    )?;
    let mut state = State::new(screen.size()?, options.is_picking, options.now);
    state.query.clone_from(&options.query);
    screen.draw(&state)?;
    let (jobs, arriving) = Jobs::new(program.clone());
    let mut effects = State::first_effects();
    let mut is_changed = false;
    loop {
        for effect in std::mem::take(&mut effects) {
            match effect {
                Effect::Finish(chosen) => return Ok(chosen),
                Effect::Suspend => {
                    screen.suspend()?;
                    is_changed = true;
                }
                Effect::RunInTerminal(action) => {
                    let run = || run_in_terminal(program, &action.arguments, options.stream);
                    let said = screen.lend(run)?;
                    effects.extend(state.update(Event::TerminalBack(action, said)));
                    is_changed = true;
                }
                effect => jobs.start(effect),
            }
        }
        if is_changed {
            screen.draw(&state)?;
        }
        is_changed = false;
        if !effects.is_empty() {
            continue;
        }
        let wait = if jobs.is_running() {
            WAIT_RUNNING
        } else {
            WAIT_IDLE
        };
        let mut next = screen.next_event(wait)?;
        // All that has come is taken before anything is drawn: held keys and pasted letters do not lag.
        while let Some(event) = next {
            effects.extend(state.update(event));
            is_changed = true;
            next = screen.next_event(Duration::ZERO)?;
        }
        for event in arriving.try_iter() {
            effects.extend(state.update(event));
            is_changed = true;
        }
        if screen.is_ended() {
            return Ok(None);
        }
    }
}

/// Runs a command that has the terminal; returns what it printed. After a failure its words stay until Enter.
fn run_in_terminal(program: &Program, arguments: &[String], stream: Stream) -> Option<String> {
    let failure = match program.run_in_terminal(arguments, stream == Stream::Stderr) {
        Ok((status, printed)) if status.success() => return Some(printed),
        Ok(_) => String::new(),
        Err(error) => format!("{error}\n"),
    };
    // Without a terminal to talk to there is nobody to wait for.
    let mut talk = io::stderr().lock();
    let _ = write!(talk, "{failure}press Enter to go back ");
    let _ = talk.flush();
    let _ = io::stdin().lock().read_line(&mut String::new());
    None
}
