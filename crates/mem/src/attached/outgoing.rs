//! What goes from an offline copy to the server, each on the condition that it has there what it had here.

use std::collections::VecDeque;

use anyhow::Result;
use mem_core::history::Sha256;
use mem_stores::StorePath;
use mem_stores::client::ClientError;
use mem_stores::rules;
use mem_stores::wire::{CreateMemory, Memory, Precondition, UpdateMemory};

use super::copy::Locked;
use super::decide::{Departure, departure};
use super::state::{Held, Known};
use super::talk::Talk;

/// One thing to send.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Job {
    Delete(StorePath, Known),
    Rename {
        from: StorePath,
        to: StorePath,
        known: Known,
    },
    Update(StorePath, Vec<u8>, Known),
    Create(StorePath, Vec<u8>),
}

impl Job {
    /// What makes room goes first.
    fn turn(&self) -> u8 {
        match self {
            Self::Delete(..) => 0,
            Self::Rename { .. } => 1,
            Self::Update(..) => 2,
            Self::Create(..) => 3,
        }
    }
}

impl Talk<'_> {
    /// Sends what waits.
    ///
    /// # Errors
    /// What the server says; what was not sent goes on waiting.
    pub(super) async fn push(&self) -> Result<()> {
        let mut jobs = VecDeque::from(self.jobs()?);
        while let Some(job) = jobs.pop_front() {
            match job {
                Job::Delete(path, known) => self.delete(&path, &known).await?,
                Job::Rename { from, to, known } => {
                    if !self.rename(&from, &to, &known).await? {
                        let bytes = self.copy.lock(self.now)?.read(&to)?;
                        jobs.extend(bytes.map(|bytes| Job::Create(to, bytes)));
                        jobs.push_front(Job::Delete(from, known));
                    }
                }
                Job::Update(path, bytes, known) => self.update(&path, bytes, &known).await?,
                Job::Create(path, bytes) => self.create(&path, bytes).await?,
            }
        }
        Ok(())
    }

    /// What is to be done about every path that waits.
    fn jobs(&self) -> Result<Vec<Job>> {
        let mut locked = self.copy.lock(self.now)?;
        let mut jobs = Vec::new();
        for text in locked.waiting.paths.clone() {
            let path = StorePath::parse(&text).ok();
            let Some(path) = path.filter(|path| Locked::obstacle(path).is_none()) else {
                locked.waiting.paths.remove(&text);
                continue;
            };
            let here = locked.read(&path)?;
            let digest = here.as_deref().map(Sha256::of);
            let held = locked.standing.held.get(&text);
            if !self.is_wanted && held.is_some_and(|held| held.sha256 == digest) {
                continue;
            }
            let known = locked.known(&path).cloned();
            let base = known.as_ref().map(|known| known.sha256);
            match (departure(digest, base), here, known) {
                (Departure::Create, Some(bytes), _) => jobs.push(Job::Create(path, bytes)),
                (Departure::Update, Some(bytes), Some(known)) => {
                    jobs.push(Job::Update(path, bytes, known));
                }
                (Departure::Delete, _, Some(known)) => jobs.push(Job::Delete(path, known)),
                _ => {
                    locked.waiting.paths.remove(&text);
                    locked.standing.held.remove(&text);
                }
            }
        }
        locked.finish()?;
        Ok(with_renames(jobs))
    }

    async fn create(&self, path: &StorePath, bytes: Vec<u8>) -> Result<()> {
        let Some(content) = self.fit(path, bytes)? else {
            return Ok(());
        };
        let new = CreateMemory {
            path: path.clone(),
            content,
            precondition: None,
        };
        match self.client.create_memory(self.store, &new).await {
            Ok(memory) => self.settle(path, &memory),
            Err(error) if error.is_conflict() => self.blocked(&error).await,
            Err(error) => self.refused(path, Some(&new.content), error).await,
        }
    }

    async fn update(&self, path: &StorePath, bytes: Vec<u8>, known: &Known) -> Result<()> {
        let Some(content) = self.fit(path, bytes)? else {
            return Ok(());
        };
        let change = UpdateMemory {
            content: Some(content.clone()),
            path: None,
            precondition: Some(on(known)),
        };
        let updated = self
            .client
            .update_memory(self.store, &known.id, &change)
            .await;
        match updated {
            Ok(memory) => self.settle(path, &memory),
            Err(error) if error.is_conflict() || error.is_not_found() => {
                self.take(&[self.look_up(&known.id).await?], None)
            }
            Err(error) => self.refused(path, Some(&content), error).await,
        }
    }

    async fn delete(&self, path: &StorePath, known: &Known) -> Result<()> {
        // The server compares the content only: one that somebody moved meanwhile is not what was deleted here.
        let there = self.look_up(&known.id).await?;
        if there.path().is_some_and(|there| there != path.as_str()) {
            return self.take(&[there], None);
        }
        let expected = known.sha256.to_string();
        let deleted = self
            .client
            .delete_memory(self.store, &known.id, Some(&expected));
        match deleted.await {
            Ok(_) => self.forget(path),
            Err(error) if error.is_conflict() || error.is_not_found() => {
                match self.look_up(&known.id).await? {
                    gone if gone.there.is_none() => self.forget(path),
                    there => self.take(&[there], None),
                }
            }
            Err(error) => self.refused(path, None, error).await,
        }
    }

    /// `false` where it is to be done in two steps.
    async fn rename(&self, from: &StorePath, to: &StorePath, known: &Known) -> Result<bool> {
        if self.screen.leak(to.as_str(), "").is_some() {
            return Ok(false);
        }
        let change = UpdateMemory {
            content: None,
            path: Some(to.clone()),
            precondition: Some(on(known)),
        };
        let renamed = self
            .client
            .update_memory(self.store, &known.id, &change)
            .await;
        match renamed {
            Ok(memory) => {
                self.forget(from)?;
                self.settle(to, &memory)?;
                Ok(true)
            }
            Err(error)
                if error.is_conflict()
                    || error.is_not_found()
                    || error.is_permanent()
                    || error.is_forbidden() =>
            {
                Ok(false)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The content as it may leave; `None` where it may not, which is remembered.
    fn fit(&self, path: &StorePath, bytes: Vec<u8>) -> Result<Option<String>> {
        let sha256 = Sha256::of(&bytes);
        let why = match String::from_utf8(bytes) {
            Err(_) => "it is not UTF-8 text".to_owned(),
            Ok(text) => match (
                rules::content(&text),
                self.screen.leak(path.as_str(), &text),
            ) {
                (Err(error), _) => error.to_string(),
                (Ok(()), Some(leak)) => format!("it holds a secret: {leak}"),
                (Ok(()), None) => return Ok(Some(text)),
            },
        };
        self.hold(path, Some(sha256), &why)?;
        Ok(None)
    }

    /// The server will never take it, not with this key, or not now.
    async fn refused(
        &self,
        path: &StorePath,
        content: Option<&str>,
        error: ClientError,
    ) -> Result<()> {
        if !(error.is_permanent() || error.is_forbidden()) {
            return Err(error.into());
        }
        let store = self.client.store(self.store).await?;
        if store.archived_at.is_some() {
            let mut locked = self.copy.lock(self.now)?;
            locked.standing.is_archived = true;
            locked.finish()?;
        }
        let digest = content.map(|content| Sha256::of(content.as_bytes()));
        self.hold(path, digest, &error.to_string())
    }

    /// Another memory is in the way: it comes here, and what is here gives way.
    async fn blocked(&self, error: &ClientError) -> Result<()> {
        let id = error
            .refusal()
            .and_then(|refusal| refusal.conflicting_memory_id.clone());
        match id {
            Some(id) => self.take(&[self.look_up(&id).await?], None),
            None => {
                // Everything is looked at, and then it is known what it was.
                let mut locked = self.copy.lock(self.now)?;
                locked.standing.is_whole = false;
                locked.finish()
            }
        }
    }

    /// Here and there have the same now.
    fn settle(&self, path: &StorePath, memory: &Memory) -> Result<()> {
        let sha256 = memory.content_sha256.parse()?;
        let mut locked = self.copy.lock(self.now)?;
        let known = Known {
            id: memory.id.clone(),
            sha256,
            bytes: memory.content_size_bytes,
            updated_at: memory.updated_at.clone(),
        };
        locked.base.memories.insert(path.as_str().to_owned(), known);
        // Somebody may have written here meanwhile.
        if locked.digest(path)? == Some(sha256) {
            locked.waiting.paths.remove(path.as_str());
        }
        locked.standing.held.remove(path.as_str());
        locked.finish()
    }

    /// Neither has it any more.
    fn forget(&self, path: &StorePath) -> Result<()> {
        let mut locked = self.copy.lock(self.now)?;
        locked.base.memories.remove(path.as_str());
        locked.standing.held.remove(path.as_str());
        if locked.read(path)?.is_none() {
            locked.waiting.paths.remove(path.as_str());
        }
        locked.finish()
    }

    fn hold(&self, path: &StorePath, sha256: Option<Sha256>, why: &str) -> Result<()> {
        let mut locked = self.copy.lock(self.now)?;
        let held = Held {
            sha256,
            why: why.to_owned(),
        };
        locked.standing.held.insert(path.as_str().to_owned(), held);
        locked.finish()
    }
}

/// On the condition that it is what it was.
fn on(known: &Known) -> Precondition {
    Precondition::ContentSha256 {
        content_sha256: known.sha256.to_string(),
    }
}

/// A memory that is gone here while one with its content is new was moved: it keeps its id there.
fn with_renames(jobs: Vec<Job>) -> Vec<Job> {
    let (mut creates, mut others): (Vec<Job>, Vec<Job>) = jobs
        .into_iter()
        .partition(|job| matches!(job, Job::Create(..)));
    for job in &mut others {
        let Job::Delete(from, known) = job else {
            continue;
        };
        let found = creates.iter().position(|new| match new {
            Job::Create(_, bytes) => Sha256::of(bytes) == known.sha256,
            _ => false,
        });
        if let Some(at) = found
            && let Job::Create(to, _) = creates.swap_remove(at)
        {
            *job = Job::Rename {
                from: from.clone(),
                to,
                known: known.clone(),
            };
        }
    }
    others.append(&mut creates);
    others.sort_by_key(Job::turn);
    others
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> StorePath {
        StorePath::parse(text).unwrap()
    }

    fn known(text: &str) -> Known {
        Known {
            id: format!("mem_{text}"),
            sha256: Sha256::of(text.as_bytes()),
            bytes: 1,
            updated_at: String::new(),
        }
    }

    #[test]
    fn a_memory_that_moved_is_renamed_and_room_is_made_first() {
        let jobs = vec![
            Job::Create(path("/new/a"), b"a".to_vec()),
            Job::Create(path("/c"), b"c".to_vec()),
            Job::Delete(path("/a"), known("a")),
            Job::Delete(path("/b"), known("b")),
        ];
        let expected = vec![
            Job::Delete(path("/b"), known("b")),
            Job::Rename {
                from: path("/a"),
                to: path("/new/a"),
                known: known("a"),
            },
            Job::Create(path("/c"), b"c".to_vec()),
        ];
        assert_eq!(with_renames(jobs), expected);
    }
}
