//! What every back end has to do, as one function over any of them.

mod conflicts;
mod hostile;
mod namespaces;

use jiff::{SignedDuration, Timestamp};
use mem_core::Now;

use crate::category::Category;
use crate::error::{InvalidRecord, RecordError};
use crate::record::{NewRecord, Record, RecordId};
use crate::records::{RecordFilter, Records, RetrievalAnswer, Retrieve, StoreOutcome};

/// The first thing that a back end does wrong.
#[derive(Debug, thiserror::Error)]
pub enum RecordsViolation {
    /// It says no where it has to do it.
    #[error(transparent)]
    Records(#[from] RecordError),
    /// An input of the suite is none.
    #[error(transparent)]
    Input(#[from] InvalidRecord),
    /// It does something else.
    #[error("{0}")]
    Broken(&'static str),
}

/// Runs the suite on two namespaces that are empty, the users' of one back end. `now` is the present as
/// the back end knows it; the suite goes on from there.
///
/// # Errors
/// The first rule that does not hold.
pub fn check<A: Records, B: Records>(
    a: &mut A,
    b: &mut B,
    now: Now,
) -> Result<(), RecordsViolation> {
    keeps_what_it_was_given(a, now)?;
    filters(a, now)?;
    expiry(a, now)?;
    conflicts::again(a, now)?;
    conflicts::supersession(a, now)?;
    hostile::contents(a, now)?;
    deletion(a, now)?;
    namespaces::apart(a, b, now)
}

fn hold(rule: &'static str, holds: bool) -> Result<(), RecordsViolation> {
    match holds {
        true => Ok(()),
        false => Err(RecordsViolation::Broken(rule)),
    }
}

fn put<R: Records>(
    records: &mut R,
    content: &str,
    category: Category,
    importance: u8,
    now: Now,
) -> Result<StoreOutcome, RecordsViolation> {
    let new = NewRecord::new(content, category, importance)?;
    Ok(records.store(&new, now)?)
}

fn ask<R: Records>(
    records: &mut R,
    query: &str,
    now: Now,
) -> Result<RetrievalAnswer, RecordsViolation> {
    Ok(records.retrieve(&Retrieve::new(query)?, now)?)
}

fn all<R: Records>(records: &mut R, now: Now) -> Result<Vec<Record>, RecordsViolation> {
    Ok(records.list(&RecordFilter::default(), now)?)
}

fn clear<R: Records>(records: &mut R, now: Now) -> Result<(), RecordsViolation> {
    let everything = RecordFilter {
        with_expired: true,
        ..RecordFilter::default()
    };
    for record in records.list(&everything, now)? {
        records.delete(&record.id, "the next part of the suite begins empty", now)?;
    }
    hold(
        "what was deleted is listed no more",
        all(records, now)?.is_empty(),
    )
}

fn later(now: Now, days: i64) -> Now {
    let later = now.0.checked_add(SignedDuration::from_hours(24 * days));
    Now(later.unwrap_or(Timestamp::MAX))
}

fn keeps_what_it_was_given<R: Records>(records: &mut R, now: Now) -> Result<(), RecordsViolation> {
    hold(
        "an empty namespace has no records",
        all(records, now)?.is_empty(),
    )?;
    let nothing = ask(records, "anything at all", now)?;
    hold("and finds none", nothing.memories.is_empty())?;
    let tags = ["deploy".to_owned(), "week day".to_owned()];
    let content = "The shop is deployed on Tuesdays.\nNever on a Friday.";
    let new = NewRecord::new(content, Category::ProjectContext, 4)?.with_tags(&tags)?;
    let stored = records.store(&new, now)?;
    hold(
        "a new record is created",
        stored.created && stored.superseded.is_none(),
    )?;
    put(
        records,
        "Ann likes her coffee black.",
        Category::Relationship,
        2,
        now,
    )?;
    put(
        records,
        "Postgres answers on port 5433.",
        Category::FactualKnowledge,
        3,
        now,
    )?;
    let found = ask(records, "When is the shop deployed?", now)?;
    let best = found.memories.first();
    let best = best.ok_or(RecordsViolation::Broken("what was stored is found"))?;
    let record = &best.record;
    hold("the best comes first", record.id == stored.id)?;
    hold(
        "the content is the one that was given",
        record.content == content,
    )?;
    hold(
        "so is the category",
        record.category == Category::ProjectContext,
    )?;
    hold("so is the importance", record.importance == 4)?;
    hold("so are the tags", record.tags == tags)?;
    let age = now.0.duration_since(record.created_at).abs();
    hold("it came to be now", age < SignedDuration::from_mins(10))?;
    hold("a score is from 0 to 1", (0.0..=1.0).contains(&best.score))?;
    hold(
        "a new record counts what it was given",
        (best.effective - 4.0).abs() < 0.1,
    )?;
    hold("a list has all of them", all(records, now)?.len() == 3)?;
    let other = ask(records, "zorbax quillim wurble", now)?;
    hold(
        "what shares nothing with a query is not brought",
        other.memories.is_empty(),
    )?;
    clear(records, now)
}

fn filters<R: Records>(records: &mut R, now: Now) -> Result<(), RecordsViolation> {
    put(
        records,
        "Deploys need two reviews.",
        Category::DecisionLog,
        5,
        now,
    )?;
    put(
        records,
        "The deploy of March is half done.",
        Category::TaskProgress,
        2,
        now,
    )?;
    put(
        records,
        "Deploys are told in the channel ops.",
        Category::ProjectContext,
        1,
        now,
    )?;
    let query = Retrieve::new("deploys")?;
    hold(
        "without filters all are found",
        records.retrieve(&query, now)?.memories.len() == 3,
    )?;
    let mut one = query.clone();
    one.categories = vec![Category::DecisionLog, Category::TaskProgress];
    let found = records.retrieve(&one, now)?.memories;
    let fits = found.iter().all(|found| one.admits(&found.record));
    hold("categories leave the others out", found.len() == 2 && fits)?;
    let mut least = query.clone();
    least.min_importance = 2;
    let found = records.retrieve(&least, now)?.memories;
    hold("so does the least importance", found.len() == 2)?;
    let best = query.clone().at_most(1)?;
    hold(
        "a limit is kept",
        records.retrieve(&best, now)?.memories.len() == 1,
    )?;
    // One that is left out must not take the place of one that is not.
    let mut narrow = best;
    narrow.categories = vec![Category::TaskProgress];
    let found = records.retrieve(&narrow, now)?.memories;
    let is_it = found
        .first()
        .is_some_and(|one| one.record.category == Category::TaskProgress);
    hold("filters come before the ranking", is_it)?;
    let listing = RecordFilter {
        categories: vec![Category::ProjectContext],
        ..RecordFilter::default()
    };
    hold(
        "a list of one category is one",
        records.list(&listing, now)?.len() == 1,
    )?;
    clear(records, now)
}

fn expiry<R: Records>(records: &mut R, now: Now) -> Result<(), RecordsViolation> {
    let end = later(now, 2).0;
    let freeze = NewRecord::new("The merge freeze is on.", Category::ProjectContext, 5)?;
    let freeze = freeze.until(Some(mem_core::topic::Expiry::At(end)));
    let stored = records.store(&freeze, now)?;
    let mut query = Retrieve::new("merge freeze")?;
    query.explain = true;
    let before = records.retrieve(&query, now)?;
    hold(
        "what holds is found",
        before.memories.len() == 1 && before.left_out.is_empty(),
    )?;
    let after = later(now, 3);
    let found = records.retrieve(&query, after)?;
    hold("what has expired is not", found.memories.is_empty())?;
    let told = found
        .left_out
        .iter()
        .any(|left| left.id == stored.id && left.by == "expired");
    hold("and an explanation says so", told)?;
    hold("nor is it listed", all(records, after)?.is_empty())?;
    let everything = RecordFilter {
        with_expired: true,
        ..RecordFilter::default()
    };
    hold(
        "unless asked for",
        records.list(&everything, after)?.len() == 1,
    )?;
    clear(records, after)
}

fn deletion<R: Records>(records: &mut R, now: Now) -> Result<(), RecordsViolation> {
    let stored = put(
        records,
        "Sprint 12 ends on Friday.",
        Category::TaskProgress,
        2,
        now,
    )?;
    let deleted = records.delete(&stored.id, "it is over", now)?;
    hold("a deletion says what it deleted", deleted.id == stored.id)?;
    hold(
        "what is deleted is gone",
        ask(records, "sprint", now)?.memories.is_empty(),
    )?;
    let is_gone = |id: &RecordId, records: &mut R| {
        let again = records.delete(id, "again", now);
        matches!(again, Err(RecordError::NotFound(other)) if other == *id)
    };
    hold("it cannot be deleted twice", is_gone(&stored.id, records))?;
    let unknown = RecordId::parse("00000000-0000-4000-8000-000000000000")?;
    hold("nor can what never was", is_gone(&unknown, records))
}
