//! A frontmatter that the YAML parser takes: values from the parser, places from the lines.

use serde_yaml::Mapping;

use super::decode::decode;
use super::entry::YamlEntry;
use super::field::{FieldLevel, FrontmatterField};
use super::raw_value::RawValue;
use super::read::{FieldMatch, ReadFrontmatter, cut_at, one_line};
use super::scan::{FIRST_LINE, FrontmatterScan};
use super::strict;

impl ReadFrontmatter<'_> {
    /// Takes the fields of a parsed block.
    pub(super) fn take_mapping(&mut self, bytes: &[u8], scan: &FrontmatterScan<'_>, top: &Mapping) {
        let metadata = top.get("metadata").and_then(|value| value.as_mapping());
        for field in FrontmatterField::ALL {
            for level in field.levels() {
                let mapping = match level {
                    FieldLevel::Top => Some(top),
                    FieldLevel::Metadata => metadata,
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
        scan: &FrontmatterScan<'_>,
        (field, level): (FrontmatterField, FieldLevel),
        raw: RawValue,
        faithful: bool,
    ) {
        let Some(entry) = scan.find(level, field.key()) else {
            // It stands inside `metadata: {...}`.
            self.found.push(FieldMatch {
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
            (Some(text), _) => RawValue::Text(text),
            (None, true) => raw,
            (None, false) => as_written(),
        };
        self.push(bytes, field, entry, raw);
    }
}

/// The whole sentence, where the parser took its end for a comment.
fn uncut(
    bytes: &[u8],
    field: FrontmatterField,
    entry: &YamlEntry<'_>,
    raw: &RawValue,
) -> Option<String> {
    let at = cut_at(bytes, entry).filter(|_| field.is_sentence())?;
    let before = String::from_utf8_lossy(&bytes[entry.value.start..at]);
    let agrees = matches!(raw, RawValue::Text(text) if *text == before);
    agrees.then(|| String::from_utf8_lossy(&bytes[entry.value.clone()]).into_owned())
}
