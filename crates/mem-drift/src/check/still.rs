//! Whether answers of an earlier run still hold, at the same commit and with the same files tracked.
//!
//! Nothing but contents of files can have changed then. An answer about a file holds while the file is
//! as it was; one about a path that is not there, while it is not there; one about an identifier, while
//! it stands as well as it stood. Commits, branches and tags are as they were.

use super::resolve::{Found, Resolver};
use super::symbols::Symbols;
use crate::cite::{Citation, Target};
use crate::earlier::Earlier;
use crate::finding::Finding;
use crate::report::Status;

/// Everything that this rests on.
pub(super) struct Still<'a> {
    pub(super) resolver: &'a Resolver<'a>,
    pub(super) symbols: &'a Symbols<'a>,
    pub(super) earlier: &'a Earlier,
}

impl Still<'_> {
    /// Whether all answers for a note hold. Citations that may be none, and of which the repository
    /// knew nothing, have no answer.
    pub(super) fn hold(&self, citations: &[Citation], findings: &[Finding]) -> bool {
        let mut rest = findings.iter().peekable();
        let all = citations.iter().all(|citation| {
            let own = rest.next_if(|finding| is_about(finding, citation));
            self.holds(citation, own)
        });
        all && rest.next().is_none()
    }

    fn holds(&self, citation: &Citation, finding: Option<&Finding>) -> bool {
        match &citation.target {
            Target::Path { path, .. } => self.path_holds(path, finding),
            Target::Symbol { alternatives } => {
                alternatives.iter().all(|group| self.symbol_holds(group))
            }
            _ => true,
        }
    }

    fn path_holds(&self, path: &str, finding: Option<&Finding>) -> bool {
        let found = self.resolver.resolve(path);
        let Some(report) = finding.map(|finding| &finding.report) else {
            return found == Found::Missing;
        };
        let is_lost = matches!(
            report.status,
            Status::Moved | Status::Gone | Status::Never | Status::Unknown
        );
        match found {
            Found::File { at, .. } => self.earlier.is_kept(at),
            // Where something went that nobody committed may have changed.
            Found::Missing => {
                let detail = report.detail.as_deref().unwrap_or_default();
                is_lost && !is_uncommitted(detail) && self.target_holds(detail)
            }
            Found::Inaccessible => report.status == Status::Unknown,
            Found::Folder | Found::Untracked | Found::Several(_) => {
                report.status == Status::Present
            }
        }
    }

    /// Whether the file that something moved to is as it was.
    fn target_holds(&self, detail: &str) -> bool {
        let rest = detail.strip_prefix("to `");
        let target = rest.and_then(|rest| rest.split('`').next());
        let place = target.and_then(|path| self.resolver.listing().find(path.as_bytes()));
        place.is_none_or(|at| self.earlier.is_kept(at))
    }

    fn symbol_holds(&self, group: &[String]) -> bool {
        let then = self.earlier.standings.get(group).copied();
        then.is_some() && then == self.symbols.standing(group)
    }
}

fn is_about(finding: &Finding, citation: &Citation) -> bool {
    let report = &finding.report;
    report.line == citation.line && report.kind == citation.kind && report.text == citation.text
}

fn is_uncommitted(detail: &str) -> bool {
    detail.ends_with("not committed")
}
