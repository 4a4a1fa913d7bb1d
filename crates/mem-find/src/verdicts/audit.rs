//! Memories that the code has left behind, in every project of an audit, in bounded time.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use mem_core::audit::{Audit, AuditFinding, ProjectAudit, shell_word};
use mem_core::check::{CheckCode, CheckSeverity};
use mem_core::compact_sort::CompactSort as _;
use mem_core::memory::ProjectMemory;
use mem_core::{Dirs, Now, Scope, project};
use mem_drift::NoteReport;

use super::{Verdicts, check};

/// An audit checks projects against their code for so long; of the rest it tells what is remembered.
const AUDIT_DURATION_MAX: Duration = Duration::from_secs(8);

/// Adds what drifted or broke to the findings of every project whose folder is there, and says how
/// many could not be checked. Writes nothing.
pub fn add_drift(audit: &mut Audit, dirs: &Dirs, now: Now) -> usize {
    let start = Instant::now();
    let mut unchecked = 0;
    for project in &mut audit.projects {
        // Of one that was left behind it is told where its memories belong, and no more.
        let Some(path) = project.path.clone().filter(|path| path.is_dir()) else {
            continue;
        };
        let has_time = start.elapsed() < AUDIT_DURATION_MAX;
        match drift_reports(project, &path, has_time, dirs, now) {
            Some(reports) => {
                unchecked += usize::from(reports.iter().any(|(_, report)| report.is_none()));
                project.findings.extend(drift_findings(&path, &reports));
                project
                    .findings
                    .compact_sort_by_key(|finding| finding.severity);
            }
            None => unchecked += 1,
        }
    }
    unchecked
}

/// The verdict on every memory that speaks of a project, with its tier; none where it is not known. `None` where the
/// project cannot be read.
fn drift_reports(
    project: &ProjectAudit,
    path: &Path,
    has_time: bool,
    dirs: &Dirs,
    now: Now,
) -> Option<Vec<(Scope, Option<NoteReport>)>> {
    let found = project::find(path, &mem_core::Environment::default()).ok()?;
    let memory = ProjectMemory::at(&project.memory_dir, dirs);
    let notes = memory.list(&[Scope::Private, Scope::Team]).ok()?.notes;
    let verdicts = Verdicts::for_project(&found, dirs, now);
    if !verdicts.has_repository() {
        return Some(Vec::new());
    }
    let reports = match has_time {
        true => {
            let reports = verdicts.looked_up(&notes).ok()?;
            reports.into_iter().map(Some).collect()
        }
        false => verdicts.remembered_reports(&notes),
    };
    Some(notes.iter().map(|note| note.scope).zip(reports).collect())
}

/// One finding a memory, in words that fit all of a sort.
fn drift_findings(path: &Path, reports: &[(Scope, Option<NoteReport>)]) -> Vec<AuditFinding> {
    let folder = shell_word(&path.to_string_lossy());
    let mut by_file: BTreeMap<(bool, String), AuditFinding> = BTreeMap::new();
    for (scope, report) in reports {
        let Some((code, report)) = report
            .as_ref()
            .and_then(|one| Some((check::check_code(one)?, one)))
        else {
            continue;
        };
        let message = match code {
            CheckCode::Broken => "cites what is gone from the code",
            _ => "cites what moved, or changed a lot",
        };
        let file = report.file.trim_start_matches("team:").to_owned();
        let finding = AuditFinding {
            code: code.as_str(),
            severity: code.severity_level(),
            scope: Some(*scope),
            file: Some(file.clone()),
            line: None,
            message: message.to_owned(),
            fix: Some(format!("mem -C {folder} verify")),
        };
        by_file.insert(
            (code.severity_level() == CheckSeverity::Info, file),
            finding,
        );
    }
    by_file.into_values().collect()
}
