//! One frontmatter, read: by its plain lines, by the YAML parser, or forgivingly.

use super::FrontmatterForm;
use super::decode::{decode, plain_part};
use super::edit_error::EditError;
use super::entry::{YamlEntry, YamlShape};
use super::field::{FieldLevel, FrontmatterField};
use super::raw_value::RawValue;
use super::scan::{FrontmatterScan, scan};
use super::simple_yaml::is_certain;
use super::split::{Split, split};
use super::strict::{self, StrictMapping};
use super::value_range::looks_like_a_key;
use super::warning::{Warning, WarningKind};
use crate::limits::FRONTMATTER_WARNINGS_MAX;

/// A field as it stands in the file.
#[derive(Clone, Debug)]
pub(crate) struct FieldMatch {
    pub(crate) field: FrontmatterField,
    pub(crate) level: FieldLevel,
    pub(crate) raw: RawValue,
    /// Line and column in the file, from 1.
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// A file's frontmatter, read.
pub(crate) struct ReadFrontmatter<'a> {
    pub(crate) split: Split,
    pub(crate) form: FrontmatterForm,
    /// `None` without frontmatter.
    pub(crate) scan: Option<FrontmatterScan<'a>>,
    pub(super) found: Vec<FieldMatch>,
    /// Whether the YAML parser takes the block.
    pub(crate) is_valid: bool,
    pub(crate) warnings: Vec<Warning>,
}

impl ReadFrontmatter<'_> {
    /// The value that counts for a field.
    pub(crate) fn get(&self, field: FrontmatterField) -> Option<&FieldMatch> {
        let at = |level: FieldLevel| {
            self.found
                .iter()
                .find(|found| found.field == field && found.level == level)
        };
        let [first, second] = field.levels();
        match (at(first), at(second)) {
            (Some(found), other) if found.raw == RawValue::Null => other.or(Some(found)),
            (found, other) => found.or(other),
        }
    }
}

/// Reads the frontmatter of a file. Never fails.
pub(crate) fn read(bytes: &[u8]) -> ReadFrontmatter<'_> {
    let split = split(bytes);
    let mut reading = ReadFrontmatter {
        form: FrontmatterForm::None,
        scan: None,
        found: Vec::new(),
        is_valid: true,
        warnings: Vec::new(),
        split,
    };
    let Some(yaml) = reading.split.yaml.clone() else {
        if reading.split.unterminated {
            reading.warn(
                WarningKind::Unterminated,
                1,
                1,
                &format!("{}; all of it counts as body", EditError::Unterminated),
            );
        }
        return reading;
    };
    let scan = scan(bytes, yaml.clone());
    if scan.entries.is_empty() && !scan.strays.is_empty() && is_prose(bytes, &scan) {
        // Two thematic breaks around prose.
        reading.split.body = reading.split.bom..bytes.len();
        reading.split.yaml = None;
        return reading;
    }
    if is_certain(bytes, &scan) {
        reading.take_lines(bytes, &scan);
    } else {
        match strict::parse(&bytes[yaml]) {
            StrictMapping::Mapping(mapping) => reading.take_mapping(bytes, &scan, &mapping),
            refused => reading.take_forgivingly(bytes, &scan, refused),
        }
    }
    reading.form = form_of(&scan);
    reading.scan = Some(scan);
    reading
}

/// Whether no line of a block looks like an attempt at YAML.
fn is_prose(bytes: &[u8], scan: &FrontmatterScan<'_>) -> bool {
    scan.strays.iter().all(|&at| {
        let text = scan.lines[at].text(bytes);
        !matches!(
            text.first(),
            Some(b'{' | b'[' | b'-' | b'?' | b'&' | b'!' | b'%')
        ) && !looks_like_a_key(text)
    })
}

fn form_of(scan: &FrontmatterScan<'_>) -> FrontmatterForm {
    match scan.metadata().map(|entry| entry.shape) {
        Some(YamlShape::Map | YamlShape::FlowMap | YamlShape::Empty) => FrontmatterForm::Nested,
        _ => FrontmatterForm::Flat,
    }
}

impl ReadFrontmatter<'_> {
    pub(super) fn warn(&mut self, kind: WarningKind, line: usize, column: usize, message: &str) {
        if self.warnings.len() >= FRONTMATTER_WARNINGS_MAX {
            return;
        }
        self.warnings.push(Warning {
            kind,
            line,
            column,
            message: message.to_owned(),
        });
    }

    pub(super) fn push(
        &mut self,
        bytes: &[u8],
        field: FrontmatterField,
        entry: &YamlEntry<'_>,
        raw: RawValue,
    ) {
        self.found.push(FieldMatch {
            field,
            level: entry.level,
            raw: if entry.is_one_line() {
                raw
            } else {
                one_line(raw)
            },
            line: entry.line,
            column: entry.column(bytes, entry.value.start),
        });
    }

    /// Every line is plain: the entries are the values.
    fn take_lines(&mut self, bytes: &[u8], scan: &FrontmatterScan<'_>) {
        for entry in &scan.entries {
            if let Some(field) = FrontmatterField::of_key(&entry.key) {
                let raw = decode(bytes, scan, entry, field.is_sentence());
                self.push(bytes, field, entry, raw);
            }
        }
    }

    pub(super) fn hash_warning(&mut self, bytes: &[u8], entry: &YamlEntry<'_>) {
        let at = cut_at(bytes, entry).unwrap_or(entry.value.start);
        let column = entry.column(bytes, at);
        let message = format!(
            "YAML ends `{}` at ` #`; the rest was kept as text (put it in quotes)",
            entry.key
        );
        self.warn(WarningKind::HashInText, entry.line, column, &message);
    }
}

/// Where YAML would cut a plain value at a comment.
pub(super) fn cut_at(bytes: &[u8], entry: &YamlEntry<'_>) -> Option<usize> {
    let value = &bytes[entry.value.clone()];
    let cut = plain_part(value, false).len();
    (entry.shape == YamlShape::Plain && cut < value.len()).then(|| entry.value.start + cut)
}

/// A text that stands on several lines of the file, on one.
pub(super) fn one_line(raw: RawValue) -> RawValue {
    match raw {
        RawValue::Text(text) if text.contains('\n') => {
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
            RawValue::Text(lines.collect::<Vec<_>>().join(" "))
        }
        other => other,
    }
}
