//! The same again, and about the same.

use mem_core::Now;
use mem_records::{Category, NewRecord, RecordError, Records};

use super::{
    RecordsViolation, delete_all_records, list_records, require_rule, retrieve_records,
    store_record,
};

pub(super) fn check_repeated_store<R: Records>(
    records: &mut R,
    now: Now,
) -> Result<(), RecordsViolation> {
    let content = "Answers are wanted in German.";
    let first = store_record(records, content, Category::UserPreference, 3, now)?;
    let tags = ["language".to_owned()];
    let more = NewRecord::new(content, Category::UserPreference, 5)?.with_tags(&tags)?;
    let second = records.store(&more, now)?;
    require_rule(
        "the same content is the same record",
        second.id == first.id && !second.created,
    )?;
    let listed = list_records(records, now)?;
    let is_one = listed.len() == 1 && listed[0].importance == 5 && listed[0].tags == tags;
    require_rule("with what else is new about it", is_one)?;
    store_record(records, content, Category::ProjectContext, 3, now)?;
    require_rule(
        "another category has its own",
        list_records(records, now)?.len() == 2,
    )?;
    delete_all_records(records, now)
}

pub(super) fn check_supersession<R: Records>(
    records: &mut R,
    now: Now,
) -> Result<(), RecordsViolation> {
    let category = Category::ProjectContext;
    let old = store_record(
        records,
        "The production database runs on Postgres 14.",
        category,
        3,
        now,
    )?;
    let related = store_record(
        records,
        "Backups of the database are kept for 30 days.",
        category,
        3,
        now,
    )?;
    require_rule("what is merely related stays", related.superseded.is_none())?;
    let new = store_record(
        records,
        "The production database runs on Postgres 16.",
        category,
        3,
        now,
    )?;
    let told = new.superseded.as_ref();
    require_rule(
        "an update supersedes, and says so",
        told.is_some_and(|one| one.id == old.id),
    )?;
    require_rule("it has an id of its own", new.created && new.id != old.id)?;
    let listed = list_records(records, now)?;
    let is_gone = listed.len() == 2 && listed.iter().all(|one| one.id != old.id);
    require_rule("what is superseded is listed no more", is_gone)?;
    let found = retrieve_records(records, "Which Postgres does production run?", now)?;
    let is_found = found.memories.iter().any(|one| one.record.id == old.id);
    require_rule("nor found", !is_found)?;
    let gone = matches!(
        records.delete(&old.id, "it is old", now),
        Err(RecordError::NotFound(_) | RecordError::Superseded { .. })
    );
    require_rule("nor deleted again", gone)?;
    let other = store_record(
        records,
        "The production database runs on Postgres 17.",
        Category::DecisionLog,
        3,
        now,
    )?;
    require_rule("another category is left alone", other.superseded.is_none())?;
    delete_all_records(records, now)
}
