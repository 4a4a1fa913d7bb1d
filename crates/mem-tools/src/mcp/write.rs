//! `memory_write` and `memory_edit`.

use crate::CallError;
use mem_core::Scope;
use mem_core::history::Sha256;
use mem_core::memory::{RewriteOutcome, RewriteTarget};
use mem_core::topic::{NewTopic, TopicFile};
use mem_find::similar::same_as_new;
use mem_team::write_gates::ProjectGate;
use serde::Deserialize;
use serde_json::{Value, json};

use super::Fault;
use super::mcp_call::McpCall;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct McpWriteArguments {
    path: String,
    content: String,
    content_sha256: Option<Sha256>,
    reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WriteEdit {
    path: String,
    content_sha256: Sha256,
    old_text: String,
    new_text: String,
    reason: Option<String>,
}

/// Creates or replaces a file.
pub(super) fn write(arguments: McpWriteArguments, desk: &McpCall) -> Result<Value, CallError> {
    let (scope, file) = desk.parse_address(&arguments.path)?;
    let order = desk.change_metadata("write", arguments.reason);
    let expected = arguments.content_sha256;
    let content = arguments.content.as_bytes();
    let written = carry_out(scope, file, desk, &order, |old| {
        if let Some(expected) = expected {
            require_expected(old, expected, &arguments.path)?;
        }
        Ok(content.to_vec())
    })?;
    Ok(write_json(scope, &written, desk))
}

/// Replaces a piece of a file.
pub(super) fn call_edit(arguments: WriteEdit, desk: &McpCall) -> Result<Value, CallError> {
    let note = desk.find_note(&arguments.path)?;
    let order = desk.change_metadata("edit", arguments.reason);
    let written = carry_out(note.scope, &note.file, desk, &order, |old| {
        let old = require_expected(old, arguments.content_sha256, &arguments.path)?;
        Ok(replace_piece(
            old,
            &arguments.old_text,
            &arguments.new_text,
            &arguments.path,
        )?)
    })?;
    Ok(write_json(note.scope, &written, desk))
}

fn carry_out(
    scope: Scope,
    file: &str,
    desk: &McpCall,
    order: &mem_core::store::ChangeMetadata,
    make: impl FnMut(Option<&[u8]>) -> Result<Vec<u8>, CallError>,
) -> Result<RewriteOutcome, CallError> {
    let target = RewriteTarget {
        scope,
        file,
        with_index: desk.keeps_index(),
    };
    let gate = ProjectGate::for_place(&desk.place, desk.run());
    let written = desk.memory.rewrite(&target, order, &gate, make)?;
    desk.finish_write(scope);
    Ok(written)
}

/// The bytes, if they are those that the client has read.
fn require_expected<'o>(
    old: Option<&'o [u8]>,
    expected: Sha256,
    path: &str,
) -> Result<&'o [u8], Fault> {
    let stale = |now: String| Fault::Stale {
        path: path.to_owned(),
        now,
    };
    let old = old.ok_or_else(|| stale("it is gone".to_owned()))?;
    let now = Sha256::digest(old);
    match now == expected {
        true => Ok(old),
        false => Err(stale(format!("its content_sha256 is {now} now"))),
    }
}

/// The text with one piece replaced. Where the file has the line ends of Windows, so may the pieces
/// be meant that were given without.
fn replace_piece(old: &[u8], from: &str, to: &str, path: &str) -> Result<Vec<u8>, Fault> {
    let text = std::str::from_utf8(old).map_err(|_| Fault::NotText(path.to_owned()))?;
    let mut pieces = (from.to_owned(), to.to_owned());
    let mut count = count_occurrences(text, &pieces.0);
    if count == 0 && text.contains("\r\n") {
        let with_returns = |piece: &str| piece.replace("\r\n", "\n").replace('\n', "\r\n");
        pieces = (with_returns(from), with_returns(to));
        count = count_occurrences(text, &pieces.0);
    }
    match count {
        1 => Ok(text.replacen(&pieces.0, &pieces.1, 1).into_bytes()),
        count => Err(Fault::NotOnce {
            path: path.to_owned(),
            count,
        }),
    }
}

/// How often a piece occurs, overlapping ones too; an empty one nowhere.
fn count_occurrences(text: &str, piece: &str) -> usize {
    let Some(first) = piece.chars().next() else {
        return 0;
    };
    let mut count = 0;
    let mut at = 0;
    while let Some(found) = text[at..].find(piece) {
        count += 1;
        at += found + first.len_utf8();
    }
    count
}

fn write_json(scope: Scope, written: &RewriteOutcome, desk: &McpCall) -> Value {
    let topic = TopicFile::parse(&written.bytes);
    let mut warnings = written.warnings.clone();
    warnings.extend(topic.warnings.iter().map(ToString::to_string));
    if topic.description.is_none() {
        let text = "it has no `description` in its frontmatter: nobody will know when it matters";
        warnings.push(text.to_owned());
    }
    if written.created {
        warnings.extend(similar_notes(scope, written, &topic, desk));
    }
    if !desk.keeps_index() {
        warnings.push("the index is left alone: memory.mode is \"log\"".to_owned());
    }
    json!({
        "path": scope.label(&written.file), "scope": scope.as_str(), "created": written.created,
        "content_sha256": written.sha256(), "size_bytes": written.bytes.len(),
        "change": written.change.as_ref().map(|change| change.id.as_str()),
        "warnings": warnings,
    })
}

/// What says much the same as a new note, as far as the client may know of it. That this cannot be
/// told is no reason to fail.
fn similar_notes(
    scope: Scope,
    written: &RewriteOutcome,
    topic: &TopicFile,
    desk: &McpCall,
) -> Vec<String> {
    let (Some(kind), own) = (topic.kind, scope.label(&written.file)) else {
        return Vec::new();
    };
    let text = topic.text(&written.bytes);
    let description = topic.description.as_deref().unwrap_or_default();
    let new = NewTopic::new(kind, topic.title(&written.file), description, &text);
    let same = same_as_new(&desk.memory, scope, &new).unwrap_or_default();
    let others = same
        .into_iter()
        .filter(|same| same.note.label() != own && desk.terms.scopes.contains(&same.note.scope));
    let told = others.map(|same| {
        let (other, score) = (same.note.label(), same.score);
        format!(
            "`{other}` says much the same (likeness {score:.2}): edit that one instead, and delete \
             this one"
        )
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_is_replaced_where_it_stands_once() {
        let edit = |text: &str, from: &str, to: &str| {
            let bytes = replace_piece(text.as_bytes(), from, to, "a.md").map_err(|e| e.to_string());
            bytes.map(|bytes| String::from_utf8(bytes).unwrap())
        };
        assert_eq!(edit("one two", "two", "three"), Ok("one three".to_owned()));
        assert_eq!(
            edit("a\r\nb\r\n", "a\nb", "c\nd"),
            Ok("c\r\nd\r\n".to_owned())
        );
        let times = |count| Err(format!("`old_text` occurs {count} times in `a.md`"));
        assert_eq!(edit("one", "two", ""), times(0));
        assert_eq!(edit("aaa", "aa", ""), times(2));
        assert_eq!(edit("é é", "é", "e"), times(2));
        assert_eq!(edit("one", "", "x"), times(0));
        assert!(replace_piece(b"\xff", "a", "b", "a.md").is_err());
    }
}
