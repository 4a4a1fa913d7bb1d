//! What one commit adds to one file, its message, and who made it.

use crate::git::messages;
use crate::scan_origin::{ContentKind, ScanOrigin};
use crate::{Ruleset, ScanTotals, names};

/// Added lines of one file, a message, or a person.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct PatchSection {
    /// The commit's id.
    pub commit: String,
    /// The commit's place in the order of all.
    pub order: usize,
    /// The file's path; `None` for a message or a person.
    pub path: Option<String>,
    /// What reports call the person, where the text is one.
    pub person: Option<&'static str>,
    /// Whether the path is new.
    pub is_new_name: bool,
    /// The lines, without what git puts before them.
    pub text: Vec<u8>,
    /// Of each row of lines: its first line in the text, and in the file.
    pub rows: Vec<(u64, u64)>,
}

impl PatchSection {
    /// The line of the file for a line of the text.
    fn file_line(&self, line: u64) -> u64 {
        let row = self.rows.iter().rev().find(|(first, _)| *first <= line);
        row.map_or(line, |(first, file)| file.saturating_add(line - first))
    }
}

/// Scans a section.
pub(super) fn scan_section(section: &PatchSection, ruleset: &Ruleset, totals: &mut ScanTotals) {
    if let Some(what) = section.person {
        messages::of_person(what, &section.commit, &section.text, ruleset, totals);
        return;
    }
    let shown = section.path.as_deref().unwrap_or("commit message");
    let place = ScanOrigin {
        commit: Some(section.commit.clone()),
        kind: if section.path.is_some() {
            ContentKind::Blob
        } else {
            ContentKind::Message
        },
        ..ScanOrigin::file(shown, shown)
    };
    if section.is_new_name {
        names::scan(&place, ruleset, totals);
    }
    if section.text.is_empty() {
        return;
    }
    totals.bytes += section.text.len() as u64;
    totals.blobs += u64::from(section.path.is_some());
    let mut report = ruleset.examine_bytes(&section.text, &place.origin());
    for finding in &mut report.findings {
        finding.line = section.file_line(finding.line);
        finding.end_line = section.file_line(finding.end_line);
    }
    ruleset.admit_report(report, &section.text, &place, totals);
}
