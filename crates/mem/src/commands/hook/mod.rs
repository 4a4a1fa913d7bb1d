//! `mem hook`: the git hooks and installing them, and the hooks of hosts.

use std::io::{IsTerminal, Read};

use anyhow::Context as _;
use mem_admin::secrets_stopped;
use mem_hosts::git_hooks::{self, Hook, HookState, Script, UninstallOutcome};
use mem_scan::ScanTotals;
use mem_scan::git::HookScan;
use serde_json::{Value, json};

use crate::context::Context;
use crate::error::ErrorShape;
use crate::exit::Exit;
use crate::sanitize::clean;
use crate::scan::report::{self, ReportFormat, block, print_problems};

mod host;

pub(crate) use host::is_of_host;
use host::{claude, codex, copilot, cursor, gemini, opencode, qwen};

crate::commands::verbs! {
    /// Scan before git pushes or commits
    ///
    /// Install once; from then on git asks before anything leaves. Hooks that are there run after
    /// mem's, with the same input, and are put back exactly by uninstall. Hosts of agents run
    /// `mem hook HOST`.
    struct Args;
    "Commands" {
        install(InstallArgs) => "Scan for secrets before each push or commit of a repository",
        uninstall(UninstallArgs) => "Take the hooks away and put back what was there",
        status(StatusArgs) => "Say which hooks are installed",
        claude or "claude-code" => "Answer an event of Claude Code; the host runs this",
        codex => "Answer an event of Codex; the host runs this",
        copilot => "Answer an event of GitHub Copilot or Visual Studio Code; the host runs this",
        cursor => "Answer an event of Cursor; the host runs this",
        gemini => "Answer an event of Gemini CLI; the host runs this",
        opencode => "Answer an event of opencode; its plugin runs this",
        qwen => "Answer an event of Qwen Code; the host runs this",
        pre_push(PrePushArgs) as "pre-push" => "Scan what a push would send; git runs this",
        pre_commit(PreCommitArgs) as "pre-commit" => "Scan what is staged; git runs this",
    }
}

/// Scan for secrets before each push or commit of a repository
///
/// Without a choice it is the push that is scanned. Where git looks for hooks is respected
/// (core.hooksPath, husky, lefthook, pre-commit, worktrees); a hook that is there runs after
/// mem's. When mem itself breaks, git goes on and says so; --strict turns that round.
#[derive(clap::Args, Debug)]
struct InstallArgs {
    /// Scan what a push would send
    #[arg(long)]
    pre_push: bool,
    /// Scan what is staged before a commit
    #[arg(long)]
    pre_commit: bool,
    /// For every repository of yours
    #[arg(long)]
    global: bool,
    /// Block when the scan itself breaks
    #[arg(long)]
    strict: bool,
}

/// Installs, and says what runs.
fn install(args: &InstallArgs, context: &Context) -> anyhow::Result<Exit> {
    let hooks = Hook::chosen_hooks(args.pre_push, args.pre_commit, &[Hook::PrePush]);
    let mem = git_hooks::this_program(&context.env)?;
    let script = |hook: &Hook| Script {
        hook: *hook,
        mem: mem.clone(),
        strict: args.strict,
        global: args.global,
        in_place: false,
    };
    let scripts: Vec<Script> = hooks.iter().map(script).collect();
    let mut created = None;
    let states = if args.global {
        git_hooks::install_global(context.dirs()?, &context.cwd, &scripts)?
    } else {
        let folder = git_hooks::hooks_folder(&context.cwd)?;
        let is_new = folder.configured.is_some() && !folder.path.exists();
        let install = |script| git_hooks::install_hook(&folder.path, script);
        let states = scripts.iter().map(install).collect::<Result<Vec<_>, _>>()?;
        // git's own directory of hooks is expected; a configured one may be anywhere on the machine.
        created = is_new.then_some(folder.path);
        states
    };
    if context.printer.json {
        let list = hooks.iter().zip(&states);
        let list: Vec<_> = list.map(|(hook, state)| hook_json(*hook, state)).collect();
        context.print_json(&json!({ "hooks": list }))?;
        return Ok(Exit::Ok);
    }
    if let Some(folder) = created {
        let folder = folder.to_string_lossy();
        let line = format!("created `{}`, which core.hooksPath names", clean(&folder));
        context.line(line)?;
    }
    for (hook, state) in hooks.iter().zip(&states) {
        let path = state.path.to_string_lossy();
        let after = match &state.other {
            Some(_) => "; the hook that was there runs after it",
            None => "",
        };
        let line = format!("installed {} in `{}`{after}", hook.git_name(), clean(&path));
        context.line(line)?;
    }
    Ok(Exit::Ok)
}

/// Take the hooks away and put back what was there
///
/// What was there before an install comes back byte for byte, with its mode. A hook that somebody
/// wrote over mem's since is left alone.
#[derive(clap::Args, Debug)]
struct UninstallArgs {
    /// Only the hook before a push
    #[arg(long)]
    pre_push: bool,
    /// Only the hook before a commit
    #[arg(long)]
    pre_commit: bool,
    /// Those that are for every repository of yours
    #[arg(long)]
    global: bool,
}

/// Uninstalls, and says what is there now.
fn uninstall(args: &UninstallArgs, context: &Context) -> anyhow::Result<Exit> {
    let hooks = Hook::chosen_hooks(args.pre_push, args.pre_commit, &Hook::ALL);
    let took = if args.global {
        git_hooks::uninstall_global(context.dirs()?, &context.cwd, &hooks)?
    } else {
        let folder = git_hooks::hooks_folder(&context.cwd)?;
        let take = |hook: &Hook| git_hooks::uninstall_hook(&folder.path, *hook);
        hooks.iter().map(take).collect::<Result<Vec<_>, _>>()?
    };
    if context.printer.json {
        let list = hooks
            .iter()
            .zip(&took)
            .map(|(hook, took)| json!({ "hook": hook.git_name(), "result": outcome_word(*took) }));
        let list: Vec<_> = list.collect();
        context.printer.print_json(&json!({ "hooks": list }))?;
        return Ok(Exit::Ok);
    }
    for (hook, took) in hooks.iter().zip(took) {
        let name = hook.git_name();
        context.printer.line(match took {
            UninstallOutcome::Restored => format!("{name}: the hook that was there before is back"),
            UninstallOutcome::Removed => format!("{name}: removed"),
            UninstallOutcome::Nothing => format!("{name}: not installed"),
        })?;
    }
    Ok(Exit::Ok)
}

const fn outcome_word(took: UninstallOutcome) -> &'static str {
    match took {
        UninstallOutcome::Restored => "restored",
        UninstallOutcome::Removed => "removed",
        UninstallOutcome::Nothing => "not-installed",
    }
}

/// Say which hooks are installed
///
/// Also says when a hook runs a mem that is gone, and when another tool has written over it.
#[derive(clap::Args, Debug)]
struct StatusArgs {}

/// Looks at both hooks of this repository.
fn status(_: &StatusArgs, context: &Context) -> anyhow::Result<Exit> {
    let folder = git_hooks::hooks_folder(&context.cwd)?;
    let states = Hook::ALL.map(|hook| (hook, git_hooks::hook_state(&folder.path, hook)));
    if context.printer.json {
        let hooks: Vec<Value> = states
            .iter()
            .map(|(hook, state)| hook_json(*hook, state))
            .collect();
        context.printer.print_json(&json!({
            "directory": folder.path, "core.hooksPath": folder.configured, "hooks": hooks,
        }))?;
        return Ok(Exit::Ok);
    }
    for (hook, state) in &states {
        let line = format!("{}: {}", hook.git_name(), state_sentence(state));
        context.printer.line(clean(&line))?;
    }
    let set = match folder.configured {
        Some(_) => " (set by core.hooksPath)",
        None => "",
    };
    context.printer.say(format_args!(
        "hooks are in `{}`{set}",
        folder.path.display()
    ));
    Ok(Exit::Ok)
}

fn state_sentence(state: &HookState) -> String {
    let Some(ours) = &state.ours else {
        return match &state.other {
            Some(_) => "not installed; another hook is there".to_owned(),
            None => "not installed".to_owned(),
        };
    };
    let program = match &state.program {
        Some(program) if program.exists() => format!("runs `{}`", program.display()),
        Some(program) => {
            format!(
                "`{}` is gone; run `mem hook install` again",
                program.display()
            )
        }
        None => "runs the repository's own hook only".to_owned(),
    };
    let other = match &state.other {
        Some(_) if *ours != state.path => "; another tool runs it",
        Some(_) => "; the hook that was there runs after it",
        None => "",
    };
    format!("installed, {program}{other}")
}

/// A hook in JSON.
fn hook_json(hook: Hook, state: &HookState) -> Value {
    json!({
        "hook": hook.git_name(),
        "path": state.path,
        "installed": state.ours.is_some(),
        "program": state.program,
        "program_exists": state.program.as_ref().map(|program| program.exists()),
        "chained": state.other,
    })
}

/// What git says about a push is at most so long; a line names one reference.
const INPUT_BYTES_MAX: u64 = 256 << 20;

/// Scan what a push would send; git runs this
///
/// Reads the updated references from standard input, as githooks(5) describes, and scans exactly
/// the blobs, added lines, messages and file names that the remote does not have.
///
/// The repository's rules, ignore files, allows and comments count as far as the remote has them
/// already, so that no push allows its own secrets. `mem secrets allow` of a person counts at once.
#[derive(clap::Args, Debug)]
struct PrePushArgs {
    /// The remote's name, or its URL where it has no name
    remote: Option<String>,
    /// The remote's URL
    url: Option<String>,
    /// Stop the push when the scan itself breaks
    #[arg(long)]
    strict: bool,
}

/// Scans; exit code 3 stops the push.
fn pre_push(args: &PrePushArgs, context: &Context) -> anyhow::Result<Exit> {
    let outcome = scan_push(args, context);
    Ok(end_hook(outcome, "push", args.strict, context))
}

fn scan_push(args: &PrePushArgs, context: &Context) -> anyhow::Result<ScanTotals> {
    let scan = HookScan::open(context)?;
    let input = read_input(context)?;
    let named = |given: &Option<String>, variable: &str| {
        given
            .clone()
            .or_else(|| context.env.get(variable).map(str::to_owned))
    };
    let remote = named(&args.remote, "PRE_COMMIT_REMOTE_NAME").unwrap_or_default();
    let url = named(&args.url, "PRE_COMMIT_REMOTE_URL").unwrap_or_default();
    Ok(scan.scan_push(&input, &remote, &url)?)
}

/// What git says; the pre-commit framework says it in variables.
fn read_input(context: &Context) -> anyhow::Result<Vec<u8>> {
    let variable = |name| context.env.get(name);
    if let Some(to) = variable("PRE_COMMIT_TO_REF") {
        let zero = "0".repeat(40);
        let from = variable("PRE_COMMIT_FROM_REF").unwrap_or(&zero);
        return Ok(format!("HEAD {to} HEAD {from}\n").into_bytes());
    }
    let stdin = std::io::stdin();
    let mut bytes = Vec::new();
    if !stdin.is_terminal() {
        let mut input = stdin.lock().take(INPUT_BYTES_MAX);
        input
            .read_to_end(&mut bytes)
            .context("cannot read what git says")?;
    }
    Ok(bytes)
}

/// Scan what is staged; git runs this
#[derive(clap::Args, Debug)]
struct PreCommitArgs {
    /// Stop the commit when the scan itself breaks
    #[arg(long)]
    strict: bool,
}

/// Scans; exit code 3 stops the commit.
fn pre_commit(args: &PreCommitArgs, context: &Context) -> anyhow::Result<Exit> {
    let outcome = HookScan::open(context).and_then(|scan| scan.scan_commit());
    let outcome = outcome.map_err(anyhow::Error::from);
    Ok(end_hook(outcome, "commit", args.strict, context))
}

/// Findings that a hook shows; `mem scan` lists the rest.
const SHOWN_MAX: usize = 20;

/// Ends a hook: 3 where something was found, and where the scan broke and `strict` says so. With `--json` it prints the
/// report of a scan.
fn end_hook(
    outcome: anyhow::Result<ScanTotals>,
    verb: &str,
    strict: bool,
    context: &Context,
) -> Exit {
    let printer = &context.printer;
    let totals = match outcome {
        Ok(totals) => totals,
        Err(error) => {
            let told = ErrorShape::from_error(&error);
            let message = format!("nothing was scanned: {}", told.message);
            // In text the line after the message says what git does.
            let hint = told.hint.filter(|_| printer.json);
            let told = ErrorShape {
                message,
                hint,
                ..told
            };
            told.print_error(printer);
            return report_broken_scan(verb, strict, context);
        }
    };
    let is_found = !totals.found.is_empty();
    if is_found {
        secrets_stopped::count_today(totals.found.len(), context);
    }
    match is_found {
        // A report that nobody reads decides nothing about what git does.
        _ if printer.json => {
            let _ = report::print(&totals, ReportFormat::Json, false, context);
        }
        true => print_block(&totals, verb, context),
        false => print_rest(&totals, context),
    }
    match (is_found, totals.is_complete()) {
        (true, _) => Exit::Secrets,
        (false, true) => Exit::Ok,
        (false, false) => report_broken_scan(verb, strict, context),
    }
}

/// Says what a scan without findings left out.
fn print_rest(totals: &ScanTotals, context: &Context) {
    if totals.suppressed > 0 {
        context.printer.say(format_args!(
            "mem: {} {} hidden by configuration, comments or allows",
            totals.suppressed,
            if totals.suppressed == 1 {
                "finding is"
            } else {
                "findings are"
            }
        ));
    }
    print_problems(totals, &context.printer);
}

/// The scan itself broke: git goes on, unless the user wants it otherwise.
fn report_broken_scan(verb: &str, strict: bool, context: &Context) -> Exit {
    let (message, exit) = match strict {
        true => (
            format!("the {verb} is stopped, as --strict wants it"),
            Exit::Secrets,
        ),
        false => (
            format!("not everything was scanned; the {verb} goes on"),
            Exit::Ok,
        ),
    };
    if !context.printer.json {
        context.printer.print_error(&message, None);
    }
    exit
}

/// Names commit, file, line, rule and why, and the three ways on.
fn print_block(totals: &ScanTotals, verb: &str, context: &Context) {
    let printer = &context.printer;
    let count = totals.found.len();
    let noun = if count == 1 { "secret" } else { "secrets" };
    printer.print_error(
        &format!("mem found {count} {noun}; the {verb} is stopped"),
        None,
    );
    for found in totals.found.iter().take(SHOWN_MAX) {
        printer.write_stderr(&block(found, false));
    }
    if count > SHOWN_MAX {
        printer.write_stderr(&format_args!("... and {} more", count - SHOWN_MAX));
    }
    print_problems(totals, printer);
    let first = totals.found.first().map(|one| one.fingerprint.to_string());
    let fingerprint = first.unwrap_or_default();
    // What comes along with a push allows nothing, and neither does an agent.
    let by = match verb {
        "push" => " (a person does)",
        _ => "",
    };
    printer.write_stderr(&format_args!(
        "three ways on:\n  \
         rewrite:  revoke the secret, take it out of the commits, and {verb} again\n  \
         allow:    mem secrets allow {fingerprint} --reason \"why it is no secret\"{by}\n  \
         bypass:   git {verb} --no-verify"
    ));
}
