//! [`Records`], the trait of the back ends, and what its calls answer.
//!
//! Its calls block: a command has nothing else to do meanwhile, and servers have threads for that. A
//! back end that is asynchronous inside runs its own runtime.

use mem_core::Now;
use mem_core::compact_sort::CompactSort as _;

use crate::category::Category;
use crate::error::{InvalidRecord, RecordError};
use crate::limits::{LIMIT_DEFAULT, LIMIT_MAX, QUERY_BYTES_MAX};
use crate::record::{NewRecord, Record, RecordId};

/// The records of one namespace: of one user, or of one project. No call tells anything of another's.
pub trait Records {
    /// Stores a record. The same content again in its category is the record that is there, with what
    /// else is new about it; what says about the same there is superseded, in one step.
    ///
    /// # Errors
    /// See [`RecordError`]; nothing was written then.
    fn store(&mut self, new: &NewRecord, now: Now) -> Result<StoreOutcome, RecordError>;

    /// The records that fit a query, the best first. Filters come before the ranking; expired records, and
    /// those that share nothing with the query, are left out. Being retrieved renews a record.
    ///
    /// # Errors
    /// See [`RecordError`].
    fn retrieve(&mut self, query: &Retrieve, now: Now) -> Result<RetrievalAnswer, RecordError>;

    /// All records that a listing asks for, the newest first.
    ///
    /// # Errors
    /// See [`RecordError`].
    fn list(&mut self, listing: &RecordFilter, now: Now) -> Result<Vec<Record>, RecordError>;

    /// Deletes a record, with a reason for the audit trail.
    ///
    /// # Errors
    /// See [`RecordError`]; [`RecordError::NotFound`] for an unknown id and for another's alike.
    fn delete(&mut self, id: &RecordId, reason: &str, now: Now) -> Result<Deleted, RecordError>;
}

/// What is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retrieve {
    query: String,
    /// Categories of which it must be one; none asks for nothing.
    pub categories: Vec<Category>,
    limit: usize,
    /// The least importance, as it was stored.
    pub min_importance: u8,
    /// Whether the answer says what was left out, and by what.
    pub explain: bool,
}

impl Retrieve {
    /// A query with nothing else asked.
    ///
    /// # Errors
    /// It is empty or too long.
    pub fn new(query: &str) -> Result<Self, InvalidRecord> {
        let query = query.trim();
        if query.is_empty() {
            return Err(InvalidRecord::EmptyQuery);
        }
        if query.len() > QUERY_BYTES_MAX {
            return Err(InvalidRecord::QueryTooLarge(query.len()));
        }
        Ok(Self {
            query: query.to_owned(),
            categories: Vec::new(),
            limit: LIMIT_DEFAULT,
            min_importance: 1,
            explain: false,
        })
    }

    /// The same for at most so many.
    ///
    /// # Errors
    /// It is 0 or more than [`LIMIT_MAX`].
    pub fn at_most(self, limit: i64) -> Result<Self, InvalidRecord> {
        let wanted = usize::try_from(limit).ok();
        let wanted = wanted.filter(|limit| (1..=LIMIT_MAX).contains(limit));
        let limit = wanted.ok_or(InvalidRecord::Limit(limit))?;
        Ok(Self { limit, ..self })
    }

    /// The words.
    pub fn query(&self) -> &str {
        &self.query
    }

    /// At most so many.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Whether the filters let a record through.
    pub fn admits(&self, record: &Record) -> bool {
        record.importance >= self.min_importance
            && (self.categories.is_empty() || self.categories.contains(&record.category))
    }
}

/// Which records are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordFilter {
    /// Categories of which it must be one; none asks for nothing.
    pub categories: Vec<Category>,
    /// Whether expired ones are listed too.
    pub with_expired: bool,
}

impl RecordFilter {
    /// Whether a record is asked for.
    pub fn admits(&self, record: &Record, now: Now) -> bool {
        (self.with_expired || !record.is_expired(now.0))
            && (self.categories.is_empty() || self.categories.contains(&record.category))
    }

    /// The records that are asked for, the newest first.
    pub(crate) fn select(&self, all: impl Iterator<Item = Record>, now: Now) -> Vec<Record> {
        let mut records: Vec<Record> = all.filter(|one| self.admits(one, now)).collect();
        records.compact_sort_by(|a, b| (b.created_at, &a.id).cmp(&(a.created_at, &b.id)));
        records
    }
}

/// What a store came to.
#[derive(Clone, Debug, PartialEq)]
pub struct StoreOutcome {
    /// The record's id.
    pub id: RecordId,
    /// Whether it is new.
    pub created: bool,
    /// What it took the place of.
    pub superseded: Option<Superseded>,
    /// What a back end of files calls its file.
    pub file: Option<String>,
    /// The change in the history, where there is one.
    pub change: Option<String>,
    /// What is odd about it.
    pub warnings: Vec<String>,
}

impl StoreOutcome {
    /// What a store came to where there are neither files nor changes.
    pub(crate) fn new(id: RecordId, created: bool, superseded: Option<Superseded>) -> Self {
        Self {
            id,
            created,
            superseded,
            file: None,
            change: None,
            warnings: Vec::new(),
        }
    }
}

/// A record that another one took the place of.
#[derive(Clone, Debug, PartialEq)]
pub struct Superseded {
    /// Its id.
    pub id: RecordId,
    /// What it said.
    pub content: String,
    /// How alike both are, from 0 to 1.
    pub likeness: f32,
}

/// What a retrieval found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RetrievalAnswer {
    /// The best first.
    pub memories: Vec<Retrieved>,
    /// What would have been looked at, and why it was not.
    pub left_out: Vec<SkippedRecord>,
}

/// A record that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Retrieved {
    /// The record.
    pub record: Record,
    /// How alike it and the query are, from 0 to 1: see [`likeness`](crate::similarity_score). No place in the order.
    pub score: f32,
    /// Its importance as of now.
    pub effective: f64,
}

/// A record that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedRecord {
    /// Its id.
    pub id: RecordId,
    /// What it says, for whoever looks after it.
    pub content: String,
    /// `expired`, `category` or `importance`.
    pub by: &'static str,
}

/// What a deletion came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deleted {
    /// The record's id.
    pub id: RecordId,
    /// What a back end of files called its file.
    pub file: Option<String>,
    /// The change in the history, where there is one.
    pub change: Option<String>,
    /// What is odd about it.
    pub warnings: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_within_its_limits() {
        assert_eq!(Retrieve::new("  "), Err(InvalidRecord::EmptyQuery));
        let long = "x".repeat(QUERY_BYTES_MAX + 1);
        assert!(matches!(
            Retrieve::new(&long),
            Err(InvalidRecord::QueryTooLarge(_))
        ));
        let query = Retrieve::new("x").unwrap();
        assert_eq!(query.limit(), LIMIT_DEFAULT);
        for limit in [0, -1, 101, i64::MAX] {
            assert_eq!(
                query.clone().at_most(limit),
                Err(InvalidRecord::Limit(limit))
            );
        }
    }
}
