//! The first screen, that of `mem` alone: what is kept where, which agents use it, what is wrong, and one command.

use mem_admin::status::{MemoryStatus, SharedTier};
use mem_core::audit::{self, ProjectAudit};
use mem_core::check::{CheckCode, CheckSeverity};
use mem_hosts::DetectedHost;

use super::text;
use crate::context::Context;
use crate::sanitize::clean;
use crate::style::{STRONG, WARNING};
use mem_core::plural::format_count;

/// Six lines where nothing happened: root, directory, counts, agents, faults, the next command. What happened since the
/// last look has lines of its own between them.
pub(super) fn first_screen(
    status: &MemoryStatus,
    hosts: &[DetectedHost],
    context: &Context,
) -> Vec<String> {
    let location = &status.location;
    let audit = context.dirs().ok().map(|dirs| {
        audit::audit_one(
            location.memory_dir.clone(),
            &location.slug,
            location.project_root.clone(),
            dirs,
        )
    });
    let mut lines = text::status_lines(status, context, status.index.is_near());
    if is_new(status)
        && let Some(first) = lines.first_mut()
    {
        first.push_str(": what you and your agents learn about it, in Markdown files");
    }
    lines.push(format!("  {}", agents_line(hosts)));
    lines.push(format!("  {}", faults_line(status, audit.as_ref())));
    lines.push(next_line(status, hosts, audit.as_ref()));
    lines
}

/// Whether nobody has set memory up here.
fn is_new(status: &MemoryStatus) -> bool {
    status.is_empty() && !status.location.memory_dir.is_dir()
}

/// `agents: Claude Code uses mem; Codex and Qwen Code do not`.
fn agents_line(hosts: &[DetectedHost]) -> String {
    let (using, others): (Vec<&DetectedHost>, Vec<&DetectedHost>) =
        hosts.iter().partition(|host| host.is_connected);
    let verb = |hosts: &[&DetectedHost], one: &str, many: &str| match hosts.len() {
        1 => one.to_owned(),
        _ => many.to_owned(),
    };
    match (using.is_empty(), others.is_empty()) {
        (true, true) => "agents: none found of those that `mem install --help` lists".to_owned(),
        (false, true) => {
            let verb = verb(&using, "uses", "use");
            format!("agents: {} {verb} mem", names_text(&using))
        }
        (true, false) => {
            let verb = verb(&others, "does", "do");
            format!("agents: {} {verb} not use mem yet", names_text(&others))
        }
        (false, false) => format!(
            "agents: {} {} mem; {} {} not",
            names_text(&using),
            verb(&using, "uses", "use"),
            names_text(&others),
            verb(&others, "does", "do")
        ),
    }
}

/// `A`, `A and B`, `A, B and C`.
fn names_text(hosts: &[&DetectedHost]) -> String {
    let names: Vec<&str> = hosts.iter().map(|host| host.host.profile().name).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// What a check of the memories finds, with the worst of it.
fn faults_line(status: &MemoryStatus, audit: Option<&ProjectAudit>) -> String {
    let conflicts: usize = shared_tiers(status).map(|tier| tier.conflicts).sum();
    let to_mend = audit.map_or(0, ProjectAudit::to_mend);
    if to_mend + conflicts == 0 {
        return "nothing to mend".to_owned();
    }
    let is_worse = |severity: CheckSeverity| severity != CheckSeverity::Info;
    let mut findings = audit.into_iter().flat_map(|audit| &audit.findings);
    let worst = findings.find(|finding| is_worse(finding.severity));
    let worst = worst.map(|finding| {
        let file = finding.file.as_ref().map(|file| format!("{file}: "));
        let text = format!("{}{}", file.unwrap_or_default(), finding.message);
        format!("{} [{}]", clean(&text), finding.code)
    });
    let gave_way = || {
        format!(
            "your text gave way to the remote's [{}]",
            CheckCode::GaveWay
        )
    };
    let worst = worst.unwrap_or_else(gave_way);
    let faults = format_count(to_mend + conflicts, "fault", "faults");
    format!("{WARNING}{faults}{WARNING:#}: {worst}")
}

/// What is shared with the team, and with machines of one's own.
fn shared_tiers(status: &MemoryStatus) -> impl Iterator<Item = &SharedTier> {
    status.team.shared.iter().chain(&status.own.shared)
}

/// The one command that helps most, and the way to all others.
fn next_line(
    status: &MemoryStatus,
    hosts: &[DetectedHost],
    audit: Option<&ProjectAudit>,
) -> String {
    let others: Vec<&DetectedHost> = hosts.iter().filter(|host| !host.is_connected).collect();
    let (command, why) = if let Some(sweep) = status.bulk_deletions.first() {
        let command = format!("mem undo {}", sweep.change);
        (command, "bring back what was swept away".to_owned())
    } else if let Some(resolve) = shared_tiers(status).flat_map(|tier| &tier.resolve).next() {
        let why = "choose between two texts of one memory".to_owned();
        (resolve.trim_matches('`').to_owned(), why)
    } else if let [_] = &*status.offers {
        let why = "take over the memories of before".to_owned();
        ("mem adopt".to_owned(), why)
    } else if !status.offers.is_empty() {
        let command = "mem adopt --from SLUG".to_owned();
        (command, "take over memories of before".to_owned())
    } else if status.index.is_over() {
        let why = "bring the index back under its cap".to_owned();
        ("mem index fit".to_owned(), why)
    } else if is_new(status) {
        let why = "set memory up for this repository".to_owned();
        ("mem init".to_owned(), why)
    } else if !others.is_empty() {
        let why = format!("connect {}", names_text(&others));
        ("mem install".to_owned(), why)
    } else if audit.is_some_and(|audit| audit.to_mend() > 0) {
        let why = "see the faults and what mends them".to_owned();
        ("mem check".to_owned(), why)
    } else if status.is_empty() {
        ("mem save".to_owned(), "save the first memory".to_owned())
    } else {
        ("mem list".to_owned(), "list the memories".to_owned())
    };
    format!("next: {STRONG}{command}{STRONG:#}  {why}; `mem help` lists all commands")
}
