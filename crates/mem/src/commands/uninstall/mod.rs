//! `mem uninstall`: what `mem` put into other programs' places is taken out.

mod all;
mod hooks;
pub(crate) mod mcp;

use anyhow::Result;
use serde_json::json;

use super::install::outcome_line;
use crate::context::Context;
use crate::exit::Exit;
use hooks::{claude_code, codex, copilot, cursor, gemini, opencode, qwen, vscode};
use mem_hosts::{InstallOutcome, Installation};

crate::table::commands! {
    "Commands" {
        claude_code as "claude-code" or "claude" => "Take out the hooks of Claude Code",
        codex => "Take out the hooks of Codex",
        copilot => "Take out the hooks of Copilot CLI and VS Code",
        cursor => "Take out the hooks of Cursor",
        gemini => "Take out the hooks of Gemini CLI",
        opencode => "Take out the plugin of opencode",
        qwen => "Take out the hooks of Qwen Code",
        vscode => "Take out the hooks of VS Code and Copilot CLI",
        mcp => "Take the MCP server out of a client's settings",
    }
}

/// Take out what mem installed
///
/// Removes completion scripts, hooks and entries in other programs' settings, as far as mem put
/// them there: all of them, or the one that is named. What was changed since is left alone and named;
/// of a host's settings only mem's own part goes. Memories, histories and settings stay: `mem purge`
/// erases those. The program itself goes the way it came.
///
/// With --json: {"installed":[{"what","path","outcome"}]}; outcome is one of removed, gone,
/// changed, unknown. Of one thing: {"path","outcome"}; outcome is one of removed (the file), changed,
/// unchanged.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Option<Commands>,
    /// Show what would be done, and write nothing
    #[arg(long, short = 'n')]
    dry_run: bool,
}

/// Takes everything out, or one thing.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    match &args.verb {
        Some(verb) => verb.run(context),
        None => all::run(args.dry_run, context),
    }
}

/// Takes one thing out of a host's settings, and says so.
fn take_out(installation: &Installation, context: &Context) -> Result<Exit> {
    let done = installation.uninstall(context.dirs()?)?;
    if context.printer.json {
        let (path, outcome) = (&installation.path, done.as_str());
        context.print_json(&json!({ "path": path, "outcome": outcome }))?;
        return Ok(Exit::Ok);
    }
    context.line(outcome_line(&done, &installation.path))?;
    if done == InstallOutcome::Nothing {
        context.say("nothing of mem's was in it");
    }
    Ok(Exit::Ok)
}
