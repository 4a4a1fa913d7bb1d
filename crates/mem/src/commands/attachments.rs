//! `mem attachments`: what is attached, and how the copies are.

use anyhow::Result;
use mem_core::location::ProjectContext;
use mem_core::memory_path::{escaped, printable};
use mem_daemon::background;
use mem_stores::attached::{
    AttachError, AttachedStore, Attachment, AttachmentFile, CopyError, Effort, OfflineCopy,
    resources,
};
use mem_sync::client::Direction;
use mem_tools::BACKGROUND_SYNC;
use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::sanitize::{clean, one_line};
use crate::style::{HINT, STRONG, WARNING};
use mem_core::plural::format_count;

/// List the attached stores, and how their copies are
///
/// What waits to be sent, what the server does not get, what cannot be kept here, and texts that gave way to the
/// server's, with the files that they are kept in. With --json: {"resources":[{"type","memory_store_id","access",
/// "instructions","mount_path","name","description","base_url","memories","waiting":[],"held":[{"path","why"}],
/// "skipped":[{"path","why"}],"aside":[{"path","file","why","at"}],"undone":[{"path","to"}],"trouble","archived",
/// "shadows"}]}, which `mem attach --from` reads.
///
/// Exit codes of --sync: 0 in step; 1 something stays here; 5 a server cannot be reached.
///
/// Example: mem attachments --sync
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Talk to the servers first: take over what is new, send what waits
    #[arg(long)]
    sync: bool,
    /// Remove the copy of a text that gave way, by the name of its file; `all` for all of them
    #[arg(long, value_name = "FILE")]
    forget: Option<String>,
    /// Give way to other programs, and outlive the one that sent this
    #[arg(long, hide = true, requires = "sync")]
    background: bool,
}

/// Does what is asked, and lists.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    if args.background {
        if !background::leave_session(BACKGROUND_SYNC) {
            return Ok(Exit::Ok);
        }
        background::lower_priority();
    }
    let place = context.place()?;
    let list = AttachmentFile::for_place(&place, context)?;
    let (attachments, warning) = list.read_attachments();
    if let Some(warning) = warning {
        context.printer.print_warning(&warning);
    }
    if let Some(file) = &args.forget {
        forget_file(file, &attachments, &list, context)?;
    }
    let failed = match args.sync {
        true => sync_attachments(&attachments, &list, &place, context)?,
        false => None,
    };
    let (attachments, _) = list.read_attachments();
    list_attachments(&attachments, &list, context)?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    // Whoever scripts this must not take what stays here for sent.
    let is_held = |one: &Attachment| {
        !OfflineCopy::for_attachment(one, &list)
            .read_status()
            .held
            .is_empty()
    };
    match args.sync && attachments.iter().any(is_held) {
        true => Ok(Exit::Failure),
        false => Ok(Exit::Ok),
    }
}

/// Talks to all servers; returns the first thing that went wrong.
fn sync_attachments(
    attachments: &[Attachment],
    list: &AttachmentFile,
    place: &ProjectContext,
    context: &Context,
) -> Result<Option<CopyError>> {
    let progress = Progress::counting(&context.printer, "fetching memories");
    let mut failed = None;
    for attachment in attachments {
        let store = AttachedStore::new(attachment, list, place, &context.tools);
        let count = |items| progress.counters().add_items(items);
        let outcome = store.sync_with_server(Direction::Both, Effort::without_limit(), &count)?;
        failed = failed.or(outcome.error);
    }
    Ok(failed)
}

fn forget_file(
    file: &str,
    attachments: &[Attachment],
    list: &AttachmentFile,
    context: &Context,
) -> Result<()> {
    let name = (file != "all").then_some(file);
    let mut found = name.is_none();
    for attachment in attachments {
        let copy = OfflineCopy::for_attachment(attachment, list);
        found |= copy.remove_conflict_copies(name, context.now)?;
    }
    match found {
        true => Ok(()),
        false => Err(AttachError::NoCopy(file.to_owned()).into()),
    }
}

fn list_attachments(
    attachments: &[Attachment],
    list: &AttachmentFile,
    context: &Context,
) -> Result<()> {
    let printer = &context.printer;
    for attachment in attachments {
        if let Some(damage) = OfflineCopy::for_attachment(attachment, list).state_damage() {
            let slug = &attachment.slug;
            let text = format_args!(
                "what is known of {slug} is found out again by `mem attachments --sync`: {damage}"
            );
            printer.print_warning(text);
        }
    }
    if printer.json {
        let all: Vec<Value> = attachments
            .iter()
            .map(|one| attachment_json(one, list))
            .collect();
        printer.print_json(&json!({ "resources": all }))?;
        return Ok(());
    }
    if attachments.is_empty() {
        printer.say("no store is attached here");
    }
    for attachment in attachments {
        printer.line(attachment_lines(attachment, list).join("\n"))?;
    }
    Ok(())
}

fn attachment_json(attachment: &Attachment, list: &AttachmentFile) -> Value {
    let copy = OfflineCopy::for_attachment(attachment, list);
    let (status, waiting, base) = (copy.read_status(), copy.unsent_changes(), copy.sync_base());
    let mut shape = resources::attachment_json(attachment);
    let held = status.held.iter();
    let held = held.map(|(path, held)| json!({ "path": path, "why": held.why }));
    let skipped = status.skipped.iter();
    let skipped = skipped.map(|(path, why)| json!({ "path": path, "why": why }));
    let aside = status.aside.iter().map(|one| {
        let file = copy.aside_file(one);
        json!({ "path": one.path, "file": file, "why": one.why, "at": one.at })
    });
    let more = [
        ("base_url", json!(attachment.base_url)),
        ("memories", json!(base.memories.len())),
        ("waiting", json!(waiting.paths)),
        ("held", Value::Array(held.collect())),
        ("skipped", Value::Array(skipped.collect())),
        ("aside", Value::Array(aside.collect())),
        ("undone", json!(status.undone)),
        ("trouble", json!(status.trouble)),
        ("archived", json!(status.is_archived)),
        ("shadows", json!(list.is_shadowing(&attachment.slug))),
    ];
    shape.extend(more.map(|(name, value)| (name.to_owned(), value)));
    Value::Object(shape)
}

fn attachment_lines(attachment: &Attachment, list: &AttachmentFile) -> Vec<String> {
    let copy = OfflineCopy::for_attachment(attachment, list);
    let (status, waiting, base) = (copy.read_status(), copy.unsent_changes(), copy.sync_base());
    let count = format_count(base.memories.len(), "memory", "memories");
    let mut lines = vec![
        format!(
            "{STRONG}{}{STRONG:#}  {}, {count}",
            attachment.mount_path(),
            attachment.access.as_str()
        ),
        format!(
            "  {} ({}) at {}",
            one_line(&attachment.name),
            printable(&attachment.store),
            printable(&attachment.base_url)
        ),
    ];
    if status.is_archived {
        lines.push(warning_line("archived", "it can only be read"));
    }
    if let Some(trouble) = &status.trouble {
        lines.push(warning_line("not in step", &clean(trouble)));
    }
    if list.is_shadowing(&attachment.slug) {
        let what = format!("`{}` of this repository's own memory", attachment.slug);
        lines.push(warning_line("hides", &what));
    }
    for path in waiting
        .paths
        .iter()
        .filter(|path| !status.held.contains_key(*path))
    {
        lines.push(format!("  waits to be sent: {}", escaped(path)));
    }
    for (path, held) in &status.held {
        let what = format!("{}: {}", escaped(path), clean(&held.why));
        lines.push(warning_line("stays here", &what));
    }
    for (path, why) in &status.skipped {
        let what = format!("{}: {}", escaped(path), clean(why));
        lines.push(warning_line("not kept here", &what));
    }
    for one in &status.undone {
        let text = one.describe_for_mount(&attachment.mount_path());
        lines.push(warning_line("stands", &escaped(&text)));
    }
    for one in &status.aside {
        let what = format!("{}: {}", escaped(&one.path), one.why);
        lines.push(warning_line("gave way", &what));
        let file = copy.aside_file(one);
        lines.push(format!(
            "    your text is in `{}`",
            escaped(&file.to_string_lossy())
        ));
        lines.push(format!(
            "    {HINT}hint{HINT:#}: write what is missing again, then `mem attachments --forget {}`",
            printable(&one.file)
        ));
    }
    lines
}

fn warning_line(word: &str, what: &str) -> String {
    format!("  {WARNING}{word}{WARNING:#}: {what}")
}
