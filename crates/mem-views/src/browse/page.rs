//! What the pane says about the selected row, as lines.

use super::data::{CommandResult, Memory, age_text, ago_text};
use super::markdown::render_markdown;
use super::side_by_side::side_by_side;
use super::state::{State, View};
use super::text::{Line, Tone, clean_line, clean_text, wrap};
use crate::answers::{Change, CheckedMemory, Citation, Conflict, InboxEntry, Version};

/// The lines of the pane, wrapped to `cells`.
pub(crate) fn pane_lines(state: &State, cells: usize) -> Vec<Line> {
    match state.view {
        View::Memories => match state.selected_memory() {
            Some(memory) => memory_lines(memory, state, cells),
            None => Vec::new(),
        },
        View::Inbox => match state.selected_entry() {
            Some(entry) => entry_lines(entry, state, cells),
            None if !state.is_waiting_read => Vec::new(),
            None => vec![faint("The inbox is empty.")],
        },
        View::Conflicts => match state.selected_conflict() {
            Some(conflict) => conflict_lines(conflict, cells),
            None if !state.is_waiting_read => Vec::new(),
            None => vec![faint("There are no conflicts.")],
        },
        View::History => match state.selected_version() {
            Some(version) => version_lines(version, state, cells),
            None => vec![faint("reading the history")],
        },
    }
}

fn faint(text: impl Into<String>) -> Line {
    Line::of(Tone::Faint, text)
}

/// Wraps plain lines.
fn wrapped(lines: impl IntoIterator<Item = Line>, cells: usize) -> Vec<Line> {
    lines
        .into_iter()
        .flat_map(|line| wrap(&line, cells, 2))
        .collect()
}

/// Title, facts, verdict, text and citations of a memory.
fn memory_lines(memory: &Memory, state: &State, cells: usize) -> Vec<Line> {
    let mut head = vec![Line::of(Tone::Heading, memory.title.clone())];
    if !memory.description.is_empty() {
        head.push(Line::of(Tone::Plain, memory.description.clone()));
    }
    let mut facts = format!(
        "{} · {} · {} · {}",
        clean_line(&memory.label),
        memory.kind,
        memory.scope,
        changed_text(memory, state)
    );
    if memory.is_pinned {
        facts.push_str(" · pinned");
    }
    if !memory.tags.is_empty() {
        facts = format!("{facts} · tags: {}", memory.tags);
    }
    if let Some(expires) = &memory.expires {
        facts = format!("{facts} · expires {}", clean_line(expires));
    }
    head.push(faint(facts));
    if state.has_conflict(memory) {
        let text = "conflict: a remote's text took the place of yours, which is kept; `c` decides";
        head.push(Line::of(Tone::Bad, text));
    }
    let warnings = memory.warnings.iter();
    head.extend(warnings.map(|warning| Line::of(Tone::Bad, warning.clone())));
    let report = state.reports.get(&memory.label);
    head.push(verdict_line(report, memory.verdict.as_deref()));
    let mut lines = wrapped(head, cells);
    lines.push(Line::empty());
    lines.extend(render_markdown(&memory.text, cells));
    if let Some(Ok(report)) = report
        && !report.citations.is_empty()
    {
        lines.push(Line::empty());
        lines.push(Line::of(Tone::Heading, "Citations"));
        lines.extend(wrapped(report.citations.iter().map(citation_line), cells));
    }
    lines
}

/// When a memory was last changed, and by whom once that was read.
fn changed_text(memory: &Memory, state: &State) -> String {
    const DAY: i64 = 24 * 60 * 60;
    let Some(change) = state.last_change(&memory.label) else {
        return age_text(state.now, memory.modified);
    };
    let time = change.time();
    let is_recent = state.now.as_second() - time.as_second() < DAY;
    let when = match is_recent {
        true => ago_text(state.now, time),
        false => time.strftime("%Y-%m-%d %H:%M UTC").to_string(),
    };
    format!("changed {when} by {}", change.author_words())
}

/// The verdict, and how many citations it comes from.
fn verdict_line(report: Option<&CommandResult<CheckedMemory>>, known: Option<&str>) -> Line {
    let start = faint("verdict: ");
    match (report, known) {
        (Some(Ok(report)), _) => {
            let line = start.with(verdict_tone(&report.verdict), clean_line(&report.verdict));
            match report.citations.len() {
                0 => line.with(Tone::Faint, ", it cites nothing"),
                1 => line.with(Tone::Faint, ", 1 citation"),
                count => line.with(Tone::Faint, format!(", {count} citations")),
            }
        }
        (Some(Err(problem)), _) => start.with(Tone::Bad, problem.message.clone()),
        (None, Some(known)) => start.with(verdict_tone(known), clean_line(known)),
        (None, None) => start.with(Tone::Faint, "checking"),
    }
}

/// The tone of a verdict.
pub(crate) fn verdict_tone(verdict: &str) -> Tone {
    match verdict {
        "fresh" => Tone::Good,
        "aging" | "drifted" => Tone::Warning,
        "broken" => Tone::Bad,
        _ => Tone::Faint,
    }
}

fn citation_line(citation: &Citation) -> Line {
    let tone = match citation.status.as_str() {
        "present" => Tone::Good,
        "moved" | "changed" => Tone::Warning,
        "gone" | "never" => Tone::Bad,
        _ => Tone::Faint,
    };
    let mut line = Line::of(tone, format!("{:<8}", clean_line(&citation.status)))
        .with(Tone::Code, clean_line(&citation.text))
        .with(Tone::Faint, format!(" {}", clean_line(&citation.kind)));
    for (start, text) in [(", now ", &citation.moved_to), (", ", &citation.detail)] {
        if let Some(text) = text {
            line = line.with(Tone::Faint, format!("{start}{}", clean_line(text)));
        }
    }
    line
}

/// Who wants to write, why, and what would change.
fn entry_lines(entry: &InboxEntry, state: &State, cells: usize) -> Vec<Line> {
    let change = &entry.change;
    let trust = change.trust.as_deref().map(clean_line);
    let trust = trust.map_or_else(String::new, |trust| format!(" · trust: {trust}"));
    let age = age_text(state.now, change.time());
    let verb = clean_line(&change.verb);
    let head = vec![
        Line::of(Tone::Heading, entry.files_text()),
        faint(format!("{verb} · by {} · {age}{trust}", change.author())),
    ];
    let mut lines = change_head(head, change, cells);
    lines.extend(diff_lines(&entry.diff_text(), cells));
    lines
}

/// What stands above the differences of a change: a heading, who made it, and why.
fn change_head(mut head: Vec<Line>, change: &Change, cells: usize) -> Vec<Line> {
    let reason = change.reason.as_deref().map(clean_line);
    head.extend(reason.map(|reason| Line::of(Tone::Plain, reason)));
    let mut lines = wrapped(head, cells);
    lines.push(Line::empty());
    lines
}

/// Both texts of a conflict.
fn conflict_lines(conflict: &Conflict, cells: usize) -> Vec<Line> {
    let heading = Line::of(Tone::Heading, clean_line(&conflict.file));
    let theirs = conflict.theirs.as_deref().unwrap_or_default();
    let mut lines = wrapped([heading], cells);
    lines.push(Line::empty());
    lines.extend(side_by_side(
        ("yours, kept aside", &clean_text(&conflict.mine)),
        ("the remote's, in the memory", &clean_text(theirs)),
        cells,
    ));
    lines
}

/// Who made a version, why, and what it changed.
fn version_lines(version: &Version, state: &State, cells: usize) -> Vec<Line> {
    let change = &version.change;
    let file = clean_line(&version.file);
    let time = change.time().strftime("%Y-%m-%d %H:%M UTC");
    let (operation, verb) = (clean_line(&version.operation), clean_line(&change.verb));
    let head = vec![
        Line::of(Tone::Heading, format!("{file}: {operation}")),
        faint(format!("{verb} · by {} · {time}", change.author())),
    ];
    let mut lines = change_head(head, change, cells);
    match state.diffs.get(&change.id) {
        Some(Ok(diff)) => lines.extend(diff_lines(diff, cells)),
        Some(Err(problem)) => {
            let message = Line::of(Tone::Bad, problem.message.clone());
            lines.extend(wrapped([message], cells));
        }
        None => lines.push(faint("reading the difference")),
    }
    lines
}

fn diff_lines(diff: &str, cells: usize) -> Vec<Line> {
    wrapped(diff.lines().map(diff_line), cells)
}

/// A line of a unified diff with its tone.
pub(crate) fn diff_line(line: &str) -> Line {
    let tone = match line.as_bytes() {
        [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', b' ', ..] | [b'@', b'@', ..] => Tone::Faint,
        [b'+', ..] => Tone::Good,
        [b'-', ..] => Tone::Bad,
        _ => Tone::Plain,
    };
    Line::of(tone, line)
}

/// Keys and what they do, for the help.
const KEYS: &[(&str, &str)] = &[
    ("", "Everywhere"),
    ("↑ ↓ j k", "move; g G to the ends, PgUp PgDn by pages"),
    ("Enter", "read the selected; Esc, q back"),
    ("J K", "scroll the pane; Ctrl-D Ctrl-U by half pages"),
    ("e u", "edit in your editor, undo the last change (asks)"),
    (
        "r q",
        "read everything again, quit; Ctrl-C quits from anywhere",
    ),
    ("", "Memories"),
    ("/", "filter by names, descriptions and words; Esc clears"),
    ("Tab", "rank by meaning as recall does, and back"),
    ("n R", "write a new memory in your editor, rename (asks)"),
    ("p d", "pin or unpin, remove (asks)"),
    (SHARE_KEY, "move to the team (asks)"),
    ("h", "history, with what each change did"),
    ("v V", "check citations of this memory, of all"),
    ("o", "order: newest, title, verdict"),
    ("i c", "inbox, conflicts"),
    ("", "Inbox, conflicts, history"),
    ("a x", "inbox: accept, reject (asks); e changes what waits"),
    (
        "m t",
        "conflicts: write mine, keep theirs (both ask); e edits both",
    ),
    ("R", "history: write this version back (asks)"),
];
/// Does nothing without a team.
const SHARE_KEY: &str = "s";

/// The help: headings, and a line a key.
pub(crate) fn help_lines(has_team: bool) -> Vec<Line> {
    let line = |(key, what): &(&str, &str)| match key.is_empty() {
        true => Line::of(Tone::Heading, *what),
        false => Line::of(Tone::Code, format!("  {key:<9}")).with(Tone::Plain, *what),
    };
    let keys = KEYS.iter().filter(|(key, _)| has_team || *key != SHARE_KEY);
    keys.map(line).collect()
}
