//! What a run brought, for people and for programs.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};

use super::Args;
use crate::context::Context;
use crate::sanitize::{clean_short, one_line};
use crate::style::{FAINT, STRONG};
use mem_agent::extraction::{CandidateTarget, ExtractionReport, PlacedCandidate};
use mem_core::plural::format_count;

/// Prints it.
pub(super) fn print_extraction(
    extracted: &ExtractionReport,
    session: &str,
    transcript: &Path,
    args: &Args,
    context: &Context,
) -> Result<()> {
    let printer = &context.printer;
    if printer.json {
        printer.print_json(&extraction_json(extracted, session, transcript, args))?;
        return Ok(());
    }
    for (at, placed) in extracted.placed.iter().enumerate() {
        printer.line(candidate_line(placed, file_of(extracted, at), args.explain))?;
    }
    for file in &extracted.taken_back {
        printer.line(format_args!(
            "taken back  {FAINT}({}){FAINT:#}",
            one_line(file)
        ))?;
    }
    if args.explain {
        for dropped in &extracted.found.dropped {
            let quote = clean_short(&dropped.quote);
            let why = dropped.reason.text();
            printer.line(format_args!("{FAINT}left out ({why}){FAINT:#}  {quote}"))?;
        }
    }
    if args.explain {
        for line in unsaid_lines(extracted) {
            printer.line(format_args!("{FAINT}{line}{FAINT:#}"))?;
        }
    }
    printer.say(extraction_summary(extracted, args));
    Ok(())
}

/// What `--explain` says where there is nothing to show.
fn unsaid_lines(extracted: &ExtractionReport) -> Vec<String> {
    let found = &extracted.found;
    let mut lines = Vec::new();
    if found.written_turns > 0 {
        let turns = format_count(found.written_turns, "turn", "turns");
        lines.push(format!(
            "left out: {turns} in which the agent wrote memory itself"
        ));
    }
    if found.prompts == 0 {
        lines.push(
            "nothing was said since the session was read last (`--all` reads it again)".to_owned(),
        );
    } else if extracted.placed.is_empty() && found.dropped.is_empty() {
        lines.push("no sentence reads like something to keep".to_owned());
    }
    lines
}

fn candidate_line(placed: &PlacedCandidate, file: Option<String>, explains: bool) -> String {
    let candidate = &placed.candidate;
    let (kind, name) = (candidate.kind, clean_short(&candidate.name));
    let to = match &placed.target {
        CandidateTarget::New => file.unwrap_or_else(|| candidate.scope.to_string()),
        CandidateTarget::Same(file) => format!("said again: {}", one_line(file)),
        CandidateTarget::Instead { file, .. } => {
            format!("in the place of what it said: {}", one_line(file))
        }
        CandidateTarget::Elsewhere(label) => format!("known: {}", one_line(label)),
        CandidateTarget::Inbox => "inbox".to_owned(),
    };
    let mut line = format!("{STRONG}{kind}{STRONG:#}  {name}  {FAINT}({to}){FAINT:#}");
    if explains {
        let (sort, confidence) = (candidate.sort, candidate.confidence);
        let quote = clean_short(&candidate.quote);
        // Writing into a string cannot fail.
        let _ = write!(line, "\n  {sort} {confidence:.2}: \"{quote}\"");
    }
    line
}

/// The file that a candidate was written to.
fn file_of(extracted: &ExtractionReport, at: usize) -> Option<String> {
    extracted.outcome.files.get(at).cloned().flatten()
}

fn extraction_summary(extracted: &ExtractionReport, args: &Args) -> String {
    let count = |to: &str| {
        let all = extracted.placed.iter();
        all.filter(|one| one.target.as_str() == to).count()
    };
    let prompts = format_count(extracted.found.prompts, "prompt", "prompts");
    if extracted.placed.is_empty() {
        return match extracted.taken_back.len() {
            0 => format!("nothing to keep in {prompts}"),
            back => format!(
                "of {prompts}: {} taken back",
                format_count(back, "memory", "memories")
            ),
        };
    }
    let would = if args.dry_run { "would be " } else { "" };
    let (new, again, inbox) = (count("memory"), count("update"), count("inbox"));
    let mut text =
        format!("of {prompts}: {new} {would}new, {again} {would}said again, {inbox} in the inbox");
    if let [change] = extracted.outcome.changes.as_slice() {
        let _ = write!(text, "; `mem undo {change}` takes them back");
    }
    text
}

fn extraction_json(
    extracted: &ExtractionReport,
    session: &str,
    transcript: &Path,
    args: &Args,
) -> Value {
    let placed = extracted.placed.iter().enumerate();
    let candidates = placed.map(|(at, placed)| {
        let mut value = serde_json::to_value(&placed.candidate).unwrap_or_default();
        value["to"] = json!(placed.target.as_str());
        value["file"] = match &placed.target {
            CandidateTarget::Same(file) | CandidateTarget::Instead { file, .. } => json!(file),
            CandidateTarget::Elsewhere(label) => json!(label),
            CandidateTarget::New | CandidateTarget::Inbox => json!(file_of(extracted, at)),
        };
        value
    });
    let dropped =
        extracted.found.dropped.iter().map(
            |one| json!({"quote": one.quote, "reason": one.reason, "text": one.reason.text()}),
        );
    json!({
        "session": session,
        "transcript": transcript,
        "prompts": extracted.found.prompts,
        "written_turns": extracted.found.written_turns,
        "candidates": candidates.collect::<Vec<_>>(),
        "dropped": dropped.collect::<Vec<_>>(),
        "taken_back": extracted.taken_back,
        "changes": extracted.outcome.changes,
        "waiting": extracted.outcome.waiting,
        "dry_run": args.dry_run,
    })
}
