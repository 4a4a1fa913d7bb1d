//! `mem team redact --names`: take the names that hold a secret out of the remote.
//!
//! Nobody takes such a file, and nothing shows its name: so nobody can be asked to write that down, where a
//! shell would keep it.

use std::collections::BTreeSet;

use anyhow::Result;
use mem_core::location::Place;
use mem_sync::Key;
use mem_sync::remote::{Fetched, Query, Remote, RemoteError};
use mem_sync::screen::Screen as _;
use mem_sync::wire::{Answer, ETag, PutBody, RedactBody};
use serde_json::json;

use super::redact::{Choice, warn_of_copies};
use crate::context::Context;
use crate::counted::counted;
use crate::exit::Exit;
use crate::sanitize::one_line;
use crate::team::error::TeamError;
use crate::team::remote;
use crate::team::screen::TeamScreen;
use crate::team::settings::Share;
use crate::team::talk::Talk;

/// What became of them.
#[derive(Debug, Default)]
struct Done {
    names: usize,
    deleted: usize,
    redacted: u64,
    /// Names that an earlier version of a server leaves.
    left: usize,
    note: String,
}

/// Asks, deletes what stands under such names, takes them out, and says what is out of reach.
pub(super) fn of_share(
    choice: &Choice,
    share: &Share,
    place: &Place,
    context: &Context,
) -> Result<Exit> {
    let mut remote = remote::open(share, place, context)?;
    let talk = Talk::begin("looking at the remote's names", share, context);
    let (etag, answer) = everything(remote.as_mut())?;
    drop(talk);
    let screen = TeamScreen::of(share, &place.project, context.dirs()?);
    let is_meant = |key: &&Key| screen.screen(key, "").map(|leaks| !leaks.is_empty());
    let all: BTreeSet<&Key> = answer.entries.keys().chain(answer.deleted.keys()).collect();
    let mut names = BTreeSet::new();
    for key in all {
        if is_meant(&key)? {
            names.insert(key.clone());
        }
    }
    let live = names.iter().filter(|key| answer.entries.contains_key(*key));
    let live: BTreeSet<Key> = live.cloned().collect();
    let mut done = Done {
        names: names.len(),
        deleted: live.len(),
        ..Done::default()
    };
    if done.names > 0 && !choice.dry_run {
        context.confirm(&question(&done), choice.yes)?;
        let talk = Talk::begin("rewriting what the remote holds", share, context);
        let taken = take_out(remote.as_mut(), &names, live, &etag, &mut done);
        drop(talk);
        taken.map_err(TeamError::of_redaction)?;
    }
    tell(&done, choice.dry_run, context)
}

fn question(done: &Done) -> String {
    let files = counted(done.deleted, "file", "files");
    let names = counted(done.names, "name that holds", "names that hold");
    format!("delete {files} for everybody, and take {names} a secret out of the remote, for good?")
}

fn everything(remote: &mut dyn Remote) -> Result<(ETag, Answer), RemoteError> {
    let query = Query {
        hashes: true,
        ..Query::default()
    };
    match remote.get(&query, None)? {
        Fetched::Found { etag, answer, .. } => Ok((etag, answer)),
        Fetched::NotModified => Err(RemoteError::NotFound),
    }
}

fn take_out(
    remote: &mut dyn Remote,
    names: &BTreeSet<Key>,
    live: BTreeSet<Key>,
    etag: &ETag,
    done: &mut Done,
) -> Result<(), RemoteError> {
    if !live.is_empty() {
        let body = PutBody {
            delete: live,
            ..PutBody::default()
        };
        // Only as it was when the question was asked.
        remote.put(&body, Some(etag))?;
    }
    for key in names {
        let redacted = remote.redact(&RedactBody::name(key))?;
        done.redacted += redacted.redacted;
        done.left += usize::from(!redacted.name);
        done.note = redacted.note;
    }
    Ok(())
}

fn tell(done: &Done, is_dry: bool, context: &Context) -> Result<Exit> {
    let printer = &context.printer;
    if printer.json {
        printer.json(&json!({
            "names": done.names - done.left, "deleted": done.deleted,
            "redacted": done.redacted, "note": done.note, "dry_run": is_dry,
        }))?;
        return Ok(Exit::Ok);
    }
    if done.names == 0 {
        printer.line("no name at the remote holds a secret")?;
        return Ok(Exit::Ok);
    }
    if is_dry {
        printer.line(format_args!(
            "would delete {} for everybody, and take {} out of the remote",
            counted(done.deleted, "file", "files"),
            counted(done.names, "name", "names")
        ))?;
        return Ok(Exit::Ok);
    }
    if done.names > done.left {
        printer.line(format_args!(
            "{} out of the remote now, with what stood there",
            counted(done.names - done.left, "name is", "names are")
        ))?;
    }
    if done.left > 0 {
        printer.warn(
            "the remote is of an earlier version: what stood under the names is gone, they stay",
        );
    }
    if !done.note.is_empty() {
        printer.warn(one_line(&done.note));
    }
    warn_of_copies(context);
    Ok(Exit::Ok)
}
