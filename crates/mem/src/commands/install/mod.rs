//! `mem install`: what makes a host use `mem`.

pub(crate) mod hooks;
pub(crate) mod values;

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde_json::{Value, json};

use crate::context::Context;
use crate::error::ErrorShape;
use crate::exit::Exit;
use crate::sanitize::clean;
use hooks::{claude_code, codex, copilot, cursor, gemini, opencode, qwen, vscode};
use mem_hosts::git_hooks::this_program;
use mem_hosts::{
    DetectedHost, HostScope, InstallOutcome, InstallSpec, Installation, InstallationKind,
    McpClient, OnFailure,
};
use values::{parse_client, parse_scope};

crate::commands::verbs! {
    "Commands" {
        claude_code as "claude-code" or "claude" => "Install the hooks of Claude Code",
        codex => "Install the hooks of Codex",
        copilot => "Install the hooks of Copilot CLI and VS Code",
        cursor => "Install the hooks of Cursor",
        gemini => "Install the hooks of Gemini CLI",
        opencode => "Install the plugin of opencode",
        qwen => "Install the hooks of Qwen Code",
        vscode => "Install the hooks of VS Code and Copilot CLI",
        mcp(McpArgs) => "Enter the MCP server in a client's settings",
    }
}

/// Make a host use mem
///
/// Without a host: looks for those that are used here and have no hooks of mem yet, shows what would change in each,
/// and asks; off a terminal --yes is the answer.
///
/// Changes the settings of another program, and nothing else in them: order, comments, indentation
/// and other programs' entries stay. The file as it was is kept beside it. Twice is as good as once;
/// `mem uninstall` takes it out again.
///
/// With --json: {"path","scope","outcome","backup","program"}; outcome is one of made, changed,
/// unchanged; backup is null where no copy was made. Without a host: {"hosts":[{"host","path","outcome"}]}; outcome
/// is null where nobody agreed.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Option<Commands>,
    /// Do not ask; a host that is named is not asked about
    #[arg(long, short, global = true)]
    yes: bool,
}

/// Runs the verb.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    match &args.verb {
        Some(verb) => verb.run(context),
        None => install_found(args.yes, context),
    }
}

/// Installs into every host that is used here and has no hooks of ours, once the person agrees.
fn install_found(is_agreed: bool, context: &Context) -> Result<Exit> {
    let found = DetectedHost::find_unconnected(context)?;
    let printer = &context.printer;
    if !printer.json {
        for used in &found {
            let profile = used.host.profile();
            let events: Vec<&str> = profile.events.iter().map(|event| event.host).collect();
            let (name, path, events) =
                (profile.name, shown_path(&used.settings), events.join(", "));
            printer.line(format_args!("{name}: hooks in {path} for {events}"))?;
        }
    }
    if found.is_empty() && !printer.json {
        printer.say("no host is used here that has no hooks of mem: `mem help install` lists those that mem knows");
        return Ok(Exit::Ok);
    }
    let is_agreed = is_agreed
        || (context.is_interactive()
            && !printer.json
            && context.require_confirmation("install them?", false).is_ok());
    if !is_agreed && !printer.json {
        printer.say("nothing was changed; `--yes` installs them, `mem install HOST` one of them");
        return Ok(Exit::Ok);
    }
    let program = this_program(&context.env)?;
    let spec = InstallSpec {
        program: &program,
        env: &context.env,
        is_read_only: false,
        on_failure: None,
    };
    let mut exit = Exit::Ok;
    let mut shapes = Vec::new();
    for DetectedHost { host, settings, .. } in found {
        let installation = Installation {
            what: InstallationKind::Hooks(host),
            path: settings,
        };
        let done = match is_agreed {
            true => Some(installation.install(context.dirs()?, &spec)),
            false => None,
        };
        let outcome = match &done {
            Some(Ok(done)) => Some(done.as_str()),
            _ => None,
        };
        shapes.push(json!({
            "host": host.profile().id, "path": installation.path, "outcome": outcome,
        }));
        match done {
            // One file that cannot be changed keeps no other host from memory.
            Some(Err(error)) => {
                exit = Exit::Failure;
                ErrorShape::from_error(&error.into()).print_error(printer);
            }
            Some(Ok(done)) if !printer.json => {
                printer.line(outcome_line(&done, &installation.path))?;
                printer.say(host.profile().next);
            }
            _ => {}
        }
    }
    if printer.json {
        printer.print_json(&json!({ "hosts": shapes }))?;
    }
    Ok(exit)
}

/// What is installed, and how it is told.
pub(crate) struct InstallReport {
    pub installation: Installation,
    pub scope: HostScope,
    /// Whether a server only reads.
    pub is_read_only: bool,
    /// What the person chose for a hook that cannot run.
    pub on_failure: Option<OnFailure>,
    /// What the person still has to do.
    pub next: String,
}

impl InstallReport {
    /// Installs, or prints what the file would be; says what was done and what to do next.
    ///
    /// # Errors
    /// The file is none that can be changed; the system refuses.
    pub(crate) fn carry_out(&self, context: &Context, is_only_printed: bool) -> Result<Exit> {
        let program = this_program(&context.env)?;
        let asked = InstallSpec {
            program: &program,
            env: &context.env,
            is_read_only: self.is_read_only,
            on_failure: self.on_failure,
        };
        let installation = &self.installation;
        if is_only_printed {
            let text = installation.printed(&asked)?;
            context.line(clean(text.trim_end()))?;
            context.say(format_args!("for {}", shown_path(&installation.path)));
            return Ok(Exit::Ok);
        }
        let done = installation.install(context.dirs()?, &asked)?;
        if context.printer.json {
            context.print_json(&self.report_json(&done, &program))?;
            return Ok(Exit::Ok);
        }
        context.line(outcome_line(&done, &installation.path))?;
        self.say_what_next(&done, context);
        Ok(Exit::Ok)
    }

    fn report_json(&self, done: &InstallOutcome, program: &Path) -> Value {
        json!({
            "path": self.installation.path, "scope": self.scope.as_str(),
            "outcome": done.as_str(), "backup": backup_path(done), "program": program,
        })
    }

    fn say_what_next(&self, done: &InstallOutcome, context: &Context) {
        if self.scope == HostScope::Project {
            context.say(
                "the path of mem in it is this machine's: where others share the file, they run \
                 this command themselves",
            );
        }
        if *done != InstallOutcome::Nothing {
            context.say(&self.next);
        }
    }
}

fn backup_path(done: &InstallOutcome) -> Option<&PathBuf> {
    match done {
        InstallOutcome::Changed { backup } => backup.as_ref(),
        _ => None,
    }
}

/// One line about a file.
pub(crate) fn outcome_line(done: &InstallOutcome, path: &Path) -> String {
    let path = shown_path(path);
    match done {
        InstallOutcome::Nothing => format!("unchanged {path}"),
        InstallOutcome::Made => format!("made {path}"),
        InstallOutcome::Removed => format!("removed {path}"),
        InstallOutcome::Changed { backup: None } => format!("changed {path}"),
        InstallOutcome::Changed { backup: Some(copy) } => {
            format!("changed {path} (as it was: {})", shown_path(copy))
        }
    }
}

fn shown_path(path: &Path) -> String {
    clean(&path.to_string_lossy()).into_owned()
}

/// Enter the MCP server in a client's settings
///
/// Writes where each client documents it: Claude Code `~/.claude.json` or `.mcp.json`, Codex
/// `config.toml` in `~/.codex` or `.codex`, Cursor `mcp.json` in `~/.cursor` or `.cursor`, Gemini CLI
/// `settings.json` in `~/.gemini` or `.gemini`, Visual Studio Code `.vscode/mcp.json`.
///
/// Example: mem install mcp --client codex
#[derive(clap::Args, Debug)]
struct McpArgs {
    #[command(flatten)]
    target: ClientTarget,
    /// Let the client only read
    #[arg(long)]
    read_only: bool,
    /// Print what the file would be, and write nothing
    #[arg(long)]
    print: bool,
}

/// Which client, and whose settings of it.
#[derive(clap::Args, Debug)]
pub(crate) struct ClientTarget {
    /// The client
    #[arg(long, value_parser = parse_client())]
    client: McpClient,
    /// Whose settings: user (all your projects) or project (all who work on it)
    /// [default: user; project for vscode]
    #[arg(long, hide_possible_values = true, value_parser = parse_scope())]
    scope: Option<HostScope>,
}

impl ClientTarget {
    /// The scope that was said, or the client's own.
    pub(crate) fn host_scope(&self) -> HostScope {
        self.scope.unwrap_or_else(|| self.client.default_scope())
    }

    /// The entry in its file.
    ///
    /// # Errors
    /// The client has no file for the scope; there is no home directory, or no project.
    pub(crate) fn client_installation(&self, context: &Context) -> Result<Installation> {
        let what = InstallationKind::Server(self.client);
        Ok(Installation::for_run(what, self.host_scope(), context)?)
    }
}

/// Enters the server, or prints how.
fn mcp(args: &McpArgs, context: &Context) -> Result<Exit> {
    let report = InstallReport {
        installation: args.target.client_installation(context)?,
        scope: args.target.host_scope(),
        is_read_only: args.read_only,
        on_failure: None,
        next: format!(
            "restart {} to make it take effect",
            args.target.client.name()
        ),
    };
    report.carry_out(context, args.print)
}
