//! Where a new key goes, and which entry a change of an old one goes to.

use std::ops::Range;

use super::FrontmatterForm;
use super::encode::Quoting;
use super::entry::{YamlEntry, YamlShape};
use super::field::{FieldLevel, FrontmatterField};
use super::raw_value::RawValue;
use super::read::ReadFrontmatter;
use super::replace::{Splice, YamlScalar};
use super::scalar::is_space;
use super::scan::FrontmatterScan;
use super::split::Eol;
use super::value_range::looks_like_a_key;

/// The change that adds a key which the file does not have yet.
pub(super) fn insert(
    bytes: &[u8],
    reading: &ReadFrontmatter<'_>,
    field: FrontmatterField,
    value: &YamlScalar,
    eol: Eol,
) -> Splice {
    let written = value.inline(Quoting::Bare);
    let (Some(scan), Some(yaml)) = (&reading.scan, &reading.split.yaml) else {
        let at = reading.split.bom;
        let text = format!("---\n{field}: {written}\n---\n").replace('\n', eol.as_str());
        return Splice {
            range: at..at,
            text,
        };
    };
    let (at, indent) =
        place(bytes, reading.form, scan, field).unwrap_or((yaml.start, String::new()));
    Splice {
        range: at..at,
        text: format!("{indent}{field}: {written}{}", eol.as_str()),
    }
}

/// The offset of a new line and its indentation.
fn place(
    bytes: &[u8],
    form: FrontmatterForm,
    scan: &FrontmatterScan<'_>,
    field: FrontmatterField,
) -> Option<(usize, String)> {
    let indent_of = |entry: &YamlEntry<'_>| {
        let line = scan.lines[entry.lines.start];
        String::from_utf8_lossy(&bytes[line.start..line.start + line.indent]).into_owned()
    };
    let metadata = scan.metadata();
    if form == FrontmatterForm::Nested && !field.is_sentence() {
        let child = |entry: &&YamlEntry<'_>| entry.level == FieldLevel::Metadata;
        if let Some(last) = scan.entries.iter().rfind(child) {
            return Some((last.span.end, indent_of(last)));
        }
        if let Some(entry) = metadata.filter(|entry| entry.shape == YamlShape::Empty) {
            return Some((entry.span.end, format!("{}  ", indent_of(entry))));
        }
    }
    let top = |entry: &&YamlEntry<'_>| entry.level == FieldLevel::Top;
    let before =
        |entry: &&YamlEntry<'_>| top(entry) && FrontmatterField::of_key(&entry.key) < Some(field);
    let known =
        |entry: &&YamlEntry<'_>| before(entry) && FrontmatterField::of_key(&entry.key).is_some();
    if let Some(entry) = scan.entries.iter().rfind(known) {
        return Some((entry.span.end, indent_of(entry)));
    }
    if field.is_sentence() {
        let first = scan.entries.iter().find(top)?;
        return Some((first.span.start, indent_of(first)));
    }
    let last = scan.entries.iter().rfind(top)?;
    Some((last.span.end, indent_of(last)))
}

/// The changes that take a field out, wherever it stands. From the last to the first.
pub(super) fn remove(scan: &FrontmatterScan<'_>, field: FrontmatterField) -> Vec<Splice> {
    let of_field = scan.entries.iter().rev().filter(|e| e.key == field.key());
    of_field
        .map(|entry| Splice {
            range: entry.span.clone(),
            text: String::new(),
        })
        .collect()
}

/// Whether the lines below the key of a field look like keys of their own in a block that is no YAML, such as one that
/// is indented with tabs: a change of the field would take them with it. A block scalar, and what quotes or brackets
/// close, certainly belongs to its field.
pub(super) fn holds_keys(
    bytes: &[u8],
    reading: &ReadFrontmatter<'_>,
    field: FrontmatterField,
) -> bool {
    let Some(scan) = reading.scan.as_ref().filter(|_| !reading.is_valid) else {
        return false;
    };
    let is_open = |shape| matches!(shape, YamlShape::Folded | YamlShape::Map);
    let of_field = scan.entries.iter();
    let of_field = of_field.filter(|e| e.key == field.key() && is_open(e.shape));
    let below = of_field.flat_map(|entry| &scan.lines[entry.lines.start + 1..entry.lines.end]);
    let mut texts = below.filter(|line| !line.is_item(bytes));
    texts.any(|line| looks_like_a_key(line.text(bytes)))
}

/// The entry that a change of a field goes to; `Err` when the value stands in no line of its own.
pub(super) fn target<'s, 'a>(
    reading: &'s ReadFrontmatter<'a>,
    field: FrontmatterField,
) -> Result<Option<&'s YamlEntry<'a>>, usize> {
    let Some(scan) = &reading.scan else {
        return Ok(None);
    };
    let [first, second] = field.levels();
    match reading.get(field) {
        Some(found) => match scan.find(found.level, field.key()) {
            Some(entry) => Ok(Some(entry)),
            None if found.raw == RawValue::Null => Ok(None),
            None => Err(found.line),
        },
        None => Ok(scan
            .find(first, field.key())
            .or_else(|| scan.find(second, field.key()))),
    }
}

/// Where the bytes of a body that is to be replaced begin: behind the blank lines in front.
pub(super) fn body_start(bytes: &[u8], body: &Range<usize>) -> usize {
    body.start + crate::topic::blank_lines(&bytes[body.clone()])
}

/// Whether the fence above the body lacks its line ending.
pub(super) fn needs_ending(bytes: &[u8], reading: &ReadFrontmatter<'_>) -> bool {
    let start = reading.split.body.start;
    reading.split.yaml.is_some() && start == bytes.len() && !bytes.ends_with(b"\n") && {
        bytes
            .last()
            .is_some_and(|&byte| byte == b'-' || is_space(byte))
    }
}
