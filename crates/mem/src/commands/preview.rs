//! `mem preview`: what an agent would be given for a prompt, and why not the rest.

use anyhow::Result;
use mem_find::context_text;
use mem_find::recall_answer::RecallAnswer;
use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::Exit;
use crate::question::PersonQuestion;
use crate::sanitize::clean;
use crate::style;
use crate::{recalled_json, recalled_text};
use mem_core::plural::format_count;

/// Show what an agent would be given for a prompt
///
/// Prints exactly the text that `mem recall` hands to an agent now, with its size, and what was left
/// out and why: the answer to "why did it not remember?". Marks nothing as shown.
///
/// With --json: {"context","bytes","tokens","budget_chars","min_score","memories":[],"abstained",
/// "filtered":[]}, the last three as `mem recall` has them.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    question: PersonQuestion,
}

/// Recalls, and prints text and account.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let mut answer = args.question.ask_memory(&place, context)?;
    let budget_chars = args.question.budget_chars(&place.config);
    let min_score = args.question.min_score(&place.config);
    let rendered = context_text::render_answer(&answer, budget_chars);
    let text = &rendered.text;
    context_text::drop_unrendered(&mut answer, &rendered);
    let tokens = mem_agent::tokens::estimate_tokens(text);
    if context.printer.json {
        let mut value = json!({
            "context": text, "bytes": text.len(), "tokens": tokens,
            "budget_chars": budget_chars, "min_score": min_score,
        });
        if let (Value::Object(to), Value::Object(from)) =
            (&mut value, recalled_json::answer_json(&answer, true))
        {
            to.extend(from);
        }
        context.print_json(&value)?;
        return Ok(Exit::Ok);
    }
    let shown = match text.is_empty() {
        true => "(nothing is given)",
        false => text.trim_end(),
    };
    context.line(clean(shown))?;
    let chars = text.chars().count();
    let size = format!(
        "{} bytes, about {} ({chars} of {budget_chars} characters)",
        text.len(),
        format_count(tokens, "token", "tokens")
    );
    print_heading(&size, context)?;
    print_answer(&answer, min_score, context)?;
    Ok(Exit::Ok)
}

fn print_answer(answer: &RecallAnswer, min_score: f32, context: &Context) -> Result<()> {
    if !answer.memories.is_empty() {
        print_heading("Given", context)?;
    }
    for one in &answer.memories {
        context.line(format_args!("  {}", recalled_text::memory_line(one)))?;
    }
    let of = format_count(answer.notes, "memory", "memories");
    print_heading(&format!("Left out, of {of}"), context)?;
    let lines = recalled_text::left_out(answer, min_score);
    for line in &lines {
        context.line(format_args!("  {line}"))?;
    }
    if lines.is_empty() {
        context.line("  nothing that comes near")?;
    }
    Ok(())
}

fn print_heading(text: &str, context: &Context) -> Result<()> {
    let strong = style::STRONG;
    Ok(context.line(format_args!("{strong}{text}{strong:#}"))?)
}
