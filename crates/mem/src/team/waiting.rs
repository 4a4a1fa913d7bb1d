//! What waits here for a person's look before it leaves: listed, counted, and told by the commands that write for the
//! team.

use anyhow::Result;
use mem_core::history::{AuthorKind, Sha256};
use mem_core::location::ProjectContext;
use mem_core::{MemoryPath, MemoryType};
use mem_sync::EntryKey;
use mem_sync::files::SyncFiles as _;

use super::files::StoreFiles;
use super::settings::TeamShare;
use super::standing::ShareStatus;
use super::unseen::UnreviewedTexts;
use crate::context::Context;
use crate::counted;
use crate::sanitize::clean;

/// A file that waits.
#[derive(Debug)]
pub(crate) struct WaitingFile {
    /// Its key.
    pub key: EntryKey,
    /// What it holds.
    pub sha256: Sha256,
    /// The same, as bytes.
    pub bytes: Vec<u8>,
}

/// What waits of a shared tier, as far as `standing` is to be sent.
///
/// # Errors
/// The files cannot be read.
pub(crate) fn waiting_files(
    standing: &ShareStatus,
    unseen: &UnreviewedTexts,
    files: &mut StoreFiles,
) -> Result<Vec<WaitingFile>> {
    files.list()?;
    let mut waiting = Vec::new();
    for (key, _) in &standing.waiting {
        let Some(bytes) = files.read(key)? else {
            continue;
        };
        let sha256 = Sha256::digest(&bytes);
        if unseen.holds_content(key, sha256) {
            let key = key.clone();
            waiting.push(WaitingFile { key, sha256, bytes });
        }
    }
    Ok(waiting)
}

/// How many files of a tier wait; none where nothing is held back.
///
/// # Errors
/// The files cannot be read.
pub(crate) fn count_waiting(
    share: &TeamShare,
    place: &ProjectContext,
    context: &Context,
) -> Result<usize> {
    if !share.pushes_in_review {
        return Ok(0);
    }
    let standing = ShareStatus::for_share(share, place, context)?;
    let gate = context.secret_gate(place);
    let mut files = StoreFiles::for_share(share, gate, context.now);
    Ok(waiting_files(&standing, &UnreviewedTexts::for_share(share), &mut files)?.len())
}

/// Says how many files wait, and what lets them go.
pub(crate) fn say_count(waiting: usize, context: &Context) {
    let waits = match waiting {
        0 => return,
        1 => "waits",
        _ => "wait",
    };
    context.printer.say(format_args!(
        "{} here {waits} for a look before anything of it is sent: `mem team review`",
        counted::count_files(waiting)
    ));
}

/// Says how a memory that was saved without a tier is shared, where a team shares.
pub(crate) fn say_how(place: &ProjectContext, kind: MemoryType, file: &str, context: &Context) {
    if kind != MemoryType::User && is_shared(place) {
        context.printer.say(format_args!(
            "`mem team share {}` shares it with the team",
            clean(file)
        ));
    }
}

/// Says so where files wait that were just written, as far as they are the team's.
pub(crate) fn say_what_waits<'p>(
    place: &ProjectContext,
    written: impl IntoIterator<Item = &'p MemoryPath>,
    context: &Context,
) {
    // What stands in the way of sharing is told by the commands that share.
    if let Ok(Some(share)) = context.team_if_set_up(place) {
        say_count(count_among(&share, written), context);
    }
}

/// How many of these files wait.
pub(crate) fn count_among<'p>(
    share: &TeamShare,
    files: impl IntoIterator<Item = &'p MemoryPath>,
) -> usize {
    let of_team = |path: &'p MemoryPath| {
        let key = share
            .tier
            .file(path)
            .and_then(|name| EntryKey::parse(name).ok());
        key.zip(share.store.read(path).ok().flatten())
    };
    let mut files = files.into_iter().filter_map(of_team).peekable();
    if !share.pushes_in_review || files.peek().is_none() {
        return 0;
    }
    let unseen = UnreviewedTexts::for_share(share);
    let waits =
        |(key, bytes): &(EntryKey, Vec<u8>)| unseen.holds_content(key, Sha256::digest(bytes));
    files.filter(waits).count()
}

/// Whether what whoever runs this shares would wait.
pub(crate) fn would_wait(share: &TeamShare, context: &Context) -> bool {
    share.pushes_in_review && context.author().actor == AuthorKind::Agent
}

fn is_shared(place: &ProjectContext) -> bool {
    !place.config.values.team.remote.is_empty()
}
