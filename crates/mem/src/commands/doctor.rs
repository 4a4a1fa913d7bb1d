//! `mem doctor`: whether everything around the memories is as it should be.

use anyhow::Result;
use mem_admin::doctor::{CheckStatus, DoctorCheck, run_checks};
use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use crate::style::{ERROR, HINT, SUCCESS, WARNING};

/// Check the environment and the state of mem
///
/// Directories and their permissions, settings, git, other programs called mem on the PATH and their versions,
/// which program hooks, MCP servers and the plugin run, the lock, every change and content of the histories, which
/// model is asked, tokens, how memory is
/// shared, and daemons. --fix mends what needs no decision: permissions, what a crash interrupted, what a
/// killed write or a killed daemon left behind. Exits with 1 where a check fails; a warning is no failure.
///
/// With --json: {"checks":[{"name","status","message","hint"}]}; status is ok, warn or fail.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Mend what needs no decision, then check
    #[arg(long)]
    fix: bool,
}

/// Checks, after mending where that was asked for.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let checks = run_checks(context, args.fix);
    if context.printer.json {
        let shapes: Vec<Value> = checks.iter().map(check_json).collect();
        context.printer.print_json(&json!({ "checks": shapes }))?;
    } else {
        for check in &checks {
            context.printer.line(check_line(check))?;
        }
    }
    Ok(
        match checks.iter().any(|check| check.status == CheckStatus::Fail) {
            true => Exit::Failure,
            false => Exit::Ok,
        },
    )
}

fn check_line(check: &DoctorCheck) -> String {
    let (style, word) = match check.status {
        CheckStatus::Ok => (SUCCESS, "ok  "),
        CheckStatus::Warn => (WARNING, "warn"),
        CheckStatus::Fail => (ERROR, "fail"),
    };
    let hint = check.hint.as_ref().map_or(String::new(), |hint| {
        format!("\n      {HINT}hint{HINT:#}: {}", clean(hint))
    });
    let message = clean(&check.message);
    format!("{style}{word}{style:#}  {}: {message}{hint}", check.name)
}

fn check_json(check: &DoctorCheck) -> Value {
    json!({
        "name": check.name, "status": check.status.as_str(), "message": check.message,
        "hint": check.hint,
    })
}
