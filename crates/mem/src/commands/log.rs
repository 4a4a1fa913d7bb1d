//! `mem log`: the daily log, appended to and shown.

use anyhow::Result;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Zoned};
use mem_core::Scope;
use mem_core::daily_log::{self, LogEntry};
use mem_core::memory::ProjectMemory;
use mem_team::write_gates::ProjectGate;
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use crate::style;
use crate::usage::UsageError;

/// Append to the daily log, or show it
///
/// `mem log TEXT` appends a bullet with the time to logs/YYYY/MM/YYYY-MM-DD.md; `-` reads the
/// text from standard input. `mem log show` prints what was logged. `mem types --log` says what
/// belongs into a log.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// `show`, or the text of the entry
    #[arg(required = true, value_name = "TEXT|show")]
    words: Vec<String>,
    /// With `show`: only entries of this day (YYYY-MM-DD) and later, or of the last DAYS days
    #[arg(long, value_name = "DATE|DAYS")]
    since: Option<String>,
}

/// Appends or shows.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    match args.words.as_slice() {
        [word] if word == "show" => show_entries(args.since.as_deref(), context),
        _ if args.since.is_some() => {
            let hint = "`mem log show --since DATE`".to_owned();
            Err(UsageError::new("--since goes with `show`", hint).into())
        }
        words => append_entry(&words.join(" "), context),
    }
}

fn append_entry(words: &str, context: &Context) -> Result<Exit> {
    let place = context.enabled_place()?;
    let text = if words == "-" {
        crate::body::read(None)?
    } else {
        words.to_owned()
    };
    if text.trim().is_empty() {
        let hint = "`mem log \"what happened\"`".to_owned();
        return Err(UsageError::new("there is nothing to log", hint).into());
    }
    if text.len() > daily_log::ENTRY_BYTES_MAX {
        let hint = "log one line, and save the rest as a memory".to_owned();
        return Err(UsageError::new("a log entry is at most 64 KiB", hint).into());
    }
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let (order, gate) = (
        context.change_metadata("log"),
        ProjectGate::for_place(&place, context),
    );
    let at = Zoned::new(context.now.0, TimeZone::system()).datetime();
    let store = memory.store(Scope::Private);
    let written = daily_log::append(store, &order, &gate, at, &text)?;
    context.remember_project(&place);
    context.clean_up_when_due(&place, store);
    context.warn_all(&written.warnings);
    let path = daily_log::path_of(at.date())?;
    let file = store.places().root.join(path.as_str());
    context.print_answer(&json!({ "path": file }), format_args!("logged to {path}"))
}

/// Prints the entries since a day, oldest first.
fn show_entries(since: Option<&str>, context: &Context) -> Result<Exit> {
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
