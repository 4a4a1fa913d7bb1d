//! What one user must not see of another.

use mem_core::Now;
use mem_records::{Category, RecordError, RecordId, Records};

use super::{
    RecordsViolation, delete_all_records, list_records, require_rule, retrieve_records,
    store_record,
};

pub(super) fn check_namespaces_apart<A: Records, B: Records>(
    a: &mut A,
    b: &mut B,
    now: Now,
) -> Result<(), RecordsViolation> {
    let content = "The door code is changed every month.";
    let category = Category::FactualKnowledge;
    let one = store_record(a, content, category, 4, now)?;
    require_rule("no list has another's", list_records(b, now)?.is_empty())?;
    require_rule(
        "no query finds it",
        retrieve_records(b, "door code", now)?.memories.is_empty(),
    )?;
    let unknown = RecordId::parse("mem_000000000000000000000000")?;
    let mut refused = |id: &RecordId| match b.delete(id, "curious", now) {
        Err(RecordError::NotFound(_)) => Ok(()),
        _ => Err(RecordsViolation::Broken(
            "another's id is one that is not there",
        )),
    };
    refused(&one.id)?;
    refused(&unknown)?;
    let own = store_record(b, content, category, 1, now)?;
    require_rule(
        "the same content is a record of each",
        own.created && own.superseded.is_none(),
    )?;
    let other = store_record(b, "The door code is changed every week.", category, 1, now)?;
    let is_own = other.superseded.is_none_or(|old| old.id == own.id);
    require_rule("what is superseded is one's own", is_own)?;
    let kept = list_records(a, now)?;
    let is_kept = kept.len() == 1 && kept[0].id == one.id && kept[0].importance == 4;
    require_rule("nothing that another does changes it", is_kept)?;
    delete_all_records(b, now)?;
    require_rule("not even deleting all", list_records(a, now)?.len() == 1)?;
    delete_all_records(a, now)
}
