//! What stays the same when a repository is moved, renamed or cloned again.

use std::collections::BTreeSet;
use std::path::Path;

use super::{Project, object_db, remote};
use crate::limits::IDENTITY_COMMITS_MAX;

/// Facts by which a repository is known again. Neither is a secret nor a proof.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// The first commit that `HEAD` descends from along first parents, as hex; empty when there
    /// is none yet, in a shallow clone, and beyond the walking limit.
    pub root_commits: Vec<String>,
    /// Remote addresses as `host/owner/repo`, without credentials; sorted.
    pub remotes: Vec<String>,
}

impl Identity {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.root_commits.is_empty() && self.remotes.is_empty()
    }
}

/// Reads a project's identity. Slow (it walks the history): call it only when it is needed.
///
/// Whatever cannot be read is left out. A refused `.git` gives nothing.
pub fn identity(project: &Project) -> Identity {
    let (Some(git_dir), Some(common)) = (&project.git_dir, &project.git_common_dir) else {
        return Identity::default();
    };
    Identity {
        root_commits: root_commit(git_dir, common).into_iter().collect(),
        remotes: remotes_in(common),
    }
}

/// The addresses of a project's remotes as `host/owner/repo`; none where it is no repository.
pub fn remotes(project: &Project) -> Vec<String> {
    let common = project.git_common_dir.as_deref();
    common.map(remotes_in).unwrap_or_default()
}

/// Whether a project has commits and shares neither a first commit nor a remote with this identity. Cheap: a first commit
/// that is among the project's objects counts as shared. `false` where that is not known, as in a shallow clone.
pub fn is_other_repository(project: &Project, identity: &Identity) -> bool {
    let (Some(git_dir), Some(common)) = (&project.git_dir, &project.git_common_dir) else {
        return false;
    };
    if identity.root_commits.is_empty() || common.join("shallow").exists() {
        return false;
    }
    let Some(objects) = object_db::open(common) else {
        return false;
    };
    let has_commit = |id: &String| {
        let id = git2::Oid::from_str(id);
        id.is_ok_and(|id| objects.find_commit(id).is_ok())
    };
    let remotes = remotes_in(common);
    object_db::head_commit(git_dir, common).is_some()
        && !identity.root_commits.iter().any(has_commit)
        && !identity.remotes.iter().any(|one| remotes.contains(one))
}

fn root_commit(git_dir: &Path, common: &Path) -> Option<String> {
    if common.join("shallow").exists() {
        return None;
    }
    let objects = object_db::open(common)?;
    let head = object_db::head_commit(git_dir, common)?;
    let mut commit = objects.find_commit(head).ok()?;
    for _ in 0..IDENTITY_COMMITS_MAX {
        if commit.parent_count() == 0 {
            return Some(commit.id().to_string());
        }
        commit = commit.parent(0).ok()?;
    }
    None
}

fn remotes_in(common: &Path) -> Vec<String> {
    let path = common.join("config");
    let Some(Ok(config)) = path.is_file().then(|| git2::Config::open(&path)) else {
        return Vec::new();
    };
    let mut found = BTreeSet::new();
    if let Ok(entries) = config.entries(Some(r"^remote\..*\.url$")) {
        // The iterator of the binding stops at the first entry that cannot be read.
        let _ = entries.for_each(|entry| {
            if let Some(address) = entry.value().ok().and_then(remote::normalise) {
                found.insert(address);
            }
        });
    }
    found.into_iter().collect()
}
