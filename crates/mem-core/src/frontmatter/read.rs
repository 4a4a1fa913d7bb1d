//! One frontmatter, read: by its plain lines, by the YAML parser, or forgivingly.

use serde_yaml::Mapping;

use super::Form;
use super::decode::{decode, is_certain, plain_part};
use super::entry::{Entry, Shape};
use super::extent::looks_like_a_key;
use super::field::{Field, Level};
use super::raw::Raw;
use super::scan::{FIRST_LINE, Scan, scan};
use super::split::{Split, split};
use super::strict::{self, Strict};
use super::warning::{Warning, WarningKind};

/// A field as it stands in the file.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) field: Field,
    pub(crate) level: Level,
    pub(crate) raw: Raw,
    /// Line and column in the file, from 1.
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// A file's frontmatter, read.
pub(crate) struct Reading<'a> {
    pub(crate) split: Split,
    pub(crate) form: Form,
    /// `None` without frontmatter.
    pub(crate) scan: Option<Scan<'a>>,
    found: Vec<Found>,
    /// Whether the YAML parser takes the block.
    pub(crate) is_valid: bool,
    pub(crate) warnings: Vec<Warning>,
}

impl Reading<'_> {
    /// The value that counts for a field.
    pub(crate) fn get(&self, field: Field) -> Option<&Found> {
        let at = |level: Level| {
            self.found
                .iter()
                .find(|found| found.field == field && found.level == level)
        };
        let [first, second] = field.levels();
        match (at(first), at(second)) {
            (Some(found), other) if found.raw == Raw::Null => other.or(Some(found)),
            (found, other) => found.or(other),
        }
    }
}

/// Reads the frontmatter of a file. Never fails.
pub(crate) fn read(bytes: &[u8]) -> Reading<'_> {
    let split = split(bytes);
    let mut reading = Reading {
        form: Form::None,
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
                "the frontmatter is never closed with `---`; all of it counts as body",
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
            Strict::Mapping(mapping) => reading.take_mapping(bytes, &scan, &mapping),
            refused => reading.take_forgivingly(bytes, &scan, refused),
        }
    }
    reading.form = form_of(&scan);
    reading.scan = Some(scan);
    reading
}

/// Whether no line of a block looks like an attempt at YAML.
fn is_prose(bytes: &[u8], scan: &Scan<'_>) -> bool {
    scan.strays.iter().all(|&at| {
        let text = scan.lines[at].text(bytes);
        !matches!(
            text.first(),
            Some(b'{' | b'[' | b'-' | b'?' | b'&' | b'!' | b'%')
        ) && !looks_like_a_key(text)
    })
}

fn form_of(scan: &Scan<'_>) -> Form {
    match scan.metadata().map(|entry| entry.shape) {
        Some(Shape::Map | Shape::FlowMap | Shape::Empty) => Form::Nested,
        _ => Form::Flat,
    }
}

impl Reading<'_> {
    fn warn(&mut self, kind: WarningKind, line: usize, column: usize, message: &str) {
        self.warnings.push(Warning {
            kind,
            line,
            column,
            message: message.to_owned(),
        });
    }

    fn push(&mut self, bytes: &[u8], field: Field, entry: &Entry<'_>, raw: Raw) {
        self.found.push(Found {
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
    fn take_lines(&mut self, bytes: &[u8], scan: &Scan<'_>) {
        for entry in &scan.entries {
            if let Some(field) = Field::of_key(&entry.key) {
                let raw = decode(bytes, scan, entry, field.is_sentence());
                self.push(bytes, field, entry, raw);
            }
        }
    }

    /// Values from the parser, places from the lines.
    fn take_mapping(&mut self, bytes: &[u8], scan: &Scan<'_>, top: &Mapping) {
        let metadata = top.get("metadata").and_then(|value| value.as_mapping());
        for field in Field::ALL {
            for level in field.levels() {
                let mapping = match level {
                    Level::Top => Some(top),
                    Level::Metadata => metadata,
                };
                let Some(value) = mapping.and_then(|mapping| mapping.get(field.key())) else {
                    continue;
                };
                let (raw, faithful) = strict::raw_of(value);
                self.take_value(bytes, scan, (field, level), raw, faithful);
            }
        }
    }

    fn take_value(
        &mut self,
        bytes: &[u8],
        scan: &Scan<'_>,
        (field, level): (Field, Level),
        raw: Raw,
        faithful: bool,
    ) {
        let Some(entry) = scan.find(level, field.key()) else {
            // It stands inside `metadata: {...}`.
            self.found.push(Found {
                field,
                level,
                raw: one_line(raw),
                line: scan.metadata().map_or(FIRST_LINE, |entry| entry.line),
                column: 1,
            });
            return;
        };
        let kept = uncut(bytes, field, entry, &raw);
        if kept.is_some() {
            self.hash_warning(bytes, entry);
        }
        let as_written = || decode(bytes, scan, entry, field.is_sentence());
        let raw = match (kept, faithful) {
            (Some(text), _) => Raw::Text(text),
            (None, true) => raw,
            (None, false) => as_written(),
        };
        self.push(bytes, field, entry, raw);
    }

    /// Values from the lines, with a warning for everything that is odd about them.
    fn take_forgivingly(&mut self, bytes: &[u8], scan: &Scan<'_>, refused: Strict) {
        self.is_valid = false;
        for (index, entry) in scan.entries.iter().enumerate() {
            let twin = |other: &Entry<'_>| other.level == entry.level && other.key == entry.key;
            if scan.entries[..index].iter().any(twin) {
                let column = entry.column(bytes, entry.span.start) + indent(scan, entry);
                let message = format!("`{}` stands here twice; the first counts", entry.key);
                self.warn(WarningKind::DuplicateKey, entry.line, column, &message);
                continue;
            }
            let Some(field) = Field::of_key(&entry.key) else {
                continue;
            };
            if field.is_sentence() && cut_at(bytes, entry).is_some() {
                self.hash_warning(bytes, entry);
            }
            let raw = decode(bytes, scan, entry, field.is_sentence());
            self.push(bytes, field, entry, raw);
        }
        self.take_flow_metadata(bytes, scan);
        self.explain(bytes, scan, refused);
    }

    /// `metadata: {type: user}` beside a line that the parser refuses.
    fn take_flow_metadata(&mut self, bytes: &[u8], scan: &Scan<'_>) {
        let Some(entry) = scan.metadata().filter(|e| e.shape == Shape::FlowMap) else {
            return;
        };
        for pair in super::decode::flow_items(&bytes[entry.value.clone()]) {
            if let Some((key, value)) = pair.split_once(':')
                && let Some(field) = Field::of_key(key.trim())
            {
                self.found.push(Found {
                    field,
                    level: Level::Metadata,
                    raw: Raw::plain(value.trim().trim_matches(['"', '\''])),
                    line: entry.line,
                    column: entry.column(bytes, entry.value.start),
                });
            }
        }
    }

    /// One warning that says why the parser refused the block.
    fn explain(&mut self, bytes: &[u8], scan: &Scan<'_>, refused: Strict) {
        let (kind, line, column, message) = match refused {
            Strict::Mapping(_) => return,
            Strict::TooLarge => (
                WarningKind::TooLarge,
                FIRST_LINE,
                1,
                "the frontmatter is too large for the YAML parser; it was read line by line"
                    .to_owned(),
            ),
            Strict::Binary => {
                let bad = |at: &&Entry<'_>| std::str::from_utf8(&bytes[at.span.clone()]).is_err();
                let line = scan.entries.iter().find(bad).map_or(FIRST_LINE, |e| e.line);
                let message = "there are bytes that are not UTF-8; they were replaced for reading";
                (WarningKind::Utf8, line, 1, message.to_owned())
            }
            Strict::Invalid {
                line,
                column,
                message,
            } => {
                if message.contains("duplicate entry") && !self.warnings.is_empty() {
                    return;
                }
                let line = FIRST_LINE - 1 + line.max(1);
                let message = format!("not valid YAML ({message}); it was read line by line");
                (WarningKind::Yaml, line, column.max(1), message)
            }
        };
        self.warn(kind, line, column, &message);
    }

    fn hash_warning(&mut self, bytes: &[u8], entry: &Entry<'_>) {
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
fn cut_at(bytes: &[u8], entry: &Entry<'_>) -> Option<usize> {
    let value = &bytes[entry.value.clone()];
    let cut = plain_part(value, false).len();
    (entry.shape == Shape::Plain && cut < value.len()).then(|| entry.value.start + cut)
}

/// The whole sentence, where the parser took its end for a comment.
fn uncut(bytes: &[u8], field: Field, entry: &Entry<'_>, raw: &Raw) -> Option<String> {
    let at = cut_at(bytes, entry).filter(|_| field.is_sentence())?;
    let before = String::from_utf8_lossy(&bytes[entry.value.start..at]);
    let agrees = matches!(raw, Raw::Text(text) if *text == before);
    agrees.then(|| String::from_utf8_lossy(&bytes[entry.value.clone()]).into_owned())
}

fn indent(scan: &Scan<'_>, entry: &Entry<'_>) -> usize {
    scan.lines[entry.lines.start].indent
}

/// A text that stands on several lines of the file, on one.
fn one_line(raw: Raw) -> Raw {
    match raw {
        Raw::Text(text) if text.contains('\n') => {
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
            Raw::Text(lines.collect::<Vec<_>>().join(" "))
        }
        other => other,
    }
}
