//! `mem search --sessions`: what was said in past sessions of every host.

use std::path::Path;

use anyhow::Result;
use mem_agent::session::place::{all_transcripts, unknown_form};
use mem_agent::session::search_index::{SessionHit, SessionIndex, SessionQuery};
use mem_core::history::AuthorKind;
use mem_core::location;
use serde_json::{Value, json};

use super::mark_words;
use crate::context::Context;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::sanitize::{clean, one_line};
use crate::style::{FAINT, STRONG};
use mem_agent::session::selection::session_folders;

/// Brings the index up to date and prints the sessions. Agents are shown those of this repository.
pub(super) fn search_sessions(
    text: &str,
    since: Option<jiff::Timestamp>,
    limit: usize,
    context: &Context,
) -> Result<Exit> {
    let index = updated_index(context)?;
    let is_ours = of_this_project(context)?;
    let is_agent = context.author().actor == AuthorKind::Agent;
    let hits = index.search(&SessionQuery {
        text,
        is_wanted: is_agent.then_some(&is_ours),
        since,
        limit,
    })?;
    if context.printer.json {
        let sessions: Vec<Value> = hits.iter().map(session_json).collect();
        context.print_json(&json!({ "sessions": sessions }))?;
    } else if hits.is_empty() {
        context.say("no session has to do with this");
    }
    for hit in hits.iter().filter(|_| !context.printer.json) {
        print_session(hit, context)?;
    }
    Ok(match hits.is_empty() {
        true => Exit::Failure,
        false => Exit::Ok,
    })
}

/// The index, with all that was said until now.
pub(crate) fn updated_index(context: &Context) -> Result<SessionIndex> {
    let dirs = context.dirs()?;
    let mut index = SessionIndex::open(dirs)?;
    // What was said where memory is off is none of this index.
    let is_wanted = |folder: &Path| {
        let place = location::open(folder, dirs, &context.env, &[]);
        place.map_or(true, |place| place.location.enabled)
    };
    let progress = Progress::counting(&context.printer, "reading sessions");
    index.update(&all_transcripts(dirs), &is_wanted, &mut |bytes| {
        progress.counters().add(bytes);
    })?;
    drop(progress);
    if let Some(reason) = unknown_form(dirs) {
        context.print_warning(format_args!(
            "sessions of opencode are not among these: {reason}"
        ));
    }
    Ok(index)
}

/// Whether a session in a folder was one of this project.
pub(crate) fn of_this_project(context: &Context) -> Result<impl Fn(&Path) -> bool> {
    let dirs = context.dirs()?;
    let folders = session_folders(context)?;
    let project = location::open(&context.cwd, dirs, &context.env, &[])?.project;
    // A folder that is gone belongs to the repository in which it was; one below a folder without a repository, to
    // nobody.
    Ok(
        move |folder: &Path| match location::open(folder, dirs, &context.env, &[]) {
            Ok(place) => place.project.root == project.root,
            Err(_) => {
                project.git_common_dir.is_some()
                    && folders.iter().any(|one| folder.starts_with(one))
            }
        },
    )
}

/// A heading with the day and the folder, the places, and the command that goes on.
fn print_session(hit: &SessionHit, context: &Context) -> Result<()> {
    let day = hit.passages.iter().find_map(|one| one.time.as_deref());
    let day = day.and_then(|time| time.get(..10)).unwrap_or("-");
    let folder = hit.folder.as_deref().unwrap_or(Path::new("-"));
    let title = hit.title.as_deref().unwrap_or_default();
    context.line(format_args!(
        "{STRONG}{}{STRONG:#}  {}  {}  {}",
        clean(day),
        hit.host.as_str(),
        one_line(&folder.to_string_lossy()),
        one_line(title)
    ))?;
    for passage in &hit.passages {
        let who = if passage.is_person { "you" } else { "model" };
        context.line(format_args!(
            "  {who}: {}",
            mark_words(&passage.text, &passage.marks)
        ))?;
    }
    let command = resume_command(hit);
    Ok(context.line(format_args!("  {FAINT}{}{FAINT:#}", one_line(&command)))?)
}

/// What a shell is given to go on with the session.
fn resume_command(hit: &SessionHit) -> String {
    let command = hit.host.resume_command(&hit.id);
    match &hit.folder {
        Some(folder) => {
            let folder = folder.to_string_lossy().replace('\'', "'\\''");
            format!("cd '{folder}' && {command}")
        }
        None => command,
    }
}

fn session_json(hit: &SessionHit) -> Value {
    let passages = hit.passages.iter().map(|one| {
        let by = if one.is_person { "person" } else { "model" };
        json!({ "time": one.time, "by": by, "text": one.text })
    });
    json!({
        "host": hit.host.as_str(), "session": hit.id, "folder": hit.folder, "title": hit.title,
        "transcript": hit.transcript, "resume": resume_command(hit),
        "passages": passages.collect::<Vec<_>>(),
    })
}
