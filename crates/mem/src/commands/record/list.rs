//! `mem record list`: all records of a namespace.

use anyhow::Result;
use mem_records::{Category, RecordFilter, shape};
use serde_json::{Value, json};

use super::{Whose, brief_content, usage_error};
use crate::context::Context;
use crate::exit::Exit;
use mem_tools::records::OpenRecords;

/// List records
///
/// The newest first, a line each, with the importance that each has by now. With --json, contents whole:
/// {"memories":[{"id", "content","category","tags","importance","effective_importance","created_at","expires_at",
/// "expired","file"}]}, and "warnings" of files that are none, or whose category is none of the six.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
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
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
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
