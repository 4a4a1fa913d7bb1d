//! `mem secrets allow`.

use std::path::Path;

use mem_core::history::AuthorKind;
use mem_core::{project, trust};
use mem_scan::rules::{add_allow, root_of};
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;

/// Allow one finding for good, with a reason
///
/// The fingerprint stands for the secret, not for its place: the finding stays allowed when its
/// line or file moves, and another secret at the same place is found. The allow and its key go
/// into .mem/ of the repository, to be committed. For a push it counts at once where a person makes it, and
/// an agent's counts once the remote has it. For memory that is shared it counts in a repository that you
/// trust (`mem trust`).
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// As `mem scan` prints it: rule:0123456789abcdef
    fingerprint: String,
    /// Why it is no secret, or why it may stay
    #[arg(long)]
    reason: String,
}

/// Whether the repository's allows count for memory too.
fn is_trusted(root: &Path, context: &Context) -> anyhow::Result<bool> {
    let (dirs, found) = (context.dirs()?, project::find(root, &context.env));
    Ok(found.is_ok_and(|project| trust::is_trusted(dirs, &project.root)))
}

/// Writes the allow, and says where.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let root = root_of(&context.cwd).unwrap_or_else(|| context.cwd.clone());
    // What is written here is committed.
    let reason = context.stored_reason(Some(args.reason.clone()));
    let reason = reason.unwrap_or_default();
    let is_person = context.author().actor != AuthorKind::Agent;
    let own = project::find(&root, &context.env).map_or_else(|_| root.clone(), |found| found.root);
    let own = Some(own.as_path()).filter(|_| is_person);
    let (path, new) = add_allow(
        &root,
        &args.fingerprint,
        &reason,
        own,
        context.dirs()?,
        context.now,
    )?;
    let printer = &context.printer;
    if printer.json {
        printer
            .print_json(&json!({ "file": path, "fingerprint": args.fingerprint, "new": new }))?;
        return Ok(Exit::Ok);
    }
    let shown = path.to_string_lossy();
    let shown = clean(&shown);
    printer.line(match new {
        true => format!("allowed in `{shown}`; commit it with the key beside it"),
        false => format!("allowed already in `{shown}`"),
    })?;
    if !is_person {
        printer.say("for a push it counts once the remote has it, or when a person allows it too");
    }
    if !is_trusted(&root, context)? {
        printer
            .say("for what goes to the team it counts once you trust the repository: `mem trust`");
    }
    Ok(Exit::Ok)
}
