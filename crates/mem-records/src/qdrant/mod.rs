//! The back end over Qdrant's REST API: a collection for each namespace, vectors from our encoder,
//! filters in the search.
//!
//! Written by the documented API (`PUT /collections/{c}`, `points/query`, `points/scroll`, `points/batch`,
//! `points/payload`, and `points` by id); the tests hold it to recorded requests and to a server that
//! plays those endpoints, not to Qdrant itself. What goes keeps its point with the reason in place of
//! the content: that is the audit trail, and how an old id leads to the one that superseded it.

mod connection;
mod payload;

use jiff::Timestamp;
use mem_core::Now;
use mem_core::history::Sha256;
use mem_recall::encoder::{Encoder, TOKENS_MAX, WIDTH};
use serde_json::{Value, json};

use crate::conflict;
use crate::error::RecordError;
use crate::importance_decay::HALF_LIFE_DAYS;
use crate::record::{NewRecord, Record, RecordId};
use crate::records::{
    Deleted, RecordFilter, Records, RetrievalAnswer, Retrieve, Retrieved, SkippedRecord,
    StoreOutcome, Superseded,
};
use crate::similarity_score::ALIKE_MIN;
use connection::Collection;
pub use connection::{QdrantOptions, STALL};
use payload::{deletion_payload, of_point, payload_of};

/// Points that are read at a time.
const PAGE: usize = 256;
/// Points of one category that are near enough to be compared with a new one.
const NEAR: usize = 16;

/// The records of one collection.
#[derive(Debug)]
pub struct Qdrant {
    line: Collection,
    is_made: bool,
}

impl Qdrant {
    /// The records of a namespace. Nothing is asked yet.
    ///
    /// # Errors
    /// The address is none, or there is nothing to make connections with.
    pub fn open(options: &QdrantOptions) -> Result<Self, RecordError> {
        let line = Collection::open(options)?;
        let is_made = false;
        Ok(Self { line, is_made })
    }

    /// Makes the collection where it is not there.
    fn make(&mut self) -> Result<(), RecordError> {
        if self.is_made {
            return Ok(());
        }
        if !self.line.exists()? {
            let vectors = json!({ "vectors": { "size": WIDTH, "distance": "Cosine" } });
            self.line.send("PUT", "", &vectors)?;
        }
        self.is_made = true;
        Ok(())
    }

    /// The points that are nearest to a text, with their scores.
    fn near(
        &mut self,
        text: &str,
        filter: &Value,
        limit: usize,
    ) -> Result<Vec<(Record, f32)>, RecordError> {
        let asked = json!({
            "query": vector(text), "filter": filter, "limit": limit, "with_payload": true,
        });
        let found = self.line.send("POST", "/points/query", &asked)?;
        let points = found["result"]["points"].as_array().cloned();
        let points = points.unwrap_or_default().into_iter();
        let read = |point: Value| {
            let score = point["score"].as_f64().unwrap_or(0.0) as f32;
            Some((of_point(&point)?, score.clamp(0.0, 1.0)))
        };
        Ok(points.filter_map(read).collect())
    }

    /// Every record that a filter lets through.
    fn all(&mut self, filter: &Value) -> Result<Vec<Record>, RecordError> {
        let mut records = Vec::new();
        let mut offset = Value::Null;
        loop {
            let asked = json!({
                "filter": filter, "limit": PAGE, "offset": offset, "with_payload": true,
            });
            let page = self.line.send("POST", "/points/scroll", &asked)?;
            let points = page["result"]["points"].as_array();
            records.extend(points.into_iter().flatten().filter_map(of_point));
            offset = page["result"]["next_page_offset"].clone();
            if offset.is_null() {
                return Ok(records);
            }
        }
    }

    /// The point of an id: a record, what took its place, or nothing.
    fn find(&mut self, id: &RecordId) -> Result<Record, RecordError> {
        let asked = json!({ "ids": [id.as_str()], "with_payload": true });
        let unknown = || RecordError::NotFound(id.clone());
        // Qdrant refuses an id that is no UUID, which no record of it has.
        let found = match is_uuid(id.as_str()) {
            true => self.line.send("POST", "/points", &asked)?,
            false => return Err(unknown()),
        };
        let point = &found["result"][0];
        if let Some(record) = of_point(point) {
            return Ok(record);
        }
        let successor = point["payload"]["gone"]["superseded_by"].as_str();
        match successor.map(RecordId::parse) {
            Some(Ok(new)) => Err(RecordError::Superseded {
                old: id.clone(),
                new,
            }),
            _ => Err(unknown()),
        }
    }
}

impl Records for Qdrant {
    fn store(&mut self, new: &NewRecord, now: Now) -> Result<StoreOutcome, RecordError> {
        self.make()?;
        let category = json!({ "key": "category", "match": { "any": [new.category().as_str()] } });
        let filter = filter(vec![category]);
        let near = self.near(new.content(), &filter, NEAR)?;
        let same = near
            .iter()
            .find(|(record, _)| record.content == new.content());
        if let Some((record, _)) = same {
            let tags = match new.tags() {
                [] => record.tags.clone(),
                tags => tags.to_vec(),
            };
            let importance = new.renewed_importance(Some(record.importance));
            let is_new = record.importance != importance
                || record.tags != tags
                || new
                    .expires_at()
                    .is_some_and(|end| record.expires_at != Some(end));
            let set = json!({
                "payload": {
                    "importance": importance, "tags": tags,
                    "expires_at": new.expires_at().or(record.expires_at).map(|end| end.to_string()),
                    "expires_s": new.expires_at().or(record.expires_at).map(|end| end.end().as_second()),
                },
                "points": [record.id.as_str()],
            });
            if is_new {
                self.line.send("POST", "/points/payload?wait=true", &set)?;
            }
            return Ok(StoreOutcome::new(record.id.clone(), false, None));
        }
        let id = new_id(new, now)?;
        let may_go = near
            .into_iter()
            .map(|(record, _)| record)
            .filter(|one| !one.pinned);
        let old = conflict::find_superseded(
            new.content(),
            may_go.map(|record| {
                let content = record.content.clone();
                (record, content)
            }),
        );
        let payload = match &old {
            Some((record, _)) => {
                payload_of(&new.succeeding(Some(record.importance), &record.tags), now)
            }
            None => payload_of(new, now),
        };
        let point = json!({
            "id": id.as_str(), "vector": vector(new.content()), "payload": payload,
        });
        let mut operations = vec![json!({ "upsert": { "points": [point] } })];
        if let Some((record, _)) = &old {
            let reason = "says about the same as a newer one";
            let payload = deletion_payload(reason, now, Some(&id));
            let points = [record.id.as_str()];
            operations
                .push(json!({ "overwrite_payload": { "payload": payload, "points": points } }));
        }
        let batch = json!({ "operations": operations });
        self.line.send("POST", "/points/batch?wait=true", &batch)?;
        let superseded = old.map(|(record, likeness)| Superseded {
            id: record.id,
            content: record.content,
            likeness,
        });
        Ok(StoreOutcome::new(id, true, superseded))
    }

    fn retrieve(&mut self, query: &Retrieve, now: Now) -> Result<RetrievalAnswer, RecordError> {
        self.make()?;
        let mut found = self.near(query.query(), &searched(query, now), query.limit())?;
        // It brings whatever is nearest, and that may be nothing at all.
        found.retain(|(record, score)| {
            *score >= ALIKE_MIN || record.content.contains(query.query())
        });
        let used = json!({
            "payload": { "used_s": now.0.as_second() },
            "points": found.iter().map(|(record, _)| record.id.as_str()).collect::<Vec<_>>(),
        });
        let memories = found.into_iter().map(|(record, score)| Retrieved {
            effective: record.effective_importance(now, HALF_LIFE_DAYS),
            record,
            score,
        });
        let memories: Vec<Retrieved> = memories.collect();
        if !memories.is_empty() {
            self.line.send("POST", "/points/payload?wait=true", &used)?;
        }
        let mut left_out = Vec::new();
        if query.explain {
            let expired = json!({ "key": "expires_s", "range": { "lte": now.0.as_second() } });
            let expired = self.all(&filter(vec![expired]))?;
            left_out.extend(expired.into_iter().map(|record| SkippedRecord {
                id: record.id,
                content: record.content,
                by: "expired",
            }));
        }
        Ok(RetrievalAnswer { memories, left_out })
    }

    fn list(&mut self, listing: &RecordFilter, now: Now) -> Result<Vec<Record>, RecordError> {
        self.make()?;
        let all = self.all(&filter(Vec::new()))?;
        Ok(listing.select(all.into_iter(), now))
    }

    fn delete(&mut self, id: &RecordId, reason: &str, now: Now) -> Result<Deleted, RecordError> {
        self.make()?;
        let record = self.find(id)?;
        let set = json!({ "payload": deletion_payload(reason, now, None), "points": [record.id.as_str()] });
        self.line.send("PUT", "/points/payload?wait=true", &set)?;
        Ok(Deleted {
            id: record.id,
            file: None,
            change: None,
            warnings: Vec::new(),
        })
    }
}

/// What is still there, and fits.
fn filter(mut must: Vec<Value>) -> Value {
    must.push(json!({ "is_empty": { "key": "gone" } }));
    json!({ "must": must })
}

/// What a retrieval asks for: categories, importance, and what has not expired.
fn searched(query: &Retrieve, now: Now) -> Value {
    let mut must = Vec::new();
    if !query.categories.is_empty() {
        let words: Vec<&str> = query.categories.iter().map(|one| one.as_str()).collect();
        must.push(json!({ "key": "category", "match": { "any": words } }));
    }
    if query.min_importance > 1 {
        must.push(json!({ "key": "importance", "range": { "gte": query.min_importance } }));
    }
    must.push(json!({ "should": [
        { "is_empty": { "key": "expires_s" } },
        { "key": "expires_s", "range": { "gt": now.0.as_second() } },
    ]}));
    filter(must)
}

/// The vector of a text; one of a text without words points nowhere in particular.
fn vector(text: &str) -> Vec<f32> {
    let vector = Encoder::text_vector(text, TOKENS_MAX);
    vector.map_or_else(
        || vec![1.0 / (WIDTH as f32).sqrt(); WIDTH],
        |vector| vector.unit_values().collect(),
    )
}

/// A UUID made from the content and the moment (version 8: a hash of one's own).
fn new_id(new: &NewRecord, now: Now) -> Result<RecordId, RecordError> {
    let seed = format!(
        "{}\0{}\0{}",
        now.0.as_nanosecond(),
        new.category(),
        new.content()
    );
    let hex = Sha256::digest(seed.as_bytes()).to_string();
    let id = format!(
        "{}-{}-8{}-a{}-{}",
        &hex[..8],
        &hex[8..12],
        &hex[13..16],
        &hex[17..20],
        &hex[20..32]
    );
    Ok(RecordId::parse(&id)?)
}

fn is_uuid(text: &str) -> bool {
    let dashes = [8, 13, 18, 23];
    text.len() == 36
        && text
            .bytes()
            .enumerate()
            .all(|(at, byte)| match dashes.contains(&at) {
                true => byte == b'-',
                false => byte.is_ascii_hexdigit(),
            })
}

/// A moment in a payload.
fn moment(value: &Value) -> Option<Timestamp> {
    Timestamp::from_second(value.as_i64()?).ok()
}
