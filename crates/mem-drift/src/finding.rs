//! A checked citation with its weight in the verdict.

use serde::{Deserialize, Serialize};

use crate::cite::{Citation, CitationClaim, CitationKind, CitationTarget};
use crate::report::{CitationReport, CitationStatus, Verdict};

/// What one citation contributes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CitationFinding {
    pub(crate) report: CitationReport,
    /// The worst verdict that it alone calls for.
    pub(crate) weight: Verdict,
    /// The name to look for, of another note.
    pub(crate) note: Option<String>,
    /// Whether it is not there, and the note does not say that it is: nothing to tell.
    pub(crate) is_as_said: bool,
}

/// An answer before it is known for whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CitationAnswer {
    pub(crate) status: CitationStatus,
    pub(crate) detail: Option<String>,
    /// For a status that weighs more or less than its like.
    pub(crate) weight: Option<Verdict>,
    /// As [`CitationReport::moved_to`].
    pub(crate) moved_to: Option<String>,
}

impl CitationAnswer {
    pub(crate) fn new(status: CitationStatus, detail: impl Into<String>) -> Self {
        Self {
            status,
            detail: Some(detail.into()),
            weight: None,
            moved_to: None,
        }
    }

    /// The answer for a citation; `None` for a tentative one that means nothing here.
    pub(crate) fn for_citation(self, citation: &Citation) -> Option<Self> {
        let is_known = !matches!(self.status, CitationStatus::Never | CitationStatus::Unknown);
        (is_known || !citation.is_tentative).then_some(self)
    }

    pub(crate) fn from_status(status: CitationStatus) -> Self {
        Self {
            status,
            detail: None,
            weight: None,
            moved_to: None,
        }
    }

    /// With the place where it is now, which a path that is no text cannot name.
    pub(crate) fn with_place(self, path: &[u8]) -> Self {
        Self {
            moved_to: std::str::from_utf8(path).ok().map(str::to_owned),
            ..self
        }
    }

    pub(crate) fn with_weight(self, weight: Verdict) -> Self {
        Self {
            weight: Some(weight),
            ..self
        }
    }
}

impl CitationFinding {
    pub(crate) fn new(citation: &Citation, answer: CitationAnswer) -> Self {
        let is_claimed = citation.claim == CitationClaim::Present;
        let weight = if is_claimed {
            answer
                .weight
                .unwrap_or_else(|| status_weight(citation, answer.status))
        } else {
            Verdict::Fresh
        };
        let is_there = matches!(
            answer.status,
            CitationStatus::Present | CitationStatus::Changed
        );
        let note = match &citation.target {
            CitationTarget::Note(name) => Some(name.clone()),
            _ => None,
        };
        Self {
            report: CitationReport {
                text: citation.text.clone(),
                kind: citation.kind,
                line: citation.line,
                status: answer.status,
                detail: answer.detail,
                moved_to: answer.moved_to.filter(|_| is_claimed),
            },
            weight,
            note,
            is_as_said: !is_claimed && !is_there,
        }
    }

    /// Whether it is there, changed or not.
    pub(crate) fn is_present(&self) -> bool {
        matches!(
            self.report.status,
            CitationStatus::Present | CitationStatus::Changed
        )
    }

    /// Makes it the name of a note that is there.
    pub(crate) fn make_note(&mut self) {
        self.note = Some(self.report.text.clone());
        self.weight = Verdict::Fresh;
        self.report.status = CitationStatus::Present;
        self.report.detail = None;
        self.report.moved_to = None;
    }

    /// Answers it as the name of a note, by what is known of the notes.
    pub(crate) fn answer_as_note(&mut self, answer: CitationAnswer) {
        self.weight = match (answer.status, self.report.kind) {
            // What the note itself does not claim to be there weighs nothing.
            _ if self.is_as_said => Verdict::Fresh,
            (CitationStatus::Moved, _) => Verdict::Drifted,
            // A link can mean nothing but a note; a bare file name may have another meaning.
            (CitationStatus::Gone, CitationKind::Note) => Verdict::Broken,
            (CitationStatus::Gone, _) => Verdict::Drifted,
            _ => Verdict::Fresh,
        };
        self.report.status = answer.status;
        self.report.detail = answer.detail;
        self.report.moved_to = None;
    }

    /// Whether the code itself answered.
    pub(crate) fn is_checked(&self) -> bool {
        self.note.is_none()
            && !matches!(
                self.report.status,
                CitationStatus::Never | CitationStatus::Unknown
            )
    }
}

/// What a status weighs.
fn status_weight(citation: &Citation, status: CitationStatus) -> Verdict {
    let kind = citation.kind;
    // A mere name that was never there is mostly some other project's.
    let is_named_in_full =
        matches!(&citation.target, CitationTarget::Path { path, .. } if path.contains('/'));
    let is_file = matches!(
        kind,
        CitationKind::Path | CitationKind::Line | CitationKind::Range | CitationKind::Url
    );
    match (status, kind) {
        (_, CitationKind::Note) | (CitationStatus::Present | CitationStatus::Unknown, _) => {
            Verdict::Fresh
        }
        // A merged branch is work done; what it brought is still there.
        (CitationStatus::Gone, CitationKind::Branch) => Verdict::Aging,
        // A bare name may have another meaning in the note: on notes of public projects that no rule was made with, 30
        // of 47 file names and 22 of 46 identifiers were right, of paths in full, calls and variables 52 of 60. The only
        // file that ever had a name, in the root, is named in full by it: its answer has a weight of its own.
        (CitationStatus::Gone, CitationKind::Symbol | CitationKind::Type | CitationKind::Key) => {
            Verdict::Drifted
        }
        (CitationStatus::Gone, CitationKind::Path) if !is_named_in_full => Verdict::Drifted,
        (CitationStatus::Gone, _) => Verdict::Broken,
        (CitationStatus::Moved, _) => Verdict::Drifted,
        (CitationStatus::Changed, _) => Verdict::Aging,
        (CitationStatus::Never, _) if is_file && is_named_in_full => Verdict::Aging,
        (CitationStatus::Never, _) => Verdict::Fresh,
    }
}
