//! A status for people, in lines.

use mem_admin::status::{
    AgentActivity, AttachedStatus, AttachedStoreStatus, DistillationStatus, MemoryStatus,
    PersonalSyncStatus, PruningStatus, RecordedEdits, SharedTier, SuggestedRemote, TeamStatus,
};
use mem_core::Now;
use mem_core::adopt::Offer;
use mem_core::bulk_deletions::BulkDeletion;
use mem_core::limits::{INDEX_LINES_MAX, INDEX_UNITS_MAX};
use mem_core::plural::{count_files, format_count};
use mem_core::run::remedy_text;

use crate::age::age_text;
use crate::commands::daemon::daemon_line;
use crate::context::Context;
use crate::sanitize::{clean, one_line};
use crate::style::{HINT, STRONG, WARNING};

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
    lines.extend(agent_lines(&status.agents));
    let has_daemon = status.daemon.pid.is_some();
    lines.extend(team_lines(&status.team, has_daemon));
    lines.extend(own_lines(&status.own, has_daemon));
    lines.extend(attached_lines(&status.stores));
    lines.extend(dream_lines(&status.dream, now));
    lines.extend(pruning_lines(&status.pruning, now));
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
    let all = format_count(all, "memory", "memories");
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
    let files = count_files(*files);
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
    let (files, change) = (count_files(sweep.files), &sweep.change);
    format!(
        "  {WARNING}swept away{WARNING:#}: {files}{place}\n    {HINT}hint{HINT:#}: `mem undo {change}` brings them back"
    )
}

fn offer_line(offer: &Offer) -> String {
    let (slug, files) = (&offer.candidate.slug, count_files(offer.fresh));
    let (slug, reason) = (clean(slug), offer.reason_text());
    format!(
        "  {WARNING}elsewhere{WARNING:#}: {files} under {slug}: {}\n    {HINT}hint{HINT:#}: `mem adopt --from={slug}` takes them over",
        clean(&reason)
    )
}

/// Files that are named.
const NAMED_MAX: usize = 5;

/// What agents wrote since a person last looked.
fn agent_lines(agents: &AgentActivity) -> Vec<String> {
    let mut lines = Vec::new();
    if agents.changes > 0 {
        let since = agents.since.map_or_else(String::new, |time| {
            format!(" since you looked on {}", time.strftime("%Y-%m-%d %H:%M"))
        });
        let what = [("wrote", &agents.written), ("removed", &agents.removed)]
            .into_iter()
            .filter(|(_, files)| !files.is_empty())
            .map(|(verb, files)| format!("{verb} {}", first_files(files)));
        let what: Vec<String> = what.collect();
        lines.push(format!(
            "  agents {}{since}\n    {HINT}hint{HINT:#}: `mem history` tells more, `mem undo ID` takes a change back",
            what.join(" and ")
        ));
    }
    for (session, changes) in agents.by_session().iter().take(NAMED_MAX) {
        let files = changes.iter().map(|(_, files)| files).sum();
        let memories = format_count(files, "memory", "memories");
        let undo: Vec<String> = changes
            .iter()
            .map(|(change, _)| format!("`mem undo {change}`"))
            .collect();
        let takes = if undo.len() == 1 { "takes" } else { "take" };
        lines.push(format!(
            "  taken from what was said in session {}: {memories}\n    {HINT}hint{HINT:#}: {} {takes} it back",
            clean(session),
            undo.join(", ")
        ));
    }
    if agents.waiting > 0 {
        let writes = format_count(agents.waiting, "write", "writes");
        let untrusted = match agents.untrusted {
            0 => String::new(),
            count => format!(", {count} after text of others"),
        };
        lines.push(format!(
            "  {WARNING}waiting{WARNING:#}: {writes} of agents{untrusted}\n    {HINT}hint{HINT:#}: `mem inbox` shows them"
        ));
    }
    if agents.from_team > 0 {
        let files = count_files(agents.from_team);
        lines.push(format!(
            "  {WARNING}waiting{WARNING:#}: {files} of colleagues\n    {HINT}hint{HINT:#}: `mem inbox` shows them"
        ));
    }
    lines
}

/// The first few files by name, and how many more.
fn first_files(files: &[String]) -> String {
    let shown: Vec<_> = files
        .iter()
        .take(NAMED_MAX)
        .map(|file| clean(file))
        .collect();
    match files.len().saturating_sub(NAMED_MAX) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// How the team's memory is shared; without a daemon, with the command that sends what waits.
fn team_lines(team: &TeamStatus, has_daemon: bool) -> Vec<String> {
    let shared = team.shared.iter();
    let mut lines: Vec<String> = shared.map(|tier| shared_line(tier, has_daemon)).collect();
    lines.extend(team.suggested.as_ref().map(|one| {
        let is_other = team.shared.is_some();
        suggestion_line(one, is_other)
    }));
    if let Some(error) = &team.error {
        lines.push(format!("  {WARNING}team{WARNING:#}: {}", one_line(error)));
    }
    lines
}

/// The same for personal memories.
fn own_lines(own: &PersonalSyncStatus, has_daemon: bool) -> Vec<String> {
    let error = own.error.iter();
    let error = error.map(|why| format!("  {WARNING}own notes{WARNING:#}: {}", one_line(why)));
    let shared = own.shared.iter().map(|tier| shared_line(tier, has_daemon));
    shared.chain(error).collect()
}

/// The line for people: what is to be had there, or that it is another place than the one that is shared at.
fn suggestion_line(one: &SuggestedRemote, is_other: bool) -> String {
    let name = one_line(one.remote.strip_prefix("git:").unwrap_or(&one.remote));
    if is_other {
        let of = one.repository.as_deref();
        let of = of.map_or(String::new(), |of| format!("{} at ", one_line(of)));
        return format!("  `.mem/team.toml` suggests {of}{name} now: mem team join");
    }
    let what = match one.memories {
        Some(count) => format_count(count, "memory", "memories"),
        None => "team memory".to_owned(),
    };
    format!("  {name} shares {what}: mem team join")
}

/// The line for people, with what is to be done.
fn shared_line(tier: &SharedTier, has_daemon: bool) -> String {
    let [word, command] = tier.words;
    let (repository, remote) = (one_line(&tier.repository), one_line(&tier.remote));
    let memories = format_count(tier.memories, "memory", "memories");
    let mut parts = vec![format!("  {word}: {memories} of {repository} at {remote}")];
    if tier.waiting > 0 {
        let files = format_count(tier.waiting, "file waits", "files wait");
        parts.push(format!("; {files} to be sent"));
    }
    if tier.is_offline {
        parts.push(format!("; {WARNING}offline{WARNING:#}"));
    } else if let Some(error) = &tier.error {
        parts.push(format!(
            "; {WARNING}stopped{WARNING:#}: {}",
            one_line(error)
        ));
    }
    if let Some(quota) = &tier.quota {
        parts.push(format!("; quota: {}", one_line(quota)));
    }
    let hint = format!("    {HINT}hint{HINT:#}:");
    if let Some(send) = tier.send.filter(|_| !has_daemon) {
        let status = format!("`{command} status` tells more");
        parts.push(format!(
            "\n{hint} no daemon runs: `{send}` sends them; {status}"
        ));
    } else if tier.waiting > 0 || tier.error.is_some() {
        parts.push(format!("\n{hint} `{command} status` tells more"));
    }
    if tier.conflicts > 0 {
        let texts = format_count(tier.conflicts, "text", "texts");
        let commands = tier.resolve.join(" and ");
        let show = if tier.resolve.len() == 1 {
            "shows"
        } else {
            "show"
        };
        parts.push(format!(
            "\n  {WARNING}conflict{WARNING:#}: {texts} gave way\n{hint} {commands} {show} both"
        ));
    }
    parts.concat()
}

/// The stores that are attached: a line for each, and one for each thing that is to be done.
fn attached_lines(attached: &AttachedStatus) -> Vec<String> {
    attached.0.iter().flat_map(store_lines).collect()
}

fn store_lines(store: &AttachedStoreStatus) -> Vec<String> {
    let mount = store.attachment.mount_path();
    let memories = format_count(store.memories, "memory", "memories");
    let mut lines = vec![format!("  store {mount}: {memories}")];
    let mut warn = |text: String| {
        lines.push(format!("    {WARNING}{text}{WARNING:#}"));
    };
    if let Some(trouble) = &store.status.trouble {
        warn(format!("not in step: {}", one_line(trouble)));
    }
    match store.waiting {
        0 => {}
        1 => warn("1 change waits to be sent".to_owned()),
        waiting => warn(format!("{waiting} changes wait to be sent")),
    }
    let aside = store.status.aside.len();
    if aside > 0 {
        let texts = format_count(aside, "text", "texts");
        warn(format!("{texts} gave way to the server's"));
        lines.push(format!(
            "    {HINT}hint{HINT:#}: `mem attachments` has them"
        ));
    }
    lines
}

/// Warnings of a night that a status shows; the shape has all of them.
const WARNINGS_SHOWN_MAX: usize = 3;

/// How the last distillation went; none where nothing was ever distilled, and nothing is to be.
fn dream_lines(dream: &DistillationStatus, now: Now) -> Vec<String> {
    let mut lines = Vec::new();
    if dream.is_of_host {
        lines.push(
            "  Claude Code distils this memory (`autoDreamEnabled` in its settings): `dream.nightly` does not run"
                .to_owned(),
        );
    }
    let Some(last) = &dream.last else {
        return lines;
    };
    let age = age_text(now, last.time);
    let ago = if age.contains(' ') { " ago" } else { "" };
    let undone = dream.undone.as_ref();
    let is_undone = undone.is_some_and(|made| last.change.as_ref() == Some(&made.change));
    let taken_back = if is_undone {
        ", and taken back since"
    } else {
        ""
    };
    match &last.trouble {
        Some(trouble) => lines.push(format!(
            "  {WARNING}not distilled{WARNING:#} {age}{ago}: {}",
            one_line(trouble)
        )),
        None => lines.push(format!(
            "  distilled {age}{ago}: {}{taken_back}",
            one_line(&last.summary)
        )),
    }
    let shown = last.warnings.iter().take(WARNINGS_SHOWN_MAX);
    lines.extend(shown.map(|one| format!("    {WARNING}warning{WARNING:#}: {}", one_line(one))));
    let more = last.warnings.len().saturating_sub(WARNINGS_SHOWN_MAX);
    if more > 0 {
        lines.push(format!("    and {more} more (`mem status --json`)"));
    }
    if let Some(made) = undone {
        let which = match is_undone {
            true => "",
            false => "what was distilled before that is taken back: ",
        };
        let again = made.rerun_hint();
        lines.push(format!("    {HINT}hint{HINT:#}: {which}{again}"));
    } else if let Some(change) = &last.change {
        lines.push(format!(
            "    {HINT}hint{HINT:#}: `mem undo {}` takes it back",
            one_line(change)
        ));
    }
    lines
}

/// What the daemon pruned last; none where nothing was ever pruned.
fn pruning_lines(pruning: &PruningStatus, now: Now) -> Vec<String> {
    let Some(last) = &pruning.last else {
        return Vec::new();
    };
    let age = age_text(now, last.time);
    let ago = if age.contains(' ') { " ago" } else { "" };
    let what = format!(
        "{} ({})",
        format_count(last.count, "memory", "memories"),
        one_line(&last.reason)
    );
    match (&last.trouble, &last.change) {
        (Some(trouble), _) => vec![format!(
            "  {WARNING}not pruned{WARNING:#} {age}{ago}, {what}: {}",
            one_line(trouble)
        )],
        (None, Some(change)) if !pruning.is_undone => vec![
            format!("  pruned {age}{ago}: {what}"),
            format!(
                "    {HINT}hint{HINT:#}: `mem undo {}` brings them back, for good",
                one_line(change)
            ),
        ],
        _ => vec![format!(
            "  pruned {age}{ago}: {what}, and brought back since"
        )],
    }
}
