//! Taking earlier contents of a key out of every commit of the ref.

use git2::{Commit, Oid, Repository};

use super::draft::{self, Changes};
use super::ledger::{self, Record};
use super::{GitError, GitOptions, changes};
use crate::key::Key;
use crate::remote::RemoteError;

/// What a rewrite came to.
pub(super) struct Rewritten {
    /// The new head; none where nothing was left to take out.
    pub(super) head: Option<Oid>,
    /// Versions that lost their content.
    pub(super) redacted: u64,
}

/// Writes every commit anew without the contents that the key held, but not what it holds now. No ref
/// moves. What only other parents of a merge reach is not reached any more.
pub(super) fn rewrite(
    repository: &Repository,
    head: Option<Oid>,
    key: &Key,
    options: &GitOptions,
) -> Result<Rewritten, GitError> {
    let fail = |error: git2::Error| GitError::objects(&error);
    let commits = chain(repository, head).map_err(fail)?;
    let live = match commits.last() {
        Some(newest) => changes::blob(&newest.tree().map_err(fail)?, key),
        None => None,
    };
    let mut rewrite = Rewrite {
        repository,
        key,
        live,
        mark: (options.time().0, options.actor.clone()),
        was: None,
        redacted: 0,
        others: false,
        is_known: false,
        parent: None,
        changed: false,
    };
    for commit in &commits {
        rewrite.step(commit).map_err(fail)?;
    }
    if !rewrite.is_known {
        return Err(RemoteError::NotFound.into());
    }
    if live.is_some() && !rewrite.others {
        let status = 409;
        let message = "this is what the entry holds now: write something else or delete it first";
        let message = message.to_owned();
        return Err(RemoteError::Refused { status, message }.into());
    }
    Ok(Rewritten {
        head: rewrite.parent.filter(|_| rewrite.redacted > 0),
        redacted: rewrite.redacted,
    })
}

/// From the first commit to the newest.
fn chain(repository: &Repository, head: Option<Oid>) -> Result<Vec<Commit<'_>>, git2::Error> {
    let mut commits = Vec::new();
    let mut at = head;
    while let Some(id) = at {
        let commit = repository.find_commit(id)?;
        at = commit.parent_id(0).ok();
        commits.push(commit);
    }
    commits.reverse();
    Ok(commits)
}

struct Rewrite<'a> {
    repository: &'a Repository,
    key: &'a Key,
    live: Option<Oid>,
    mark: (String, String),
    /// The key's blob in the commit before.
    was: Option<Oid>,
    redacted: u64,
    /// Whether there is, or was, other content than the live one.
    others: bool,
    is_known: bool,
    /// The commit before, as it is now.
    parent: Option<Oid>,
    changed: bool,
}

impl Rewrite<'_> {
    fn step(&mut self, commit: &Commit<'_>) -> Result<(), git2::Error> {
        let tree = commit.tree()?;
        let blob = changes::blob(&tree, self.key);
        let shard = ledger::shard_of(self.key);
        let mut records = ledger::shard(self.repository, &tree, &shard);
        let record = records.get(self.key);
        self.is_known |= blob.is_some() || record.is_some();
        self.others |= record.is_some_and(|record| record.redacted.is_some());
        let goes = blob.is_some() && blob != self.live;
        let mut id = tree.id();
        if goes {
            self.others = true;
            self.redacted += u64::from(blob != self.was);
            let record = Record {
                redacted: Some(self.mark.clone()),
                ..record.cloned().unwrap_or_default()
            };
            records.insert(self.key.clone(), record);
            let json = serde_json::to_vec(&records).unwrap_or_default();
            let path = format!("{}/{shard}", ledger::FOLDER);
            let changes = Changes::from([
                (self.key.to_string(), None),
                (path, Some(self.repository.blob(&json)?)),
            ]);
            id = draft::update(self.repository, &tree, &changes)?;
        }
        self.was = blob;
        self.changed |= goes || commit.parent_count() > 1;
        self.parent = Some(match self.changed {
            true => self.again(commit, id)?,
            false => commit.id(),
        });
        Ok(())
    }

    /// The same commit with another tree, on the rewritten one.
    fn again(&self, commit: &Commit<'_>, tree: Oid) -> Result<Oid, git2::Error> {
        let tree = self.repository.find_tree(tree)?;
        let parent = self
            .parent
            .map(|id| self.repository.find_commit(id))
            .transpose()?;
        let parents: Vec<&Commit<'_>> = parent.iter().collect();
        let message = String::from_utf8_lossy(commit.message_bytes()).into_owned();
        let (author, committer) = (commit.author(), commit.committer());
        self.repository
            .commit(None, &author, &committer, &message, &tree, &parents)
    }
}
