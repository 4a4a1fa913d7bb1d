//! `mem console`: memories in the web browser.

use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result};
use mem_views::console::{self, ConsoleOptions};
use mem_views::program::Program;
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::printer::Printer;

/// See and change memories in the web browser
///
/// Serves pages on a free port of 127.0.0.1 and opens the browser: an overview of all projects, memories with their
/// history and what they cite, what an agent would be given for a prompt, what waits for a decision, the team and a
/// graph. Every page shows what a command prints, and every change is one that a command makes.
///
/// The address lets one browser in, once. It ends with Ctrl-C, and by itself a while after its last page was closed.
///
/// With --json the first line is {"listening"}.
///
/// Example: mem console --no-open
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Print the address and open no browser
    #[arg(long)]
    no_open: bool,
    /// End so many seconds after the last request; an open page asks every half a minute
    #[arg(long, value_name = "SECONDS", default_value_t = 900, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    idle: u64,
}

/// Serves until nobody looks any longer.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let executable = std::env::current_exe().context("cannot find out which program this is")?;
    let (printer, no_open) = (context.printer.clone(), args.no_open);
    let clock = context.without_output();
    console::serve(ConsoleOptions {
        program: Program::new(executable, context.cwd.clone()),
        idle: Duration::from_secs(args.idle),
        now: Box::new(move || clock.current_time().0),
        on_listening: Box::new(move |url| {
            announce_address(&printer, url);
            if !no_open && !open_browser(url) {
                printer.print_warning("no browser could be opened: open the address yourself");
            }
        }),
    })?;
    Ok(Exit::Ok)
}

fn announce_address(printer: &Printer, url: &str) {
    // Whoever started it may not read: it serves all the same.
    let _ = match printer.json {
        true => printer.print_json(&json!({ "listening": url })),
        false => printer.line(url),
    };
    printer.say("the address works once; Ctrl-C ends the console");
}

/// Hands an address to the program that the system has for it. Whether it did.
fn open_browser(url: &str) -> bool {
    let (program, arguments): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command
        .args(arguments)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().is_ok()
}
