//! What a check says of sharing: texts that gave way, and files that others do not get.

use mem_core::Scope;
use mem_core::check::{CheckCode, CheckFinding};

use super::outbound_scan::shown_key;
use super::settings::TeamShare;
use super::share_status::ShareStatus;

/// The findings of a tier that is shared.
pub fn share_findings(share: &TeamShare, standing: &ShareStatus) -> Vec<CheckFinding> {
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
