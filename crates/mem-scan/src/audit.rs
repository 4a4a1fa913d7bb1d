//! Secrets among the findings of an audit.

use std::path::Path;

use mem_core::Scope;
use mem_core::audit::{Audit, AuditFinding, ProjectAudit};
use mem_core::check::CheckSeverity;
use mem_core::compact_sort::CompactSort as _;

use crate::{LocatedFinding, ScanTotals};

/// Adds the secrets that a scan found in memories to what an audit found, worst first.
pub fn add_secrets(audit: &mut Audit, totals: &ScanTotals) {
    for found in &totals.found {
        let path = Path::new(&found.place.shown);
        let home = audit
            .projects
            .iter_mut()
            .filter(|one| path.starts_with(&one.memory_dir));
        // The nearest one: a directory may stand inside another.
        if let Some(project) = home.max_by_key(|one| one.memory_dir.as_os_str().len()) {
            let finding = finding(project, path, found);
            project.findings.insert(0, finding);
        }
    }
    audit.projects.compact_sort_by_key(|project| {
        let has_secret = project.findings.iter().any(|one| one.code == "secret");
        std::cmp::Reverse(has_secret)
    });
}

fn finding(project: &ProjectAudit, path: &Path, found: &LocatedFinding) -> AuditFinding {
    let inside = path.strip_prefix(&project.memory_dir).unwrap_or(path);
    let (scope, file) = match (inside.strip_prefix("team"), &project.slug) {
        (_, None) => (Scope::Global, inside),
        (Ok(file), _) => (Scope::Team, file),
        (Err(_), _) => (Scope::Private, inside),
    };
    let place = project.path.as_deref().map(|path| path.to_string_lossy());
    let place = place.map(|path| format!("-C {} ", mem_core::audit::shell_word(&path)));
    AuditFinding {
        code: "secret",
        severity: CheckSeverity::Error,
        scope: Some(scope),
        file: Some(file.to_string_lossy().into_owned()),
        line: usize::try_from(found.finding.line).ok(),
        message: format!("holds a secret ({})", found.finding.rule),
        fix: Some(format!("mem {}scan --memory", place.unwrap_or_default())),
    }
}
