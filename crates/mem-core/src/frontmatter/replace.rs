//! The bytes that a change of an old value replaces, and what stands there instead.

use std::ops::Range;

use super::decode::plain_part;
use super::encode::{Quoting, flow_list, item_scalar, scalar};
use super::entry::{YamlEntry, YamlShape};
use super::field::FrontmatterField;
use super::scan::FrontmatterScan;
use super::split::Eol;

/// A value to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum YamlScalar {
    /// Text, quoted as it needs.
    Text(String),
    /// A number, a date or a switch: never needs quotes.
    Bare(String),
    List(Vec<String>),
}

impl YamlScalar {
    pub(super) fn inline(&self, quoting: Quoting) -> String {
        match self {
            Self::Bare(text) if quoting == Quoting::Bare => text.clone(),
            Self::Text(text) | Self::Bare(text) => scalar(text, quoting),
            Self::List(items) => flow_list(items),
        }
    }
}

/// Some bytes of the file and what stands there instead.
pub(super) struct Splice {
    pub(super) range: Range<usize>,
    pub(super) text: String,
}

/// The change that gives an entry a new value.
pub(super) fn replace(
    bytes: &[u8],
    scan: &FrontmatterScan<'_>,
    entry: &YamlEntry<'_>,
    field: FrontmatterField,
    value: &YamlScalar,
    eol: Eol,
) -> Splice {
    let old = &bytes[entry.value.clone()];
    let quoting = match (entry.shape, old.first()) {
        (YamlShape::Quoted, Some(b'\'')) => Quoting::Single,
        (YamlShape::Quoted, _) => Quoting::Double,
        // A comment behind a bare sentence would be part of it.
        (YamlShape::Empty, _) if has_comment(bytes, entry) => Quoting::Double,
        _ => Quoting::Bare,
    };
    if let (YamlShape::List, YamlScalar::List(items)) = (entry.shape, value) {
        return list_below(bytes, scan, entry, items, eol);
    }
    let mut text = match (entry.shape, value) {
        (YamlShape::Plain, YamlScalar::List(items)) => comma_list(items),
        _ => value.inline(quoting),
    };
    let range = match entry.shape {
        YamlShape::Plain => {
            let kept = plain_part(old, field.is_sentence()).len();
            entry.value.start..entry.value.start + kept
        }
        YamlShape::Quoted | YamlShape::HalfQuoted | YamlShape::FlowList | YamlShape::FlowMap => {
            entry.value.clone()
        }
        YamlShape::Empty => {
            if has_comment(bytes, entry) {
                text.push(' ');
            }
            entry.value.clone()
        }
        YamlShape::Block | YamlShape::List | YamlShape::Map | YamlShape::Folded => {
            text.insert(0, ' ');
            entry.colon..scan.lines[entry.lines.end - 1].end
        }
    };
    if range.start == entry.colon && !text.starts_with(' ') {
        text.insert(0, ' ');
    }
    Splice { range, text }
}

/// Whether an empty value has a comment behind its colon.
fn has_comment(bytes: &[u8], entry: &YamlEntry<'_>) -> bool {
    bytes.get(entry.value.start) == Some(&b'#')
}

/// Tags stay a comma-separated line where they are one and can be.
fn comma_list(items: &[String]) -> String {
    let joined = items.join(", ");
    let bare = scalar(&joined, Quoting::Bare);
    if bare == joined && items.iter().all(|item| !item.contains(',')) {
        joined
    } else {
        flow_list(items)
    }
}

/// New items below a key, as deep as the old ones.
fn list_below(
    bytes: &[u8],
    scan: &FrontmatterScan<'_>,
    entry: &YamlEntry<'_>,
    items: &[String],
    eol: Eol,
) -> Splice {
    let lines = &scan.lines[entry.lines.start + 1..entry.lines.end];
    let first = lines.iter().find(|line| line.is_item(bytes));
    let (from, indent) = first.map_or((entry.span.end, 0), |line| (line.start, line.indent));
    let indent = String::from_utf8_lossy(&bytes[from..from + indent]).into_owned();
    let written = items
        .iter()
        .map(|item| format!("{indent}- {}{}", item_scalar(item), eol.as_str()));
    Splice {
        range: from..entry.span.end,
        text: written.collect(),
    }
}
