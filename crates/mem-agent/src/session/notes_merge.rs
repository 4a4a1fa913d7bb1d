//! What was gathered goes into the notes; what a person or a model wrote there stays.
//!
//! In each section one block is ours, and replaced as a whole as long as it stands there as we left
//! it. Once somebody has changed it, the section is theirs: its items are settled, do not come back,
//! and only new things are added below.
//!
//! | our block in the section | it becomes | its items |
//! |---|---|---|
//! | stands as it was written | replaced as a whole | may change, go and come |
//! | changed or removed by somebody | theirs | settled: never put in again |
//! | never written | added below what is there | those that are not settled |
//!
//! Comparing item by item would bring back what a person took out on purpose: its absence looks like news.
//! **Cost:** one pass over the notes for each step of room. Tests:
//! `session::notes_merge::tests::what_a_person_changes_or_removes_does_not_come_back`,
//! `session::notes_merge::tests::filling_twice_is_filling_once_and_the_frame_stays`,
//! `session::notes_merge::tests::budgets_hold_and_the_oldest_give_way`.

use std::collections::{BTreeMap, BTreeSet};

use mem_core::history::Sha256;
use serde::{Deserialize, Serialize};

use super::budget::{NOTES_TOKENS_MAX, SECTION_TOKENS_MAX};
use super::fence::Fence;
use super::notes::{NotesSection, SessionNotes};
use super::render::{Filling, GiveWay, NotesItem};
use crate::tokens::estimate_tokens;

/// What of the notes is ours, by the titles of the sections.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Owned(BTreeMap<String, OwnBlock>);

/// Ours in one section.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct OwnBlock {
    /// As it was written.
    text: String,
    /// Digests of the keys of its items.
    items: BTreeSet<String>,
    /// Digests of the keys that do not come back.
    settled: BTreeSet<String>,
}

/// The sections are tried with ever less room until all fit together.
const ROOM_STEP_TOKENS: usize = 100;

/// Puts the fillings into the notes, within the budgets as far as what others wrote lets them be.
/// Doing it twice is the same as doing it once.
pub fn merge_fillings(
    notes: &SessionNotes,
    fillings: &[Filling],
    owned: &mut Owned,
) -> SessionNotes {
    let mut open = Vec::new();
    for filling in fillings {
        let Some(section) = notes.find_section(filling.title) else {
            continue;
        };
        let block = owned.0.entry(filling.title.to_owned()).or_default();
        block.give_up_if_changed(section);
        let items: Vec<&NotesItem> = filling
            .items
            .iter()
            .filter(|item| block.wants_item(item))
            .collect();
        open.push((filling, items));
    }
    let mut room = SECTION_TOKENS_MAX;
    loop {
        let (woven, texts) = fill_sections(notes, &open, owned, room);
        if estimate_tokens(&woven.to_string()) <= NOTES_TOKENS_MAX || room <= ROOM_STEP_TOKENS {
            owned.remember_texts(&open, texts);
            return woven;
        }
        room -= ROOM_STEP_TOKENS;
    }
}

type Open<'f> = [(&'f Filling, Vec<&'f NotesItem>)];

/// The notes with each section's items within `room`, and the texts that were put in.
fn fill_sections(
    base: &SessionNotes,
    open: &Open<'_>,
    owned: &Owned,
    room: usize,
) -> (SessionNotes, Vec<String>) {
    let mut notes = base.clone();
    let mut texts = Vec::new();
    for (filling, items) in open {
        let old = owned.0.get(filling.title).map_or("", |block| &block.text);
        let mut text = String::new();
        if let Some(at) = notes
            .sections
            .iter()
            .position(|one| one.title.eq_ignore_ascii_case(filling.title))
        {
            let section = &notes.sections[at];
            let others =
                estimate_tokens(&section.body.replacen(old, "", usize::from(!old.is_empty())));
            let fitting = fitting_items(items, filling.give_way, room.saturating_sub(others));
            let break_ = if section.head.ends_with("\r\n") {
                "\r\n"
            } else {
                "\n"
            };
            text = escape_headings(&fitting.join("\n")).replace('\n', break_);
            let body = replace_block(section, old, &text, break_, at + 1 == notes.sections.len());
            notes.sections[at].body = body;
        }
        texts.push(text);
    }
    (notes, texts)
}

/// A text without headings of the first level: in the notes, a heading of a quoted answer would begin a section.
fn escape_headings(text: &str) -> String {
    let (mut escaped, mut fence) = (String::new(), None);
    for line in text.split_inclusive('\n') {
        fence = Fence::after_line(fence, line);
        if fence.is_none() && line.starts_with("# ") {
            escaped.push('\\');
        }
        escaped.push_str(line);
    }
    escaped
}

/// The items that fit into so many tokens, in their order.
fn fitting_items<'i>(
    items: &[&'i NotesItem],
    give_way: GiveWay,
    tokens_max: usize,
) -> Vec<&'i str> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    match give_way {
        GiveWay::Last => {}
        GiveWay::First => order.reverse(),
        GiveWay::Second => order.get_mut(1..).unwrap_or_default().reverse(),
    }
    let mut used = 0;
    let mut kept: Vec<usize> = order
        .into_iter()
        .take_while(|at| {
            used += estimate_tokens(&items[*at].text) + 1;
            used <= tokens_max
        })
        .collect();
    kept.sort_unstable();
    kept.into_iter().map(|at| items[at].text.as_str()).collect()
}

/// A section's body with our block replaced, or added after what is there.
fn replace_block(
    section: &NotesSection,
    old: &str,
    new: &str,
    break_: &str,
    is_last: bool,
) -> String {
    let body = &section.body;
    if !old.is_empty() {
        return body.replacen(old, new, 1);
    }
    if new.is_empty() {
        return body.clone();
    }
    let end = if is_last { "" } else { break_ };
    let theirs = body.trim_end();
    let start = if section.head.ends_with('\n') {
        ""
    } else {
        break_
    };
    match theirs.trim().is_empty() {
        true => format!("{start}{break_}{new}{break_}{end}"),
        false => format!("{theirs}{break_}{new}{break_}{end}"),
    }
}

impl OwnBlock {
    /// Somebody changed what we wrote: it is theirs.
    fn give_up_if_changed(&mut self, section: &NotesSection) {
        if !self.text.is_empty() && !section.body.contains(&self.text) {
            self.settled.append(&mut self.items);
            self.text.clear();
        }
    }

    fn wants_item(&self, item: &NotesItem) -> bool {
        !self.settled.contains(&digest_key(&item.key))
    }
}

impl Owned {
    fn remember_texts(&mut self, open: &Open<'_>, texts: Vec<String>) {
        for ((filling, items), text) in open.iter().zip(texts) {
            let block = self.0.entry(filling.title.to_owned()).or_default();
            let each = items.iter().filter(|_| !text.is_empty());
            block.items = each.map(|item| digest_key(&item.key)).collect();
            block.text = text;
        }
    }

    /// Everything that is in the notes belongs to somebody else from now on.
    pub fn give_up_all(&mut self, fillings: &[Filling]) {
        for filling in fillings {
            let block = self.0.entry(filling.title.to_owned()).or_default();
            block.text.clear();
            block.items.clear();
            block
                .settled
                .extend(filling.items.iter().map(|item| digest_key(&item.key)));
        }
    }
}

/// Keys are kept as digests: short, and without what they say.
fn digest_key(key: &str) -> String {
    Sha256::digest(key.as_bytes()).to_string()[..16].to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::notes::TEMPLATE;
    use super::*;

    fn filling(title: &'static str, texts: &[&str]) -> Filling {
        let item = |text: &&str| NotesItem {
            key: (*text).to_owned(),
            text: (*text).to_owned(),
        };
        Filling {
            title,
            items: texts.iter().map(item).collect(),
            give_way: GiveWay::First,
        }
    }

    fn body(notes: &SessionNotes, title: &str) -> String {
        notes.find_section(title).expect("a section").body.clone()
    }

    #[test]
    fn filling_twice_is_filling_once_and_the_frame_stays() {
        let (empty, mut owned) = (SessionNotes::parse(TEMPLATE), Owned::default());
        let fillings = [
            filling("Workflow", &["- a", "- b"]),
            filling("Worklog", &["- w"]),
        ];
        let once = merge_fillings(&empty, &fillings, &mut owned);
        let after_once = owned.clone();
        let again = merge_fillings(
            &SessionNotes::parse(&once.to_string()),
            &fillings,
            &mut owned,
        );
        assert_eq!((&again, &owned), (&once, &after_once));
        assert!(once.has_frame_of(&empty));
        assert_eq!(body(&once, "Workflow"), "\n- a\n- b\n\n");
        assert_eq!(body(&once, "Worklog"), "\n- w\n");
        let more = merge_fillings(&once, &[filling("Workflow", &["- a", "- c"])], &mut owned);
        assert_eq!(body(&more, "Workflow"), "\n- a\n- c\n\n");
    }

    #[test]
    fn what_does_not_fit_gives_way_by_its_kind() {
        let items: Vec<NotesItem> = ["- first", "- second", "- third", "- last"]
            .map(|text| NotesItem {
                key: text.to_owned(),
                text: text.to_owned(),
            })
            .into();
        let items: Vec<&NotesItem> = items.iter().collect();
        let room = |kept: &[usize]| {
            kept.iter()
                .map(|at| estimate_tokens(&items[*at].text) + 1)
                .sum()
        };
        let fits = |give_way, kept: &[usize]| fitting_items(&items, give_way, room(kept));
        assert_eq!(fits(GiveWay::Last, &[0, 1]), ["- first", "- second"]);
        assert_eq!(fits(GiveWay::First, &[2, 3]), ["- third", "- last"]);
        assert_eq!(fits(GiveWay::Second, &[0, 3]), ["- first", "- last"]);
        assert_eq!(fitting_items(&items, GiveWay::Second, 0), [""; 0]);
        assert_eq!(fitting_items(&[], GiveWay::Second, 100), [""; 0]);
    }

    #[test]
    fn a_heading_of_an_answer_begins_no_section() {
        let (notes, mut owned) = (SessionNotes::parse(TEMPLATE), Owned::default());
        let answer = "# Root cause\n```sh\n# a comment\n```\n## Next";
        let woven = merge_fillings(&notes, &[filling("Key results", &[answer])], &mut owned);
        let again = SessionNotes::parse(&woven.to_string());
        assert_eq!(again.sections.len(), notes.sections.len(), "{woven}");
        assert_eq!(body(&again, "Key results").trim(), format!("\\{answer}"));
        let other = merge_fillings(&again, &[filling("Key results", &["- b"])], &mut owned);
        assert_eq!(body(&other, "Key results").trim(), "- b");
    }

    #[test]
    fn what_a_person_adds_stays_where_it_is() {
        let (notes, mut owned) = (
            SessionNotes::parse("# Workflow\n_g_\nmine\n\n# Worklog\n_g_\n"),
            Owned::default(),
        );
        let woven = merge_fillings(&notes, &[filling("Workflow", &["- a"])], &mut owned);
        assert_eq!(body(&woven, "Workflow"), "mine\n- a\n\n");
        let edited = SessionNotes::parse(&woven.to_string().replace("- a\n", "- a\nmine too\n"));
        let woven = merge_fillings(&edited, &[filling("Workflow", &["- a", "- b"])], &mut owned);
        assert_eq!(body(&woven, "Workflow"), "mine\n- a\n- b\nmine too\n\n");
    }

    #[test]
    fn what_a_person_changes_or_removes_does_not_come_back() {
        let (notes, mut owned) = (SessionNotes::parse("# Workflow\n_g_\n"), Owned::default());
        let woven = merge_fillings(&notes, &[filling("Workflow", &["- a", "- b"])], &mut owned);
        let edited = SessionNotes::parse(
            &woven
                .to_string()
                .replace("- a\n- b\n", "- b, and only so\n"),
        );
        let woven = merge_fillings(
            &edited,
            &[filling("Workflow", &["- a", "- b", "- c"])],
            &mut owned,
        );
        assert_eq!(body(&woven, "Workflow"), "\n- b, and only so\n- c\n");
        let again = merge_fillings(
            &woven,
            &[filling("Workflow", &["- a", "- b", "- c", "- d"])],
            &mut owned,
        );
        assert_eq!(body(&again, "Workflow"), "\n- b, and only so\n- c\n- d\n");
    }

    #[test]
    fn budgets_hold_and_the_oldest_give_way() {
        let texts: Vec<String> = (0..900)
            .map(|at| format!("- step {at} of some words"))
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let titles = [
            "Current State",
            "Task specification",
            "Files and Functions",
            "Workflow",
        ];
        let more = [
            "Errors & Corrections",
            "Key results",
            "Worklog",
            "Learnings",
        ];
        let all: Vec<Filling> = titles
            .into_iter()
            .chain(more)
            .map(|title| filling(title, &texts))
            .collect();
        let mut owned = Owned::default();
        let woven = merge_fillings(&SessionNotes::parse(TEMPLATE), &all, &mut owned);
        assert!(super::super::budget::NotesSize::from_notes(&woven).is_within());
        let workflow = body(&woven, "Workflow");
        assert!(
            workflow.contains("- step 899 ") && !workflow.contains("- step 1 "),
            "{workflow}"
        );
    }

    #[test]
    fn windows_line_ends_are_kept() {
        let notes = SessionNotes::parse("# Workflow\r\n_g_\r\n\r\n# Worklog\r\n_g_\r\n");
        let woven = merge_fillings(
            &notes,
            &[filling("Workflow", &["- a", "- b"])],
            &mut Owned::default(),
        );
        assert_eq!(body(&woven, "Workflow"), "\r\n- a\r\n- b\r\n\r\n");
    }
}
