//! How the team's memory is shared and personal memories are synchronised, in lines.

use mem_admin::status::{PersonalSyncStatus, SharedTier, SuggestedRemote, TeamStatus};
use mem_core::plural::format_count;

use crate::sanitize::one_line;
use crate::style::{HINT, WARNING};

/// The lines for people; without a daemon, with the command that sends what waits.
pub(super) fn team_lines(team: &TeamStatus, has_daemon: bool) -> Vec<String> {
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
pub(super) fn own_lines(own: &PersonalSyncStatus, has_daemon: bool) -> Vec<String> {
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
