//! Printing what a check found.

use std::collections::BTreeSet;

use anyhow::Result;
use mem_core::check::{CheckCode, CheckSeverity};
use mem_core::memory::Inspection;
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use crate::style;

/// So many dangling pointers are no slip of one: something took files away.
const SWEPT_MIN: usize = mem_core::limits::SWEEP_FILES_MIN;

/// Prints findings of some tiers; exit code 1 where one of them is more than information.
///
/// # Errors
/// Standard output cannot be written.
pub(crate) fn print_inspections(inspections: &[Inspection], context: &Context) -> Result<Exit> {
    let found = inspections
        .iter()
        .flat_map(|one| one.findings.iter().map(|f| (one.scope, f)));
    let found: Vec<_> = found.collect();
    // Tiers that share a directory say the same of it.
    let warnings: BTreeSet<&String> = inspections.iter().flat_map(|one| &one.warnings).collect();
    for warning in warnings {
        context.print_warning(warning);
    }
    let exit = match found
        .iter()
        .any(|(_, one)| one.severity != CheckSeverity::Info)
    {
        true => Exit::Failure,
        false => Exit::Ok,
    };
    if context.printer.json {
        let findings: Vec<_> = found
            .iter()
            .map(|(scope, one)| {
                json!({
                    "code": one.code.as_str(), "severity": one.severity.as_str(),
                    "file": one.file, "line": one.line, "message": one.message,
                    "fix": one.fix.as_deref().map(|fix| scope.command(fix)),
                    "scope": scope.as_str(),
                })
            })
            .collect();
        context.print_json(&json!({ "findings": findings }))?;
        return Ok(exit);
    }
    for (scope, one) in &found {
        let style = match one.severity {
            CheckSeverity::Error => style::ERROR,
            CheckSeverity::Warning => style::WARNING,
            CheckSeverity::Info => style::STRONG,
        };
        let line = one.line.map(|line| format!(":{line}")).unwrap_or_default();
        let label = scope.label(&one.file);
        let (file, message) = (clean(&label), clean(&one.message));
        let fix = one.fix.as_deref().map(|fix| scope.command(fix));
        let fix = fix
            .map(|fix| format!("\n  fix: {}", clean(&fix)))
            .unwrap_or_default();
        context.line(format_args!(
            "{style}{}{style:#} {file}{line}: {message} [{}]{fix}",
            one.severity.as_str(),
            one.code.as_str(),
        ))?;
    }
    if found.is_empty() {
        context.say("nothing to mend");
    }
    let dangling = found
        .iter()
        .filter(|(_, one)| one.code == CheckCode::Dangling);
    if dangling.count() >= SWEPT_MIN {
        context.say("many files are gone: `mem status` says whether they can be brought back");
    }
    Ok(exit)
}
