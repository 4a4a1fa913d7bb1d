//! A remote in memory: what the protocol asks of a server, in as few words as possible.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mem_core::history::Sha256;

use crate::key::{EntryKey, KeySet};
use crate::limits::{ENTRIES_MAX, ENTRY_BYTES_MAX, PUT_BYTES_MAX};
use crate::remote::{Fetched, LogQuery, PutOutcome, Remote, RemoteError, StateQuery};
use crate::wire::{
    ChangeLogEntry, ETag, KeyRejection, LogOperation, LogPage, PutAnswer, PutBody, RedactBody,
    RedactOutcome, RejectionCode, RemoteEntry, StateAnswer, Tombstone,
};

/// One end of it. Clones share the store.
#[derive(Clone, Debug, Default)]
pub struct InMemory {
    shelf: Arc<Mutex<MemoryState>>,
    actor: String,
}

#[derive(Debug, Default)]
struct MemoryState {
    version: u64,
    entries: BTreeMap<EntryKey, RemoteEntry>,
    deleted: BTreeMap<EntryKey, Tombstone>,
    keys: KeySet,
    log: Vec<StoredVersion>,
}

/// What one change did to one key. Immutable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredVersion {
    /// The change's number; keys that changed together share it.
    pub version: u64,
    /// Which key.
    pub key: EntryKey,
    /// What was done to it.
    pub operation: LogOperation,
    /// The content it got; `None` where it was deleted, and where the content was redacted.
    pub content: Option<String>,
    /// Who did it.
    pub actor: String,
    /// When, as [`ChangeLogEntry::at`] says it.
    pub at: String,
    /// When the content was redacted, and by whom.
    pub redacted: Option<(String, String)>,
    /// Why it was deleted.
    pub reason: Option<String>,
}

impl StoredVersion {
    fn log_entry(&self) -> ChangeLogEntry {
        let content = self.content.as_ref();
        let redacted = self.redacted.clone().unzip();
        ChangeLogEntry {
            key: self.key.clone(),
            operation: self.operation,
            sha256: content.map(|text| Sha256::digest(text.as_bytes())),
            size_bytes: content.map(|text| text.len() as u64),
            actor: self.actor.clone(),
            at: self.at.clone(),
            version: self.version,
            redacted_at: redacted.0,
            redacted_by: redacted.1,
            reason: self.reason.clone(),
        }
    }
}

impl InMemory {
    /// The same store, written to by somebody.
    #[must_use]
    pub fn for_actor(&self, actor: &str) -> Self {
        let shelf = Arc::clone(&self.shelf);
        let actor = actor.to_owned();
        Self { shelf, actor }
    }

    /// Every version there ever was, the oldest first.
    pub fn all_versions(&self) -> Vec<StoredVersion> {
        self.lock_state().log.clone()
    }

    fn lock_state(&self) -> MutexGuard<'_, MemoryState> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Remote for InMemory {
    fn get_state(
        &mut self,
        query: &StateQuery,
        if_none_match: Option<&ETag>,
    ) -> Result<Fetched, RemoteError> {
        let shelf = self.lock_state();
        let etag = ETag::of_version(shelf.version);
        if if_none_match == Some(&etag) {
            return Ok(Fetched::NotModified);
        }
        let is_asked = |key: &EntryKey| query.keys.is_empty() || query.keys.contains(key);
        let mut answer = StateAnswer {
            version: shelf.version,
            entries: shelf.entries.clone(),
            deleted: shelf.deleted.clone(),
            ..StateAnswer::default()
        };
        answer.entries.retain(|key, _| is_asked(key));
        answer.deleted.retain(|key, _| is_asked(key));
        if query.hashes {
            answer
                .entries
                .values_mut()
                .for_each(|entry| entry.content = None);
        }
        let (answer, rejected) = StateAnswer::read(&answer.to_json())?;
        Ok(Fetched::Found {
            etag,
            answer,
            rejected,
        })
    }

    fn put_entries(
        &mut self,
        body: &PutBody,
        if_match: Option<&ETag>,
    ) -> Result<PutOutcome, RemoteError> {
        let json = body.to_json();
        if json.len() > PUT_BYTES_MAX {
            return Err(RemoteError::TooLarge);
        }
        let mut shelf = self.lock_state();
        let now = ETag::of_version(shelf.version);
        if if_match.is_some_and(|tag| *tag != now) {
            return Err(RemoteError::Raced { etag: Some(now) });
        }
        let (body, rejected) = PutBody::read(&json)?;
        let mut answer = PutAnswer::default();
        for one in rejected {
            answer.rejected.insert(one.name, one.rejection);
        }
        let mut change = InMemoryChange {
            version: shelf.version + 1,
            actor: &self.actor,
            happened: false,
        };
        for key in body.delete {
            let reason = body.reasons.get(&key).cloned();
            if let Err(why) = shelf.delete_key(&key, reason, &mut change) {
                answer.rejected.insert(key.into(), why);
            }
        }
        for (key, text) in body.entries {
            let revives = body.revive.contains(&key);
            match shelf.write(&key, text, revives, &mut change) {
                Ok(sha256) => drop(answer.written.insert(key, sha256)),
                Err(why) => drop(answer.rejected.insert(key.into(), why)),
            }
        }
        if change.happened {
            shelf.version += 1;
        }
        answer.version = shelf.version;
        let etag = ETag::of_version(shelf.version);
        Ok(PutOutcome { etag, answer })
    }

    fn read_log(&mut self, query: &LogQuery) -> Result<LogPage, RemoteError> {
        let shelf = self.lock_state();
        // A page is named by how many older changes there are: those stay where they are.
        let end = match query.page.as_deref().map(str::parse::<usize>) {
            None => shelf.log.len(),
            Some(Ok(end)) => end.min(shelf.log.len()),
            Some(Err(_)) => return Err(no_such_page()),
        };
        let mut page = LogPage::default();
        for (at, version) in shelf.log[..end].iter().enumerate().rev() {
            if query.key.as_ref().is_some_and(|key| *key != version.key) {
                continue;
            }
            if page.changes.len() == query.page_size() as usize {
                page.next_page = Some((at + 1).to_string());
                break;
            }
            page.changes.push(version.log_entry());
        }
        Ok(LogPage::read(&page.to_json())?)
    }

    fn redact_key(&mut self, what: &RedactBody) -> Result<RedactOutcome, RemoteError> {
        let key = &what.key;
        let mut shelf = self.lock_state();
        let shelf = &mut *shelf;
        if !shelf.log.iter().any(|version| version.key == *key) {
            return Err(RemoteError::NotFound);
        }
        let live = shelf
            .entries
            .get(key)
            .and_then(|entry| entry.content.clone());
        if live.is_some() && what.name {
            return Err(in_the_way(
                "an entry stands under this name: delete it first",
            ));
        }
        let by = (version_time(shelf.version), self.actor.clone());
        let mut others = 0;
        let mut redacted = 0;
        for version in shelf.log.iter_mut().filter(|version| version.key == *key) {
            let is_other = version.content.is_some() && version.content != live;
            others += usize::from(is_other || version.redacted.is_some());
            if is_other {
                version.content = None;
                version.redacted = Some(by.clone());
                redacted += 1;
            }
        }
        if live.is_some() && others == 0 {
            let why = "this is what the entry holds now";
            return Err(in_the_way(why));
        }
        if what.name {
            shelf.log.retain(|version| version.key != *key);
            shelf.deleted.remove(key);
            shelf.version += 1;
        }
        Ok(RedactOutcome {
            redacted,
            note: String::new(),
            name: what.name,
        })
    }
}

fn no_such_page() -> RemoteError {
    let message = "there is no such page".to_owned();
    RemoteError::Refused {
        status: 400,
        message,
    }
}

fn in_the_way(message: &str) -> RemoteError {
    RemoteError::InTheWay(message.to_owned())
}

/// The change that a PUT makes.
struct InMemoryChange<'a> {
    version: u64,
    actor: &'a str,
    happened: bool,
}

impl InMemoryChange<'_> {
    fn record_version(
        &mut self,
        key: &EntryKey,
        operation: LogOperation,
        content: Option<&str>,
    ) -> StoredVersion {
        self.happened = true;
        StoredVersion {
            version: self.version,
            key: key.clone(),
            operation,
            content: content.map(str::to_owned),
            actor: self.actor.to_owned(),
            at: self.change_time(),
            redacted: None,
            reason: None,
        }
    }

    fn change_time(&self) -> String {
        version_time(self.version)
    }
}

/// There is no clock here; the number of the change, as seconds of a day that never was.
fn version_time(version: u64) -> String {
    format!(
        "2000-01-01T{:02}:{:02}:{:02}Z",
        version / 3600 % 24,
        version / 60 % 60,
        version % 60
    )
}

impl MemoryState {
    fn write(
        &mut self,
        key: &EntryKey,
        text: String,
        revives: bool,
        change: &mut InMemoryChange<'_>,
    ) -> Result<Sha256, KeyRejection> {
        let sha256 = Sha256::digest(text.as_bytes());
        if self
            .entries
            .get(key)
            .is_some_and(|entry| entry.sha256 == sha256)
        {
            return Ok(sha256);
        }
        let tombstone = self.deleted.get(key);
        if !revives && tombstone.is_some_and(|tombstone| tombstone.sha256 == sha256) {
            return Err(KeyRejection::new(
                RejectionCode::Deleted,
                "this very content was deleted",
            ));
        }
        if text.len() > ENTRY_BYTES_MAX {
            return Err(KeyRejection::new(
                RejectionCode::TooLarge,
                "its content is larger than 102,400 bytes",
            ));
        }
        if self.keys.len() >= ENTRIES_MAX && !self.entries.contains_key(key) {
            return Err(KeyRejection::new(
                RejectionCode::StoreFull,
                "the store holds 10,000 entries already",
            ));
        }
        if let Err(clash) = self.keys.insert(key) {
            return Err(KeyRejection::new(
                RejectionCode::from_clash(&clash),
                clash.to_string(),
            ));
        }
        let operation = match self.entries.contains_key(key) {
            true => LogOperation::Modified,
            false => LogOperation::Created,
        };
        self.log
            .push(change.record_version(key, operation, Some(&text)));
        self.deleted.remove(key);
        let (updated_at, actor) = (change.change_time(), change.actor.to_owned());
        let content = Some(text);
        self.entries.insert(
            key.clone(),
            RemoteEntry {
                content,
                sha256,
                updated_at,
                actor,
            },
        );
        Ok(sha256)
    }

    fn delete_key(
        &mut self,
        key: &EntryKey,
        reason: Option<String>,
        change: &mut InMemoryChange<'_>,
    ) -> Result<(), KeyRejection> {
        let Some(entry) = self.entries.remove(key) else {
            return Err(KeyRejection::new(
                RejectionCode::NotFound,
                "there is no such entry",
            ));
        };
        self.keys.remove(key);
        let version = change.record_version(key, LogOperation::Deleted, None);
        self.log.push(StoredVersion { reason, ..version });
        let (updated_at, actor) = (change.change_time(), change.actor.to_owned());
        let sha256 = entry.sha256;
        self.deleted.insert(
            key.clone(),
            Tombstone {
                sha256,
                updated_at,
                actor,
            },
        );
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_conforms() {
        let store = InMemory::default();
        super::super::conformance::check_remote(
            &mut store.for_actor("a"),
            &mut store.for_actor("b"),
        )
        .unwrap();
    }

    #[test]
    fn a_full_store_takes_changes_but_nothing_new() {
        let mut store = InMemory::default();
        for hundred in 0..ENTRIES_MAX / 100 {
            let mut body = PutBody::default();
            for n in 0..100 {
                let key = EntryKey::parse(&format!("k{hundred}-{n}")).unwrap();
                body.entries.insert(key, "x".to_owned());
            }
            assert_eq!(
                store.put_entries(&body, None).unwrap().answer.written.len(),
                100
            );
        }
        let mut body = PutBody::default();
        let (old, new) = (
            EntryKey::parse("k0-0").unwrap(),
            EntryKey::parse("new").unwrap(),
        );
        body.entries.insert(old.clone(), "y".to_owned());
        body.entries.insert(new, "y".to_owned());
        let answer = store.put_entries(&body, None).unwrap().answer;
        assert!(answer.written.contains_key(&old));
        assert_eq!(answer.rejected["new"].code, RejectionCode::StoreFull);
    }
}
