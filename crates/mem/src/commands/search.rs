//! `mem search`: words in memories.

use anyhow::Result;
use mem_core::memory::Memory;
use mem_core::search::{Hit, Query};
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::note_json::NoteJson;
use crate::sanitize::clean;
use crate::select::Selection;
use crate::style;

/// Search the memories for words
///
/// Finds memories that hold every word, in name, description, tags or body, whatever the case.
/// Exits with 1 where there is none, as grep does.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The words
    #[arg(required = true)]
    words: Vec<String>,
    #[command(flatten)]
    selection: Selection,
}

/// Prints the memories, the best first, with the lines that hold a word.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let memory = Memory::new(&place.location, context.dirs()?);
    let query = Query::new(&args.words.join(" "));
    let notes = memory.list(&args.selection.scopes())?.notes;
    let mut hits: Vec<_> = notes
        .iter()
        .filter(|note| args.selection.admits(note))
        .filter_map(|note| Some((note, query.find(&note.topic, &note.bytes)?)))
        .collect();
    hits.sort_by_key(|(_, hit)| std::cmp::Reverse(hit.score));
    let exit = if hits.is_empty() {
        Exit::Failure
    } else {
        Exit::Ok
    };
    if context.printer.json {
        let found: Vec<_> = hits
            .iter()
            .map(|(note, hit)| with_snippets(NoteJson::from(*note), hit))
            .collect::<Result<_>>()?;
        context.printer.json(&json!({ "memories": found }))?;
        return Ok(exit);
    }
    for (note, hit) in &hits {
        let label = note.label();
        let text = note
            .topic
            .description
            .as_deref()
            .unwrap_or_else(|| note.title());
        let bold = style::STRONG;
        context.printer.line(format_args!(
            "{bold}{}{bold:#}  {}",
            clean(&label),
            clean(text)
        ))?;
        for snippet in &hit.snippets {
            context
                .printer
                .line(format_args!("  {}: {}", snippet.line, clean(&snippet.text)))?;
        }
    }
    if hits.is_empty() {
        context.printer.say("no memory holds all of these words");
    }
    Ok(exit)
}

fn with_snippets(note: NoteJson<'_>, hit: &Hit) -> Result<serde_json::Value> {
    let mut value = serde_json::to_value(note)?;
    let snippets = hit
        .snippets
        .iter()
        .map(|one| json!({ "line": one.line, "text": one.text }));
    value["snippets"] = snippets.collect();
    Ok(value)
}
