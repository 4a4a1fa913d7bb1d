//! The same again, and about the same.

use mem_core::Now;

use super::{RecordsViolation, all, ask, clear, hold, put};
use crate::category::Category;
use crate::error::RecordError;
use crate::record::NewRecord;
use crate::records::Records;

pub(super) fn again<R: Records>(records: &mut R, now: Now) -> Result<(), RecordsViolation> {
    let content = "Answers are wanted in German.";
    let first = put(records, content, Category::UserPreference, 3, now)?;
    let tags = ["language".to_owned()];
    let more = NewRecord::new(content, Category::UserPreference, 5)?.with_tags(&tags)?;
    let second = records.store(&more, now)?;
    hold(
        "the same content is the same record",
        second.id == first.id && !second.created,
    )?;
    let listed = all(records, now)?;
    let is_one = listed.len() == 1 && listed[0].importance == 5 && listed[0].tags == tags;
    hold("with what else is new about it", is_one)?;
    put(records, content, Category::ProjectContext, 3, now)?;
    hold(
        "another category has its own",
        all(records, now)?.len() == 2,
    )?;
    clear(records, now)
}

pub(super) fn supersession<R: Records>(records: &mut R, now: Now) -> Result<(), RecordsViolation> {
    let category = Category::ProjectContext;
    let old = put(
        records,
        "The production database runs on Postgres 14.",
        category,
        3,
        now,
    )?;
    let related = put(
        records,
        "Backups of the database are kept for 30 days.",
        category,
        3,
        now,
    )?;
    hold("what is merely related stays", related.superseded.is_none())?;
    let new = put(
        records,
        "The production database runs on Postgres 16.",
        category,
        3,
        now,
    )?;
    let told = new.superseded.as_ref();
    hold(
        "an update supersedes, and says so",
        told.is_some_and(|one| one.id == old.id),
    )?;
    hold("it has an id of its own", new.created && new.id != old.id)?;
    let listed = all(records, now)?;
    let is_gone = listed.len() == 2 && listed.iter().all(|one| one.id != old.id);
    hold("what is superseded is listed no more", is_gone)?;
    let found = ask(records, "Which Postgres does production run?", now)?;
    let is_found = found.memories.iter().any(|one| one.record.id == old.id);
    hold("nor found", !is_found)?;
    let gone = matches!(
        records.delete(&old.id, "it is old", now),
        Err(RecordError::NotFound(_) | RecordError::Superseded { .. })
    );
    hold("nor deleted again", gone)?;
    let other = put(
        records,
        "The production database runs on Postgres 17.",
        Category::DecisionLog,
        3,
        now,
    )?;
    hold("another category is left alone", other.superseded.is_none())?;
    clear(records, now)
}
