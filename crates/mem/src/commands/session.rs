//! `mem session`: the notes that keep the thread of a session.

use std::io::Read as _;
use std::path::PathBuf;

use anyhow::Result;
use mem_agent::extraction::write_times::WriteTimes;
use mem_agent::session::compact::compact_notes;
use mem_agent::session::notes::{SessionNotes, TEMPLATE};
use mem_agent::session::place::{Noted, forget_session, noted_sessions};
use mem_agent::session::prompt::update_prompt;
use mem_agent::session::selection::{ChosenSession, SessionError, SessionQuery, own_texts};
use mem_agent::session::update::read_notes;
use mem_agent::use_figures;
use mem_agent::wrote::{MemoryWrites, find_writes};
use mem_core::foreign_text::single_spaced;
use mem_core::memory::ProjectMemory;
use mem_core::state_file;
use mem_daemon::background;
use mem_find::context_text::escape_data;
use mem_find::recall::answer_without_warnings;
use mem_find::request::RecallRequest;
use mem_find::settings;
use mem_hooks::background::{BackgroundUpdate, SUMMARY_BYTES_MAX, update_command, update_if_due};
use mem_hooks::log;
use mem_recall::RankFilter;
use mem_tools::error_text::shown_message;
use serde_json::{Value, json};

use crate::age::age_text;
use crate::commands::search::sessions;
use crate::context::Context;
use crate::exit::Exit;
use crate::recalled_json;
use crate::sanitize::{clean, clean_short};

crate::commands::verbs! {
    /// Keep notes of a session
    ///
    /// One file of notes for each session of an agent, gathered from its transcript: what it is about,
    /// how the work stands, files, commands, errors and corrections. After a compaction of the context
    /// they tell how to go on. Works without a model; with `model.command` or `model.api` set, that rewrites them.
    struct Args;
    "Commands" {
        show(ShowArgs) => "Print the notes",
        update(UpdateArgs) => "Bring the notes up to date",
        due(DueArgs) => "Say whether it is time for an update",
        compact(CompactArgs) => "Print the notes for a compacted context",
        list(ListArgs) => "List sessions with notes",
        path(PathArgs) => "Print where the notes are",
        init(InitArgs) => "Make the file of the notes",
        prompt(PromptArgs) => "Print what a model is asked to rewrite the notes",
        prompts(PromptsArgs) => "List your last prompts, with what each would be given",
        prune(PruneArgs) => "Remove notes of old sessions",
        wrote_memory(WroteMemoryArgs) as "wrote-memory" => "Say whether the agent itself wrote memory",
    }
}

/// The flags by which a session is named.
#[derive(clap::Args, Debug)]
pub(crate) struct SessionArgs {
    /// The session's id; default: the newest session of this repository
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// The session's transcript; default: found by the id
    #[arg(long, value_name = "FILE")]
    pub transcript: Option<PathBuf>,
}

impl SessionArgs {
    /// Finds the session: by its transcript, by its id, else the newest one.
    ///
    /// # Errors
    /// There is none, or what was named cannot be one.
    pub(crate) fn choose_session(&self, context: &Context) -> Result<ChosenSession, SessionError> {
        self.query().choose_session(context)
    }

    /// What the flags say.
    pub(crate) fn query(&self) -> SessionQuery {
        SessionQuery {
            session: self.session.clone(),
            transcript: self.transcript.clone(),
        }
    }
}

/// Print the notes
#[derive(clap::Args, Debug)]
struct ShowArgs {
    #[command(flatten)]
    session: SessionArgs,
}

/// Prints them.
fn show(args: &ShowArgs, context: &Context) -> Result<Exit> {
    let chosen = args.session.choose_session(context)?;
    let notes = chosen.read_notes()?;
    if context.printer.json {
        let (id, path) = (&chosen.place.id, chosen.place.notes.display().to_string());
        context.print_json(&json!({ "session": id, "path": path, "notes": notes }))?;
    } else {
        for line in notes.trim_end().lines() {
            context.line(clean(line))?;
        }
    }
    Ok(Exit::Ok)
}

/// Bring the notes up to date
///
/// Reads what the transcript has gained, and puts into the notes what belongs there; what a person
/// or a model wrote into a section stays. Counts which of the memories that hooks gave the session its model
/// named later, for `mem cost`. With `model.command` or `model.api` set, the model then rewrites the
/// whole; its answer counts only if headings, guidance and budget are kept.
#[derive(clap::Args, Debug)]
struct UpdateArgs {
    #[command(flatten)]
    session: SessionArgs,
    /// Ask no model, even where one is set
    #[arg(long)]
    no_model: bool,
    /// Give way to other programs, outlive the one that sent this, and update only when it is due
    #[arg(long, hide = true)]
    background: bool,
    /// Update though it is not due: the conversation is compacted. Standard input is the host's summary, if it has one
    #[arg(long, hide = true, requires = "background")]
    compacted: bool,
}

/// Updates and says how large the notes are.
fn update(args: &UpdateArgs, context: &Context) -> Result<Exit> {
    match args.background {
        true => update_in_background(args, context),
        false => run_in_foreground(args, context),
    }
}

fn run_in_foreground(args: &UpdateArgs, context: &Context) -> Result<Exit> {
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

/// An update that a host's hook has sent: behind everybody's back, only when it is due, one at a time. What goes wrong
/// stands in the log of the hooks: nobody reads more.
fn update_in_background(args: &UpdateArgs, context: &Context) -> Result<Exit> {
    let query = args.session.query();
    let (session, transcript) = (query.session.as_deref(), query.transcript.as_deref());
    let mut same = update_command(session, transcript, args.compacted);
    same.extend(args.no_model.then(|| "--no-model".to_owned()));
    if !background::leave_session(same) {
        return Ok(Exit::Ok);
    }
    background::lower_priority();
    let update = BackgroundUpdate {
        with_model: !args.no_model,
        is_compacted: args.compacted,
        read_summary: &read_summary,
    };
    let remark = update_if_due(&query, &update, context);
    if let Some(remark) = remark.unwrap_or_else(|error| Some(shown_message(&*error))) {
        log::log_event(
            context.dirs()?,
            context.now,
            "session-update",
            session,
            &remark,
        );
    }
    Ok(Exit::Ok)
}

/// What the hook has left on standard input.
fn read_summary() -> Option<String> {
    let mut bytes = Vec::new();
    let input = std::io::stdin().lock().take(SUMMARY_BYTES_MAX as u64);
    { input }.read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    (!text.trim().is_empty()).then(|| text.into_owned())
}

/// Say whether it is time for an update
///
/// The first notes are due at 10,000 tokens of messages; later ones after 5,000 more and 3 calls of
/// tools, or after 5,000 more at a pause in the work; none while the host's auto-compaction is off.
/// Prints {"due":bool,"reason":text} and exits with 0 either way.
#[derive(clap::Args, Debug)]
struct DueArgs {
    #[command(flatten)]
    session: SessionArgs,
}

/// Prints the answer.
fn due(args: &DueArgs, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let chosen = args.session.choose_session(context)?;
    context.print_json(&chosen.check_due(&place.project, context)?)?;
    Ok(Exit::Ok)
}

/// Print the notes for a compacted context
///
/// Without the lines of guidance and the empty sections. A section of more than 2,000 tokens loses lines of its middle,
/// and so do the largest ones while all have more than 12,000; a mark says how many.
#[derive(clap::Args, Debug)]
struct CompactArgs {
    #[command(flatten)]
    session: SessionArgs,
}

/// Prints them.
fn compact(args: &CompactArgs, context: &Context) -> Result<Exit> {
    let chosen = args.session.choose_session(context)?;
    // The text goes into a model's context, and quotes what was said in the session.
    let text = escape_data(&compact_notes(&SessionNotes::parse(&chosen.read_notes()?)));
    context.print_answer(
        &json!({ "session": chosen.place.id, "notes": text }),
        text.trim_end(),
    )
}

/// List sessions with notes
///
/// The newest first: id, age and title.
#[derive(clap::Args, Debug)]
struct ListArgs {}

/// Prints one line a session.
fn list(_: &ListArgs, context: &Context) -> Result<Exit> {
    let sessions = noted_sessions(context.dirs()?);
    if context.printer.json {
        let all: Vec<_> = sessions.iter().map(session_json).collect();
        context.print_json(&json!({ "sessions": all }))?;
    } else if sessions.is_empty() {
        context.say("no session has notes yet");
    }
    for one in sessions.iter().filter(|_| !context.printer.json) {
        let age = age_text(context.now, one.changed);
        let title = one.session_title();
        context.line(format_args!("{}  {age:4}  {}", one.place.id, clean(&title)))?;
    }
    Ok(Exit::Ok)
}

fn session_json(one: &Noted) -> Value {
    json!({
        "session": one.place.id,
        "path": one.place.notes.display().to_string(),
        "changed": one.changed.to_string(),
        "title": one.session_title(),
    })
}

/// Print where the notes are
///
/// The file need not exist yet.
#[derive(clap::Args, Debug)]
struct PathArgs {
    #[command(flatten)]
    session: SessionArgs,
}

/// Prints the path.
fn path(args: &PathArgs, context: &Context) -> Result<Exit> {
    let chosen = args.session.choose_session(context)?;
    let path = chosen.place.notes.display();
    let transcript = chosen.transcript.as_ref();
    let transcript = transcript.map(|path| path.display().to_string());
    let id = &chosen.place.id;
    context.print_answer(
        &json!({ "session": id, "path": path.to_string(), "transcript": transcript }),
        path,
    )
}

/// Make the file of the notes
///
/// From the template `session-memory/config/template.md` in the host's directory, else from the
/// built-in one with its ten sections. Notes that are there already stay as they are.
#[derive(clap::Args, Debug)]
struct InitArgs {
    #[command(flatten)]
    session: SessionArgs,
}

/// Makes it and prints where.
fn init(args: &InitArgs, context: &Context) -> Result<Exit> {
    context.enabled_place()?;
    let place = args.session.choose_session(context)?.place;
    let is_new = read_notes(&place)?.is_none();
    if is_new {
        let own = own_texts(context)?.template;
        let text = own.as_deref().unwrap_or(TEMPLATE);
        state_file::write(&place.notes, text.as_bytes())?;
    }
    let path = place.notes.display();
    context.print_answer(
        &json!({ "session": place.id, "path": path.to_string(), "created": is_new }),
        path,
    )
}

/// Print what a model is asked to rewrite the notes
///
/// The text is `session-memory/config/prompt.md` in the host's directory, else the built-in one;
/// {{currentNotes}} and {{notesPath}} stand for the notes and for their file.
#[derive(clap::Args, Debug)]
struct PromptArgs {
    #[command(flatten)]
    session: SessionArgs,
}

/// Prints it.
fn prompt(args: &PromptArgs, context: &Context) -> Result<Exit> {
    let place = args.session.choose_session(context)?.place;
    let own = own_texts(context)?;
    let text = match read_notes(&place)? {
        Some(text) => text,
        None => own.template.unwrap_or_else(|| TEMPLATE.to_owned()),
    };
    let prompt = update_prompt(
        own.prompt.as_deref(),
        &SessionNotes::parse(&text),
        &place.notes,
    );
    context.print_answer(
        &json!({ "session": place.id, "prompt": prompt }),
        prompt.trim_end(),
    )
}

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
struct PromptsArgs {
    /// How many prompts at most
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// How sure it must be that a memory helps, from 0 (never abstain) to 1 [default: recall.min_score, which is 0.5]
    #[arg(long, value_name = "X", value_parser = crate::question::parse_confidence)]
    min_score: Option<f32>,
}

/// Recalls for each, the newest first.
fn prompts(args: &PromptsArgs, context: &Context) -> Result<Exit> {
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

/// Remove notes of old sessions
///
/// Notes that were last changed so many days ago are removed, with what is remembered of their
/// sessions. Transcripts are the host's and stay.
#[derive(clap::Args, Debug)]
struct PruneArgs {
    /// The age from which on they go
    #[arg(long, value_name = "DAYS", default_value_t = 30)]
    days: u64,
    /// Only say what would be removed
    #[arg(long)]
    dry_run: bool,
}

/// Removes them and says which.
fn prune(args: &PruneArgs, context: &Context) -> Result<Exit> {
    let mut sessions = noted_sessions(context.dirs()?);
    sessions.retain(|one| context.now.days_since(one.changed) >= args.days);
    for one in sessions.iter().filter(|_| !args.dry_run) {
        forget_session(&one.place)?;
    }
    let ids: Vec<&str> = sessions.iter().map(|one| one.place.id.as_str()).collect();
    let (verb, what) = match args.dry_run {
        true => ("would_remove", "would be removed"),
        false => ("removed", "removed"),
    };
    let printer = &context.printer;
    if printer.json {
        printer.print_json(&json!({ verb: ids }))?;
    } else {
        ids.iter().try_for_each(|id| printer.line(id))?;
        printer.say(format_args!("notes of {} sessions {what}", ids.len()));
    }
    Ok(Exit::Ok)
}

/// Say whether the agent itself wrote memory
///
/// Looks at calls that succeeded in the session after the record with this id: file tools on memory files,
/// the memory tool, the tools of mem's MCP server, and shell commands during which the history has a write by an
/// agent or an unknown program. Where there is no such record, the whole transcript counts. Prints
/// {"wrote":bool,"by":[],"files":[],"since_found":bool} and exits with 0 either way.
///
/// Example: mem session wrote-memory --since 6f1c7a0e-0000-4000-8000-3b1d5c9a2e4f
#[derive(clap::Args, Debug)]
struct WroteMemoryArgs {
    #[command(flatten)]
    session: SessionArgs,
    /// The `uuid` of the record after which to look
    #[arg(long, value_name = "UUID")]
    since: String,
}

/// Prints the answer.
fn wrote_memory(args: &WroteMemoryArgs, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let chosen = args.session.choose_session(context)?;
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let is_memory = |path: &std::path::Path| memory.under(&context.typed_path(path)).is_some();
    let times = WriteTimes::new(&memory, &chosen.place.id);
    let writes = MemoryWrites {
        is_memory: &is_memory,
        is_written: &|start, end| times.has(start, end),
    };
    let found = find_writes(chosen.transcript_path()?, &args.since, writes)?;
    times.finish()?;
    if !found.is_since_found {
        let text = "there is no such record: the whole transcript was looked at";
        context.printer.print_warning(text);
    }
    context.printer.print_json(&json!({
        "wrote": found.has_written(),
        "by": found.by,
        "files": found.files,
        "since_found": found.is_since_found,
    }))?;
    Ok(Exit::Ok)
}
