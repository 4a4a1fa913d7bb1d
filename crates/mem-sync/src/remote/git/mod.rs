//! A ref of a git remote as a store: no server is needed.
//!
//! The ref holds a commit, its tree the entries as files, byte for byte, and a folder of our own. Objects
//! live in a bare repository of `mem`'s own, so that nothing of them gets into the user's repository or
//! leaves with a `push --mirror`. libgit2 reads and writes objects; what goes over the line is the business
//! of the system's `git`, which knows the user's credentials and proxies.
//!
//! The ref is a register with compare-and-swap; a state's name (ETag) is the id of its commit:
//!
//! ```text
//!  copy's ref   remote's ref
//!      A             A         draft: commit B, parent A, objects written into the copy
//!      A             B         push B --force-with-lease=ref:A     a crash here: the next look fetches B
//!      B             B         the copy's ref follows
//!
//!      A             X         somebody was faster: the push is rejected, B is garbage in the copy
//! ```
//!
//! A push without force and lease is not enough. It accepts every fast-forward, so after somebody reset the ref to an
//! ancestor of A it would bring back what was reset away; and a redaction is no fast-forward at all.
//!
//! **Invariant:** the copy's ref names a state that the remote had. Only the push decides who was first; the copy's
//! lock orders the processes of this machine, nothing more. **Cost:** a write is one push, and a look one `ls-remote`;
//! objects of a change are its texts, their shards of records and the folders above them.
//!
//! Tests: `git::rules::it_conforms`, `git::rules::two_processes_take_turns`,
//! `git::rules::writers_without_a_condition_all_get_their_turn`, `convergence::and_so_they_do_through_a_git_remote`,
//! `git::size::ten_thousand_entries_are_read_at_once_and_one_change_is_a_few_objects`.
//!
//! # Layout
//! - `options`, `error`, `address`: what is asked for, and what is refused.
//! - `process`, `network`, `verdict`: one run of git, its questions, and what its words mean.
//! - `process_groups`, `process_guard`: no git outlives this process.
//! - `probe`: whether anybody can read a remote, and how many entries it has, asked in passing.
//! - `store`: the bare repository and its lock.
//! - `ref_tree`, `ledger`, `answer`: a commit, read as hostile input. `digests`: what was read of it before.
//! - `deleted_ref`: what stays known of a ref that somebody deleted.
//! - `draft`: what a PUT makes of it. `changes`: the log. `rewrite`: redaction.

mod address;
mod answer;
mod changes;
mod deleted_ref;
mod digests;
mod draft;
mod error;
mod ledger;
mod network;
mod options;
mod probe;
mod process;
mod process_groups;
mod process_guard;
mod ref_tree;
mod rewrite;
mod store;
mod verdict;

use std::collections::HashSet;

use git2::Oid;

pub use error::GitRemoteError;
pub use options::{Clock, GitOptions, TEAM_REF};
pub use probe::{Visibility, count_remote_entries};
pub use process_groups::end_all;
pub use store::is_unfinished;

use super::{Fetched, LogQuery, PutOutcome, Remote, RemoteError, StateQuery};
use crate::limits::GIT_WRITE_BYTES_MAX;
use crate::wire::{ETag, LogPage, PutBody, RedactBody, RedactOutcome};
use digests::Digests;
use draft::CommitDraft;
use network::Network;
use ref_tree::RefTree;
use rewrite::KnownCommit;
use store::{LockedMirror, RefMirror};

/// How often a write without a condition is tried anew after somebody else was faster.
const TRIES: u32 = 32;
/// A store behind a ref.
#[derive(Debug)]
pub struct GitRemote {
    options: GitOptions,
    network: Network,
    store: RefMirror,
    digests: Digests,
    /// The state that was read last.
    shelf: Option<(Option<Oid>, RefTree)>,
}

impl GitRemote {
    /// A store; nothing is run and nothing is written yet.
    ///
    /// # Errors
    /// An address or a ref that cannot be used.
    pub fn open(options: GitOptions) -> Result<Self, GitRemoteError> {
        options.check_options()?;
        Ok(Self {
            network: Network::new(options.clone()),
            store: RefMirror::new(options.store.clone()),
            options,
            digests: Digests::new(),
            shelf: None,
        })
    }

    /// Asks whether anybody can read the remote.
    ///
    /// # Errors
    /// The remote cannot be reached, so that it is not known.
    pub fn probe_public(options: &GitOptions) -> Result<Visibility, GitRemoteError> {
        probe::probe_visibility(options)
    }

    /// Does something with the copy; once more with a new one, where it turns out to be damaged.
    fn with_mirror<T>(
        &mut self,
        mut work: impl FnMut(&mut Self, &LockedMirror) -> Result<T, GitRemoteError>,
    ) -> Result<T, RemoteError> {
        let locked = self.store.lock_mirror(self.options.deadline)?;
        // What cannot be removed now is removed by a later run.
        let _ = self.finish_cleanup(&locked);
        let done = match work(self, &locked) {
            Err(GitRemoteError::Damaged(_)) => {
                self.shelf = None;
                locked.discard_mirror(&self.store)?;
                let locked = self.store.lock_mirror(self.options.deadline)?;
                work(self, &locked)
            }
            done => done,
        };
        Ok(done?)
    }

    fn local_head(&self, store: &LockedMirror) -> Result<Option<Oid>, GitRemoteError> {
        store.ref_head(&self.options.reference)
    }

    /// Brings the copy's ref to where the remote's is. What a rewritten ref left behind is removed.
    fn refresh_mirror(&mut self, store: &LockedMirror) -> Result<Option<Oid>, GitRemoteError> {
        let there = self.network.remote_head(store)?;
        let here = self.local_head(store)?;
        self.follow_remote(store, here, there)
    }

    fn follow_remote(
        &mut self,
        store: &LockedMirror,
        here: Option<Oid>,
        there: Option<Oid>,
    ) -> Result<Option<Oid>, GitRemoteError> {
        if here == there {
            return Ok(here);
        }
        // The mark stands before the ref moves. Whether the new state still reaches the old one shows only after the
        // fetch, and a kill in between would keep redacted objects in the copy with nobody to remove them.
        if here.is_some() {
            store.begin_to_remove()?;
        }
        match there {
            Some(_) => {
                self.network.fetch_ref(store)?;
                deleted_ref::forget_deleted_state(store, &self.options)?;
            }
            None => {
                let shelf = RefTree::read(&store.repository, here, &mut self.digests, false)?;
                deleted_ref::remember_deletions(store, &shelf, &self.options)?;
                store.set_head(&self.options.reference, None)?;
            }
        }
        let now = self.local_head(store)?;
        if !store.is_state(now) {
            // Ours is in order, and stays.
            store.set_head(&self.options.reference, here)?;
            return Err(RemoteError::Nonsense("its ref names no commit".to_owned()).into());
        }
        let was_rewritten = match (here, now) {
            (Some(old), Some(new)) => {
                let grew = store.repository.graph_descendant_of(new, old);
                !grew?
            }
            (Some(_), None) => true,
            (None, _) => false,
        };
        if was_rewritten {
            self.finish_cleanup(store)?;
        } else if store.is_untidy() {
            self.network.repack_mirror(store)?;
        }
        store.end_to_remove();
        Ok(now)
    }

    /// Removes what the ref does not reach any more, where a run began to, or was ended while it could have.
    fn finish_cleanup(&mut self, store: &LockedMirror) -> Result<(), GitRemoteError> {
        if is_unfinished(store.path()) {
            digests::delete_digests(store.path());
            self.network.repack_mirror(store)?;
            store.end_to_remove();
        }
        Ok(())
    }

    /// What a state of the ref begins with: its commit, or what is known of one that is gone.
    fn base_commit(
        &self,
        store: &LockedMirror,
        head: Option<Oid>,
    ) -> Result<Option<Oid>, GitRemoteError> {
        match head {
            Some(_) => Ok(head),
            None => deleted_ref::find_deleted_state(store, &self.options),
        }
    }

    /// What a state of the ref holds, read once; its texts as well, where they are wanted and it is read now.
    fn load_tree(
        &mut self,
        store: &LockedMirror,
        head: Option<Oid>,
        with_texts: bool,
    ) -> Result<&mut RefTree, GitRemoteError> {
        let commit = self.base_commit(store, head)?;
        if self.shelf.as_ref().is_none_or(|(of, _)| *of != commit) {
            if self.digests.is_empty() {
                self.digests = digests::load_digests(store.path());
            }
            let known = self.digests.len();
            let shelf = RefTree::read(&store.repository, commit, &mut self.digests, with_texts)?;
            let shelved = shelf.files.values().chain(shelf.clashing.values());
            let now: HashSet<Oid> = shelved.map(|stored| stored.blob).collect();
            digests::save_digests(store.path(), &self.digests, known, &now);
            self.shelf = Some((commit, shelf));
        }
        match &mut self.shelf {
            Some((_, shelf)) => Ok(shelf),
            None => Err(GitRemoteError::Damaged("nothing was read".to_owned())),
        }
    }

    /// Writes on top of what is known, or of what is there now.
    fn write(
        &mut self,
        store: &LockedMirror,
        body: &PutBody,
        if_match: Option<&ETag>,
    ) -> Result<PutOutcome, GitRemoteError> {
        for _ in 0..TRIES {
            let mut base = self.local_head(store)?;
            // Where the condition is the copy's own state, the push checks it: asking first would be a second trip to
            // say the same.
            let is_known = if_match.is_some_and(|tag| base.is_some() && *tag == tag_of(base));
            if !is_known {
                base = self.refresh_mirror(store)?;
                self.refuse_other(if_match, base)?;
            }
            let draft = CommitDraft::new(self.load_tree(store, base, false)?, body.clone());
            if draft.is_empty() {
                // Nothing is pushed, so nothing has checked the condition yet.
                if is_known {
                    let now = self.network.remote_head(store)?;
                    self.refuse_other(if_match, now)?;
                }
                return Ok(put_outcome(base, draft));
            }
            self.refuse_public(base)?;
            let shelf = self.shelf.as_ref().map(|(_, shelf)| shelf);
            let shelf = shelf.ok_or(GitRemoteError::Busy)?;
            let ground = self.base_commit(store, base)?;
            let commit =
                draft.write_commit(&store.repository, base, ground, shelf, &self.options)?;
            match self.network.push_commit(store, base, commit) {
                Ok(()) => {
                    store.set_head(&self.options.reference, Some(commit))?;
                    deleted_ref::forget_deleted_state(store, &self.options)?;
                    return Ok(put_outcome(Some(commit), draft));
                }
                // With a condition the caller decides anew from the new state; without one the same change is put
                // on top of it.
                Err(GitRemoteError::Remote(RemoteError::Raced { .. })) if if_match.is_none() => {}
                Err(error) => return Err(error),
            }
        }
        Err(RemoteError::Raced { etag: None }.into())
    }

    fn refuse_other(
        &self,
        if_match: Option<&ETag>,
        now: Option<Oid>,
    ) -> Result<(), GitRemoteError> {
        let now = tag_of(now);
        match if_match {
            Some(tag) if *tag != now => Err(RemoteError::Raced { etag: Some(now) }.into()),
            _ => Ok(()),
        }
    }

    /// The first write makes the ref: not where anybody could read it.
    fn refuse_public(&self, base: Option<Oid>) -> Result<(), GitRemoteError> {
        let asks = base.is_none() && !self.options.allow_public;
        match asks && Self::probe_public(&self.options)? == Visibility::Public {
            true => Err(RemoteError::Public.into()),
            false => Ok(()),
        }
    }
}

impl Remote for GitRemote {
    fn put_bytes_max(&self) -> usize {
        GIT_WRITE_BYTES_MAX
    }

    fn get_state(
        &mut self,
        query: &StateQuery,
        if_none_match: Option<&ETag>,
    ) -> Result<Fetched, RemoteError> {
        self.with_mirror(|git, store| {
            let there = git.network.remote_head(store)?;
            if if_none_match == Some(&tag_of(there)) {
                return Ok(Fetched::NotModified);
            }
            let here = git.local_head(store)?;
            // Read first: what the ref does not reach any more is removed from the copy.
            let known = if_none_match.and_then(|tag| KnownCommit::find(&store.repository, tag));
            let head = git.follow_remote(store, here, there)?;
            let etag = tag_of(head);
            let with_texts = !query.hashes && query.keys.is_empty();
            let shelf = git.load_tree(store, head, with_texts)?;
            let mut answer = answer::answer_query(shelf, store, query)?;
            answer.is_put_back = match (&known, head) {
                (Some(known), Some(head)) => !known.leads_to(head, &store.repository)?,
                _ => false,
            };
            let rejected = shelf.rejected.clone();
            Ok(Fetched::Found {
                etag,
                answer,
                rejected,
            })
        })
    }

    fn put_entries(
        &mut self,
        body: &PutBody,
        if_match: Option<&ETag>,
    ) -> Result<PutOutcome, RemoteError> {
        let json = body.to_json();
        if json.len() > GIT_WRITE_BYTES_MAX {
            return Err(RemoteError::TooLarge);
        }
        let (body, rejected) = PutBody::read_up_to(&json, GIT_WRITE_BYTES_MAX)?;
        let mut put = self.with_mirror(|git, store| git.write(store, &body, if_match))?;
        let rejected = rejected.into_iter().map(|one| (one.name, one.rejection));
        put.answer.rejected.extend(rejected);
        Ok(put)
    }

    fn read_log(&mut self, query: &LogQuery) -> Result<LogPage, RemoteError> {
        self.with_mirror(|git, store| {
            // Later pages go on in what the first one has fetched.
            let head = match &query.page {
                None => git.refresh_mirror(store)?,
                Some(_) => git.local_head(store)?,
            };
            changes::read_log_page(&store.repository, head, query)
        })
    }

    fn redact_key(&mut self, what: &RedactBody) -> Result<RedactOutcome, RemoteError> {
        self.with_mirror(|git, store| {
            for _ in 0..TRIES {
                let head = git.refresh_mirror(store)?;
                let new = rewrite::rewrite_history(&store.repository, head, what, &git.options)?;
                let Some(commit) = new.head else {
                    return Ok(new.done);
                };
                // Before the push: from then on the remote is clean, and the copy has to become so even after a kill.
                store.begin_to_remove()?;
                match git.network.push_commit(store, head, commit) {
                    Ok(()) => {
                        store.set_head(&git.options.reference, Some(commit))?;
                        git.shelf = None;
                        git.digests.clear();
                        git.finish_cleanup(store)?;
                        return Ok(new.done);
                    }
                    Err(GitRemoteError::Remote(RemoteError::Raced { .. })) => {}
                    Err(error) => return Err(error),
                }
            }
            Err(RemoteError::Raced { etag: None }.into())
        })
    }
}

/// The name of a state: its commit.
fn tag_of(commit: Option<Oid>) -> ETag {
    let name = commit.map_or_else(|| "none".to_owned(), |id| id.to_string());
    ETag::from_name(&name)
}

fn put_outcome(commit: Option<Oid>, draft: CommitDraft) -> PutOutcome {
    PutOutcome {
        etag: tag_of(commit),
        answer: draft.answer,
    }
}
