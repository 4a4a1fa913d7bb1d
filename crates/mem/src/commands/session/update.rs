//! `mem session update`: the notes brought up to date from the transcript.

use anyhow::Result;
use mem_core::memory::ProjectMemory;
use serde_json::json;

use super::background;
use super::session_args::SessionArgs;
use crate::context::Context;
use crate::exit::Exit;
use mem_agent::use_figures;

/// Bring the notes up to date
///
/// Reads what the transcript has gained, and puts into the notes what belongs there; what a person
/// or a model wrote into a section stays. Counts which of the memories that hooks gave the session its model
/// named later, for `mem cost`. With `model.command` or `model.api` set, the model then rewrites the
/// whole; its answer counts only if headings, guidance and budget are kept.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(super) session: SessionArgs,
    /// Ask no model, even where one is set
    #[arg(long)]
    pub(super) no_model: bool,
    /// Give way to other programs, outlive the one that sent this, and update only when it is due
    #[arg(long, hide = true)]
    background: bool,
    /// Update though it is not due: the conversation is compacted. Standard input is the host's summary, if it has one
    #[arg(long, hide = true, requires = "background")]
    pub(super) compacted: bool,
}

/// Updates and says how large the notes are.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    match args.background {
        true => background::run(args, context),
        false => run_in_foreground(args, context),
    }
}

fn run_in_foreground(args: &Args, context: &Context) -> Result<Exit> {
    let repository = context.enabled_place()?;
    let chosen = args.session.choose_session(context)?;
    let done = chosen.update_notes(!args.no_model, None, &repository, context)?;
    let memory = ProjectMemory::new(&repository.location, context.dirs()?);
    let at = context.now.0.as_second();
    use_figures::measure_session(&chosen.place.id, chosen.transcript_path()?, &memory, at)?;
    if let Some(reason) = &done.rejected {
        context.print_warning(format_args!("no model rewrote the notes: {reason}"));
    }
    let path = chosen.place.notes.display();
    if context.printer.json {
        context.print_json(&json!({
            "session": chosen.place.id,
            "path": path.to_string(),
            "changed": done.changed,
            "tokens": done.size.tokens,
            "by_model": done.by_model,
        }))?;
    } else {
        let what = if done.changed {
            "updated"
        } else {
            "up to date"
        };
        let tokens = done.size.tokens;
        context.say(format_args!("{what}: {path} (about {tokens} tokens)"));
    }
    Ok(Exit::Ok)
}
