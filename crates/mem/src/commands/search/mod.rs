//! `mem search`: memories that have to do with something, for a person; with `--sessions` past sessions.

pub(crate) mod sessions;

use std::fmt::Write as _;
use std::ops::Range;

use anyhow::Result;
use mem_core::memory::ProjectMemory;
use mem_core::{MemoryType, Scope};
use mem_find::encoder::ChosenEncoder;
use mem_find::search::{MemorySearch, SearchAnswer, SearchHit, find_matches, find_memories};
use mem_find::settings;
use mem_recall::RankFilter;
use mem_recall::encoder::Encoder;
use regex::bytes::{Regex, RegexBuilder};
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::note_json::NoteJson;
use crate::sanitize::clean;
use crate::select::MemoryFilter;
use crate::style;
use crate::usage::UsageError;
use mem_core::relative_time::Since;

/// Search the memories
///
/// Ranks the memories by their words and their meaning, the best first; not every word must be in
/// one. Words count with their forms (`deploys` finds `deployed`) and by the parts of identifiers.
/// Where no memory shares a word or the meaning, those are listed that hold every word as letters.
/// Exits with 1 where there is none, as grep does.
///
/// With --sessions it looks through what you and the model said in the past sessions of Claude Code, Codex, Copilot CLI,
/// Gemini CLI and Qwen Code on this machine, and names the command that goes on with each. Secrets are masked before
/// anything is indexed, projects in which memory is off are left out, and an agent sees this project's sessions only.
///
/// With --json: {"memories":[.., each with "score" and "snippets":[{"line","text"}]]}; with --sessions
/// {"sessions":[{"host","session","folder","title","transcript","resume","passages":[{"time","by","text"}]}]}.
///
/// Example: mem search --sessions rate limit
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The words, or with --regex an expression
    #[arg(required = true)]
    words: Vec<String>,
    #[command(flatten)]
    selection: MemoryFilter,
    /// Only what was written since: a span such as `30d`, `2w`, or a date
    #[arg(long, value_name = "WHEN")]
    since: Option<Since>,
    /// Take the words for a regular expression over lines; case is ignored unless it says `(?-i)`
    #[arg(long)]
    regex: bool,
    /// Search past sessions in place of memories
    #[arg(long, conflicts_with_all = ["regex", "kind", "scope", "tags"])]
    sessions: bool,
    /// At most so many
    #[arg(long, default_value_t = 20, value_name = "N")]
    limit: usize,
}

/// Prints the memories, the best first, with the lines that say why.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    if args.sessions {
        let since = args.since.map(|since| since.to_instant(context.now));
        return sessions::search_sessions(&args.words.join(" "), since, args.limit, context);
    }
    let place = context.place()?;
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let found = match args.regex {
        true => {
            let regex = compile_pattern(&args.words.join(" "))?;
            let since = args.since.map(|since| since.to_instant(context.now));
            let listing = memory.list(&args.selection.scopes())?;
            let notes = listing.notes.into_iter().filter(|note| {
                args.selection.admits_note(note) && since.is_none_or(|since| note.modified >= since)
            });
            let matches = |line: &str| {
                let matches = regex.find_iter(line.as_bytes());
                matches.map(|found| found.range()).collect()
            };
            SearchAnswer {
                hits: find_matches(notes, &matches).take(args.limit).collect(),
                warnings: listing.warnings,
            }
        }
        false => {
            let search = MemorySearch {
                text: args.words.join(" "),
                filter: rank_filter(&args.selection),
                since: args.since.map(|since| since.to_instant(context.now)),
                is_sifted: args.since.is_some() || !args.selection.tags.is_empty(),
                limit: args.limit,
                encoder: encoder(context)?,
                weights: settings::rank_weights(&place.config),
            };
            let storing = settings::storing_mode(&place.config);
            let admits = |note: &_| args.selection.admits_note(note);
            find_memories(&search, &memory, context.now, storing, &admits)?
        }
    };
    context.warn_all(&found.warnings);
    print_hits(&found.hits, context)
}

/// The encoder to search with; warns of what keeps an installed one from being used.
fn encoder(context: &Context) -> Result<Option<&'static Encoder>> {
    let chosen = ChosenEncoder::choose(context.dirs()?);
    if let Some(text) = chosen.warning() {
        context.print_warning(text);
    }
    Ok(chosen.encoder)
}

/// What the index is asked for; tags are told apart later, since all of them must be there.
fn rank_filter(selection: &MemoryFilter) -> RankFilter {
    RankFilter {
        kinds: selection
            .kind
            .iter()
            .map(|kind| MemoryType::as_str(*kind).to_owned())
            .collect(),
        scopes: selection
            .scope
            .iter()
            .map(|scope| Scope::as_str(*scope).to_owned())
            .collect(),
        // A person may well look for what has expired.
        expired: true,
        ..RankFilter::default()
    }
}

fn compile_pattern(pattern: &str) -> Result<Regex> {
    let built = RegexBuilder::new(pattern)
        .unicode(false)
        .case_insensitive(true)
        .build();
    built.map_err(|error| {
        let text = error.to_string();
        let reason = text
            .lines()
            .last()
            .unwrap_or_default()
            .trim_start_matches("error: ");
        let message = format!("`{pattern}` is not a regular expression: {reason}");
        UsageError::new(
            message,
            "without --regex the words are searched for as they are",
        )
        .into()
    })
}

fn print_hits(found: &[SearchHit], context: &Context) -> Result<Exit> {
    let exit = match found.is_empty() {
        true => Exit::Failure,
        false => Exit::Ok,
    };
    if context.printer.json {
        let memories: Vec<_> = found.iter().map(hit_json).collect::<Result<_>>()?;
        context.print_json(&json!({ "memories": memories }))?;
        return Ok(exit);
    }
    let bold = style::STRONG;
    for one in found {
        let note = &one.note;
        let text = note
            .topic
            .description
            .as_deref()
            .unwrap_or_else(|| note.title());
        let label = note.label();
        context.line(format_args!(
            "{bold}{}{bold:#}  {}",
            clean(&label),
            clean(text)
        ))?;
        for snippet in &one.snippets {
            context.line(format_args!(
                "  {}: {}",
                snippet.line,
                mark_words(&snippet.text, &snippet.marks)
            ))?;
        }
    }
    if found.is_empty() {
        context.say("no memory has to do with this");
    }
    Ok(exit)
}

/// A text with the words at `marks` in bold.
fn mark_words(text: &str, marks: &[Range<usize>]) -> String {
    let bold = style::STRONG;
    let mut marked = String::new();
    let mut at = 0;
    for mark in marks {
        let (before, word) = (&text[at..mark.start], &text[mark.clone()]);
        // Writing into a string cannot fail.
        let _ = write!(marked, "{}{bold}{}{bold:#}", clean(before), clean(word));
        at = mark.end;
    }
    marked + &clean(&text[at..])
}

fn hit_json(found: &SearchHit) -> Result<serde_json::Value> {
    let mut value = serde_json::to_value(NoteJson::from(&found.note))?;
    value["score"] = json!(found.score);
    let snippets = found.snippets.iter();
    value["snippets"] = snippets
        .map(|one| json!({ "line": one.line, "text": one.text }))
        .collect();
    Ok(value)
}
