//! The proof of an erasure: what was looked for, where, and what was found. It has no content and no name.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use mem_core::erasure::{Erasure, TracePatterns, TraceSearch};
use mem_core::regular_file;
use serde_json::{Value, json};

use super::Args;
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use crate::transcripts;
use crate::usage::UsageError;
use mem_agent::session::transcript_search::TranscriptSearch;
use mem_core::plural::format_count;

/// Random bytes before each trace, so that nobody recognises one by a list of their own.
const SALT_BYTES: usize = 16;

/// Refuses a file that is there, since a proof is never overwritten, one that cannot be made, and one in a folder that
/// is to go. Asked before anything is erased.
pub(super) fn require_place(
    args: &Args,
    context: &Context,
    erasure: Option<&Erasure>,
) -> Result<()> {
    let Some(path) = proof_path(args, context) else {
        return Ok(());
    };
    let file = path.display();
    let (message, hint) = if path.symlink_metadata().is_ok() {
        (
            format!("`{file}` exists already"),
            "name a file that is not there yet",
        )
    } else if !path.parent().is_some_and(Path::is_dir) {
        (
            format!("there is no folder for `{file}`"),
            "name a file in a folder that is there",
        )
    } else if erasure.is_some_and(|erasure| erasure.reaches(&path)) {
        (
            format!("`{file}` would stand in what is erased"),
            "name a file in another folder",
        )
    } else {
        return Ok(());
    };
    Err(UsageError::new(message, hint).into())
}

/// Makes the proof, keeps it where that is wanted, and tells what it comes to.
pub(super) fn print_proof(
    args: &Args,
    context: &Context,
    erased: &Value,
    traces: &TracePatterns,
    found: &TraceSearch,
) -> Result<Exit> {
    let is_of_person = args.all || args.project;
    let hosts = match is_of_person || args.user.is_some() {
        true => transcripts::find_transcripts(context, &traces.finder()?),
        false => TranscriptSearch::default(),
    };
    let never_touched = is_of_person.then(|| never_touched(&hosts)).flatten();
    let mut proof = proof_json(context, erased, traces, found)?;
    proof["never_searched"] = json!(never_touched);
    proof["transcripts"] = hosts.to_json();
    if let Some(path) = proof_path(args, context) {
        let kept = regular_file::create_new(&path).and_then(|mut file| {
            file.write_all(format!("{proof:#}\n").as_bytes())?;
            file.sync_all()
        });
        let why = || format!("cannot keep the proof in `{}`", path.display());
        kept.with_context(why)?;
    }
    if context.printer.json {
        let mut all = erased.clone();
        all["erased"] = true.into();
        all["proof"] = proof;
        context.print_json(&all)?;
    } else {
        print_traces(context, traces, found, never_touched.as_deref())?;
        transcripts::print_transcripts(&hosts, context);
    }
    Ok(match found.is_left() {
        true => Exit::Failure,
        false => Exit::Ok,
    })
}

fn print_traces(
    context: &Context,
    traces: &TracePatterns,
    found: &TraceSearch,
    never_touched: Option<&str>,
) -> Result<()> {
    let [names, digests, probes] = traces.counts().map(|(_, count)| count);
    let files: usize = found.searched.iter().map(|one| one.files).sum();
    let objects: usize = found.searched.iter().map(|one| one.objects).sum();
    let printer = &context.printer;
    if !found.searched.is_empty() {
        printer.line(format_args!(
            "looked for {names} names, {digests} checksums and {probes} pieces of contents in {files} files and \
             {objects} objects of histories"
        ))?;
    }
    let too_short = traces.count_too_short();
    if too_short > 0 {
        printer.line(format_args!(
            "too short to be looked for in pieces: {}, looked for as a whole",
            format_count(too_short, "content", "contents")
        ))?;
    }
    let path = |path: &Path| clean(&path.to_string_lossy()).into_owned();
    let hits = found.hits.iter();
    let hits = hits.map(|hit| format!("left: {} ({})", path(&hit.file), hit.kind.as_str()));
    let memories = found.memories.iter();
    let memories = memories.map(|folder| format!("left: {} (memories)", path(folder)));
    let unread = found.unread.iter();
    let unread = unread.map(|file| format!("not readable: {}", path(file)));
    let not_searched = found.not_searched.iter();
    let not_searched = not_searched.map(|place| format!("not searched: {place}"));
    let stays = found.stays.iter();
    let stays = stays.map(|what| format!("stays: {}", clean(what)));
    let untouched = never_touched.map(|what| format!("never touched: {}", clean(what)));
    let lines = hits.chain(memories).chain(unread).chain(not_searched);
    for line in lines.chain(stays).chain(untouched) {
        printer.line(line)?;
    }
    if !found.memories.is_empty() {
        printer.print_warning("memories are left outside the host's directories (listed above)");
    } else if found.is_left() {
        printer
            .print_warning("traces found: another memory may contain the same text (listed above)");
    } else if found.is_clean() {
        printer.line(match too_short {
            0 => "nothing is left",
            _ => "nothing is left that could be looked for",
        })?;
    } else if found.not_searched.is_empty() {
        printer.line("erased; what stays is no memory, and may speak of it")?;
    } else {
        printer.line("erased; whether nothing is left there was not looked at")?;
    }
    Ok(())
}

fn proof_json(
    context: &Context,
    erased: &Value,
    traces: &TracePatterns,
    found: &TraceSearch,
) -> Result<Value> {
    let mut salt = [0; SALT_BYTES];
    getrandom::fill(&mut salt).map_err(|error| anyhow::anyhow!("no random bytes: {error}"))?;
    let salt_hex: String = salt.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(json!({
        "time": context.current_time().0.to_string(),
        "program": concat!("mem ", env!("CARGO_PKG_VERSION")),
        "erased": erased,
        "searched_for": BTreeMap::from(traces.counts()),
        "traces": { "form": "sha256(salt, trace)", "salt": salt_hex, "digests": traces.salted(&salt) },
        "too_short": traces.count_too_short(),
        "tombstones": found.salted_tombstones(&salt),
        "searched_in": found.searched,
        "not_searched": found.not_searched,
        "not_readable": found.unread,
        "stays": found.stays,
        "memories": found.memories,
        "found": found.hits,
        "is_clean": found.is_clean(),
    }))
}

fn proof_path(args: &Args, context: &Context) -> Option<PathBuf> {
    args.proof.as_ref().map(|path| context.cwd.join(path))
}

/// The transcripts that hosts keep on this machine: they are not ours to touch, and may say all that was erased.
fn never_touched(hosts: &TranscriptSearch) -> Option<String> {
    let count = format_count(hosts.count(), "transcript", "transcripts");
    (hosts.count() > 0).then(|| format!("{count} of hosts, which may say it still"))
}
