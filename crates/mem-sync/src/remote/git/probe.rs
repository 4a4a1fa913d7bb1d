//! Whether anybody can read a remote: asked as anybody would, without credentials, settings or a home. And how many
//! entries it has, asked in passing: by their names, in a short time, and nothing of them stays.

use std::time::Instant;

use super::network::{self, Network};
use super::process::GitProcess;
use super::ref_tree::RefTree;
use super::store::RefMirror;
use super::{GitOptions, GitRemoteError, address, verdict};

/// Who can read a remote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// Anybody.
    Public,
    /// Those who have an account, a key or a machine that reaches it.
    Private,
}

/// Asks an `http(s)://` or `git://` remote, both as it was named and as `url.*.insteadOf` makes it. What
/// is reached by `ssh` or as a file is private.
pub(super) fn probe_visibility(options: &GitOptions) -> Result<Visibility, GitRemoteError> {
    options.check_options()?;
    let network = Network::new(options.clone());
    let mut urls = vec![options.url.clone(), network.resolve_url()?];
    urls.dedup();
    let settings = network.harmless_settings()?;
    for url in urls.iter().filter_map(|url| address::anonymous_url(url)) {
        if ask_visibility(options, &url, &settings)? == Visibility::Public {
            return Ok(Visibility::Public);
        }
    }
    Ok(Visibility::Private)
}

fn ask_visibility(
    options: &GitOptions,
    url: &str,
    settings: &[(String, String)],
) -> Result<Visibility, GitRemoteError> {
    let nowhere = tempfile::tempdir()?;
    let mut git = GitProcess::new(options, nowhere.path());
    for name in ["HOME", "XDG_CONFIG_HOME", "USERPROFILE", "CURLOPT_NETRC"] {
        git = git.env(name, nowhere.path());
    }
    git = git
        .env("GIT_CONFIG_GLOBAL", nowhere.path().join("none"))
        .env("GIT_CONFIG_NOSYSTEM", "1");
    // No repository that happens to be above says anything either.
    git = git.env("GIT_CEILING_DIRECTORIES", nowhere.path());
    let arguments = [
        "-c",
        "credential.helper=",
        "ls-remote",
        "--quiet",
        "--",
        url,
        "HEAD",
    ];
    let said = network::with_settings(git, settings)
        .args(arguments)
        .run()?;
    if said.status.success() {
        return Ok(Visibility::Public);
    }
    match verdict::classify_failure(&said.complaint) {
        GitRemoteError::Denied(_) => Ok(Visibility::Private),
        error => Err(error),
    }
}

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
