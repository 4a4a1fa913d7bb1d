//! `mem recall`: the few notes that help with a prompt.

use anyhow::Result;
use mem_core::memory::{Note, ProjectMemory};
use mem_find::recall_answer::RecallAnswer;
use mem_find::{context_text, session};
use mem_records::Record;
use mem_records::files::record_from_note;
use mem_records::prefetch::{PrefetchLine, block};

use crate::context::Context;
use crate::exit::Exit;
use crate::question::PersonQuestion;
use crate::sanitize::clean;
use crate::{recalled_json, recalled_text};

/// Recall the few memories that help with a prompt
///
/// Ranks the memories of every tier by their words and their meaning, offline, in milliseconds, and
/// prints at most five that clearly help, or nothing. Notes that expired are left out; a note whose
/// code moved or is gone says so. The index follows the files by itself; what is new is encoded in
/// the background, and is ranked by its words until then.
///
/// Formats: `context` is what an agent is given, in whole entries within the budget; `paths` is one
/// file a line; `prefetch` is a heading with a line each (category, content, importance), to put
/// before a prompt; `json` is {"memories":[{"id","file","path","scope","type","name","description",
/// "score","age_days","drift":{"verdict","reasons":[]},"author","why":[]}],"abstained",
/// "filtered":[{"file","by","score"}]}, where `by` is scope, type, tag, excluded, expired, shown,
/// tool-in-use, no-text, limit, budget, score (the nearest that were not sure enough) or outranked (the best
/// fits twice as well or better).
///
/// Example: mem recall "how do we run the integration tests?"
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    question: PersonQuestion,
    /// How to print them
    #[arg(long, default_value = "context")]
    format: RecallFormat,
    /// Say why each was chosen, and what was left out and by what
    #[arg(long)]
    explain: bool,
}

/// Forms of the answer.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum RecallFormat {
    /// What an agent is given
    Context,
    /// One object
    Json,
    /// The files' paths, one a line
    Paths,
    /// A heading and a line each, to put before a prompt: category, content, importance
    Prefetch,
}

/// Recalls, and prints what was chosen.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let mut answer = args.question.ask_memory(&place, context)?;
    let format = match context.printer.json {
        true => RecallFormat::Json,
        false => args.format,
    };
    match format {
        RecallFormat::Json => {
            let value = recalled_json::answer_json(&answer, args.explain);
            context.printer.print_json(&value)?;
        }
        RecallFormat::Paths => {
            for one in &answer.memories {
                let path = one.note.absolute.to_string_lossy();
                context.printer.line(clean(&path))?;
            }
        }
        RecallFormat::Prefetch => {
            let budget_chars = args.question.budget_chars(&place.config);
            let kept = print_prefetch(&answer, budget_chars, context)?;
            answer.memories.truncate(kept);
        }
        RecallFormat::Context => {
            let budget_chars = args.question.budget_chars(&place.config);
            let rendered = context_text::render_answer(&answer, budget_chars);
            context.printer.raw(rendered.text.as_bytes())?;
            context_text::drop_unrendered(&mut answer, &rendered);
        }
    }
    if args.explain && format != RecallFormat::Json {
        explain_answer(&answer, args.question.min_score(&place.config), context);
    }
    if let Some(session) = args.question.session() {
        let memory = ProjectMemory::new(&place.location, context.dirs()?);
        let notes: Vec<&Note> = answer.memories.iter().map(|one| &one.note).collect();
        if let Err(error) = session::mark_shown(&memory, session, &notes, 0, context.now) {
            let text = format_args!("what this session has seen is not remembered: {error}");
            context.printer.print_warning(text);
        }
    }
    Ok(Exit::Ok)
}

/// Prints the memories as a block to put before a prompt; returns how many fit.
fn print_prefetch(answer: &RecallAnswer, budget_chars: usize, context: &Context) -> Result<usize> {
    let records: Vec<Record> = answer
        .memories
        .iter()
        .filter_map(|one| record_from_note(&one.note, None))
        .collect();
    let lines = records.iter().map(|record| PrefetchLine {
        category: record.category,
        content: &record.content,
        importance: record.importance,
    });
    let lines: Vec<PrefetchLine<'_>> = lines.collect();
    let (text, kept) = block(&lines, budget_chars);
    context.printer.raw(clean(&text).as_bytes())?;
    Ok(kept)
}

/// The reasons, on stderr: the answer itself may go to an agent.
fn explain_answer(answer: &RecallAnswer, min_score: f32, context: &Context) {
    let printer = &context.printer;
    for one in &answer.memories {
        printer.write_stderr(&format_args!("chosen  {}", recalled_text::memory_line(one)));
        printer.write_stderr(&format_args!(
            "              {}",
            recalled_text::parts_line(one)
        ));
    }
    let lines = recalled_text::left_out(answer, min_score);
    for line in &lines {
        printer.write_stderr(&format_args!("left    {line}"));
    }
    if answer.memories.is_empty() && lines.is_empty() {
        printer.write_stderr(&format_args!("there are no memories"));
    }
}
