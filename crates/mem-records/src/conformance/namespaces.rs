//! What one user must not see of another.

use mem_core::Now;

use super::{RecordsViolation, all, ask, clear, hold, put};
use crate::category::Category;
use crate::error::RecordError;
use crate::record::RecordId;
use crate::records::Records;

pub(super) fn apart<A: Records, B: Records>(
    a: &mut A,
    b: &mut B,
    now: Now,
) -> Result<(), RecordsViolation> {
    let content = "The door code is changed every month.";
    let category = Category::FactualKnowledge;
    let one = put(a, content, category, 4, now)?;
    hold("no list has another's", all(b, now)?.is_empty())?;
    hold(
        "no query finds it",
        ask(b, "door code", now)?.memories.is_empty(),
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
    let own = put(b, content, category, 1, now)?;
    hold(
        "the same content is a record of each",
        own.created && own.superseded.is_none(),
    )?;
    let other = put(b, "The door code is changed every week.", category, 1, now)?;
    let is_own = other.superseded.is_none_or(|old| old.id == own.id);
    hold("what is superseded is one's own", is_own)?;
    let kept = all(a, now)?;
    let is_kept = kept.len() == 1 && kept[0].id == one.id && kept[0].importance == 4;
    hold("nothing that another does changes it", is_kept)?;
    clear(b, now)?;
    hold("not even deleting all", all(a, now)?.len() == 1)?;
    clear(a, now)
}
