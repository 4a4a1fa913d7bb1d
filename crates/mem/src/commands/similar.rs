//! `mem similar`: memories that are like one.

use anyhow::Result;
use mem_core::Scope;
use mem_core::memory::ProjectMemory;
use mem_find::settings;
use mem_find::similar::{SimilarNote, similar_notes};
use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::Exit;
use crate::note_json::NoteJson;
use crate::sanitize::clean;
use crate::style;

/// List the memories that are most like one
///
/// Compares words and, where both are encoded (`mem warm`), sentences. From 0.82 on two memories are
/// taken to say the same, and are marked; `mem check` and `mem save` warn of those.
///
/// With --json: {"memories":[.., each with "score" and "near_duplicate"]}.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The memory
    name: String,
    /// Its tier
    #[arg(long)]
    scope: Option<Scope>,
    /// At most so many
    #[arg(long, default_value_t = 5, value_name = "N")]
    limit: usize,
}

/// Prints them, the most alike first.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let note = memory.find(&args.name, args.scope)?;
    let answer = similar_notes(
        &memory,
        &note,
        args.limit,
        settings::storing_mode(&place.config),
    )?;
    context.warn_all(&answer.warnings);
    let found = answer.notes;
    if context.printer.json {
        let memories: Vec<Value> = found.iter().map(pair_json).collect::<Result<_>>()?;
        context.print_json(&json!({ "memories": memories }))?;
        return Ok(Exit::Ok);
    }
    for one in &found {
        let text = one.note.topic.description.as_deref();
        let text = text.unwrap_or_else(|| one.note.title());
        let mark = match one.is_same {
            true => format!("  {}[says the same]{:#}", style::WARNING, style::WARNING),
            false => String::new(),
        };
        let (label, score) = (one.note.label(), one.score);
        let line = format!(
            "{score:.2}  {}  {}",
            clean(&label),
            clean(text).replace('\n', " ")
        );
        context.line(format_args!("{line}{mark}"))?;
    }
    if found.is_empty() && args.limit > 0 {
        context.say("there is no other memory");
    }
    Ok(Exit::Ok)
}

fn pair_json(one: &SimilarNote) -> Result<Value> {
    let mut value = serde_json::to_value(NoteJson::from(&one.note))?;
    value["score"] = json!(one.score);
    value["near_duplicate"] = json!(one.is_same);
    Ok(value)
}
