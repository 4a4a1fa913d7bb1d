//! `mem record retrieve`: the records that fit a query.

use anyhow::Result;
use mem_records::{InvalidRecord, Retrieve, Retrieved, shape};

use super::{Whose, brief_content, usage_error};
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use mem_core::foreign_text::single_spaced;
use mem_tools::records::OpenRecords;

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
pub(crate) struct Args {
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
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
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

fn retrieve_query(args: &Args) -> Result<Retrieve, InvalidRecord> {
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
