//! `mem audit`: every project of this machine, and the one command that mends each thing.

use std::fmt::Write as _;

use anyhow::Result;
use mem_core::Scope;
use mem_core::audit::{self, Audit, AuditFinding, ProjectAudit};
use mem_core::check::CheckSeverity;
use mem_scan::memory::scan_all_memories;
use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::Exit;
use crate::freshness::findings;
use crate::progress::Progress;
use crate::sanitize::clean;
use crate::style::{ERROR, FAINT, HINT, STRONG, WARNING};
use mem_core::plural::format_count;

/// Files that are named for one sort of finding; `--json` names all.
const FILES_SHOWN_MAX: usize = 3;

/// Audit every project under the base
///
/// Reads every memory directory of this machine, those of the host's subagents among them, needs no init and writes
/// nothing: memories that a move left behind, memories under a slug that nothing reads, index lines that are never
/// loaded, secrets, duplicates, unreadable and empty notes, missing descriptions, memories that the code has left
/// behind (for as long as a few seconds suffice). Each finding names the one command that mends it. Exits with 1 where
/// there is something to mend.
///
/// With --json: {"projects":[{"slug","path","memory_dir","memories","findings":[{"code",
/// "severity","scope","file","line","message","fix"}]}],"summary":{"projects","with_memories",
/// "memories","errors","warnings"}}; null where there is none. Severity is error, warning or info.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {}

/// Audits and prints.
pub(crate) fn run(_: &Args, context: &Context) -> Result<Exit> {
    let mut audit = audit::audit_projects(context.dirs()?);
    add_secrets(&mut audit, context);
    findings::add_to_audit(&mut audit, context)?;
    if context.printer.json {
        context.print_json(&audit_json(&audit))?;
    } else {
        for project in audit.projects.iter().filter(|one| !one.findings.is_empty()) {
            context.line(project_paragraph(project).join("\n") + "\n")?;
        }
        context.line(audit_summary(&audit))?;
    }
    Ok(exit_code(&audit.projects))
}

/// Adds the secrets in memories. What cannot be scanned is a warning, and the audit goes on.
fn add_secrets(audit: &mut Audit, context: &Context) {
    let progress = Progress::start(&context.printer);
    let scanned = scan_all_memories(context, progress.counters());
    drop(progress);
    match scanned {
        Ok(totals) => mem_scan::audit::add_secrets(audit, &totals),
        Err(error) => {
            let error = anyhow::Error::from(error);
            let text = format_args!("memories were not scanned for secrets: {error:#}");
            context.printer.print_warning(text);
        }
    }
}

/// 1 where there is something to mend.
pub(crate) fn exit_code(projects: &[ProjectAudit]) -> Exit {
    match projects.iter().any(|project| project.to_mend() > 0) {
        true => Exit::Failure,
        false => Exit::Ok,
    }
}

/// The lines on one project: a heading, then every sort of finding with its command.
pub(crate) fn project_paragraph(project: &ProjectAudit) -> Vec<String> {
    let place = project.path.as_ref().unwrap_or(&project.memory_dir);
    let place = place.to_string_lossy();
    let memories = format_count(project.memories, "memory", "memories");
    let mut lines = vec![format!("{STRONG}{}{STRONG:#}  {memories}", clean(&place))];
    if project.path.is_some() {
        let directory = project.memory_dir.to_string_lossy();
        lines.push(format!("  {FAINT}{}{FAINT:#}", clean(&directory)));
    }
    let mut rest: Vec<&AuditFinding> = project.findings.iter().collect();
    while let Some(first) = rest.first().copied() {
        let (alike, others): (Vec<&AuditFinding>, _) =
            rest.into_iter().partition(|one| is_alike(one, first));
        lines.extend(sort_of_finding(&alike));
        rest = others;
    }
    lines
}

/// Findings that read the same but for the file.
fn is_alike(a: &AuditFinding, b: &AuditFinding) -> bool {
    let is_one = |finding: &AuditFinding| finding.file.is_none();
    a == b || (!is_one(a) && !is_one(b) && (a.code, a.scope) == (b.code, b.scope))
}

fn sort_of_finding(alike: &[&AuditFinding]) -> Vec<String> {
    let Some(first) = alike.first() else {
        return Vec::new();
    };
    let (style, word) = match first.severity {
        CheckSeverity::Error => (ERROR, "error"),
        CheckSeverity::Warning => (WARNING, "warning"),
        CheckSeverity::Info => (FAINT, "info"),
    };
    let mut text = format!("  {style}{word}{style:#} ");
    let files: Vec<String> = alike.iter().filter_map(|one| located_file(one)).collect();
    if let Some(file) = files.first() {
        let _ = write!(text, "{}: ", clean(file));
    }
    let _ = write!(text, "{} [{}]", clean(&first.message), first.code);
    let mut lines = vec![text];
    if files.len() > 1 {
        let shown = files[1..].iter().take(FILES_SHOWN_MAX).cloned();
        let shown = shown.collect::<Vec<_>>().join(", ");
        let more = match (files.len() - 1).saturating_sub(FILES_SHOWN_MAX) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        lines.push(format!(
            "    {FAINT}the same:{FAINT:#} {}{more}",
            clean(&shown)
        ));
    }
    if let Some(fix) = &first.fix {
        lines.push(format!("    {HINT}fix{HINT:#}: {}", clean(fix)));
    }
    lines
}

/// The file with its tier and line.
fn located_file(finding: &AuditFinding) -> Option<String> {
    let file = finding.file.as_ref()?;
    let file = finding.scope.unwrap_or(Scope::Private).label(file);
    let line = finding.line.map(|line| format!(":{line}"));
    Some(format!("{file}{}", line.unwrap_or_default()))
}

fn audit_summary(audit: &Audit) -> String {
    let memories: usize = audit.projects.iter().map(|one| one.memories).sum();
    let memories = format_count(memories, "memory", "memories");
    let places = format_count(audit.projects.len(), "directory", "directories");
    let projects = format_count(audit.projects_seen, "project", "projects");
    let found = match (
        count_findings(audit, CheckSeverity::Error),
        count_findings(audit, CheckSeverity::Warning),
    ) {
        (0, 0) => "nothing to mend".to_owned(),
        (errors, warnings) => {
            let errors = format_count(errors, "error", "errors");
            format!(
                "{errors} and {}",
                format_count(warnings, "warning", "warnings")
            )
        }
    };
    format!("{STRONG}{found}{STRONG:#} in {memories}, {places}; the host knows {projects}")
}

fn count_findings(audit: &Audit, severity: CheckSeverity) -> usize {
    let findings = audit.projects.iter().flat_map(|project| &project.findings);
    findings.filter(|one| one.severity == severity).count()
}

fn audit_json(audit: &Audit) -> Value {
    let projects: Vec<Value> = audit.projects.iter().map(project_json).collect();
    let memories: usize = audit.projects.iter().map(|one| one.memories).sum();
    json!({
        "projects": projects,
        "summary": {
            "projects": audit.projects_seen, "with_memories": audit.projects.len(),
            "memories": memories, "errors": count_findings(audit, CheckSeverity::Error),
            "warnings": count_findings(audit, CheckSeverity::Warning),
        },
    })
}

/// The stable shape of one audited project.
pub(crate) fn project_json(project: &ProjectAudit) -> Value {
    let findings: Vec<Value> = project
        .findings
        .iter()
        .map(|one| {
            json!({
                "code": one.code, "severity": one.severity.as_str(),
                "scope": one.scope.map(Scope::as_str), "file": one.file, "line": one.line,
                "message": one.message, "fix": one.fix,
            })
        })
        .collect();
    json!({
        "slug": project.slug, "path": project.path, "memory_dir": project.memory_dir,
        "memories": project.memories, "findings": findings,
    })
}
