//! Taking earlier contents of a key, and its name, out of every commit of the ref.

use git2::{Commit, Oid, Repository, Tree};

use super::draft::{self, Changes};
use super::ledger::{self, EntryMetadata, Records};
use super::{GitOptions, GitRemoteError, changes};
use crate::key::EntryKey;
use crate::remote::RemoteError;
use crate::wire::{ETag, RedactBody, RedactOutcome};

/// What a redaction cannot reach.
const BEYOND: &str = "clones of the ref on other machines keep the old objects until they next synchronise, \
                      and the host of the remote may keep unreachable objects and show them by their id: \
                      ask it to remove them, and replace the value";

/// What a rewrite came to.
pub(super) struct RefRewriteOutcome {
    /// The new head; none where nothing was left to take out.
    pub(super) head: Option<Oid>,
    /// How many versions lost their content, and the rest of the answer.
    pub(super) done: RedactOutcome,
}

/// Writes every commit anew without the contents that the key held, but not what it holds now; with its name
/// go its records too, and nothing may stand under it. No ref moves. What only other parents of a merge reach
/// is not reached any more.
pub(super) fn rewrite_history(
    repository: &Repository,
    head: Option<Oid>,
    what: &RedactBody,
    options: &GitOptions,
) -> Result<RefRewriteOutcome, GitRemoteError> {
    let key = &what.key;
    let commits = commit_chain(repository, head)?;
    let live = match commits.last() {
        Some(newest) => changes::find_blob(&newest.tree()?, key),
        None => None,
    };
    if live.is_some() && what.name {
        return Err(in_the_way(
            "an entry stands under this name: delete it first",
        ));
    }
    let mut rewrite = RefRewrite {
        repository,
        what,
        key,
        live,
        mark: (options.current_time().0, options.actor.clone()),
        was: None,
        redacted: 0,
        others: false,
        is_known: false,
        found: false,
        parent: None,
        changed: false,
    };
    for commit in &commits {
        rewrite.rewrite_commit(commit)?;
    }
    if !rewrite.is_known {
        return Err(RemoteError::NotFound.into());
    }
    if live.is_some() && !rewrite.others {
        let why = "this is what the entry holds now";
        return Err(in_the_way(why));
    }
    Ok(RefRewriteOutcome {
        head: rewrite.parent.filter(|_| rewrite.found),
        done: RedactOutcome {
            redacted: rewrite.redacted,
            note: BEYOND.to_owned(),
            name: what.name,
        },
    })
}

/// A commit with what a redaction, which rewrites it, leaves of it: number, message, author and time.
pub(super) struct KnownCommit {
    id: Oid,
    mark: (u64, Vec<u8>, String, i64),
}

impl KnownCommit {
    /// Reads the commit that a tag names; `None` where it is not there.
    pub(super) fn find(repository: &Repository, tag: &ETag) -> Option<Self> {
        let id = Oid::from_str(tag.as_str().trim_matches('"')).ok()?;
        Self::read(repository, &repository.find_commit(id).ok()?).ok()
    }

    fn read(repository: &Repository, commit: &Commit<'_>) -> Result<Self, GitRemoteError> {
        let version = ledger::read_version(repository, &commit.tree()?)?;
        let message = commit.message_bytes().to_vec();
        let author = commit.author().to_string();
        Ok(Self {
            id: commit.id(),
            mark: (version, message, author, commit.time().seconds()),
        })
    }

    /// Whether this commit, or what a redaction made of it, is among those that led to `head`.
    pub(super) fn leads_to(
        &self,
        head: Oid,
        repository: &Repository,
    ) -> Result<bool, GitRemoteError> {
        // The object may be gone by now, and is not reached then.
        if head == self.id || matches!(repository.graph_descendant_of(head, self.id), Ok(true)) {
            return Ok(true);
        }
        for commit in commit_chain(repository, Some(head))?.iter().rev() {
            let mark = Self::read(repository, commit)?.mark;
            if mark == self.mark {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn in_the_way(message: &str) -> GitRemoteError {
    RemoteError::InTheWay(message.to_owned()).into()
}

/// From the first commit to the newest.
fn commit_chain(
    repository: &Repository,
    head: Option<Oid>,
) -> Result<Vec<Commit<'_>>, git2::Error> {
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

struct RefRewrite<'a> {
    repository: &'a Repository,
    what: &'a RedactBody,
    key: &'a EntryKey,
    live: Option<Oid>,
    mark: (String, String),
    /// The key's blob in the commit before.
    was: Option<Oid>,
    redacted: u64,
    /// Whether there is, or was, other content than the live one.
    others: bool,
    is_known: bool,
    /// Whether anything was to go.
    found: bool,
    /// The commit before, as it is now.
    parent: Option<Oid>,
    changed: bool,
}

impl RefRewrite<'_> {
    fn rewrite_commit(&mut self, commit: &Commit<'_>) -> Result<(), git2::Error> {
        let tree = commit.tree()?;
        let blob = changes::find_blob(&tree, self.key);
        let shard = ledger::shard_of(self.key);
        let mut records = ledger::read_shard(self.repository, &tree, &shard);
        let record = records.get(self.key);
        self.is_known |= blob.is_some() || record.is_some();
        self.others |= record.is_some_and(|record| record.redacted.is_some());
        let content_goes = blob.is_some() && blob != self.live;
        let goes = content_goes || (self.what.name && record.is_some());
        let mut id = tree.id();
        if content_goes {
            self.others = true;
            self.redacted += u64::from(blob != self.was);
        }
        if goes {
            self.found = true;
            let marked = EntryMetadata {
                redacted: Some(self.mark.clone()),
                ..record.cloned().unwrap_or_default()
            };
            match self.what.name {
                true => drop(records.remove(self.key)),
                false => drop(records.insert(self.key.clone(), marked)),
            }
            id = self.redacted_tree(&tree, content_goes, &shard, &records)?;
        }
        self.was = blob;
        // A commit's id covers its parent, so from the first change on every commit is another one. A merge changes too:
        // its other parents may still reach the content.
        self.changed |= goes || commit.parent_count() > 1;
        self.parent = Some(match self.changed {
            true => self.copy_commit(commit, id)?,
            false => commit.id(),
        });
        Ok(())
    }

    /// The tree without what the key holds, where that goes, and with these records.
    fn redacted_tree(
        &self,
        tree: &Tree<'_>,
        content_goes: bool,
        shard: &str,
        records: &Records,
    ) -> Result<Oid, git2::Error> {
        let mut changes = Changes::new();
        if content_goes {
            changes.insert(self.key.to_string(), None);
        }
        let json = serde_json::to_vec(records).unwrap_or_default();
        let path = format!("{}/{shard}", ledger::FOLDER);
        changes.insert(path, Some(self.repository.blob(&json)?));
        draft::update_tree(self.repository, tree, &changes)
    }

    /// The same commit with another tree, on the rewritten one.
    fn copy_commit(&self, commit: &Commit<'_>, tree: Oid) -> Result<Oid, git2::Error> {
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
