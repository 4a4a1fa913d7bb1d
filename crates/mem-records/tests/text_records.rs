//! The back end over anything that keeps texts under ids, here a map.

use std::collections::{BTreeMap, HashMap};

use jiff::Timestamp;
use mem_core::Now;
use mem_records::text_records::{DeletedRecord, StoredText, TextRecords, TextStorage};
use mem_records::{Category, NewRecord, RecordError, RecordFilter, RecordId, Records};

use crate::conformance;
use crate::fixture::now;

/// Texts in memory.
#[derive(Default)]
struct Map {
    texts: BTreeMap<String, (RecordId, String)>,
    gone: HashMap<RecordId, DeletedRecord>,
    used: HashMap<RecordId, Timestamp>,
    writes: u128,
    /// What others add, each time between a reading and the writing that follows it.
    others: Vec<(RecordId, String)>,
}

impl Map {
    fn stale(&self, old: &StoredText) -> Result<(), RecordError> {
        match self.texts.get(&old.handle) {
            Some((_, text)) if *text == old.text => Ok(()),
            _ => Err(overtaken()),
        }
    }

    /// Somebody else comes first.
    fn overtake(&mut self) -> Result<(), RecordError> {
        match self.others.pop() {
            Some((id, text)) => {
                self.texts.insert(id.to_string(), (id, text));
                Err(overtaken())
            }
            None => Ok(()),
        }
    }
}

fn overtaken() -> RecordError {
    RecordError::Overtaken {
        place: "the map".to_owned(),
    }
}

impl TextStorage for Map {
    fn salt(&mut self) -> Result<[u8; 16], RecordError> {
        self.writes += 1;
        Ok(self.writes.to_le_bytes())
    }

    fn all(&mut self) -> Result<Vec<StoredText>, RecordError> {
        let kept = |(handle, (id, text)): (&String, &(RecordId, String))| StoredText {
            id: id.clone(),
            handle: handle.clone(),
            text: text.clone(),
            time: now().0,
        };
        Ok(self.texts.iter().map(kept).collect())
    }

    fn add(&mut self, id: &RecordId, text: String) -> Result<(), RecordError> {
        self.overtake()?;
        self.texts.insert(id.to_string(), (id.clone(), text));
        Ok(())
    }

    fn replace(
        &mut self,
        old: &StoredText,
        id: &RecordId,
        text: String,
    ) -> Result<(), RecordError> {
        self.stale(old)?;
        self.texts.insert(old.handle.clone(), (id.clone(), text));
        Ok(())
    }

    fn remove(&mut self, old: &StoredText) -> Result<(), RecordError> {
        self.stale(old)?;
        self.texts.remove(&old.handle);
        Ok(())
    }

    fn used(&mut self) -> Result<HashMap<RecordId, Timestamp>, RecordError> {
        Ok(self.used.clone())
    }

    fn renew(&mut self, ids: &[RecordId], now: Now) -> Result<(), RecordError> {
        self.used.extend(ids.iter().map(|id| (id.clone(), now.0)));
        Ok(())
    }

    fn remember(&mut self, gone: &DeletedRecord) -> Result<(), RecordError> {
        self.gone.insert(gone.id.clone(), gone.clone());
        Ok(())
    }

    fn gone(&mut self, id: &RecordId) -> Result<Option<DeletedRecord>, RecordError> {
        Ok(self.gone.get(id).cloned())
    }
}

#[test]
fn it_does_what_every_back_end_does() {
    let (mut alice, mut bob) = (
        TextRecords::new(Map::default()),
        TextRecords::new(Map::default()),
    );
    conformance::check_conformance(&mut alice, &mut bob, now()).unwrap();
}

#[test]
fn what_is_said_of_another_thing_takes_no_place() {
    let mut records = TextRecords::new(Map::default());
    let mut store = |content: &str| {
        let new = NewRecord::new(content, Category::FactualKnowledge, 3).unwrap();
        let old = records.store(&new, now()).unwrap().superseded;
        old.map(|old| old.content)
    };
    for content in [
        "The staging database runs on port 5432.",
        "The production database runs on port 5432.",
        "The API key of service A is kept in Vault.",
        "The API key of service B is kept in Vault.",
        "Port 8080 is used by the frontend.",
        "Port 8080 is used by the backend.",
        "Team red uses PostgreSQL.",
        "Team blue uses PostgreSQL.",
    ] {
        assert_eq!(store(content), None, "{content}");
    }
    let old = store("The production database runs on port 5433.");
    assert_eq!(
        old.as_deref(),
        Some("The production database runs on port 5432.")
    );
    assert_eq!(
        records.list(&RecordFilter::default(), now()).unwrap().len(),
        8
    );
}

#[test]
fn what_others_wrote_meanwhile_is_compared_too() {
    let mut elsewhere = TextRecords::new(Map::default());
    let new = NewRecord::new("Deploys are on Tuesdays.", Category::ProjectContext, 3).unwrap();
    elsewhere.store(&new, now()).unwrap();
    let others = elsewhere.into_storage().texts.into_values().collect();
    let mut records = TextRecords::new(Map {
        others,
        ..Map::default()
    });
    let stored = records.store(&new, now()).unwrap();
    assert!(!stored.created, "{stored:?}");
    assert_eq!(
        records.list(&RecordFilter::default(), now()).unwrap().len(),
        1
    );
}
