//! Contents that look like something else.

use mem_core::Now;
use mem_records::{Category, Records};

use super::{RecordsViolation, delete_all_records, list_records, require_rule, store_record};
use mem_records::limits::CONTENT_BYTES_MAX;

/// Texts that a format in between could take for its own, or lose something of.
const CONTENTS: [&str; 10] = [
    "---\nname: other\ncategory: relationship\n---\n\nbody",
    "\"quoted\" 'text': {a: [b]} # no comment",
    "line one\r\nline two\r\n",
    "# A heading\n\n- [a](b.md) — c",
    "部署在周二进行，周五不部署。",
    "Łódź 🚀 e\u{301} \u{202e}right to left",
    "'); DROP TABLE memories; --",
    "../../etc/passwd",
    "null",
    "\u{feff}a mark in front",
];

pub(super) fn check_hostile_contents<R: Records>(
    records: &mut R,
    now: Now,
) -> Result<(), RecordsViolation> {
    for content in CONTENTS {
        let stored = store_record(records, content, Category::FactualKnowledge, 3, now)?;
        let listed = list_records(records, now)?;
        let kept = listed.iter().find(|one| one.id == stored.id);
        let kept = kept.ok_or(RecordsViolation::Broken("whatever is stored is listed"))?;
        let is_kept = kept.content == content.trim() && kept.category == Category::FactualKnowledge;
        require_rule("whatever was given comes back", is_kept)?;
    }
    delete_all_records(records, now)?;
    let largest = "word ".repeat(CONTENT_BYTES_MAX / 5);
    store_record(records, &largest, Category::FactualKnowledge, 1, now)?;
    let is_kept = list_records(records, now)?
        .iter()
        .any(|one| one.content == largest.trim());
    require_rule("the largest content is kept whole", is_kept)?;
    delete_all_records(records, now)
}
