//! `mem extract`: memories from what was said in a session.

mod extraction_report;

use std::path::PathBuf;

use anyhow::Result;
use mem_agent::access::MemoryAccess;
use mem_agent::extraction::{ExtractionMode, extract_session};
use mem_core::run::require_enabled;
use mem_daemon::background;
use mem_hooks::background::{extract_if_wanted, extraction_command};
use mem_hooks::log;
use mem_team::write_gates::ProjectGate;
use mem_tools::error_text::shown_message;

use crate::commands::session::SessionArgs;
use crate::context::Context;
use crate::exit::Exit;

/// Keep what a session suggests to remember
///
/// Reads what the person typed since the last time and keeps lasting statements: standing orders, corrections,
/// preferences, conventions, facts about the person, decisions, deadlines and places outside. Dates that are certain
/// are made absolute; "next Friday", which may be either of two, stays beside the day on which it was said.
/// They are written in one change named by the session (`mem undo` reverts it). What may have been retracted
/// waits in `mem inbox`; what is doubtful is not kept. Pasted text is no source. Turns in which the agent wrote
/// memory itself are left out, and so is what `mem types` says not to save. What the person takes back goes again
/// where the session brought it. With `model.command` or `model.api` set, that
/// looks at what was said too, and is believed as far as it quotes the person; what is sure without it stays. A
/// host's stop hook runs it after every turn while `extract.enabled` is on.
///
/// With --json: {"session","transcript","prompts","written_turns","candidates":[{"type","scope","sort",
/// "name","description","body","quote","why","confidence","source","to","file"}],"dropped":[{"quote",
/// "reason","text"}],"taken_back":["file"],"changes","waiting","dry_run"}; "to" is memory, update, known or inbox.
///
/// Example: mem extract --dry-run --explain
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The session's id; default: the newest session of this repository
    #[arg(value_name = "SESSION")]
    session: Option<String>,
    /// The session's transcript; default: found by the id
    #[arg(long, value_name = "FILE")]
    transcript: Option<PathBuf>,
    /// Show what would be kept, and keep nothing
    #[arg(long, short = 'n')]
    dry_run: bool,
    /// Read the session from its beginning, even where it was read before
    #[arg(long)]
    all: bool,
    /// Ask no model, even where one is set
    #[arg(long)]
    no_model: bool,
    /// Show too what was left out, and why
    #[arg(long)]
    explain: bool,
    /// Give way to other programs and outlive the one that sent this
    #[arg(long, hide = true)]
    background: bool,
}

/// Extracts, and says what was kept.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    if args.background {
        return run_in_background(args, context);
    }
    let place = context.place()?;
    if !args.dry_run {
        require_enabled(&place)?;
    }
    let chosen = args.session_args().choose_session(context)?;
    let transcript = chosen.transcript_path()?;
    let way = ExtractionMode {
        dry_run: args.dry_run,
        no_model: args.no_model,
        whole: args.all,
        named: args.transcript.is_some(),
    };
    let access = MemoryAccess {
        place: &place,
        gate: &ProjectGate::for_place(&place, context),
        run: context,
    };
    let extracted = extract_session(&chosen.place, transcript, way, &access)?;
    context.warn_all(&extracted.outcome.warnings);
    if let Some(doubt) = &extracted.doubt {
        context.printer.print_warning(format_args!("{doubt}"));
    }
    if let Some(reason) = &extracted.rejected {
        let text = format_args!("no model had a say, the rules stand: {reason}");
        context.printer.print_warning(text);
    }
    extraction_report::print_extraction(&extracted, &chosen.place.id, transcript, args, context)?;
    Ok(Exit::Ok)
}

/// Lines of one run in the background in the log of the hooks.
const REMARKS_MAX: usize = 10;

/// A run that a host's hook has sent, behind everybody's back: extracts where that is switched on. What goes wrong stands in
/// the log of the hooks.
fn run_in_background(args: &Args, context: &Context) -> Result<Exit> {
    let (session, transcript) = (args.session.as_deref(), args.transcript.as_deref());
    if !background::leave_session(extraction_command(session, transcript)) {
        return Ok(Exit::Ok);
    }
    background::lower_priority();
    let remarks = extract_if_wanted(&args.session_args().query(), context);
    let remarks = remarks.unwrap_or_else(|error| vec![shown_message(&*error)]);
    for remark in remarks.iter().take(REMARKS_MAX) {
        log::log_event(context.dirs()?, context.now, "extract", session, remark);
    }
    Ok(Exit::Ok)
}

impl Args {
    fn session_args(&self) -> SessionArgs {
        SessionArgs {
            session: self.session.clone(),
            transcript: self.transcript.clone(),
        }
    }
}
