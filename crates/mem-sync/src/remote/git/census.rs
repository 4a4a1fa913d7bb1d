//! How many entries a remote has, asked in passing: by their names, in a short time, and nothing of them stays.

use std::time::Instant;

use super::network::Network;
use super::shelf::RefTree;
use super::store::RefMirror;
use super::{GitOptions, GitRemoteError};

/// Counts the entries of a remote, indexes left out: all of it within the deadline, in a copy that does not stay, and
/// with nothing of the settings of the user's repository itself.
///
/// # Errors
/// There is no such ref, or it is not known in time how many there are.
pub fn count_remote_entries(options: &GitOptions) -> Result<usize, GitRemoteError> {
    options.check_options()?;
    let until = Instant::now() + options.deadline;
    let nowhere = tempfile::tempdir()?;
    let options = GitOptions {
        store: nowhere.path().join("copy.git"),
        ..options.clone()
    };
    let store = RefMirror::new(options.store.clone()).lock_mirror(options.deadline)?;
    let reference = options.reference.clone();
    Network::in_passing(options, until).fetch_names(&store)?;
    let head = store.ref_head(&reference)?;
    let names = RefTree::read_names(&store.repository, head, until)?;
    Ok(names.iter().filter(|key| !key.is_index()).count())
}
