//! A frontmatter that the YAML parser refuses: values from the lines, with a warning for
//! everything that is odd about them.

use std::collections::HashSet;

use super::decode::{decode, flow_items};
use super::entry::{YamlEntry, YamlShape};
use super::field::{FieldLevel, FrontmatterField};
use super::raw_value::RawValue;
use super::read::{FieldMatch, ReadFrontmatter, cut_at};
use super::scan::{FIRST_LINE, FrontmatterScan};
use super::strict::StrictMapping;
use super::warning::WarningKind;

impl ReadFrontmatter<'_> {
    /// Takes the fields of a block and says why the parser did not.
    pub(super) fn take_forgivingly(
        &mut self,
        bytes: &[u8],
        scan: &FrontmatterScan<'_>,
        refused: StrictMapping,
    ) {
        self.is_valid = false;
        let mut seen = HashSet::new();
        for entry in &scan.entries {
            if !seen.insert((entry.level, entry.key.as_ref())) {
                let column = entry.column(bytes, entry.span.start) + indent(scan, entry);
                let message = format!("`{}` stands here twice; the first counts", entry.key);
                self.warn(WarningKind::DuplicateKey, entry.line, column, &message);
                continue;
            }
            let Some(field) = FrontmatterField::of_key(&entry.key) else {
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
    fn take_flow_metadata(&mut self, bytes: &[u8], scan: &FrontmatterScan<'_>) {
        let Some(entry) = scan.metadata().filter(|e| e.shape == YamlShape::FlowMap) else {
            return;
        };
        for pair in flow_items(&bytes[entry.value.clone()]) {
            if let Some((key, value)) = pair.split_once(':')
                && let Some(field) = FrontmatterField::of_key(key.trim())
            {
                self.found.push(FieldMatch {
                    field,
                    level: FieldLevel::Metadata,
                    raw: RawValue::plain(value.trim().trim_matches(['"', '\''])),
                    line: entry.line,
                    column: entry.column(bytes, entry.value.start),
                });
            }
        }
    }

    /// One warning that says why the parser refused the block.
    fn explain(&mut self, bytes: &[u8], scan: &FrontmatterScan<'_>, refused: StrictMapping) {
        let (kind, line, column, message) = match refused {
            StrictMapping::Mapping(_) => return,
            StrictMapping::TooLarge(limit) => (
                WarningKind::TooLarge,
                FIRST_LINE,
                1,
                format!(
                    "the frontmatter has more than {limit}, the limit of the YAML parser; it was read line by line"
                ),
            ),
            StrictMapping::Binary => {
                let bad =
                    |at: &&YamlEntry<'_>| std::str::from_utf8(&bytes[at.span.clone()]).is_err();
                let line = scan.entries.iter().find(bad).map_or(FIRST_LINE, |e| e.line);
                let message = "there are bytes that are not UTF-8; they were replaced for reading";
                (WarningKind::Utf8, line, 1, message.to_owned())
            }
            StrictMapping::Invalid {
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
}

fn indent(scan: &FrontmatterScan<'_>, entry: &YamlEntry<'_>) -> usize {
    scan.lines[entry.lines.start].indent
}
