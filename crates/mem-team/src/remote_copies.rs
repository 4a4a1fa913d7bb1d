//! Which remotes have copies of a store's memories, as this machine saw them last: those that it is shared with, and those
//! that it was shared with before.
//!
//! The state of a share is kept after `mem team leave` and `mem sync leave`. Its file is named by a checksum of the address
//! and the name there, so the address is known where one that is set up gives the same file.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use mem_core::error::message_with_causes;
use mem_core::memory::ScopeDir;
use mem_core::store::LocalStore;
use mem_sync::base::{StateFile, is_there};
use mem_sync::remote::git::TEAM_REF;

use super::erase::{ForgetError, folder_entries, is_state, name_of, share_tier};
use super::personal_sync::{OWN, own_reference};
use super::place::SharePlace;
use super::settings::{KIND, TeamShare, plain_url};
use super::setup::Setup;

/// Memories of a tier at a remote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteCopy {
    /// The tier.
    pub tier: ScopeDir,
    /// The name that the memory goes by there.
    pub repository: String,
    /// The remote; `None` where its address is kept no longer.
    pub address: Option<String>,
    /// The reference there, where it is a git remote.
    pub reference: Option<String>,
}

/// Finds the copies of a store's memories. `shares` are those that are set up. Returns also the reasons why some of what
/// is remembered cannot be read.
pub fn find_copies(store: &LocalStore, shares: &[TeamShare]) -> (Vec<RemoteCopy>, Vec<String>) {
    let (mut copies, mut unread) = (Vec::new(), Vec::new());
    for kind in [KIND, OWN] {
        let states = state_paths(store, kind).unwrap_or_else(|error| {
            unread.push(message_with_causes(&error));
            BTreeSet::new()
        });
        for path in states {
            let seal = &store.places().person_seal;
            let (state, warning) = StateFile::at(path.clone()).sealed_by(seal).load();
            unread.extend(warning);
            if state.rows().any(|(_, row)| is_there(&row)) {
                copies.push(copy_of(store, kind, &path, &state.repository, shares));
            }
        }
    }
    (copies, unread)
}

fn copy_of(
    store: &LocalStore,
    kind: &'static str,
    path: &Path,
    recorded: &str,
    shares: &[TeamShare],
) -> RemoteCopy {
    let share = shares.iter().find(|share| share.place.state() == *path);
    let repository = share.map_or(recorded, |share| share.repository.name());
    let known = shares.iter().map(|share| match &share.git_url {
        Some(url) => (plain_url(url), url.clone()),
        None => (share.address.to_string(), share.address.to_string()),
    });
    let setup = Setup::load_setup(store, kind);
    let set_up = match setup.address {
        Some(url) => (plain_url(&url), url),
        None => (setup.remote.clone(), setup.remote),
    };
    let mut known = known.chain([set_up]);
    let is_at = |at: &str| SharePlace::new(store, kind, at, repository).state() == *path;
    let tier = share_tier(store, kind);
    // Our own repository, through which a git remote is reached.
    let is_git = path.with_extension("git").is_dir();
    RemoteCopy {
        tier,
        repository: repository.to_owned(),
        address: known.find(|(at, _)| is_at(at)).map(|(_, address)| address),
        reference: is_git.then(|| match kind {
            OWN => own_reference(tier.0, repository),
            _ => TEAM_REF.to_owned(),
        }),
    }
}

/// The states of the shares of a kind, as an earlier version kept them too.
fn state_paths(store: &LocalStore, kind: &str) -> Result<BTreeSet<PathBuf>, ForgetError> {
    let entries = folder_entries(&SharePlace::share_folder(store, kind))?;
    let states = entries.iter().filter(|path| is_state(&name_of(path)));
    Ok(states.map(|path| path.with_extension("state")).collect())
}
