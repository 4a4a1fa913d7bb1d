//! What a check says of sharing: texts that gave way, and files that others do not get.

use mem_core::Scope;
use mem_core::check::{CheckCode, CheckFinding};
use mem_core::location::ProjectContext;
use mem_core::memory::Inspection;

use super::screen::shown_key;
use super::settings::TeamShare;
use super::standing::ShareStatus;
use crate::context::Context;
use crate::error::ErrorShape;

/// Adds what is known without asking anybody to the findings of each tier. Where that cannot be told it is
/// a warning: the rest of the check stands.
pub(crate) fn add_findings(
    inspections: &mut [Inspection],
    place: &ProjectContext,
    context: &Context,
) {
    for shares in context.all_shares(place) {
        let shares = match shares {
            Ok(shares) => shares,
            Err(error) => {
                let why = ErrorShape::from_error(&error).message;
                context.print_warning(format_args!("not shared: {why}"));
                continue;
            }
        };
        for share in &shares {
            let inspection = inspections.iter_mut().find(|one| one.scope == share.tier.0);
            let Some(inspection) = inspection else {
                continue;
            };
            match ShareStatus::for_share(share, place, context) {
                Ok(standing) => inspection.findings.extend(share_findings(share, &standing)),
                Err(error) => context.print_warning(format_args!("{error:#}")),
            }
        }
    }
}

fn share_findings(share: &TeamShare, standing: &ShareStatus) -> Vec<CheckFinding> {
    let others = match share.tier.0 {
        Scope::Team => "colleagues",
        Scope::Private | Scope::Global => "your other machines",
    };
    let mut findings = Vec::new();
    for conflict in &standing.state.conflicts {
        let file = shown_key(&conflict.key);
        let mut finding = share_finding(
            CheckCode::GaveWay,
            &file,
            "your text gave way to the remote's".to_owned(),
        );
        finding.fix = Some(format!("{} resolve {file}", share.command));
        findings.push(finding);
    }
    for (key, why) in &standing.waiting {
        if let Some(why) = why
            .as_ref()
            .filter(|_| standing.outcome.why_blocked(key).is_some())
        {
            let what = match key.is_index() {
                true => "all of its lines",
                false => "it",
            };
            let text = format!("{others} do not get {what}: {why}");
            findings.push(share_finding(CheckCode::Unshared, &shown_key(key), text));
        }
    }
    for (file, why) in &standing.unshared {
        let file = mem_core::memory_path::printable(file);
        findings.push(share_finding(
            CheckCode::Unshared,
            &file,
            format!("{others} do not get it: {why}"),
        ));
    }
    findings
}

fn share_finding(code: CheckCode, file: &str, message: String) -> CheckFinding {
    CheckFinding {
        severity: code.severity_level(),
        fix: code.fix_command(file),
        file: file.to_owned(),
        line: None,
        message,
        code,
    }
}
