//! `mem session prompts`: past prompts, and what each would be given now.

use anyhow::Result;
use mem_core::foreign_text::single_spaced;
use mem_find::request::RecallRequest;
use mem_find::settings;
use mem_recall::RankFilter;
use serde_json::{Value, json};

use crate::commands::search::sessions;
use crate::context::Context;
use crate::exit::Exit;
use crate::recalled_json;
use crate::sanitize::clean_short;
use mem_find::recall::answer_without_warnings;

/// List your last prompts in this project, with what each would be given
///
/// Reads what you said in the past sessions of this project, as `mem search --sessions` finds it, and recalls for each
/// prompt as it is done now: --min-score shows what another threshold would give. Marks nothing as shown.
///
/// With --json: {"min_score","prompts":[{"time","text","memories":[],"abstained","filtered":[]}]}, the last three as
/// `mem recall` has them.
///
/// Example: mem session prompts --limit 5 --min-score 0.4
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// How many prompts at most
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// How sure it must be that a memory helps, from 0 (never abstain) to 1 [default: recall.min_score, which is 0.5]
    #[arg(long, value_name = "X", value_parser = crate::question::parse_confidence)]
    min_score: Option<f32>,
}

/// Recalls for each, the newest first.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let recall = &place.config.values.recall;
    let min_score = args.min_score.unwrap_or(recall.min_score.0 as f32);
    let is_ours = sessions::of_this_project(context)?;
    let prompts = sessions::updated_index(context)?.last_prompts(&is_ours, args.limit)?;
    let mut shown: Vec<Value> = Vec::new();
    for (time, text) in prompts {
        let request = RecallRequest {
            prompt: text,
            limit: recall.limit,
            min_score,
            filter: RankFilter::default(),
            exclude: Vec::new(),
            choice: None,
            tools: Vec::new(),
            session: None,
            weights: settings::rank_weights(&place.config),
        };
        let answer = answer_without_warnings(&request, &place, context)?;
        if !context.printer.json {
            context.line(clean_short(&single_spaced(&request.prompt)))?;
            for one in &answer.memories {
                context.line(format_args!("  {}", crate::recalled_text::memory_line(one)))?;
            }
            continue;
        }
        let mut value = recalled_json::answer_json(&answer, false);
        value["time"] = time.into();
        value["text"] = request.prompt.into();
        shown.push(value);
    }
    if context.printer.json {
        context.print_json(&json!({ "min_score": min_score, "prompts": shown }))?;
    }
    Ok(Exit::Ok)
}
