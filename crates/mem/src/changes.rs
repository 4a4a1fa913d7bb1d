//! Changes and versions as commands show them: one line of text, or JSON.

use jiff::Timestamp;
use mem_core::foreign_text::single_spaced;
use mem_core::history::{Author, Change, Version};
use mem_core::store::Planned;
use mem_core::unified_diff::plan_diff;
use serde_json::{Value, json};

use crate::reason;
use crate::sanitize::clean;
use crate::style::FAINT;

/// Characters of an id that people see; enough to tell the changes of a directory apart.
const SHORT_ID_CHARS: usize = 8;
/// Files that one line names.
const LINE_FILES_MAX: usize = 3;

/// The beginning of an id, without its prefix.
pub(crate) fn short_id(id: &str) -> &str {
    let bare = id.split_once('_').map_or(id, |(_, bare)| bare);
    bare.get(..SHORT_ID_CHARS).unwrap_or(bare)
}

/// A change in one line: id, time, verb, who, files.
pub(crate) fn change_line(change: &Change) -> String {
    let id = short_id(change.id.as_str());
    let (time, verb) = (utc_time(change.time), &change.verb);
    let (who, files) = (author_text(&change.author), changed_files(change));
    let reason = change_reason(change);
    format!("{id}  {FAINT}{time}{FAINT:#}  {verb:<8}  {who}  {files}{reason}")
}

/// Why it was made, where someone said so.
fn change_reason(change: &Change) -> String {
    let reason = change.reason.as_deref().map(reason::shown_reason);
    let reason = reason.as_deref().map(single_spaced);
    reason.map_or_else(String::new, |reason| format!("  ({})", clean(&reason)))
}

/// One version in a line: id, time, what happened, who, where.
pub(crate) fn version_line(change: &Change, version: &Version) -> String {
    let id = short_id(version.id.as_str());
    let time = utc_time(change.time);
    let who = match &version.by {
        Some(name) => format!(
            "{} {}",
            change.author.actor.as_str(),
            clean(&single_spaced(name))
        ),
        None => author_text(&change.author),
    };
    let what = if version.redacted {
        "redacted"
    } else {
        version.operation.as_str()
    };
    let path = &version.path;
    let size = version
        .size
        .map_or_else(String::new, |bytes| format!("  {bytes} bytes"));
    let from = version
        .renamed_from
        .as_ref()
        .map_or_else(String::new, |from| format!("  (was {from})"));
    let reason = change_reason(change);
    format!("{id}  {FAINT}{time}{FAINT:#}  {what:<8}  {who}  {path}{from}{size}{reason}")
}

/// To the second, in UTC.
pub(crate) fn utc_time(time: Timestamp) -> String {
    time.strftime("%Y-%m-%d %H:%M:%SZ").to_string()
}

/// The kind of author, the name where it is known, and where others may have written what an agent had read.
pub(crate) fn author_text(author: &Author) -> String {
    let name = author.name.as_ref();
    let name = name.map_or_else(String::new, |name| {
        format!(" {}", clean(&single_spaced(name)))
    });
    let source = author.source.filter(|source| source.is_outside());
    let source = source.map_or_else(String::new, |source| {
        format!(", from {}", source.description())
    });
    format!("{}{name}{source}", author.actor.as_str())
}

/// The files of a change, with a sign for those that came or went.
pub(crate) fn changed_files(change: &Change) -> String {
    use mem_core::history::FileOperation::{Created, Deleted, Modified};
    let shown = change.versions.iter().take(LINE_FILES_MAX).map(|version| {
        let sign = match version.operation {
            Created => "+",
            Deleted => "-",
            Modified => "",
        };
        format!("{sign}{}", version.path)
    });
    let shown: Vec<String> = shown.collect();
    let more = change.versions.len().saturating_sub(LINE_FILES_MAX);
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    format!("{}{more}", shown.join(", "))
}

/// What a dry run would make of files, as JSON.
pub(crate) fn plans_json(plans: &[Planned]) -> Vec<Value> {
    let files = plans.iter();
    let files = files.map(|plan| json!({ "file": plan.path, "diff": plan_diff(plan) }));
    files.collect()
}

/// A change as JSON; `undone` says whether a later one took it back.
pub(crate) fn change_json(change: &Change, undone: bool) -> Value {
    let mut value = author_json(change);
    value["undoes"] = json!(change.undoes);
    value["undone"] = json!(undone);
    value["versions"] = change.versions.iter().map(version_fields).collect();
    value
}

/// A version with the circumstances of its change, as JSON.
pub(crate) fn version_json(change: &Change, version: &Version) -> Value {
    let mut value = version_fields(version);
    value["change"] = author_json(change);
    value
}

fn author_json(change: &Change) -> Value {
    let author = &change.author;
    json!({
        "id": change.id,
        "verb": change.verb,
        "actor": author.actor.as_str(),
        "trust": author.trust_class(),
        "name": author.name,
        "session": author.session,
        "host": author.host,
        "reason": change.reason.as_deref().map(reason::shown_reason),
        "time": change.time.to_string(),
    })
}

fn version_fields(version: &Version) -> Value {
    json!({
        "id": version.id,
        "note": version.note,
        "file": version.path,
        "operation": version.operation.as_str(),
        "renamed_from": version.renamed_from,
        "sha256": version.sha256,
        "size_bytes": version.size,
        "content_time": version.content_time.map(|time| time.to_string()),
        "by": version.by,
        "redacted": version.redacted,
    })
}
