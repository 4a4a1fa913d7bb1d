//! [`StoreStorage`]: a memory store as the place of records.
//!
//! `/records/<id>.md` is a record. One that supersedes another is the next version of the same memory,
//! under its own path: one step, and the versions of that memory link both. `/audit/<id>.json` says why
//! a record went, `/used.json` when records were last retrieved.

use std::collections::{BTreeMap, HashMap};

use jiff::Timestamp;
use mem_core::Now;
use mem_core::compact_sort::CompactSort as _;
use mem_core::history::Sha256;
use mem_records::text_records::{DeletedRecord, StoredText, TextStorage};
use mem_records::{RecordError, RecordId};
use serde_json::{Value, json};
use tokio::runtime::Handle;

use super::namespace::Namespace;
use crate::access::Caller;
use crate::app::Shared;
use crate::http::problem::HttpProblem;
use crate::storage::stores::{
    IndexMark, MemoryChange, MemoryQuery, MemoryRecord, StoreRefusal, StoresError, WriteCondition,
    Writing,
};
use crate::storage::{StorageActor, StorageError};

const RECORDS: &str = "/records/";
const AUDIT: &str = "/audit/";
const USED: &str = "/used.json";
/// Memories whose contents are read at a time.
const PAGE: u32 = 64;
/// A retrieval is remembered this long after the last one.
const RENEWAL_SECONDS: i64 = 86_400;
/// Records whose last use is remembered; those that were not used for longest go.
const USED_MAX: usize = 1_500;

/// The records of one namespace.
pub(super) struct StoreStorage {
    app: Shared,
    actor: StorageActor,
    at: Namespace,
    runtime: Handle,
    /// The moment before all records were read.
    seen: Option<IndexMark>,
    /// Those that could not be opened then.
    closed: Vec<UnreadableRecord>,
}

/// A record that cannot be opened.
struct UnreadableRecord {
    id: RecordId,
    handle: String,
    sha256: Sha256,
}

impl StoreStorage {
    /// Inside of the runtime; its calls are for a thread that may wait.
    pub(super) fn new(app: &Shared, caller: &Caller, at: Namespace) -> Self {
        Self {
            app: Shared::clone(app),
            actor: caller.actor.clone(),
            at,
            runtime: Handle::current(),
            seen: None,
            closed: Vec::new(),
        }
    }

    /// Everything that went, the newest first, and of what else went the trail cannot be opened.
    pub(super) fn trail(&mut self) -> Result<(Vec<DeletedRecord>, Vec<RecordId>), RecordError> {
        let (open, closed): (Vec<_>, Vec<_>) = self
            .below(AUDIT)?
            .into_iter()
            .partition(|memory| memory.content.is_some());
        let mut gone: Vec<DeletedRecord> = open.iter().filter_map(gone_of).collect();
        gone.compact_sort_by(|a, b| (b.time, &b.id).cmp(&(a.time, &a.id)));
        let closed = closed.iter().filter_map(|memory| {
            let name = memory.path.strip_prefix(AUDIT)?.strip_suffix(".json")?;
            RecordId::parse(name).ok()
        });
        Ok((gone, closed.collect()))
    }

    /// What is below a path; what cannot be opened is there without a content.
    fn below(&self, prefix: &str) -> Result<Vec<MemoryRecord>, RecordError> {
        let mut all = Vec::new();
        let mut query = MemoryQuery {
            prefix: prefix.to_owned(),
            content: true,
            as_far_as_open: true,
            limit: PAGE,
            ..MemoryQuery::default()
        };
        loop {
            let database = &self.app.database;
            let page = database.memories(&self.at.scope, &self.at.store, &query);
            let page = self.wait(page)?;
            query.after = page.next.clone();
            all.extend(page.into_memories());
            if query.after.is_none() {
                return Ok(all);
            }
        }
    }

    /// Waits for the database.
    fn wait<T>(
        &self,
        work: impl Future<Output = Result<T, StoresError>>,
    ) -> Result<T, RecordError> {
        self.runtime.block_on(work).map_err(failed)
    }

    fn at(&self, path: &str) -> Result<Option<MemoryRecord>, RecordError> {
        let found = self.below(path)?;
        Ok(found.into_iter().find(|memory| memory.path == path))
    }

    fn writing(&self) -> Writing {
        let Namespace { scope, store } = &self.at;
        Writing::new(scope, store, &self.actor, (self.app.now)())
    }

    /// The same for what was decided by all records: only where they still are what was read.
    fn deciding(&self) -> Writing {
        Writing {
            only_after: self.seen.as_ref().map(|moment| moment.sequence),
            ..self.writing()
        }
    }

    fn put(&self, path: &str, value: &Value) -> Result<(), RecordError> {
        let (path, text) = (path.to_owned(), value.to_string());
        let database = &self.app.database;
        self.wait(database.upsert_memory(self.writing(), path, text, false))
            .map(drop)
    }

    fn delete(&self, handle: &str, expected: Sha256) -> Result<(), RecordError> {
        let database = &self.app.database;
        self.wait(database.delete_memory(self.writing(), handle, Some(expected)))
    }

    /// Those that cannot be opened are forgotten: the next retrieval counts anew.
    fn uses(&self) -> Result<BTreeMap<String, i64>, RecordError> {
        let text = self.at(USED)?.and_then(|memory| memory.content);
        let read = text.and_then(|text| serde_json::from_str(&text).ok());
        Ok(read.unwrap_or_default())
    }
}

impl TextStorage for StoreStorage {
    fn salt(&mut self) -> Result<[u8; 16], RecordError> {
        let mut salt = [0; 16];
        getrandom::fill(&mut salt).map_err(|error| RecordError::Unreachable {
            place: PLACE.to_owned(),
            cause: error.to_string(),
        })?;
        Ok(salt)
    }

    fn all(&mut self) -> Result<Vec<StoredText>, RecordError> {
        let Namespace { scope, store } = &self.at;
        // Before the first page: what comes between is seen as a change that nobody read.
        self.seen = IndexMark::from_store(&self.wait(self.app.database.store(scope, store))?);
        let memories = self.below(RECORDS)?;
        self.closed.clear();
        let kept = memories.into_iter().filter_map(|memory| {
            let name = memory.path.strip_prefix(RECORDS)?.strip_suffix(".md")?;
            let (id, handle) = (RecordId::parse(name).ok()?, memory.id);
            let Some(text) = memory.content else {
                let sha256 = memory.content_sha256;
                self.closed.push(UnreadableRecord { id, handle, sha256 });
                return None;
            };
            Some(StoredText {
                id,
                handle,
                text,
                time: memory.created_at,
            })
        });
        Ok(kept.collect())
    }

    fn closed(&self) -> Vec<RecordId> {
        self.closed.iter().map(|one| one.id.clone()).collect()
    }

    fn remove_closed(&mut self, id: &RecordId) -> Result<(), RecordError> {
        let found = self.closed.iter().find(|one| one.id == *id);
        let found = found.ok_or_else(|| RecordError::NotFound(id.clone()))?;
        self.delete(&found.handle, found.sha256)
    }

    fn add(&mut self, id: &RecordId, text: String) -> Result<(), RecordError> {
        let database = &self.app.database;
        self.wait(database.create_memory(self.deciding(), path_of(id), text))
            .map(drop)
    }

    fn replace(
        &mut self,
        old: &StoredText,
        id: &RecordId,
        text: String,
    ) -> Result<(), RecordError> {
        let sha256 = Sha256::digest(old.text.as_bytes());
        let change = MemoryChange {
            content: Some(text),
            path: Some(path_of(id)),
            precondition: Some(WriteCondition::ContentSha256(sha256)),
        };
        let database = &self.app.database;
        self.wait(database.update_memory(self.deciding(), &old.handle, change))
            .map(drop)
    }

    fn remove(&mut self, old: &StoredText) -> Result<(), RecordError> {
        self.delete(&old.handle, Sha256::digest(old.text.as_bytes()))
    }

    fn used(&mut self) -> Result<HashMap<RecordId, Timestamp>, RecordError> {
        let uses = self.uses()?.into_iter();
        let read = |(id, at): (String, i64)| {
            Some((RecordId::parse(&id).ok()?, Timestamp::from_second(at).ok()?))
        };
        Ok(uses.filter_map(read).collect())
    }

    fn renew(&mut self, ids: &[RecordId], now: Now) -> Result<(), RecordError> {
        let mut uses = self.uses()?;
        let at = now.0.as_second();
        let mut is_due = false;
        for id in ids {
            let last = uses.entry(id.to_string()).or_insert(i64::MIN);
            if at.saturating_sub(*last) >= RENEWAL_SECONDS {
                *last = at;
                is_due = true;
            }
        }
        while uses.len() > USED_MAX {
            let oldest = uses.iter().min_by_key(|(_, at)| **at);
            let Some(oldest) = oldest.map(|(id, _)| id.clone()) else {
                break;
            };
            uses.remove(&oldest);
        }
        match is_due.then(|| self.put(USED, &json!(uses))) {
            // A key that is gone keeps nobody from reading what opens; the log has it.
            None | Some(Err(RecordError::Damaged { .. })) => Ok(()),
            Some(done) => done,
        }
    }

    fn remember(&mut self, gone: &DeletedRecord) -> Result<(), RecordError> {
        let value = json!({
            "id": gone.id.as_str(), "reason": gone.reason, "time": gone.time.to_string(),
            "superseded_by": gone.superseded_by.as_ref().map(RecordId::as_str),
        });
        self.put(&format!("{AUDIT}{}.json", gone.id), &value)
    }

    fn gone(&mut self, id: &RecordId) -> Result<Option<DeletedRecord>, RecordError> {
        let found = self.at(&format!("{AUDIT}{id}.json"))?;
        match found {
            Some(memory) if memory.content.is_none() => Err(RecordError::Damaged {
                what: format!("`{id}` is gone"),
                cause: "what the trail says of it cannot be opened".to_owned(),
            }),
            found => Ok(found.as_ref().and_then(gone_of)),
        }
    }
}

/// What errors call it.
const PLACE: &str = "the store of records";

fn path_of(id: &RecordId) -> String {
    format!("{RECORDS}{id}.md")
}

fn gone_of(memory: &MemoryRecord) -> Option<DeletedRecord> {
    let value: Value = serde_json::from_str(memory.content.as_deref()?).ok()?;
    let id = |name: &str| RecordId::parse(value[name].as_str()?).ok();
    Some(DeletedRecord {
        id: id("id")?,
        reason: value["reason"].as_str()?.to_owned(),
        time: value["time"].as_str()?.parse().ok()?,
        superseded_by: id("superseded_by"),
    })
}

fn failed(error: StoresError) -> RecordError {
    let place = PLACE.to_owned();
    match error {
        // Somebody else wrote between reading and writing.
        StoresError::Refused(StoreRefusal::Precondition | StoreRefusal::NoMemory) => {
            RecordError::Overtaken { place }
        }
        StoresError::Refused(refusal) => RecordError::Refused {
            place,
            cause: refusal.to_string(),
        },
        StoresError::Storage(error) => {
            let is_public = matches!(error, StorageError::Vault(_) | StorageError::Content { .. });
            let is_later = error.is_transient() || matches!(error, StorageError::DiskFull);
            let cause = error.to_string();
            // What a database says goes to the log.
            let _ = HttpProblem::from(error);
            match (is_later, is_public) {
                (true, _) => RecordError::Unreachable { place, cause },
                (false, true) => RecordError::Damaged { what: place, cause },
                (false, false) => RecordError::Damaged {
                    what: place,
                    cause: "the database failed".to_owned(),
                },
            }
        }
    }
}
