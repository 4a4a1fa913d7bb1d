//! `mem log`: the daily log, appended to and shown.

mod show;

use anyhow::Result;
use jiff::Zoned;
use jiff::tz::TimeZone;
use mem_core::Scope;
use mem_core::daily_log;
use mem_core::memory::ProjectMemory;
use mem_team::write_gates::ProjectGate;

use crate::context::Context;
use crate::exit::Exit;
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
        [word] if word == "show" => show::run(args.since.as_deref(), context),
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
    if context.printer.json {
        let file = store.places().root.join(path.as_str());
        context.print_json(&serde_json::json!({ "path": file }))?;
    } else {
        context.line(format_args!("logged to {path}"))?;
    }
    Ok(Exit::Ok)
}
