//! `mem record store`: one record, its file and its index line, in one change.

use anyhow::Result;
use mem_core::Scope;
use mem_records::{InvalidRecord, NewRecord, StoreOutcome, input, shape};

use super::{Whose, brief_content, usage_error};
use crate::body;
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use crate::usage::UsageError;
use mem_tools::records::OpenRecords;

/// Of a new record of whose importance nothing was said.
const DEFAULT_IMPORTANCE: i64 = 3;

/// Store a record
///
/// The content is read from standard input unless it is given. The same content again is the record
/// that is there; what says about the same in its category is superseded, which is said, and undone
/// with the rest by `mem undo` (for a user's records `mem undo --user`).
///
/// With --json: {"success":true,"memory_id"}, and where there is something to say
/// "superseded":{"id","content","likeness"} and "warnings":[].
///
/// Example: mem record store "Deploys are on Tuesdays" --category project_context --importance 4
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    whose: Whose,
    /// What is to be remembered, so that it can be understood by itself; - is standard input
    #[arg(allow_hyphen_values = true)]
    content: Option<String>,
    /// user_preference, project_context, factual_knowledge, decision_log, relationship or task_progress
    #[arg(long, value_name = "CATEGORY")]
    category: String,
    /// From 1 (least) to 5; if not given, that of the record that is there or is superseded, else 3
    #[arg(long, allow_negative_numbers = true)]
    importance: Option<i64>,
    /// A tag; may be given several times, or with commas; if not given, those of the record that is there or is superseded
    #[arg(
        long = "tag",
        visible_alias = "tags",
        value_name = "TAG",
        value_delimiter = ','
    )]
    tags: Vec<String>,
    /// The last day on which it holds, or an instant (RFC 3339)
    #[arg(
        long,
        visible_alias = "expires",
        value_name = "TIME",
        allow_hyphen_values = true
    )]
    expires_at: Option<String>,
    /// The tier: private (if not given), team or global
    #[arg(long, conflicts_with = "user")]
    scope: Option<Scope>,
}

/// Stores it and says as what.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let content = body::read(args.content.as_deref())?;
    let new = usage_error(new(&content, args))?;
    let opened = OpenRecords::open_for(args.whose.user.as_ref(), &context.tools)?;
    if args.scope.is_some() && !opened.is_in_files() {
        let hint = "leave --scope out: only files have tiers (`records.backend`)";
        return Err(UsageError::new("there are no tiers where records are kept", hint).into());
    }
    opened.require_storable(&new)?;
    let stored = opened.records_for(args.scope)?.store(&new, context.now)?;
    opened.finish_write(args.scope.unwrap_or(Scope::Private));
    if context.printer.json {
        context.printer.print_json(&shape::stored(&stored))?;
        return Ok(Exit::Ok);
    }
    context.warn_all(&stored.warnings);
    let undo = args
        .whose
        .undo_command(args.scope.unwrap_or(Scope::Private));
    print_stored(&stored, &undo, context)?;
    Ok(Exit::Ok)
}

fn new(content: &str, args: &Args) -> Result<NewRecord, InvalidRecord> {
    let number = args.importance.unwrap_or(DEFAULT_IMPORTANCE);
    let importance = u8::try_from(number).map_err(|_| InvalidRecord::Importance {
        what: "importance",
        number,
    })?;
    let expires_at = args.expires_at.as_deref().map(input::parse_expiry);
    let record = NewRecord::new(content, args.category.parse()?, importance)?;
    let record = match args.importance {
        Some(_) => record,
        None => record.with_default_importance(),
    };
    let expires_at = expires_at.transpose()?;
    Ok(record.with_tags(&args.tags)?.until(expires_at))
}

fn print_stored(stored: &StoreOutcome, undo: &str, context: &Context) -> Result<()> {
    let verb = match (stored.created, &stored.change) {
        (true, _) => "stored",
        (false, Some(_)) => "updated",
        (false, None) if stored.file.is_some() => "unchanged",
        (false, None) => "known",
    };
    let file = stored.file.as_deref().unwrap_or_default();
    let line = format!("{verb} {}  {}", stored.id, clean(file));
    context.printer.line(line)?;
    if let Some(old) = &stored.superseded {
        let (id, likeness) = (&old.id, old.likeness);
        let back = match stored.file {
            Some(_) => format!("; {undo} takes that back"),
            None => String::new(),
        };
        context.printer.say(format_args!(
            "it takes the place of {id}, which said about the same (likeness {likeness:.2}): `{}`{back}",
            brief_content(&old.content)
        ));
    }
    Ok(())
}
