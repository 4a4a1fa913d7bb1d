//! What a person accepted of colleagues is the remote's text and no change of theirs.
//!
//! The remote may have gone on since it was put aside: without a word about where the text came from, the next run
//! would send it there again, over what took its place.

use mem_core::RunContext;
use mem_core::history::{AuthorKind, Sha256};
use mem_core::inbox::{File, InboxEntry};
use mem_core::location::ProjectContext;
use mem_core::state_file;
use mem_core::store::LocalStore;
use mem_sync::EntryKey;
use mem_sync::base::{Conflict, FileContent, SyncStateStorage as _};
use mem_sync::decide::KnownKey;

use super::error::TeamError;
use super::settings::{self, TeamShare};

/// Remembers of accepted entries that the remote had what colleagues wrote; of those that do not tell what that was, as
/// far as they stand here as they wrote them.
///
/// # Errors
/// The settings cannot be understood, or it cannot be kept.
pub fn note_accepted<'e>(
    accepted: impl Iterator<Item = (&'e LocalStore, &'e InboxEntry)>,
    place: &ProjectContext,
    context: &RunContext,
) -> Result<(), TeamError> {
    let Some(share) = settings::team_if_set_up(place, context)? else {
        return Ok(());
    };
    let root = &share.store.places().root;
    let of_team = accepted.filter(|(store, entry)| {
        entry.author.actor == AuthorKind::Team && store.places().root == *root
    });
    let files = of_team.flat_map(|(_, entry)| {
        let files = entry.files.iter();
        files.map(|file| (file, entry.remote))
    });
    let taken: Vec<Taken> = files
        .filter_map(|(file, remote)| taken_file(&share, file, remote))
        .collect();
    if taken.is_empty() {
        return Ok(());
    }
    let _lock = state_file::lock(&share.place.lock())?;
    let mut kept = share.place.state_file();
    let (mut state, _) = kept.load();
    for Taken {
        key,
        sha256,
        instead_of,
    } in taken
    {
        let base = state.base(&key);
        if let (Some(bytes), Some(sha256)) = (instead_of, sha256)
            && base != Some(KnownKey::At(Sha256::digest(&bytes)))
        {
            state.keep(Conflict {
                key: key.clone(),
                local: FileContent::new(bytes),
                base,
                remote: KnownKey::At(sha256),
            });
        }
        // A deletion that was seen can be taken back for everybody.
        let gone = state.remote_of(&key);
        let gone = gone.filter(|known| matches!(known, KnownKey::Gone(_)));
        if let Some(known) = sha256.map(KnownKey::At).or(gone) {
            state.set_base(&key, Some(known));
        }
    }
    kept.save(&mut state)?;
    Ok(())
}

/// What was accepted of one file.
struct Taken {
    key: EntryKey,
    /// The text that the remote had; `None` for a removal.
    sha256: Option<Sha256>,
    /// What stood here, where the remote's text took its place as it is. It is a conflict where nobody had sent it.
    instead_of: Option<Vec<u8>>,
}

fn taken_file(share: &TeamShare, file: &File, remote: Option<Sha256>) -> Option<Taken> {
    let key = EntryKey::parse(share.tier.file(&file.path)?).ok()?;
    let new = file.new.as_ref().map(|content| content.0.as_slice());
    let stands = share.store.read(&file.path).ok().flatten();
    let is_as_written = stands.as_deref() == new;
    let sha256 = match remote {
        // Whatever a person made of it, that is their answer to this text.
        Some(remote) => Some(remote),
        None if is_as_written => new.map(Sha256::digest),
        None => return None,
    };
    let is_theirs = is_as_written && new.map(Sha256::digest) == sha256 && new.is_some();
    let instead_of = file.old.as_ref().filter(|_| is_theirs);
    Some(Taken {
        key,
        sha256,
        instead_of: instead_of.map(|content| content.0.clone()),
    })
}
