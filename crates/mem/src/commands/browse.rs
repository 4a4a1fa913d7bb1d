//! `mem browse`: the browser in the terminal.

use std::env;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;

use anstream::ColorChoice;
use anyhow::{Context as _, Result};
use mem_core::Scope;
use mem_core::memory::ProjectMemory;
use mem_views::browse::{self, Options, Stream, plain};
use mem_views::program::Program;
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::usage::UsageError;

/// Browse memories in the terminal
///
/// Lists every memory with its type, scope, age and verdict, and shows the selected one with what it cites. `/` filters
/// by names, descriptions and words as you type, Tab ranks by meaning as recall does, `?` lists the keys: edit, pin,
/// remove, undo, move to the team, history, the inbox, conflicts. Every change is the command of that name, which may refuse;
/// what removes something asks first. Colours follow --color and NO_COLOR.
///
/// With --pick, Enter prints the path of the selected memory, and Esc prints nothing and exits with 1. The screen is
/// drawn on standard error, so that standard output can be captured; with --json it is {"path"}.
///
/// With --plain nothing is drawn: numbered lines, a prompt, answers. For screen readers and for pipes.
///
/// Example: $EDITOR "$(mem browse --pick)"
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Choose a memory and print its path
    #[arg(long)]
    pick: bool,
    /// Line by line, without drawing
    #[arg(long)]
    plain: bool,
    /// Filter by these words from the start
    #[arg(value_name = "WORDS")]
    words: Vec<String>,
}

/// Runs the browser; prints what was chosen.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    // What every command of the browser would say is said before the screen is taken.
    let place = context.place()?;
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let warnings = match memory.list(&Scope::ALL) {
        Ok(list) => list.warnings,
        Err(error) => vec![error.to_string()],
    };
    context.warn_all(&warnings);
    let executable = env::current_exe().context("cannot find the program `mem`")?;
    let program = Program::new(executable, context.cwd.clone());
    let options = Options {
        query: args.words.join(" "),
        is_picking: args.pick,
        stream: if args.pick {
            Stream::Stderr
        } else {
            Stream::Stdout
        },
        has_colour: has_colour(context),
        now: context.now.0,
    };
    let chosen = match args.plain {
        true => talk(&program, &options)?,
        false => {
            require_terminal(args.pick, context)?;
            browse::run(&program, &options).context("cannot use the terminal")?
        }
    };
    match (args.pick, chosen) {
        (true, Some(path)) => {
            let path = path.display().to_string();
            Ok(context
                .printer
                .print_answer(&json!({ "path": path }), path)?)
        }
        (true, None) => Ok(Exit::Failure),
        (false, _) => Ok(Exit::Ok),
    }
}

/// Line by line, on standard output, or on standard error where that is for the path.
fn talk(program: &Program, options: &Options) -> Result<Option<PathBuf>> {
    let mut input = io::stdin().lock();
    let talked = match options.stream {
        Stream::Stdout => plain::run(program, options, &mut input, &mut io::stdout()),
        Stream::Stderr => plain::run(program, options, &mut input, &mut io::stderr()),
    };
    match talked {
        // The reader had enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(None),
        talked => talked.context("cannot talk to the terminal"),
    }
}

/// Refuses to draw where nobody would see it.
fn require_terminal(is_picking: bool, context: &Context) -> Result<(), UsageError> {
    let (stream, is_terminal) = match is_picking {
        true => ("standard error", io::stderr().is_terminal()),
        false => ("standard output", io::stdout().is_terminal()),
    };
    let is_dumb = context.env.get("TERM").is_some_and(|term| term == "dumb");
    let problem = match (io::stdin().is_terminal(), is_terminal, is_dumb) {
        (true, true, false) => return Ok(()),
        (true, true, true) => "the terminal cannot be drawn on: TERM is `dumb`".to_owned(),
        (false, ..) => "standard input is no terminal to read keys from".to_owned(),
        (true, false, _) => format!("{stream} is no terminal to draw on"),
    };
    let hint = "`mem browse --plain` needs none, `mem list` prints all memories";
    Err(UsageError::new(problem, hint))
}

/// Whether colours are wanted.
fn has_colour(context: &Context) -> bool {
    match context.printer.color {
        Some(choice) => choice != ColorChoice::Never,
        None => context.env.get("NO_COLOR").is_none_or(str::is_empty),
    }
}
