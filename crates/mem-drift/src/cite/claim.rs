//! What a memory says of a thing that it cites: a break is only what it says is there.
//!
//! Sentence, list and section speak together. Words with a reach decide: some hold for their whole sentence, some for
//! what stands behind them in their clause, some for what stands right behind them. A heading, and the sentence that
//! introduces a list, hold for all that stands below.

use super::claim_words::{self as words, WordList};
use super::markdown::{MarkdownPiece, split_pieces};
use super::passage::Passage;
use super::reference::is_commit_id;
use crate::limits::SENTENCE_BYTES_MAX;

/// What a memory says of a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CitationClaim {
    /// It is there.
    Present,
    /// It is gone, or has another name.
    Removed,
    /// It is yet to come.
    Planned,
    /// It had its part in something that happened.
    Past,
    /// One is to keep off it.
    Banned,
}

impl CitationClaim {
    /// Whether this is what counts where a note says one thing here and another there: who writes that it is gone knows
    /// it.
    pub(super) fn outweighs(self, other: Self) -> bool {
        match self {
            Self::Removed => other != Self::Removed,
            Self::Present => !matches!(other, Self::Present | Self::Removed),
            _ => false,
        }
    }
}

/// Words between a mark and the thing, at most, for marks that stand right in front of it.
const NEAR_WORDS_MAX: usize = 2;
/// Words of an introduction that is as good as a heading, at most.
const TITLE_WORDS_MAX: usize = 8;
/// Where a clause ends, within a sentence.
const BREAKS: [&str; 12] = [
    ": ", "; ", " — ", " – ", " - ", " (", ") ", "：", "；", "，", ", but ", " but ",
];
/// Where a sentence ends.
const STOPS: [&str; 7] = [". ", "; ", "! ", "? ", "。", "；", "！"];
/// What ends like a sentence and is none.
const ABBREVIATIONS: [&str; 6] = ["e.g", "i.e", "etc", "vs", "incl", "approx"];
/// Arrows by which a new name follows an old one.
const ARROWS: [&str; 5] = ["→", "->", "=>", "⇒", "➜"];

/// What the passage says of the thing from `start` to `end` of its text.
pub(super) fn read_claim(passage: &Passage, start: usize, end: usize) -> CitationClaim {
    if is_struck(passage, start) || is_renamed_by_arrow(&passage.text, start, end) {
        return CitationClaim::Removed;
    }
    let (before, after) = sentence_around(&passage.plain, start, end);
    let is_anchored = || {
        let anchor = &passage.has_anchor;
        *anchor.get_or_init(|| has_anchor(&passage.text))
    };
    sentence_claim(before, after, &is_anchored)
        .or(passage.claim)
        .unwrap_or(CitationClaim::Present)
}

/// A text without what stands in backticks, in links and in wikilinks, as long as before: names are no words.
pub(super) fn without_names(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for (offset, piece) in split_pieces(text) {
        match piece {
            MarkdownPiece::Prose(prose) => {
                blank_to(&mut plain, offset);
                plain.push_str(prose);
            }
            MarkdownPiece::Code(_) | MarkdownPiece::Link(_) | MarkdownPiece::Wiki(_) => {
                blank_to(&mut plain, offset);
            }
        }
    }
    blank_to(&mut plain, text.len());
    plain
}

fn blank_to(plain: &mut String, length: usize) {
    while plain.len() < length {
        plain.push('\u{1}');
    }
}

/// The sentence around a part of a text: what stands in front of the part, and behind it.
fn sentence_around(text: &str, start: usize, end: usize) -> (&str, &str) {
    let before = text_tail(&text[..text.floor_char_boundary(start)]);
    let ends_before = STOPS.iter().flat_map(|stop| {
        let found = before
            .match_indices(stop)
            .map(|(at, stop)| (at, stop.len()));
        found
            .filter(|(at, _)| !is_abbreviated(&before[..*at]))
            .map(|(at, length)| at + length)
    });
    let from = ends_before.max().unwrap_or(0);
    let after = text_head(&text[text.ceil_char_boundary(end)..]);
    let ends_after = STOPS.iter().flat_map(|stop| {
        let found = after.match_indices(stop).map(|(at, _)| at);
        found.filter(|at| !is_abbreviated(&after[..*at]))
    });
    let to = ends_after.min().unwrap_or(after.len());
    (&before[from..], &after[..to])
}

fn is_abbreviated(before: &str) -> bool {
    ABBREVIATIONS.iter().any(|word| {
        before
            .strip_suffix(word)
            .is_some_and(|rest| !rest.ends_with(char::is_alphanumeric))
    })
}

fn text_tail(text: &str) -> &str {
    &text[text.ceil_char_boundary(text.len().saturating_sub(SENTENCE_BYTES_MAX))..]
}

fn text_head(text: &str) -> &str {
    &text[..text.floor_char_boundary(SENTENCE_BYTES_MAX)]
}

/// What a sentence that ends in a colon says of the list that follows.
pub(super) fn intro_claim(intro: &str) -> Option<CitationClaim> {
    let plain = without_names(intro);
    let is_title = plain.split_whitespace().count() <= TITLE_WORDS_MAX;
    sentence_claim("", &plain, &|| has_anchor(&plain))
        .or_else(|| is_title.then(|| heading_claim(intro)).flatten())
}

/// The bold words that a paragraph or an item starts with: a heading of its own.
pub(super) fn lead_label(text: &str) -> &str {
    let start = text.trim_start_matches(|c: char| c.is_ascii_digit() || "-*+.>) ".contains(c));
    let marks = text.len() - start.len();
    let is_bold = text[..marks].ends_with("**");
    let label = start.split_once("**").map(|(label, _)| label);
    label.filter(|_| is_bold).unwrap_or_default()
}

/// What a sentence says; the text around it may have an anchor, which tells when it happened.
fn sentence_claim(
    before: &str,
    after: &str,
    is_anchored: &dyn Fn() -> bool,
) -> Option<CitationClaim> {
    let (before, after) = (plain_words(before), plain_words(after));
    let clause = last_clause(&before);
    let says = |list: &WordList| holds_words(&before, list) || holds_words(&after, list);
    let denies = |list: &WordList| denies_words(&before, list) || denies_words(&after, list);
    if denies(&words::REMOVED)
        || ends_near(clause, &words::REMOVED_NEAR)
        || holds_words(clause, &words::REMOVED_AHEAD)
    {
        return Some(CitationClaim::Removed);
    }
    if is_banned(clause) || is_contrasted(clause, &after) || denies(&words::BANNED) {
        return Some(CitationClaim::Banned);
    }
    if says(&words::PLANNED) || ends_near(clause, &words::PLANNED_NEAR) {
        return Some(CitationClaim::Planned);
    }
    let reports = |part: &str| has_event(part, &words::EVENTS);
    let is_past = has_past_behind(&after)
        || reports(&before)
        || reports(&after)
        || tells_own_deed(&before)
        || tells_own_deed(&after);
    let is_dated = || is_anchored() && (has_past_verb(&before) || has_past_verb(&after));
    (is_past || is_dated()).then_some(CitationClaim::Past)
}

/// In lower case, without emphasis, and with single blanks.
fn plain_words(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text
        .chars()
        .filter(|&c| c != '*')
        .flat_map(char::to_lowercase)
    {
        if !(c == ' ' && plain.ends_with(' ')) {
            plain.push(c);
        }
    }
    plain
}

/// Whether the thing did something: "was added" says that it is there.
fn has_past_behind(after: &str) -> bool {
    let rest = after.trim_start_matches(['`', '\u{1}']);
    let mut next = rest.split_whitespace();
    let is_verb = next
        .next()
        .is_some_and(|word| is_one_of(&words::PAST_BEHIND, word));
    is_verb
        && !next
            .next()
            .is_some_and(|word| is_one_of(&words::STAMPS, word))
}

fn is_one_of(list: &WordList, word: &str) -> bool {
    list.words().any(|one| one == word)
}

/// What a heading, or what is as good as one, says of all below.
pub(super) fn heading_claim(heading: &str) -> Option<CitationClaim> {
    let lower = without_names(heading).to_lowercase();
    if denies_words(&lower, &words::REMOVED) {
        return Some(CitationClaim::Removed);
    }
    if holds_words(&lower, &words::BANNED_HEADINGS) {
        return Some(CitationClaim::Banned);
    }
    if holds_words(&lower, &words::PLANNED) || holds_words(&lower, &words::PLANNED_HEADINGS) {
        return Some(CitationClaim::Planned);
    }
    let is_past = holds_words(&lower, &words::PAST_HEADINGS)
        || has_date(heading)
        || has_time(heading)
        || has_commit(heading);
    is_past.then_some(CitationClaim::Past)
}

/// Whether it is struck through.
fn is_struck(passage: &Passage, start: usize) -> bool {
    let strikes = &passage.strikes;
    let before = strikes.partition_point(|at| at + 2 <= start);
    before % 2 == 1 && before < strikes.len()
}

/// `old` → `new`, and no third: a chain of three is a path that something takes.
fn is_renamed_by_arrow(text: &str, start: usize, end: usize) -> bool {
    const MARKS: [char; 3] = ['`', '*', ' '];
    let before = text[..text.floor_char_boundary(start)].trim_end_matches(MARKS);
    let mut after = text[text.ceil_char_boundary(end)..].trim_start_matches(MARKS);
    // `old`/`older` → `new`.
    while let Some((_, rest)) = after
        .strip_prefix("/`")
        .and_then(|rest| rest.split_once('`'))
    {
        after = rest.trim_start_matches(MARKS);
    }
    let starts_with_arrow = |text: &str| ARROWS.iter().any(|arrow| text.starts_with(arrow));
    let rest = ARROWS.iter().find_map(|arrow| after.strip_prefix(arrow));
    let name = rest.and_then(|rest| rest.trim_start_matches(['*', ' ']).strip_prefix('`'));
    let Some((_, behind)) = name.and_then(|name| name.split_once('`')) else {
        return false;
    };
    !ARROWS.iter().any(|arrow| before.ends_with(arrow))
        && !starts_with_arrow(behind.trim_start_matches(MARKS))
}

fn last_clause(before: &str) -> &str {
    let ends = BREAKS
        .iter()
        .filter_map(|stop| before.rfind(stop).map(|at| at + stop.len()));
    &before[ends.max().unwrap_or(0)..]
}

/// Whether one is told not to make it or use it; to leave it as it is says that it is there.
fn is_banned(clause: &str) -> bool {
    let last = words::BANNED_AHEAD
        .found_in(clause)
        .into_iter()
        .filter_map(|word| find_word(clause, word).map(|at| at + word.len()))
        .max();
    last.is_some_and(|at| {
        let rest = &clause[at..];
        // "is never called by" reports.
        let is_report = rest.split_whitespace().next().is_some_and(is_past_verb);
        !is_report && !holds_words(rest, &words::CHANGES)
    })
}

/// "this, not that": but "not that alone" is both.
fn is_contrasted(clause: &str, after: &str) -> bool {
    let next = after.trim_start_matches(['`', '\u{1}', ' ']);
    let is_both = ["alone", "only", "just", "but"]
        .iter()
        .any(|word| next.starts_with(word));
    !is_both && ends_near_within(clause, std::iter::once("not"), 0)
}

/// Whether somebody tells what they did: "we moved", "I wrote".
fn tells_own_deed(before: &str) -> bool {
    let mut last = "";
    for word in before.split_whitespace() {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        if matches!(last, "we" | "i") && is_past_verb(word) {
            return true;
        }
        last = word;
    }
    false
}

fn has_event(text: &str, list: &WordList) -> bool {
    list.found_in(text).into_iter().any(|word| {
        find_word(text, word).is_some_and(|at| !is_state(text[..at].split_whitespace().next_back()))
    })
}

fn has_past_verb(text: &str) -> bool {
    let mut last = None;
    let found = words::PAST_VERBS.found_in(text);
    if found.iter().any(|word| !word.is_ascii()) {
        return true;
    }
    for word in text.split_whitespace() {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        if is_past_verb(word) && !is_state(last) {
            return true;
        }
        last = Some(word);
    }
    false
}

fn is_past_verb(word: &str) -> bool {
    let is_regular = word.len() > 3 && word.ends_with("ed") && !word.contains('-');
    (is_regular || is_one_of(&words::PAST_VERBS, word)) && !is_one_of(&words::STAMPS, word)
}

fn is_state(word: Option<&str>) -> bool {
    word.is_some_and(|word| is_one_of(&words::STATES, word))
}

/// A date, a commit or a pull request: what is told with it happened then.
fn has_anchor(raw: &str) -> bool {
    has_date(raw) || has_commit(raw) || has_request(raw)
}

/// `2026-05-01`, `2026/05/01`, `2026_05_01`, `2026年5月`.
pub(super) fn has_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = |from: usize, count: usize| {
        bytes
            .get(from..from + count)
            .is_some_and(|part| part.iter().all(u8::is_ascii_digit))
    };
    (0..bytes.len()).any(|at| {
        let is_start = at == 0 || !bytes[at - 1].is_ascii_digit();
        is_start
            && digits(at, 4)
            && (matches!(bytes.get(at + 4), Some(b'-' | b'/' | b'_'))
                && digits(at + 5, 2)
                && matches!(bytes.get(at + 7), Some(b'-' | b'/' | b'_'))
                && digits(at + 8, 2)
                || text
                    .get(at + 4..)
                    .is_some_and(|rest| rest.starts_with('年')))
    })
}

/// `23:21` at the start.
fn has_time(heading: &str) -> bool {
    let word = heading.split_whitespace().next().unwrap_or_default();
    let word = word.trim_matches(|c: char| !c.is_ascii_digit());
    word.split_once(':').is_some_and(|(hour, rest)| {
        let is_digits =
            |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        is_digits(hour) && is_digits(rest.get(..2).unwrap_or_default())
    })
}

fn has_commit(raw: &str) -> bool {
    raw.split(|c: char| !c.is_ascii_alphanumeric())
        .any(is_commit_id)
}

/// `PR #12`, `PR 12`, `MR !12`.
fn has_request(raw: &str) -> bool {
    let mut last = "";
    for word in raw.split(|c: char| c.is_whitespace() || "(),;:`".contains(c)) {
        let number = word.trim_start_matches(['#', '!']);
        if matches!(last, "PR" | "MR" | "PRs") && number.starts_with(|c: char| c.is_ascii_digit()) {
            return true;
        }
        if !word.is_empty() {
            last = word;
        }
    }
    false
}

fn holds_words(text: &str, list: &WordList) -> bool {
    let mut found = list.found_in(text).into_iter();
    found.any(|word| find_word(text, word).is_some())
}

/// Whether one of the words stands there, and no "not" in front of it.
fn denies_words(text: &str, list: &WordList) -> bool {
    list.found_in(text).into_iter().any(|word| {
        let mut from = 0;
        while let Some(at) = find_word(&text[from..], word) {
            if !is_negated(&text[..from + at]) {
                return true;
            }
            from += at + word.len();
        }
        false
    })
}

fn is_negated(before: &str) -> bool {
    if before.trim_end().ends_with(['不', '未', '勿', '别', '免']) {
        return true;
    }
    let mut last = before.split_whitespace().rev().take(NEAR_WORDS_MAX);
    last.any(|word| is_one_of(&words::NOT, word))
}

/// Whether the text ends with one of the words, or with a few more behind it.
fn ends_near(text: &str, list: &WordList) -> bool {
    let found = list.found_in(text).into_iter();
    ends_near_within(text, found, NEAR_WORDS_MAX)
}

fn ends_near_within<'w>(
    text: &str,
    mut words: impl Iterator<Item = &'w str>,
    words_max: usize,
) -> bool {
    let text = text.trim_end_matches(['`', '*', '"', '\'', '[', ' ', '\u{1}']);
    words.any(|word| {
        let mut found = None;
        let mut from = 0;
        while let Some(at) = find_word(&text[from..], word) {
            found = Some(from + at + word.len());
            from += at + word.len();
        }
        found.is_some_and(|end| {
            let rest = &text[end..];
            !rest.contains(['\u{1}', ','])
                && rest.split_whitespace().count() <= words_max
                && (word.is_ascii() || rest.chars().count() <= 2 * words_max)
        })
    })
}

/// Where a word stands as a word; scripts without blanks know no edges.
fn find_word(text: &str, word: &str) -> Option<usize> {
    let has_edges = word.chars().all(|c| c < '\u{1100}');
    let mut from = 0;
    while let Some(at) = text[from..].find(word) {
        let (start, end) = (from + at, from + at + word.len());
        let is_inner = text[..start].ends_with(char::is_alphanumeric)
            || text[end..].starts_with(char::is_alphanumeric);
        if !has_edges || !is_inner {
            return Some(start);
        }
        from = end;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::CitationClaim::{Banned, Past, Planned, Present, Removed};
    use super::*;
    use crate::cite::extract_citations;

    /// The claim of the citation of this text.
    #[track_caller]
    fn claim(note: &str, text: &str) -> CitationClaim {
        let found = extract_citations(note, &[]);
        let of_text = found.iter().find(|citation| citation.text == text);
        of_text
            .unwrap_or_else(|| panic!("{text} in {found:?}"))
            .claim
    }

    #[test]
    fn sentences_say_what_they_claim() {
        for (sentence, expected) in [
            ("Call `old_name()` first.", Present),
            ("`old_name()` was removed in spring.", Removed),
            ("`old_name()` is deprecated.", Removed),
            ("All content of `old_name()` now cleared.", Removed),
            ("Rows are never deleted by `old_name()`.", Present),
            ("The limit was `old_name()`.", Removed),
            ("Use the queue instead of `old_name()`.", Removed),
            ("~~`old_name()` has the minimum.~~", Removed),
            ("`old_name()` → `new_name()`.", Removed),
            ("`parse_it()` → `old_name()` → `write_it()`.", Present),
            ("There is no `old_name()` here.", Removed),
            ("No lock is held while `old_name()` runs.", Present),
            ("We will add `old_name()` soon.", Planned),
            ("`old_name()` is not yet written.", Planned),
            ("`old_name()` is banned in new code.", Banned),
            ("Need: `types.ts`, `old_name()`.", Planned),
            ("Never create `old_name()`.", Banned),
            ("Do NOT bring back a hard-coded `old_name()`.", Banned),
            ("Never modify `old_name()`.", Present),
            ("Names that must not change: `old_name()`.", Present),
            ("The rule is `old_name()`, never a copy.", Present),
            ("On 2024-05-01 we moved `old_name()` to the worker.", Past),
            ("`old_name()` was overwriting the state.", Past),
            ("`old_name()` was added for finance.", Present),
            ("Do **not** use `old_name()`.", Banned),
            ("`old_name()`/`older()` → `new_name()`.", Removed),
            ("Bỏ `old_name()` ở đây.", Removed),
            ("PR #81 used `old_name()` for it.", Past),
            ("We moved `old_name()` to the worker.", Past),
            (
                "`old_name()` is called by the worker (verified 2024-05-01).",
                Present,
            ),
            ("`old_name()` 已删除。", Removed),
            ("旧的 `old_name()` 仍可读。", Removed),
            ("The old `old_name()` took both.", Removed),
            (
                "Unlike the old `old_name()`, the new one still reads TOML.",
                Removed,
            ),
            ("新增 `old_name()`，由后台调用。", Present),
            ("不要使用 `old_name()`。", Banned),
            ("不要修改 `old_name()`。", Present),
            ("计划实现 `old_name()`。", Planned),
            ("2024-05-01 修复了 `old_name()` 的错误。", Past),
            ("`old_name()` は廃止されました。", Removed),
            ("`old_name()` 는 폐기되었다.", Removed),
            ("`old_name()` wurde entfernt.", Removed),
            ("`old_name()` ya no se usa.", Removed),
            ("`old_name()` a été supprimé.", Removed),
        ] {
            assert_eq!(claim(sentence, "old_name()"), expected, "{sentence}");
        }
        let two = "`old_name()` was removed. Use `new_name()`.";
        assert_eq!(claim(two, "new_name()"), Present);
    }

    #[test]
    fn a_sentence_goes_on_over_the_end_of_a_line() {
        let note = "- **Magic:** the counter `old_name()` and\n  its `other_name()` are gone; use\n  `new_name()`.";
        assert_eq!(claim(note, "old_name()"), Removed);
        assert_eq!(claim(note, "other_name()"), Removed);
        assert_eq!(claim(note, "new_name()"), Present);
    }

    #[test]
    fn what_introduces_a_list_or_a_section_holds_for_it() {
        let list =
            "These are gone:\n\n- `old_name()`\n- `other_name()`\n\nThe rest is `new_name()`.";
        assert_eq!(claim(list, "old_name()"), Removed);
        assert_eq!(claim(list, "other_name()"), Removed);
        assert_eq!(claim(list, "new_name()"), Present);
        let wide = "Every new feature (future geometry, future overlays and the like) must:\n\n\
            - call `old_name()`";
        assert_eq!(claim(wide, "old_name()"), Present);
        let section = "## Files that were renamed (旧文件已删除)\n\n| old | new |\n|---|---|\n| `old_name()` | `b` |\n\n\
            ## How it works\n\n`new_name()` decides.";
        assert_eq!(claim(section, "old_name()"), Removed);
        assert_eq!(claim(section, "new_name()"), Present);
        let log = "## 2024-05-01\n\n- `old_name()` answers twice\n\n## Now\n\n- `new_name()`";
        assert_eq!(claim(log, "old_name()"), Past);
        assert_eq!(claim(log, "new_name()"), Present);
        let label = "- **Deprecated:** anything else. `old_name()` has the minimum.\n- `new_name()` has it.";
        assert_eq!(claim(label, "old_name()"), Removed);
        assert_eq!(claim(label, "new_name()"), Present);
        let banner = "> SUPERSEDED by the new design.\n\n# Design\n\n`old_name()` decides.";
        assert_eq!(claim(banner, "old_name()"), Removed);
    }

    #[test]
    fn a_note_that_knows_it_once_knows_it() {
        let note = "`old_name()` decides.\n\nLater `old_name()` was removed.";
        assert_eq!(claim(note, "old_name()"), Removed);
        let note = "Never create `old_name()`.\n\n`old_name()` decides.";
        assert_eq!(claim(note, "old_name()"), Present);
    }
}
