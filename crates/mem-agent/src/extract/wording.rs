//! A model's own words for what somebody said, as far as they are grounded in it: what is not gives way to the
//! person's words.

use jiff::civil::Date;
use mem_core::MemoryType;

use super::compose::{self, ComposedText};
use super::ground::Grounding;
use super::stance::Stance;
use crate::orders::{grants_permission, is_impersonation};

/// Longer ones are no title, no line for a selector, no reason, and no line of a text.
const NAME_CHARS_MAX: usize = 100;
const DESCRIPTION_CHARS_MAX: usize = 300;
const WHY_CHARS_MAX: usize = 400;
const LINE_CHARS_MAX: usize = 600;
/// Of a text, so many lines are taken.
const LINES_MAX: usize = 40;
/// What lines of a memory begin with.
const LABELS: [&str; 4] = ["Why:** ", "How to apply:** ", "Why: ", "How to apply: "];

/// What a model wrote, each without secrets and with its days.
pub(super) struct Written<'w> {
    pub(super) name: &'w str,
    pub(super) description: &'w str,
    pub(super) body: &'w str,
    pub(super) why: &'w str,
}

/// The words that a memory gets.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Wording {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) body: String,
    pub(super) why: String,
    /// What of the model's words was not taken.
    pub(super) untaken: Vec<String>,
}

impl Wording {
    /// All of it as it was written.
    pub(super) fn from_written(written: &Written<'_>) -> Self {
        Self {
            name: written.name.to_owned(),
            description: written.description.to_owned(),
            body: format!("{}\n", written.body),
            why: written.why.to_owned(),
            untaken: Vec::new(),
        }
    }
}

/// What a model's words are held to.
pub(super) struct Standard<'s> {
    /// What was said in the session.
    pub(super) ground: &'s Grounding,
    /// What the person wants and what not, in the prompt that is quoted.
    pub(super) stance: &'s Stance,
    pub(super) quote: &'s str,
    /// The quotation with its days.
    pub(super) dated: &'s str,
    pub(super) day: Option<Date>,
}

impl Standard<'_> {
    /// Whether each sentence of a text says what was said, and orders nothing about what an agent may do.
    fn allows_text(&self, text: &str, chars_max: usize) -> bool {
        text.chars().count() <= chars_max
            && !is_impersonation(text)
            && !grants_permission(text)
            && self.ground.find_unsaid_name(text).is_none()
            && split_sentences(text).iter().all(|sentence| {
                self.ground.is_grounded(sentence) && !self.stance.is_against(sentence)
            })
    }
}

/// Takes of what a model wrote what is grounded; the quotation with its days stands for the rest.
pub(super) fn settle_wording(
    written: &Written<'_>,
    kind: MemoryType,
    by: &Standard<'_>,
) -> Wording {
    let mut untaken = Vec::new();
    let mut fits = |text: &str, chars_max: usize| {
        let is_fit = by.allows_text(text, chars_max);
        if !is_fit {
            untaken.push(text.to_owned());
        }
        is_fit
    };
    let statement = compose::statement_text(by.dated);
    let name = match fits(written.name, NAME_CHARS_MAX) {
        true => written.name.to_owned(),
        false => compose::memory_name(&statement),
    };
    let description = match fits(written.description, DESCRIPTION_CHARS_MAX) {
        true => written.description.to_owned(),
        false => compose::describe_statement(&statement),
    };
    let is_fit = written.why.is_empty() || fits(written.why, WHY_CHARS_MAX);
    let why = if is_fit { written.why } else { "" }.to_owned();
    let (body, has_fallen) = retain_sentences(written.body, &mut fits);
    let said = ComposedText {
        statement: &statement,
        why: &why,
        quote: by.quote,
        day: by.day,
    };
    let body = match body.trim() {
        "" => compose::memory_body(kind, &said),
        body if has_fallen => {
            let statement = compose::end_with_period(&statement);
            format!("{statement}\n\n{body}\n\n{}\n", compose::said_on(&said))
        }
        body => format!("{body}\n\n{}\n", compose::said_on(&said)),
    };
    Wording {
        name,
        description,
        body,
        why,
        untaken,
    }
}

/// A text without the sentences that do not fit, and whether there were any.
fn retain_sentences(body: &str, fits: &mut dyn FnMut(&str, usize) -> bool) -> (String, bool) {
    let (mut lines, mut has_fallen) = (Vec::new(), false);
    for line in body.lines() {
        let (label, rest) = split_label(line);
        if rest.trim().is_empty() {
            lines.push(line.to_owned());
            continue;
        }
        let is_short = lines.len() < LINES_MAX && line.chars().count() <= LINE_CHARS_MAX;
        let mut sentences = split_sentences(rest);
        if !is_short {
            sentences = vec![rest];
        }
        let all = sentences.len();
        sentences.retain(|sentence| fits(sentence, LINE_CHARS_MAX) && is_short);
        has_fallen |= sentences.len() < all;
        if !sentences.is_empty() {
            lines.push(format!("{label}{}", sentences.join(" ")));
        }
    }
    (lines.join("\n"), has_fallen)
}

/// A line's label, `**Why:** ` or the sign of a list, and what it says.
fn split_label(line: &str) -> (&str, &str) {
    let bare = line.trim_start_matches([' ', '\t', '-', '*']);
    let sign = line.len() - bare.len();
    let label = LABELS
        .iter()
        .find_map(|label| Some(bare.len() - bare.strip_prefix(label)?.len()));
    line.split_at(sign + label.unwrap_or_default())
}

/// Sentence by sentence; a point within a word ends none.
fn split_sentences(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let is_end = match letter {
            '.' | '!' | '?' | ';' => letters.peek().is_none_or(|(_, next)| next.is_whitespace()),
            '。' | '！' | '？' | '；' | '\n' => true,
            _ => false,
        };
        if is_end {
            let end = at + letter.len_utf8();
            parts.push(text[start..end].trim());
            start = end;
        }
    }
    parts.push(text[start..].trim());
    // The number of an item, or what a point alone makes, is no sentence.
    parts.retain(|part| part.contains(char::is_alphabetic));
    parts
}
