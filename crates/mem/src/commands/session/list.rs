//! `mem session list`: the sessions that have notes.

use anyhow::Result;
use mem_agent::session::place::{Noted, noted_sessions};
use serde_json::json;

use crate::age::age_text;
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;

/// List sessions with notes
///
/// The newest first: id, age and title.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {}

/// Prints one line a session.
pub(crate) fn run(_: &Args, context: &Context) -> Result<Exit> {
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

fn session_json(one: &Noted) -> serde_json::Value {
    json!({
        "session": one.place.id,
        "path": one.place.notes.display().to_string(),
        "changed": one.changed.to_string(),
        "title": one.session_title(),
    })
}
