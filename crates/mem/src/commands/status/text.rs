//! A status for people.

use mem_admin::status::{MemoryStatus, RecordedEdits};
use mem_core::Now;
use mem_core::adopt::Offer;
use mem_core::bulk_deletions::BulkDeletion;
use mem_core::limits::{INDEX_LINES_MAX, INDEX_UNITS_MAX};

use super::{agents, attached, dream, pruning, team};
use crate::age::age_text;
use crate::commands::daemon::daemon_line::daemon_line;
use crate::context::Context;
use crate::sanitize::clean;
use crate::style::{HINT, STRONG, WARNING};
use mem_core::plural;
use mem_core::run::remedy_text;

/// The lines of a status, with that of the memory index where it is wanted.
pub(super) fn status_lines(
    status: &MemoryStatus,
    context: &Context,
    with_index: bool,
) -> Vec<String> {
    let now = context.now;
    let location = &status.location;
    let root = location.project_root.to_string_lossy();
    let directory = location.memory_dir.to_string_lossy();
    let mut lines = vec![
        format!("{STRONG}memory of {}{STRONG:#}", clean(&root)),
        format!("  in {}{}", clean(&directory), source(status)),
    ];
    if let Some(by) = &location.disabled_by {
        lines.push(format!("  {WARNING}off{WARNING:#}: {}", clean(by)));
        lines.push(format!(
            "    {HINT}hint{HINT:#}: {}",
            clean(&remedy_text(by))
        ));
    }
    lines.push(format!("  {}", counts_line(status, now)));
    if with_index && status.index.lines > 0 {
        lines.push(format!("  {}", index(status)));
    }
    lines.extend(status.external_change.as_ref().map(external_line));
    lines.extend(agents::status_lines(&status.agents));
    let has_daemon = status.daemon.pid.is_some();
    lines.extend(team::team_lines(&status.team, has_daemon));
    lines.extend(team::own_lines(&status.own, has_daemon));
    lines.extend(attached::status_lines(&status.stores));
    lines.extend(dream::status_lines(&status.dream, now));
    lines.extend(pruning::status_lines(&status.pruning, now));
    if status.is_daemon_relevant {
        let text = daemon_line(&status.daemon, context);
        lines.push(format!("  daemon: {text}"));
    }
    lines.extend(status.bulk_deletions.iter().map(sweep_line));
    lines.extend(status.offers.iter().map(offer_line));
    lines
}

fn source(status: &MemoryStatus) -> String {
    match status.location.source {
        mem_core::location::LocationSource::Default => String::new(),
        source => format!(" (by {})", source.as_str()),
    }
}

fn counts_line(status: &MemoryStatus, now: Now) -> String {
    let all: usize = status.tiers.iter().map(|tier| tier.memories).sum();
    if all == 0 && status.unreadable > 0 {
        return "no memory here can be read".to_owned();
    }
    if all == 0 {
        return "no memories yet".to_owned();
    }
    let parts = status.tiers.iter().filter(|tier| tier.memories > 0);
    let parts: Vec<String> = parts
        .map(|tier| format!("{} {}", tier.memories, tier.scope))
        .collect();
    let newest = status.newest.map_or(String::new(), |time| {
        let age = age_text(now, time);
        let ago = if age.contains(' ') { " ago" } else { "" };
        format!("; the newest is from {age}{ago}")
    });
    let all = plural::format_count(all, "memory", "memories");
    format!("{all}: {}{newest}", parts.join(", "))
}

fn index(status: &MemoryStatus) -> String {
    let size = status.index;
    let state = if size.is_over() {
        format!("; {WARNING}over the cap{WARNING:#}: its end is not loaded")
    } else if size.is_near() {
        "; nearly full".to_owned()
    } else {
        String::new()
    };
    format!(
        "the index uses {} of {INDEX_LINES_MAX} lines and {} of {INDEX_UNITS_MAX} characters{state}",
        size.lines, size.units
    )
}

fn external_line(external_edits: &RecordedEdits) -> String {
    let RecordedEdits { change, files, .. } = external_edits;
    let files = plural::count_files(*files);
    match external_edits.is_first {
        true => format!("  {files} recorded for the first time ({change})"),
        false => format!("  {files} changed outside mem ({change})"),
    }
}

fn sweep_line(sweep: &BulkDeletion) -> String {
    let place = match &sweep.folder {
        Some(folder) => format!(" of `{}/`", clean(folder)),
        None => String::new(),
    };
    let (files, change) = (plural::count_files(sweep.files), &sweep.change);
    format!(
        "  {WARNING}swept away{WARNING:#}: {files}{place}\n    {HINT}hint{HINT:#}: `mem undo {change}` brings them back"
    )
}

fn offer_line(offer: &Offer) -> String {
    let (slug, files) = (&offer.candidate.slug, plural::count_files(offer.fresh));
    let (slug, reason) = (clean(slug), offer.reason_text());
    format!(
        "  {WARNING}elsewhere{WARNING:#}: {files} under {slug}: {}\n    {HINT}hint{HINT:#}: `mem adopt --from={slug}` takes them over",
        clean(&reason)
    )
}
