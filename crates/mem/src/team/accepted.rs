//! What a person accepted of colleagues is the remote's text and no change of theirs.
//!
//! The remote may have gone on since it was put aside: without a word about where the text came from, the next run
//! would send it there again, over what took its place.

use anyhow::Result;
use mem_core::history::{Actor, Sha256};
use mem_core::inbox::Entry;
use mem_core::location::Place;
use mem_core::state_file;
use mem_core::store::Store;
use mem_sync::Key;
use mem_sync::base::Keep as _;
use mem_sync::decide::Known;

use crate::context::Context;

/// Remembers of accepted entries that the remote had what colleagues wrote; of those that do not tell what that was, as
/// far as they stand here as they wrote them.
///
/// # Errors
/// The settings cannot be understood, or it cannot be kept.
pub(crate) fn note<'e>(
    accepted: impl Iterator<Item = (&'e Store, &'e Entry)>,
    place: &Place,
    context: &Context,
) -> Result<()> {
    let Some(share) = context.team_if_set_up(place)? else {
        return Ok(());
    };
    let root = &share.store.places().root;
    let of_team = accepted
        .filter(|(store, entry)| entry.author.actor == Actor::Team && store.places().root == *root);
    let mut taken = Vec::new();
    for (file, remote) in of_team.flat_map(|(_, entry)| {
        let files = entry.files.iter();
        files.map(|file| (file, entry.remote))
    }) {
        let Some(name) = share.tier.file(&file.path) else {
            continue;
        };
        // Whatever a person made of it, that is their answer to this text.
        if let Some(remote) = remote {
            taken.extend(Key::parse(name).map(|key| (key, Some(remote))));
            continue;
        }
        let stands = share.store.read(&file.path).ok().flatten();
        let new = file.new.as_ref().map(|content| content.0.as_slice());
        if stands.as_deref() == new {
            taken.extend(Key::parse(name).map(|key| (key, new.map(Sha256::of))));
        }
    }
    if taken.is_empty() {
        return Ok(());
    }
    let _lock = state_file::lock(&share.place.lock())?;
    let mut kept = share.place.state_file();
    let (mut state, _) = kept.load();
    for (key, sha256) in taken {
        // A deletion that was seen can be taken back for everybody.
        let gone = state.remote_of(&key);
        let gone = gone.filter(|known| matches!(known, Known::Gone(_)));
        if let Some(known) = sha256.map(Known::At).or(gone) {
            state.set_base(&key, Some(known));
        }
    }
    kept.save(&mut state)?;
    Ok(())
}
