//! What a check finds in one memory directory, with commands that work from anywhere.

use super::command::project_command;
use super::{AuditFinding, ProjectAudit};
use crate::Scope;
use crate::check::{self, CheckSeverity};
use crate::dirs::Dirs;
use crate::memory::ProjectMemory;
use crate::projects::ProjectDir;

/// Checks the tiers of a project.
pub(super) fn audit_tiers(project: &ProjectDir, dirs: &Dirs) -> ProjectAudit {
    let memory = ProjectMemory::at(&project.memory_dir, dirs);
    let mut audit = ProjectAudit {
        slug: Some(project.slug.clone()),
        path: project.real_path.clone(),
        memory_dir: project.memory_dir.clone(),
        memories: 0,
        findings: Vec::new(),
    };
    for scope in [Scope::Private, Scope::Team] {
        audit.add_memory(&memory, scope, |fix| {
            project_command(project, &scope.command(fix))
        });
    }
    audit
}

/// Checks one's own notes across repositories.
pub(super) fn audit_global(dirs: &Dirs) -> ProjectAudit {
    let memory = ProjectMemory::at(&dirs.global_memory(), dirs);
    let mut audit = ProjectAudit {
        slug: None,
        path: None,
        memory_dir: dirs.global_memory(),
        memories: 0,
        findings: Vec::new(),
    };
    audit.add_memory(&memory, Scope::Global, |fix| Scope::Global.command(fix));
    audit
}

impl ProjectAudit {
    fn add_memory(
        &mut self,
        memory: &ProjectMemory,
        scope: Scope,
        command: impl Fn(&str) -> String,
    ) {
        let inspection = match memory.inspect(scope) {
            Ok(inspection) => inspection,
            Err(error) => {
                return self
                    .findings
                    .push(unreadable_finding(scope, error.to_string()));
            }
        };
        self.memories += inspection.notes;
        let warnings = inspection.warnings.into_iter();
        // What cannot be a memory is skipped in both tiers' listings; it is told once.
        let told = warnings.filter(|_| scope != Scope::Team);
        self.findings
            .extend(told.map(|text| unreadable_finding(scope, text)));
        let findings = inspection.findings.into_iter();
        self.findings
            .extend(findings.map(|one| of_check(one, scope, &command)));
    }
}

fn of_check(
    one: check::CheckFinding,
    scope: Scope,
    command: impl Fn(&str) -> String,
) -> AuditFinding {
    AuditFinding {
        code: one.code.as_str(),
        severity: one.severity,
        scope: Some(scope),
        fix: one.fix.as_deref().map(command),
        file: Some(one.file),
        line: one.line,
        message: one.message,
    }
}

fn unreadable_finding(scope: Scope, message: String) -> AuditFinding {
    AuditFinding {
        code: "unreadable",
        severity: CheckSeverity::Warning,
        scope: Some(scope),
        file: None,
        line: None,
        message,
        fix: None,
    }
}
