//! A checked citation with its weight in the verdict.

use serde::{Deserialize, Serialize};

use crate::cite::{Citation, Kind, Target};
use crate::report::{CitationReport, Status, Verdict};

/// What one citation contributes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Finding {
    pub(crate) report: CitationReport,
    /// The worst verdict that it alone calls for.
    pub(crate) weight: Verdict,
    /// The name to look for, of another note.
    pub(crate) note: Option<String>,
}

/// An answer before it is known for whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: Status,
    pub(crate) detail: Option<String>,
    /// For a status that weighs more or less than its like.
    pub(crate) weight: Option<Verdict>,
}

impl Answer {
    pub(crate) fn new(status: Status, detail: impl Into<String>) -> Self {
        Self {
            status,
            detail: Some(detail.into()),
            weight: None,
        }
    }

    pub(crate) fn plain(status: Status) -> Self {
        Self {
            status,
            detail: None,
            weight: None,
        }
    }

    pub(crate) fn weighing(self, weight: Verdict) -> Self {
        Self {
            weight: Some(weight),
            ..self
        }
    }
}

impl Finding {
    pub(crate) fn new(citation: &Citation, answer: Answer) -> Self {
        let weight = if citation.is_denied {
            Verdict::Fresh
        } else {
            answer
                .weight
                .unwrap_or_else(|| weight(citation, answer.status))
        };
        let note = match &citation.target {
            Target::Note(name) => Some(name.clone()),
            _ => None,
        };
        Self {
            report: CitationReport {
                text: citation.text.clone(),
                kind: citation.kind,
                line: citation.line,
                status: answer.status,
                detail: answer.detail,
            },
            weight,
            note,
        }
    }

    /// Whether the code itself answered.
    pub(crate) fn is_checked(&self) -> bool {
        self.note.is_none() && !matches!(self.report.status, Status::Never | Status::Unknown)
    }
}

/// What a status weighs.
fn weight(citation: &Citation, status: Status) -> Verdict {
    let kind = citation.kind;
    // A mere name that was never there is mostly some other project's.
    let is_named_in_full =
        matches!(&citation.target, Target::Path { path, .. } if path.contains('/'));
    let is_file = matches!(kind, Kind::Path | Kind::Line | Kind::Range | Kind::Url);
    match (status, kind) {
        (_, Kind::Note) | (Status::Present | Status::Unknown, _) => Verdict::Fresh,
        // A merged branch is work done; what it brought is still there.
        (Status::Gone, Kind::Branch) => Verdict::Aging,
        (Status::Gone, _) => Verdict::Broken,
        (Status::Moved, _) => Verdict::Drifted,
        (Status::Changed, _) => Verdict::Aging,
        (Status::Never, _) if is_file && is_named_in_full => Verdict::Aging,
        (Status::Never, _) => Verdict::Fresh,
    }
}
