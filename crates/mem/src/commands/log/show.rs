//! `mem log show`: what was logged, oldest first.

use anyhow::Result;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Zoned};
use mem_core::Scope;
use mem_core::daily_log::{self, LogEntry};
use mem_core::memory::ProjectMemory;
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use crate::style;
use crate::usage::UsageError;

/// Prints the entries since a day.
pub(super) fn run(since: Option<&str>, context: &Context) -> Result<Exit> {
    let since = since.map(|text| first_day(text, context)).transpose()?;
    let place = context.place()?;
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let snapshot = memory.store(Scope::Private).snapshot()?;
    let mut entries = Vec::new();
    for path in snapshot.walk().files.keys() {
        let Some(date) = daily_log::date_of(path) else {
            continue;
        };
        if since.is_some_and(|since| date < since) {
            continue;
        }
        if let Some((bytes, _)) = snapshot.read(path)? {
            entries.extend(daily_log::parse(date, &String::from_utf8_lossy(&bytes)));
        }
    }
    if context.printer.json {
        let entries: Vec<_> = entries
            .iter()
            .map(|one| json!({ "date": one.date.to_string(), "time": one.time, "text": one.text }))
            .collect();
        context.printer.print_json(&json!({ "entries": entries }))?;
    } else if entries.is_empty() {
        context.printer.say("nothing was logged");
    } else {
        context.printer.line(render_entries(&entries))?;
    }
    Ok(Exit::Ok)
}

/// A day, or a number of days back from today.
fn first_day(text: &str, context: &Context) -> Result<Date> {
    if let Ok(date) = text.parse() {
        return Ok(date);
    }
    let today = Zoned::new(context.now.0, TimeZone::system()).date();
    let days = text.trim_end_matches('d').parse::<u16>();
    let first = days
        .ok()
        .and_then(|days| today.checked_sub(Span::new().days(days)).ok());
    let hint = "give a day such as 2026-01-31, or a number of days".to_owned();
    first.ok_or_else(|| UsageError::new(format!("`{}` is no day", clean(text)), hint).into())
}

fn render_entries(entries: &[LogEntry]) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut day = None;
    for entry in entries {
        if day != Some(entry.date) {
            if day.is_some() {
                lines.push(String::new());
            }
            lines.push(format!(
                "{bold}{}{bold:#}",
                entry.date,
                bold = style::STRONG
            ));
            day = Some(entry.date);
        }
        let time = entry.time.as_deref().unwrap_or("     ");
        let body = clean(&entry.text).replace('\n', "\n        ");
        lines.push(format!("  {time} {body}"));
    }
    lines.join("\n")
}
