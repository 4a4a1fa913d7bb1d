//! `mem record`: structured memories.

use anyhow::Result;
use mem_core::Scope;
use mem_core::foreign_text::single_spaced;
use mem_core::host_user::{HostUser, undo_command};
use mem_core::memory::split_scope;
use mem_records::{
    Category, InvalidRecord, NewRecord, RecordFilter, RecordId, Retrieve, Retrieved, StoreOutcome,
    input, shape, title,
};
use mem_tools::records::OpenRecords;
use serde_json::{Value, json};

use crate::body;
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use crate::usage::UsageError;

crate::commands::verbs! {
    /// Store, retrieve and delete structured memories
    ///
    /// A record is a content with a category, tags, an importance from 1 to 5 and perhaps an end: a topic
    /// file like every other memory, made from the content. What says about the same as a record of its
    /// category takes its place. Categories and the types of their files: user_preference and relationship
    /// (user), project_context, decision_log and task_progress (project), factual_knowledge (reference).
    ///
    /// With `records.backend` at qdrant, records are kept in a Qdrant (`records.qdrant_url`, its key in
    /// MEM_QDRANT_API_KEY) in a collection for each project and user. They are no memories like the others there: no tier,
    /// history, `mem undo`, `mem log-audit`, recall, `mem prune` or `mem erase`; deleting the collection erases them. What
    /// holds a secret is refused.
    struct Args;
    "Records" {
        store(StoreArgs) => "Store a record",
        retrieve(RetrieveArgs) => "Retrieve the records that fit a query",
        list(ListArgs) => "List records",
        delete(DeleteArgs) => "Delete a record",
    }
}

/// Reads what was typed. What is no record, id or query was not understood, as any other word of a command line.
fn usage_error<T>(read: Result<T, InvalidRecord>) -> Result<T, UsageError> {
    read.map_err(|error| {
        let hint = "`mem record list` has the ids";
        match &error {
            InvalidRecord::Id(_) => UsageError::new(error.to_string(), hint),
            error => UsageError::invalid_value(error),
        }
    })
}

/// A content in a line of output, cut and without secrets.
fn brief_content(content: &str) -> String {
    let line = title::description(&mem_secrets::redacted(content));
    clean(&line).into_owned()
}

/// Whose records.
#[derive(clap::Args, Debug)]
struct Whose {
    /// The records of this user of a host, apart from the project's and from everybody else's
    #[arg(long, value_name = "USER")]
    user: Option<HostUser>,
}

impl Whose {
    /// The command that takes back what was done to a tier of theirs.
    fn undo_command(&self, scope: Scope) -> String {
        undo_command(self.user.as_ref(), scope)
    }
}

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
struct StoreArgs {
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
fn store(args: &StoreArgs, context: &Context) -> Result<Exit> {
    let content = body::read(args.content.as_deref())?;
    let new = usage_error(new_record(&content, args))?;
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

fn new_record(content: &str, args: &StoreArgs) -> Result<NewRecord, InvalidRecord> {
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

/// Retrieve the records that fit a query
///
/// Ranks as `mem recall` does, and brings whatever shares something with the query. The score says how alike
/// the two texts are, from 0 to 1; the order also looks at importance, age and use. Categories, importance and
/// expiry are looked at before the ranking. Notes that were saved by other means count
/// by their type. What is retrieved is renewed: its importance begins to fade anew.
///
/// With --json: {"memories":[{"id","content","category","importance","score","created_at"}]}; with
/// --explain also "effective_importance", "tags", "expires_at", and "left_out":[{"id","content","by"}].
///
/// Example: mem record retrieve "when do we deploy?" --category project_context --limit 3
#[derive(clap::Args, Debug)]
struct RetrieveArgs {
    #[command(flatten)]
    whose: Whose,
    /// What to look for, in one's own words
    #[arg(allow_hyphen_values = true)]
    query: String,
    /// Only this category; may be given several times, or with commas
    #[arg(
        long = "category",
        visible_alias = "categories",
        value_name = "CATEGORY",
        value_delimiter = ','
    )]
    categories: Vec<String>,
    /// At most so many
    #[arg(
        long,
        default_value_t = 10,
        value_name = "N",
        allow_negative_numbers = true
    )]
    limit: i64,
    /// Only what is at least so important, from 1 to 5
    #[arg(
        long,
        default_value_t = 1,
        value_name = "N",
        allow_negative_numbers = true
    )]
    min_importance: i64,
    /// Say what was left out and by what, expired records first of all
    #[arg(long)]
    explain: bool,
}

/// Prints them, the best first.
fn retrieve(args: &RetrieveArgs, context: &Context) -> Result<Exit> {
    let query = usage_error(retrieve_query(args))?;
    let opened = OpenRecords::open_for(args.whose.user.as_ref(), &context.tools)?;
    let answer = opened.records_for(None)?.retrieve(&query, context.now)?;
    let printer = &context.printer;
    let odd = match args.explain {
        true => opened.oddities()?,
        false => Vec::new(),
    };
    if printer.json {
        let value = match args.explain {
            true => shape::warned(shape::explained(&answer), &odd),
            false => shape::retrieved(&answer),
        };
        printer.print_json(&value)?;
        return Ok(Exit::Ok);
    }
    context.warn_all(&odd);
    for found in &answer.memories {
        printer.line(record_line(found, args.explain))?;
    }
    for left in &answer.left_out {
        let content = brief_content(&left.content);
        let text = format!("left out  {}  {}  {content}", left.by, left.id);
        printer.write_stderr(&text);
    }
    if answer.memories.is_empty() {
        printer.say("no record fits");
    }
    Ok(Exit::Ok)
}

fn retrieve_query(args: &RetrieveArgs) -> Result<Retrieve, InvalidRecord> {
    let mut query = Retrieve::new(&args.query)?.at_most(args.limit)?;
    for word in &args.categories {
        query.categories.push(word.parse()?);
    }
    let least = u8::try_from(args.min_importance).ok();
    let least = least.filter(|least| (1..=5).contains(least));
    query.min_importance = least.ok_or(InvalidRecord::Importance {
        what: "min_importance",
        number: args.min_importance,
    })?;
    query.explain = args.explain;
    Ok(query)
}

fn record_line(found: &Retrieved, explain: bool) -> String {
    let record = &found.record;
    let effective = match explain {
        true => format!(" ({:.2} now)", found.effective),
        false => String::new(),
    };
    format!(
        "{:.2}  {}  {}{effective}  {}  {}",
        found.score,
        record.category,
        record.importance,
        record.id,
        clean(&single_spaced(&record.content))
    )
}

/// List records
///
/// The newest first, a line each, with the importance that each has by now. With --json, contents whole:
/// {"memories":[{"id", "content","category","tags","importance","effective_importance","created_at","expires_at",
/// "expired","file"}]}, and "warnings" of files that are none, or whose category is none of the six.
#[derive(clap::Args, Debug)]
struct ListArgs {
    #[command(flatten)]
    whose: Whose,
    /// Only this category; may be given several times, or with commas
    #[arg(
        long = "category",
        visible_alias = "categories",
        value_name = "CATEGORY",
        value_delimiter = ','
    )]
    categories: Vec<String>,
    /// Those that have expired as well
    #[arg(long)]
    expired: bool,
}

/// Prints them.
fn list(args: &ListArgs, context: &Context) -> Result<Exit> {
    let categories = args.categories.iter().map(|word| word.parse::<Category>());
    let listing = RecordFilter {
        categories: usage_error(categories.collect())?,
        with_expired: args.expired,
    };
    let opened = OpenRecords::open_for(args.whose.user.as_ref(), &context.tools)?;
    let records = opened.records_for(None)?.list(&listing, context.now)?;
    let odd = opened.oddities()?;
    let (now, half_life_days) = (context.now, opened.half_life_days());
    if context.printer.json {
        let shapes = records
            .iter()
            .map(|one| shape::record(one, now, half_life_days));
        let memories: Vec<Value> = shapes.collect();
        let listed = json!({ "memories": memories });
        context.print_json(&shape::warned(listed, &odd))?;
        return Ok(Exit::Ok);
    }
    context.warn_all(&odd);
    for record in &records {
        let mark = match record.is_expired(now.0) {
            true => "  [expired]",
            false => "",
        };
        context.line(format_args!(
            "{}  {}  {} ({:.2} now)  {}{mark}",
            record.id,
            record.category,
            record.importance,
            record.effective_importance(now, half_life_days),
            brief_content(&record.content)
        ))?;
    }
    if records.is_empty() {
        context.say("there are no records: `mem record store` makes one");
    }
    Ok(Exit::Ok)
}

/// Delete a record
///
/// Takes the file and its line in MEMORY.md away as one change. `mem log-audit` tells the reason,
/// kept without secrets, and `mem undo` (with the same
/// `--user`) brings the record back. With --json: {"success":true,"memory_id","change"}.
#[derive(clap::Args, Debug)]
struct DeleteArgs {
    #[command(flatten)]
    whose: Whose,
    /// The record's id
    id: String,
    /// Why, for the audit trail
    #[arg(long, allow_hyphen_values = true)]
    reason: String,
}

/// Deletes it.
fn delete(args: &DeleteArgs, context: &Context) -> Result<Exit> {
    let id = usage_error(RecordId::parse(&args.id))?;
    let reason = usage_error(input::parse_reason(&args.reason))?;
    let opened = OpenRecords::open_for(args.whose.user.as_ref(), &context.tools)?;
    opened.require_writable()?;
    let reason = context.stored_reason(Some(reason)).unwrap_or_default();
    let deleted = opened
        .records_for(None)?
        .delete(&id, &reason, context.now)?;
    let file = deleted.file.as_deref().unwrap_or_default();
    let scope = split_scope(file, None).0.unwrap_or(Scope::Private);
    opened.finish_write(scope);
    if context.printer.json {
        context.print_json(&json!({
            "success": true, "memory_id": id.as_str(), "change": deleted.change,
        }))?;
        return Ok(Exit::Ok);
    }
    context.warn_all(&deleted.warnings);
    context.line(format_args!("deleted {id}  {}", clean(file)))?;
    if opened.is_in_files() {
        let undo = args.whose.undo_command(scope);
        context.say(format_args!("{undo} brings it back"));
    }
    Ok(Exit::Ok)
}
