//! Whether answers of an earlier run still hold, at the same commit and with the same files tracked.
//!
//! Nothing but contents of files can have changed then, and of none that says what git ignores. An answer about a file holds while the file is
//! as it was; one about a path that is not there, while it is not there; one about an identifier, while
//! it stands as well as it stood. Commits, branches and tags are as they were.

use super::resolve::{ResolvedPath, Resolver};
use super::symbols::Symbols;
use crate::cite::{Citation, CitationTarget};
use crate::finding::CitationFinding;
use crate::previous_run::PreviousRun;
use crate::report::CitationStatus;

/// Everything that this rests on.
pub(super) struct CacheValidity<'a> {
    pub(super) resolver: &'a Resolver<'a>,
    pub(super) symbols: &'a Symbols<'a>,
    pub(super) earlier: &'a PreviousRun,
}

impl CacheValidity<'_> {
    /// Whether all answers for a note hold. Citations that may be none, and of which the repository
    /// knew nothing, have no answer.
    pub(super) fn hold(&self, citations: &[Citation], findings: &[CitationFinding]) -> bool {
        let mut rest = findings.iter().peekable();
        let all = citations.iter().all(|citation| {
            let own = rest.next_if(|finding| is_about(finding, citation));
            self.holds(citation, own)
        });
        all && rest.next().is_none()
    }

    fn holds(&self, citation: &Citation, finding: Option<&CitationFinding>) -> bool {
        match &citation.target {
            CitationTarget::Path { path, .. } => self.path_holds(path, finding),
            CitationTarget::Symbol { alternatives } => {
                alternatives.iter().all(|group| self.symbol_holds(group))
            }
            _ => true,
        }
    }

    fn path_holds(&self, path: &str, finding: Option<&CitationFinding>) -> bool {
        let found = self.resolver.resolve(path);
        let Some(report) = finding.map(|finding| &finding.report) else {
            return found == ResolvedPath::Missing;
        };
        let is_lost = matches!(
            report.status,
            CitationStatus::Moved
                | CitationStatus::Gone
                | CitationStatus::Never
                | CitationStatus::Unknown
        );
        match found {
            ResolvedPath::File { at, .. } => self.earlier.is_kept(at),
            // Where something went that nobody committed may have changed.
            ResolvedPath::Missing => {
                let detail = report.detail.as_deref().unwrap_or_default();
                is_lost && !is_uncommitted(detail) && self.target_holds(detail)
            }
            ResolvedPath::Inaccessible => report.status == CitationStatus::Unknown,
            ResolvedPath::Folder | ResolvedPath::Untracked | ResolvedPath::Several(_) => {
                report.status == CitationStatus::Present
            }
        }
    }

    /// Whether the file that something moved to is as it was.
    fn target_holds(&self, detail: &str) -> bool {
        let rest = detail.strip_prefix("to `");
        let target = rest.and_then(|rest| rest.split('`').next());
        let place = target.and_then(|path| self.resolver.listing().find_path(path.as_bytes()));
        place.is_none_or(|at| self.earlier.is_kept(at))
    }

    fn symbol_holds(&self, group: &[String]) -> bool {
        let then = self.earlier.standings.get(group).copied();
        then.is_some() && then == self.symbols.standing(group)
    }
}

fn is_about(finding: &CitationFinding, citation: &Citation) -> bool {
    let report = &finding.report;
    report.line == citation.line && report.kind == citation.kind && report.text == citation.text
}

fn is_uncommitted(detail: &str) -> bool {
    detail.ends_with("not committed")
}
