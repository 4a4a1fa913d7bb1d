//! A run, for people and for programs.

use std::collections::BTreeSet;

use anyhow::Result;
use mem_core::Diagnose;
use mem_core::memory_path::printable;
use mem_sync::EntryKey;
use mem_sync::client::RoundReport;
use mem_sync::plan::BlockedFile;
use mem_team::deletion::{deletion_failure, kept_key};
use mem_team::outbound_scan::{blocked_hint, is_hidden, shown_key, shown_name, shown_refusal};
use mem_team::outcome::file_of;
use mem_team::settings::TeamShare;
use mem_team::sync_run::RoundRun;
use serde_json::{Value, json};

use crate::context::Context;
use crate::error::ErrorShape;
use crate::exit::Exit;
use crate::sanitize::clean;
use crate::style::{FAINT, HINT, STRONG, WARNING};
use mem_core::plural;

/// Files of one kind that are named; more are counted.
const NAMED_MAX: usize = 20;

/// Tells what a run came to, and how it ends.
///
/// # Errors
/// Standard output cannot be written.
pub(crate) fn print_run(
    share: &TeamShare,
    run: &RoundRun,
    is_dry: bool,
    context: &Context,
) -> Result<Exit> {
    if context.printer.json {
        context.printer.print_json(&run_json(share, run, is_dry))?;
    } else {
        print_outcome(share, run, is_dry, context)?;
    }
    Ok(end_run(share, run, context))
}

/// What a run came to, for people.
///
/// # Errors
/// Standard output cannot be written.
pub(crate) fn print_outcome(
    share: &TeamShare,
    run: &RoundRun,
    is_dry: bool,
    context: &Context,
) -> Result<()> {
    for line in run_lines(share, run, is_dry) {
        context.printer.line(line)?;
    }
    warn_of_blocked(share, run, is_dry, context);
    Ok(())
}

/// How a run ends; why it stopped is said, and why what was to be deleted was not.
pub(crate) fn end_run(share: &TeamShare, run: &RoundRun, context: &Context) -> Exit {
    if let Some(trouble) = &run.trouble {
        let exit = print_failure(trouble, context);
        say_queued_deletion(share, run, context);
        return exit;
    }
    let exit = exit_code(run);
    match deletion_failure(share, run) {
        Some(why) => {
            let end = print_failure(&why, context);
            if exit == Exit::Secrets { exit } else { end }
        }
        None => exit,
    }
}

/// Says that a deletion which could not be sent is not lost, and how it is taken back.
fn say_queued_deletion(share: &TeamShare, run: &RoundRun, context: &Context) {
    let Some(key) = run.deletion.as_ref().filter(|_| run.is_deletion_queued) else {
        return;
    };
    if context.printer.json {
        return;
    }
    let here = if run.is_removed_here {
        "removed here; "
    } else {
        ""
    };
    context.printer.print_warning(format_args!(
        "`{}`: {here}it is deleted for everybody with the next sync (`{}`)",
        shown_key(key),
        share.sync()
    ));
    if run.is_removed_here {
        let printer = &context.printer;
        printer.say(format_args!(
            "{HINT}hint{HINT:#}: `mem undo` takes the deletion back"
        ));
    }
}

/// Says why a run stopped, why nothing was deleted, or why a file is not sent.
pub(crate) fn print_failure(failure: &dyn Diagnose, context: &Context) -> Exit {
    let kind = failure.kind();
    let diagnosis = ErrorShape {
        kind: kind.as_str(),
        message: failure.to_string(),
        hint: failure.hint(),
        exit: Exit::from(kind),
    };
    diagnosis.print_error(&context.printer);
    diagnosis.exit
}

/// What was blocked decides: whoever scripts this must not take it for done.
fn exit_code(run: &RoundRun) -> Exit {
    let report = &run.report;
    let is_secret = |one: &BlockedFile| matches!(one, BlockedFile::Secret { .. });
    if report.blocked.iter().any(is_secret) {
        return Exit::Secrets;
    }
    let is_left = report.unscanned.is_some()
        || !report.blocked.is_empty()
        || !report.held.is_empty()
        || !report.behind.is_empty()
        || !report.unnamed.is_empty()
        || !report.rejected.is_empty()
        || kept_key(run).is_some()
        || !report.absent.is_empty()
        || !run.refused.is_empty();
    match is_left {
        true => Exit::Failure,
        false => Exit::Ok,
    }
}

fn run_lines(share: &TeamShare, run: &RoundRun, is_dry: bool) -> Vec<String> {
    let report = &run.report;
    let mut lines = Vec::new();
    for (done, would, keys) in [
        ("sent by the daemon", None, &run.untold.sent),
        ("taken by the daemon", None, &run.untold.taken),
        ("taken", Some("would take"), &report.taken),
        ("removed", Some("would remove"), &report.removed),
        ("merged", Some("would merge"), &report.merged),
        ("gave way", Some("would give way"), &report.conflicts),
        (
            "sent",
            Some("would send"),
            &(&report.pushed - &report.revived),
        ),
        ("brought back", Some("would bring back"), &report.revived),
        ("deleted", Some("would delete"), &report.deleted),
        ("stays, and is not deleted", None, &report.kept),
        (
            "could not be deleted",
            Some("cannot be deleted"),
            &report.absent,
        ),
    ] {
        let word = would.filter(|_| is_dry).unwrap_or(done);
        lines.extend(file_lines(word, keys.iter().map(shown_key)));
    }
    lines.extend(file_lines(
        "to be sent",
        report.waiting.iter().map(shown_key),
    ));
    let in_review = report.in_review.iter().map(shown_key);
    lines.extend(file_lines("waits for `mem team review`", in_review));
    let reviewed = &run.reviewed;
    let waits = match is_dry {
        true => "would wait in the inbox",
        false => "waits in the inbox",
    };
    lines.extend(file_lines(waits, reviewed.waiting.iter().cloned()));
    lines.extend(file_lines(
        "was rejected",
        reviewed.rejected.iter().cloned(),
    ));
    if let Some(end) = end_words(run, is_dry, lines.is_empty()) {
        let (repository, address) = (share.repository.name(), share.address.to_string());
        lines.push(format!(
            "{end}: {STRONG}{}{STRONG:#} at {}",
            clean(repository),
            clean(&address)
        ));
    }
    lines
}

/// How the last line begins. A run that stopped has no such line, but for a dry one: that says that nothing was
/// changed.
fn end_words(run: &RoundRun, is_dry: bool, is_empty: bool) -> Option<&'static str> {
    if run.trouble.is_some() {
        return is_dry.then_some("nothing was changed");
    }
    let is_whole = exit_code(run) == Exit::Ok;
    Some(match (is_dry, is_whole, is_empty) {
        (true, false, _) => "not everything can be shared, and nothing was changed",
        (true, true, true) => "nothing would change",
        (true, true, false) => "nothing was changed",
        (false, false, _) => "not everything could be shared",
        (false, true, true) => "in step",
        (false, true, false) => "done",
    })
}

/// The first of some files, and how many more there are: of those no name is made.
pub(crate) fn file_lines(word: &str, files: impl ExactSizeIterator<Item = String>) -> Vec<String> {
    let more = files.len().saturating_sub(NAMED_MAX);
    let shown = files.take(NAMED_MAX);
    let mut lines: Vec<String> = shown.map(|file| format!("{word}  {file}")).collect();
    if more > 0 {
        lines.push(format!(
            "{word}  {FAINT}{} more{FAINT:#}",
            plural::count_files(more)
        ));
    }
    lines
}

/// What a remote that was put back to an older state does not know any more.
fn warn_of_an_older_state(report: &RoundReport, context: &Context) {
    let printer = &context.printer;
    if !report.lost.is_empty() {
        printer.print_warning(format_args!(
            "the remote has lost {} that it had, or newer versions of them: somebody reset it, or restored an older \
             state; what stands here goes there again",
            plural::count_files(report.lost.len())
        ));
    }
    if !report.undeleted.is_empty() {
        printer.print_warning(format_args!(
            "{} that had been deleted for everybody stood at the remote again: somebody restored an older \
             state, and it is deleted again",
            plural::count_files(report.undeleted.len())
        ));
    }
}

/// What stays as it is, and why.
fn warn_of_blocked(share: &TeamShare, run: &RoundRun, is_dry: bool, context: &Context) {
    let (report, printer) = (&run.report, &context.printer);
    warn_of_an_older_state(report, context);
    for blocked in &report.blocked {
        printer.print_error(&format!("not sent: {blocked}"), Some(blocked_hint(blocked)));
    }
    if let Some(error) = &report.unscanned {
        printer.print_error(&format!("nothing was sent: {error}"), None);
    }
    for (key, held) in &report.held {
        printer.print_warning(format_args!(
            "the remote does not take `{}`: {}",
            shown_key(key),
            held.message
        ));
    }
    for one in &report.unnamed {
        let name = shown_name(&one.name);
        match name == one.name {
            true => printer.print_warning(format_args!("not shared: {one}")),
            false => printer.print_warning(format_args!("not shared: {name}")),
        }
    }
    let unread = run.unread.iter();
    let unread = unread.map(|(name, why)| format!("`{}`: {why}", printable(name)));
    warn_of_first("not shared", unread, context);
    warn_of_not_taken(share, run, context);
    for key in &report.behind {
        let key = shown_key(key);
        printer.print_warning(format_args!(
            "not sent: `{key}` changed at both ends: `{}` merges it",
            share.sync()
        ));
    }
    for key in &report.undecided {
        let key = shown_key(key);
        printer.print_warning(format_args!(
            "not sent: `{key}` changed at both ends, and it is for you to decide about the remote's text: \
             `mem inbox list`, with --rejected for what was rejected"
        ));
    }
    for key in &report.overtaken {
        printer.print_warning(format_args!(
            "`{}` changed meanwhile: the next run looks again",
            shown_key(key)
        ));
    }
    // A dry run keeps no copy that could be shown.
    if !report.conflicts.is_empty() && !is_dry {
        let word = WARNING;
        printer.say(format_args!(
            "{word}conflict{word:#}: what gave way is kept; `{}` shows both",
            share.resolve()
        ));
    }
}

/// A warning for each of the first of some files, and how many more there are: a remote may have thousands.
fn warn_of_first(word: &str, files: impl ExactSizeIterator<Item = String>, context: &Context) {
    let more = files.len().saturating_sub(NAMED_MAX);
    for file in files.take(NAMED_MAX) {
        context.print_warning(format_args!("{word}: {file}"));
    }
    if more > 0 {
        let more = plural::count_files(more);
        context.print_warning(format_args!("{word}: {more} more"));
    }
}

fn warn_of_not_taken(share: &TeamShare, run: &RoundRun, context: &Context) {
    let not_taken = not_taken(run);
    let told = not_taken.iter();
    let told = told.map(|(name, why)| format!("`{name}`: {why}"));
    warn_of_first("not taken", told, context);
    if not_taken.iter().any(|(name, _)| is_hidden(name)) {
        let command = share.command;
        context.say(format_args!(
            "`{command} redact --names` takes names that hold a secret out of the remote"
        ));
    }
}

/// What the remote has and was not taken, and why.
fn not_taken(run: &RoundRun) -> Vec<(String, String)> {
    let rejected = run.report.rejected.iter();
    let rejected = rejected.map(|one| (&one.name, &one.rejection.message));
    let all = rejected.chain(&run.refused);
    all.map(|(name, why)| shown_refusal(name, why)).collect()
}

/// Names as they may be shown.
fn shown_names(keys: &BTreeSet<EntryKey>) -> Vec<String> {
    keys.iter().map(shown_key).collect()
}

/// The stable shape.
pub(crate) fn run_json(share: &TeamShare, run: &RoundRun, is_dry: bool) -> Value {
    let report = &run.report;
    let blocked = report.blocked.iter().map(|one| {
        let (rule, line) = match one {
            BlockedFile::Secret { leak, .. } => (Some(leak.rule.as_str()), leak.line),
            _ => (None, None),
        };
        json!({ "file": file_of(one), "why": one.to_string(), "rule": rule, "line": line })
    });
    let held = report.held.iter();
    let held = held.map(
        |(key, why)| json!({ "file": shown_key(key), "code": why.code, "message": why.message }),
    );
    let unnamed = report.unnamed.iter();
    let unnamed = unnamed.map(|one| {
        let name = shown_name(&one.name);
        let why = match name == one.name {
            true => one.rejection.message.clone(),
            false => "no memory can be shared under this name".to_owned(),
        };
        (name, why)
    });
    let unread = run
        .unread
        .iter()
        .map(|(name, why)| (printable(name), why.clone()));
    let error = run.trouble.as_ref().map(ToString::to_string);
    let error = error.or_else(|| deletion_failure(share, run).map(|why| why.to_string()));
    let told = |(file, why): (String, String)| json!({ "file": file, "why": why });
    json!({
        "remote": share.address.to_string(), "repository": share.repository.name(),
        "dry_run": is_dry, "not_modified": report.not_modified,
        "lost": shown_names(&report.lost), "undeleted": shown_names(&report.undeleted),
        "taken": shown_names(&report.taken), "removed": shown_names(&report.removed),
        "merged": shown_names(&report.merged), "conflicts": shown_names(&report.conflicts),
        "pushed": shown_names(&report.pushed), "pushed_by_daemon": shown_names(&run.untold.sent),
        "taken_by_daemon": shown_names(&run.untold.taken), "deleted": shown_names(&report.deleted),
        "kept": shown_names(&report.kept), "absent": shown_names(&report.absent), "in_review": shown_names(&report.in_review),
        "in_inbox": run.reviewed.waiting, "turned_down": run.reviewed.rejected,
        "revived": shown_names(&report.revived), "waiting": shown_names(&report.waiting), "overtaken": shown_names(&report.overtaken),
        "behind": shown_names(&report.behind), "undecided": shown_names(&report.undecided),
        "blocked": blocked.collect::<Vec<_>>(), "held": held.collect::<Vec<_>>(),
        "not_taken": not_taken(run).into_iter().map(told).collect::<Vec<_>>(),
        "not_shared": unnamed.chain(unread).map(told).collect::<Vec<_>>(),
        "unscanned": report.unscanned.as_ref().map(ToString::to_string),
        "error": error,
    })
}
