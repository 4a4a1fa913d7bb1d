//! Findings about the index.

use super::code::CheckCode;
use super::{CheckFinding, CheckInput};
use crate::MemoryPath;
use crate::frontmatter::split;
use crate::index::{
    IndexSize, IndexSurvey, LineKind, MemoryIndex, NewIndexEntry, prose_size, size,
};
use crate::limits::{INDEX_LINE_CHARS_MAX, INDEX_LINES_MAX, INDEX_UNITS_MAX};
use crate::notes::INDEX_FILE;

/// Prose of more characters than this in a row belongs into a note.
const PARAGRAPH_CHARS_MAX: usize = 400;

pub(super) fn index_findings(input: &CheckInput<'_>) -> Vec<CheckFinding> {
    let bytes = input.index.unwrap_or_default();
    let index = MemoryIndex::parse(bytes);
    let mut findings = pointer_findings(input, &index);
    findings.extend(cap_finding(bytes));
    findings.extend(line_findings(&index));
    findings.extend(content_findings(&index, bytes));
    findings
}

fn index_finding(code: CheckCode, line: Option<usize>, message: String) -> CheckFinding {
    CheckFinding::new(code, INDEX_FILE, line, message)
}

fn pointer_findings(input: &CheckInput<'_>, index: &MemoryIndex<'_>) -> Vec<CheckFinding> {
    let notes: Vec<NewIndexEntry<'_>> = input
        .notes
        .iter()
        .map(|note| NewIndexEntry {
            file: note.path,
            title: note.topic.title(note.path.stem()),
            hook: "",
            kind: note.topic.kind,
        })
        .collect();
    let unreadable: Vec<&MemoryPath> = input.unreadable.iter().map(|(path, _)| path).collect();
    let survey = IndexSurvey::compare(index, input.archive, &notes, &unreadable, input.scope);
    let orphan = |note: &NewIndexEntry<'_>| {
        let message = format!("{INDEX_FILE} does not point to it");
        CheckFinding::new(CheckCode::Orphan, note.file.as_str(), None, message)
    };
    let mut findings: Vec<CheckFinding> = survey.orphans.iter().map(orphan).collect();
    findings.extend(survey.dangling.iter().map(|mention| {
        let code = if mention.is_entry {
            CheckCode::Dangling
        } else {
            CheckCode::DanglingLink
        };
        let file = crate::memory_path::printable(mention.file().unwrap_or_default());
        index_finding(code, Some(mention.line), format!("`{file}` is not there"))
    }));
    findings.extend(survey.repeated.iter().map(|one| {
        let lines: Vec<String> = one.lines.iter().map(ToString::to_string).collect();
        let (file, lines) = (&one.file, lines.join(", "));
        let message = format!("`{file}` has several entries, on lines {lines}");
        index_finding(
            CheckCode::RepeatedPointer,
            one.lines.get(1).copied(),
            message,
        )
    }));
    findings
}

fn cap_finding(bytes: &[u8]) -> Option<CheckFinding> {
    let size = size(bytes);
    let IndexSize { lines, units } = size;
    let (code, consequence) = if size.is_over() {
        (CheckCode::OverCap, "the end is not loaded")
    } else if size.is_near() {
        (CheckCode::NearCap, "soon the end will not be loaded")
    } else {
        return None;
    };
    let message = format!(
        "{lines} of {INDEX_LINES_MAX} lines and {units} of {INDEX_UNITS_MAX} characters are used; \
         {consequence}"
    );
    let prose = prose_size(bytes);
    if !prose.is_over() {
        return Some(index_finding(code, None, message));
    }
    // No pointer that moves to the archive brings it under the cap.
    let IndexSize { lines, units } = prose;
    let message = format!(
        "{message}: {lines} lines ({units} characters) are prose, which belongs in a topic file"
    );
    Some(CheckFinding {
        fix: None,
        ..index_finding(code, None, message)
    })
}

fn line_findings<'i>(index: &'i MemoryIndex<'_>) -> impl Iterator<Item = CheckFinding> + 'i {
    let loaded = |line: &&crate::index::IndexLine| !matches!(line.kind, LineKind::Hidden);
    let lines = index.lines().iter().enumerate();
    lines
        .filter(move |(_, line)| loaded(line))
        .filter_map(|(at, line)| {
            let chars = String::from_utf8_lossy(index.content(line)).chars().count();
            let message =
                format!("{chars} characters in one line, {INDEX_LINE_CHARS_MAX} are good");
            (chars > INDEX_LINE_CHARS_MAX)
                .then(|| index_finding(CheckCode::LongIndexLine, Some(at + 1), message))
        })
}

/// Paragraphs and frontmatter: the index is a list of pointers.
fn content_findings(index: &MemoryIndex<'_>, bytes: &[u8]) -> Vec<CheckFinding> {
    let mut findings = Vec::new();
    if split(bytes).yaml.is_some() {
        let message = "frontmatter in the index is never loaded".to_owned();
        findings.push(index_finding(CheckCode::ContentInIndex, Some(1), message));
    }
    let mut start = 0;
    let mut chars = 0;
    for (at, line) in index.lines().iter().enumerate() {
        let text = index.content(line).trim_ascii();
        let is_listed = matches!(text, [b'|', ..] | [b'-' | b'*' | b'+', b' ', ..]);
        let is_prose = line.kind == LineKind::Text && !is_listed;
        if !is_prose {
            findings.extend(paragraph_finding(start, chars));
            (start, chars) = (at + 1, 0);
            continue;
        }
        chars += String::from_utf8_lossy(text).chars().count();
    }
    findings.extend(paragraph_finding(start, chars));
    findings
}

fn paragraph_finding(start: usize, chars: usize) -> Option<CheckFinding> {
    let message = format!("{chars} characters of prose; the index is for pointers");
    (chars > PARAGRAPH_CHARS_MAX)
        .then(|| index_finding(CheckCode::ContentInIndex, Some(start + 1), message))
}
