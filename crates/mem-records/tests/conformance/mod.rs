//! What every back end has to do, as one function over any of them.

mod conflicts;
mod hostile;
mod namespaces;

use jiff::{SignedDuration, Timestamp};
use mem_core::Now;
use mem_records::{
    Category, InvalidRecord, NewRecord, Record, RecordError, RecordFilter, RecordId, Records,
    RetrievalAnswer, Retrieve, StoreOutcome,
};

/// The first thing that a back end does wrong.
#[derive(Debug, thiserror::Error)]
pub(super) enum RecordsViolation {
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
pub(super) fn check_conformance<A: Records, B: Records>(
    a: &mut A,
    b: &mut B,
    now: Now,
) -> Result<(), RecordsViolation> {
    keeps_what_it_was_given(a, now)?;
    check_filters(a, now)?;
    check_expiry(a, now)?;
    conflicts::check_repeated_store(a, now)?;
    conflicts::check_supersession(a, now)?;
    hostile::check_hostile_contents(a, now)?;
    check_deletion(a, now)?;
    namespaces::check_namespaces_apart(a, b, now)
}

fn require_rule(rule: &'static str, holds: bool) -> Result<(), RecordsViolation> {
    match holds {
        true => Ok(()),
        false => Err(RecordsViolation::Broken(rule)),
    }
}

fn store_record<R: Records>(
    records: &mut R,
    content: &str,
    category: Category,
    importance: u8,
    now: Now,
) -> Result<StoreOutcome, RecordsViolation> {
    let new = NewRecord::new(content, category, importance)?;
    Ok(records.store(&new, now)?)
}

fn retrieve_records<R: Records>(
    records: &mut R,
    query: &str,
    now: Now,
) -> Result<RetrievalAnswer, RecordsViolation> {
    Ok(records.retrieve(&Retrieve::new(query)?, now)?)
}

fn list_records<R: Records>(records: &mut R, now: Now) -> Result<Vec<Record>, RecordsViolation> {
    Ok(records.list(&RecordFilter::default(), now)?)
}

fn delete_all_records<R: Records>(records: &mut R, now: Now) -> Result<(), RecordsViolation> {
    let everything = RecordFilter {
        with_expired: true,
        ..RecordFilter::default()
    };
    for record in records.list(&everything, now)? {
        records.delete(&record.id, "the next part of the suite begins empty", now)?;
    }
    require_rule(
        "what was deleted is listed no more",
        list_records(records, now)?.is_empty(),
    )
}

fn days_later(now: Now, days: i64) -> Now {
    let later = now.0.checked_add(SignedDuration::from_hours(24 * days));
    Now(later.unwrap_or(Timestamp::MAX))
}

fn keeps_what_it_was_given<R: Records>(records: &mut R, now: Now) -> Result<(), RecordsViolation> {
    require_rule(
        "an empty namespace has no records",
        list_records(records, now)?.is_empty(),
    )?;
    let nothing = retrieve_records(records, "anything at all", now)?;
    require_rule("and finds none", nothing.memories.is_empty())?;
    let tags = ["deploy".to_owned(), "week day".to_owned()];
    let content = "The shop is deployed on Tuesdays.\nNever on a Friday.";
    let new = NewRecord::new(content, Category::ProjectContext, 4)?.with_tags(&tags)?;
    let stored = records.store(&new, now)?;
    require_rule(
        "a new record is created",
        stored.created && stored.superseded.is_none(),
    )?;
    store_record(
        records,
        "Ann likes her coffee black.",
        Category::Relationship,
        2,
        now,
    )?;
    store_record(
        records,
        "Postgres answers on port 5433.",
        Category::FactualKnowledge,
        3,
        now,
    )?;
    let found = retrieve_records(records, "When is the shop deployed?", now)?;
    let best = found.memories.first();
    let best = best.ok_or(RecordsViolation::Broken("what was stored is found"))?;
    let record = &best.record;
    require_rule("the best comes first", record.id == stored.id)?;
    require_rule(
        "the content is the one that was given",
        record.content == content,
    )?;
    require_rule(
        "so is the category",
        record.category == Category::ProjectContext,
    )?;
    require_rule("so is the importance", record.importance == 4)?;
    require_rule("so are the tags", record.tags == tags)?;
    let age = now.0.duration_since(record.created_at).abs();
    require_rule("it came to be now", age < SignedDuration::from_mins(10))?;
    require_rule("a score is from 0 to 1", (0.0..=1.0).contains(&best.score))?;
    require_rule(
        "a new record counts what it was given",
        (best.effective - 4.0).abs() < 0.1,
    )?;
    require_rule(
        "a list has all of them",
        list_records(records, now)?.len() == 3,
    )?;
    let other = retrieve_records(records, "zorbax quillim wurble", now)?;
    require_rule(
        "what shares nothing with a query is not brought",
        other.memories.is_empty(),
    )?;
    delete_all_records(records, now)
}

fn check_filters<R: Records>(records: &mut R, now: Now) -> Result<(), RecordsViolation> {
    store_record(
        records,
        "Deploys need two reviews.",
        Category::DecisionLog,
        5,
        now,
    )?;
    store_record(
        records,
        "The deploy of March is half done.",
        Category::TaskProgress,
        2,
        now,
    )?;
    store_record(
        records,
        "Deploys are told in the channel ops.",
        Category::ProjectContext,
        1,
        now,
    )?;
    let query = Retrieve::new("deploys")?;
    require_rule(
        "without filters all are found",
        records.retrieve(&query, now)?.memories.len() == 3,
    )?;
    let mut one = query.clone();
    one.categories = vec![Category::DecisionLog, Category::TaskProgress];
    let found = records.retrieve(&one, now)?.memories;
    let fits = found.iter().all(|found| one.admits(&found.record));
    require_rule("categories leave the others out", found.len() == 2 && fits)?;
    let mut least = query.clone();
    least.min_importance = 2;
    let found = records.retrieve(&least, now)?.memories;
    require_rule("so does the least importance", found.len() == 2)?;
    let best = query.clone().at_most(1)?;
    require_rule(
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
    require_rule("filters come before the ranking", is_it)?;
    let listing = RecordFilter {
        categories: vec![Category::ProjectContext],
        ..RecordFilter::default()
    };
    require_rule(
        "a list of one category is one",
        records.list(&listing, now)?.len() == 1,
    )?;
    delete_all_records(records, now)
}

fn check_expiry<R: Records>(records: &mut R, now: Now) -> Result<(), RecordsViolation> {
    let end = days_later(now, 2).0;
    let freeze = NewRecord::new("The merge freeze is on.", Category::ProjectContext, 5)?;
    let freeze = freeze.until(Some(mem_core::topic::Expiry::At(end)));
    let stored = records.store(&freeze, now)?;
    let mut query = Retrieve::new("merge freeze")?;
    query.explain = true;
    let before = records.retrieve(&query, now)?;
    require_rule(
        "what holds is found",
        before.memories.len() == 1 && before.left_out.is_empty(),
    )?;
    let after = days_later(now, 3);
    let found = records.retrieve(&query, after)?;
    require_rule("what has expired is not", found.memories.is_empty())?;
    let told = found
        .left_out
        .iter()
        .any(|left| left.id == stored.id && left.by == "expired");
    require_rule("and an explanation says so", told)?;
    require_rule("nor is it listed", list_records(records, after)?.is_empty())?;
    let everything = RecordFilter {
        with_expired: true,
        ..RecordFilter::default()
    };
    require_rule(
        "unless asked for",
        records.list(&everything, after)?.len() == 1,
    )?;
    delete_all_records(records, after)
}

fn check_deletion<R: Records>(records: &mut R, now: Now) -> Result<(), RecordsViolation> {
    let stored = store_record(
        records,
        "Sprint 12 ends on Friday.",
        Category::TaskProgress,
        2,
        now,
    )?;
    let deleted = records.delete(&stored.id, "it is over", now)?;
    require_rule("a deletion says what it deleted", deleted.id == stored.id)?;
    require_rule(
        "what is deleted is gone",
        retrieve_records(records, "sprint", now)?
            .memories
            .is_empty(),
    )?;
    let is_gone = |id: &RecordId, records: &mut R| {
        let again = records.delete(id, "again", now);
        matches!(again, Err(RecordError::NotFound(other)) if other == *id)
    };
    require_rule("it cannot be deleted twice", is_gone(&stored.id, records))?;
    let unknown = RecordId::parse("00000000-0000-4000-8000-000000000000")?;
    require_rule("nor can what never was", is_gone(&unknown, records))
}
