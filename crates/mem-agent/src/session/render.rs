//! The digest as items of the sections.

use std::path::Path;

use super::digest::{Digest, Feedback, FileUse, SessionTurn};
use super::fence::Fence;
use mem_core::compact_sort::CompactSort as _;
use mem_core::foreign_text::single_spaced;

/// One thing that stands in a section, usually a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotesItem {
    /// The same for the same thing, however it is worded.
    pub key: String,
    /// What is written.
    pub text: String,
}

/// The items of a section, and which of them give way when there are too many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filling {
    /// The section's title in the default template.
    pub title: &'static str,
    /// In the order in which they are shown.
    pub items: Vec<NotesItem>,
    /// Which give way.
    pub give_way: GiveWay,
}

/// Which items of a section give way when not all of them fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GiveWay {
    /// The last.
    Last,
    /// The first.
    First,
    /// Those after the first one: it says what the others are about.
    Second,
}

/// The sections that are filled from the digest, and which of their items give way.
const SECTIONS: [(&str, GiveWay); 8] = [
    ("Session Title", GiveWay::Last),
    ("Current State", GiveWay::Last),
    ("Task specification", GiveWay::Second),
    ("Files and Functions", GiveWay::Last),
    ("Workflow", GiveWay::First),
    ("Errors & Corrections", GiveWay::First),
    ("Key results", GiveWay::First),
    ("Worklog", GiveWay::First),
];

/// Which items of a section give way; `None` for a section that is not filled from the digest.
pub(super) fn find_give_way(title: &str) -> Option<GiveWay> {
    let mut all = SECTIONS.iter();
    let found = all.find(|(known, _)| known.eq_ignore_ascii_case(title));
    found.map(|(_, give_way)| *give_way)
}

/// What the digest has for each section. Paths below `root` are shown relative to it.
pub fn section_fillings(digest: &Digest, root: Option<&Path>) -> Vec<Filling> {
    let items = [
        title_items(digest),
        state_items(digest),
        task_items(digest),
        file_items(digest, root),
        command_items(digest),
        error_items(digest, root),
        result_items(digest),
        worklog_items(digest),
    ];
    let filling = |((title, give_way), items)| Filling {
        title,
        items,
        give_way,
    };
    SECTIONS.into_iter().zip(items).map(filling).collect()
}

fn plain_item(text: String) -> NotesItem {
    NotesItem {
        key: text.clone(),
        text,
    }
}

fn labelled_item(label: &str, text: &str) -> NotesItem {
    plain_item(format!("- {label}: {}", single_spaced(text)))
}

fn title_items(digest: &Digest) -> Vec<NotesItem> {
    let given = digest.title.as_ref().map(|title| title.text.clone());
    let first = digest.prompts.front();
    let text = given.or_else(|| first.map(|prompt| first_line(&prompt.text)));
    let text = text.filter(|text| !text.is_empty());
    let item = text.map(|text| NotesItem {
        key: "title".to_owned(),
        text,
    });
    Vec::from_iter(item)
}

fn first_line(text: &str) -> String {
    // A title that opens a code block would make code of the notes.
    let mut lines = text.lines();
    let line = lines.find(|line| Fence::open_at_end(line).is_none());
    let words: Vec<&str> = line.unwrap_or_default().split_whitespace().collect();
    words.into_iter().take(14).collect::<Vec<_>>().join(" ")
}

/// Stands before the host's summary.
const SUMMARY_HEAD: &str = "- The host's summary when the conversation was compacted:";

fn state_items(digest: &Digest) -> Vec<NotesItem> {
    let mut items = Vec::new();
    if let Some(prompt) = digest.prompts.back() {
        items.push(labelled_item("Asked last", &prompt.text));
    }
    if !digest.reply.is_empty() {
        items.push(labelled_item("Said last", &digest.reply));
    }
    let todo = |todo: &super::digest::Todo| {
        let mark = match todo.status.as_str() {
            "completed" => "[x]",
            "in_progress" => "[>]",
            _ => "[ ]",
        };
        plain_item(format!("- {mark} {}", todo.text))
    };
    items.extend(digest.todos.iter().map(todo));
    // Quoted: none of its headings is one of the notes, and nobody takes it for the words of the person.
    let lines = digest.summary.lines().map(str::trim_end);
    let lines = lines.filter(|line| !line.is_empty());
    let lines = lines.map(|line| plain_item(format!("  > {line}")));
    if !digest.summary.is_empty() {
        items.push(plain_item(SUMMARY_HEAD.to_owned()));
    }
    items.extend(lines);
    items
}

fn task_items(digest: &Digest) -> Vec<NotesItem> {
    let tasks = digest
        .prompts
        .iter()
        .filter(|prompt| prompt.opinion.is_none());
    tasks
        .map(|prompt| plain_item(format!("- {}", single_spaced(&prompt.text))))
        .collect()
}

fn file_items(digest: &Digest, root: Option<&Path>) -> Vec<NotesItem> {
    let mut files: Vec<&FileUse> = digest.files.iter().collect();
    files.compact_sort_by(|a, b| {
        b.use_weight()
            .cmp(&a.use_weight())
            .then(a.path.cmp(&b.path))
    });
    let item = |file: &FileUse| {
        let path = Path::new(&file.path);
        let shown = root
            .and_then(|root| path.strip_prefix(root).ok())
            .unwrap_or(path);
        let uses = match (file.written, file.read) {
            (0, read) => format!("read {}", times_text(read)),
            (written, 0) => format!("edited {}", times_text(written)),
            (written, read) => format!("edited {}, read {}", times_text(written), times_text(read)),
        };
        NotesItem {
            key: file.path.clone(),
            text: format!("- `{}`: {uses}", shown.display()),
        }
    };
    files.into_iter().map(item).collect()
}

fn times_text(count: u32) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        count => format!("{count} times"),
    }
}

fn command_items(digest: &Digest) -> Vec<NotesItem> {
    let each = digest.commands.iter();
    each.map(|command| plain_item(format!("- `{command}`")))
        .collect()
}

fn error_items(digest: &Digest, root: Option<&Path>) -> Vec<NotesItem> {
    let below = root.map(|root| format!("`{}/", root.display()));
    let short = |text: String| match &below {
        Some(below) => text.replace(below, "`"),
        None => text,
    };
    let failures = digest.errors.iter().map(|failure| {
        let base = format!("- {} failed: {}", failure.deed, failure.message);
        NotesItem {
            text: short(match &failure.then {
                Some(then) => format!("{base}; next: {then}"),
                None => base.clone(),
            }),
            key: base,
        }
    });
    let opinions = digest.prompt_opinions().map(|(prompt, opinion)| {
        let said = match opinion {
            Feedback::Correction => "Corrected by the person",
            Feedback::Confirmation => "Confirmed by the person",
        };
        labelled_item(said, &prompt.text)
    });
    failures.chain(opinions).collect()
}

fn result_items(digest: &Digest) -> Vec<NotesItem> {
    digest.results.iter().cloned().map(plain_item).collect()
}

fn worklog_items(digest: &Digest) -> Vec<NotesItem> {
    digest.turns.iter().map(turn_item).collect()
}

fn turn_item(turn: &SessionTurn) -> NotesItem {
    let counts = [
        (turn.written, "edit"),
        (turn.ran, "command"),
        (turn.other, "other call"),
        (turn.failed, "failure"),
    ];
    let done: Vec<String> = counts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}{}", if count == 1 { "" } else { "s" }))
        .collect();
    let done = if done.is_empty() {
        "answered".to_owned()
    } else {
        done.join(", ")
    };
    // Date and minute of an RFC 3339 time.
    let time = turn
        .time
        .get(..16)
        .map(|time| format!("{} ", time.replace('T', " ")));
    let time = time.unwrap_or_default();
    NotesItem {
        key: format!("{}{}", turn.time, turn.asked),
        text: format!("- {time}{}: {done}", turn.asked),
    }
}
