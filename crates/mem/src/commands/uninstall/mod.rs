//! `mem uninstall`: what `mem` put into other programs' places is taken out.

mod hooks;

use anyhow::Result;
use mem_core::installed::{self, Installed, RemovalOutcome};
use mem_daemon::instance;
use mem_daemon::stop::stop_daemon;
use mem_hosts::{InstallOutcome, Installation, remove_installed};
use serde_json::{Value, json};

use super::install::{ClientTarget, outcome_line};
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use hooks::{claude_code, codex, copilot, cursor, gemini, opencode, qwen, vscode};

crate::commands::verbs! {
    "Commands" {
        claude_code as "claude-code" or "claude" => "Take out the hooks of Claude Code",
        codex => "Take out the hooks of Codex",
        copilot => "Take out the hooks of Copilot CLI and VS Code",
        cursor => "Take out the hooks of Cursor",
        gemini => "Take out the hooks of Gemini CLI",
        opencode => "Take out the plugin of opencode",
        qwen => "Take out the hooks of Qwen Code",
        vscode => "Take out the hooks of VS Code and Copilot CLI",
        mcp(McpArgs) => "Take the MCP server out of a client's settings",
    }
}

/// Take out what mem installed
///
/// Removes completion scripts, hooks and entries in other programs' settings, as far as mem put
/// them there: all of them, or the one that is named. What was changed since is left alone and named;
/// of a host's settings only mem's own part goes. Memories, histories and settings stay: `mem purge`
/// erases those. The program itself goes the way it came.
///
/// With --json: {"installed":[{"what","path","outcome"}],"dry_run"}; outcome is one of removed, gone,
/// changed, unknown. Of one thing: {"path","outcome","dry_run"}; outcome is one of removed (the file), changed,
/// unchanged. With "dry_run" true it is what would be.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Option<Commands>,
    /// Show what would be done, and write nothing
    #[arg(long, short = 'n', global = true)]
    dry_run: bool,
}

/// The `--dry-run` of [`Args`], as a command below reads it: clap copies a global argument and its value to each of
/// them, so that it may stand before and after the name.
#[derive(Debug)]
struct DryRun(bool);

impl clap::FromArgMatches for DryRun {
    fn from_arg_matches(matches: &clap::ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self(matches.get_flag("dry_run")))
    }

    fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for DryRun {
    fn augment_args(command: clap::Command) -> clap::Command {
        command
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        command
    }
}

/// Takes everything out, or one thing.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    match &args.verb {
        Some(verb) => verb.run(context),
        None => take_out_all(args.dry_run, context),
    }
}

/// Takes one thing out of a host's settings, and says so.
fn take_out(
    installation: &Installation,
    &DryRun(is_dry): &DryRun,
    context: &Context,
) -> Result<Exit> {
    let done = installation.uninstall(context.dirs()?, is_dry)?;
    if context.printer.json {
        let (path, outcome) = (&installation.path, done.as_str());
        context.print_json(&json!({ "path": path, "outcome": outcome, "dry_run": is_dry }))?;
        return Ok(Exit::Ok);
    }
    if is_dry && done != InstallOutcome::Nothing {
        let (what, path) = (installation.describe(), installation.path.display());
        let what = format!("{what}: {path}");
        context.line(format_args!("would remove {}", clean(&what)))?;
        return Ok(Exit::Ok);
    }
    context.line(outcome_line(&done, &installation.path))?;
    if done == InstallOutcome::Nothing {
        context.say("nothing of mem's was in it");
    }
    Ok(Exit::Ok)
}

/// Take the MCP server out of a client's settings
///
/// Exactly what `mem install mcp` put in.
///
/// Example: mem uninstall mcp --client codex
#[derive(clap::Args, Debug)]
struct McpArgs {
    #[command(flatten)]
    target: ClientTarget,
    #[command(flatten)]
    dry_run: DryRun,
}

/// Takes it out.
fn mcp(args: &McpArgs, context: &Context) -> Result<Exit> {
    take_out(
        &args.target.client_installation(context)?,
        &args.dry_run,
        context,
    )
}

/// Takes out everything that is on the list of what was installed; exit code 1 where something had to stay.
fn take_out_all(is_dry: bool, context: &Context) -> Result<Exit> {
    let dirs = context.dirs()?;
    let (entries, warning) = installed::list(dirs);
    if let Some(text) = &warning {
        context.print_warning(text);
    }
    let mut shapes: Vec<Value> = Vec::new();
    let mut exit = Exit::Ok;
    for entry in &entries {
        // One file that cannot be changed keeps nothing else from going.
        let outcome = remove_installed(entry, is_dry, dirs).unwrap_or_else(|error| {
            context.print_warning(format_args!("{:#}", anyhow::Error::from(error)));
            RemovalOutcome::Changed
        });
        if matches!(outcome, RemovalOutcome::Changed | RemovalOutcome::Unknown) {
            exit = Exit::Failure;
        }
        shapes.push(json!({
            "what": entry.what, "path": entry.path, "outcome": outcome.as_str(),
        }));
        if !context.printer.json {
            context.line(removal_line(entry, outcome, is_dry))?;
        }
    }
    if !is_dry {
        // A daemon of a program that goes would begin jobs that are not there.
        for found in instance::all_daemons(context)? {
            stop_daemon(&found.place)?;
        }
    }
    if context.printer.json {
        context.print_json(&json!({ "installed": shapes, "dry_run": is_dry }))?;
    } else if entries.is_empty() {
        context.say("nothing is installed");
    }
    Ok(exit)
}

fn removal_line(entry: &Installed, outcome: RemovalOutcome, is_dry: bool) -> String {
    let what = format!("{}: {}", entry.what, entry.path.display());
    let what = clean(&what);
    match outcome {
        RemovalOutcome::Removed if is_dry => format!("would remove {what}"),
        RemovalOutcome::Removed => format!("removed {what}"),
        RemovalOutcome::Gone => format!("gone already: {what}"),
        RemovalOutcome::Changed => format!("left alone, changed since: {what}"),
        RemovalOutcome::Unknown => format!("left alone, made by another version of mem: {what}"),
    }
}
