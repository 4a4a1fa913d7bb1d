//! A model's own words for what somebody said, as far as they are grounded in it: what is not gives way to the
//! person's words.

use jiff::civil::Date;
use mem_core::MemoryType;

use super::candidate::Sort;
use super::compose::{self, Said};
use super::ground::Ground;
use crate::orders::poses;

/// Longer ones are no title, no line for a selector, no reason, and no line of a text.
const NAME_CHARS_MAX: usize = 100;
const DESCRIPTION_CHARS_MAX: usize = 300;
const WHY_CHARS_MAX: usize = 400;
const LINE_CHARS_MAX: usize = 600;
/// Of a text, so many lines are taken.
const LINES_MAX: usize = 40;

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
    pub(super) fn of(written: &Written<'_>) -> Self {
        Self {
            name: written.name.to_owned(),
            description: written.description.to_owned(),
            body: format!("{}\n", written.body),
            why: written.why.to_owned(),
            untaken: Vec::new(),
        }
    }
}

/// Takes of what a model wrote what is grounded; `quote` with its days stands for the rest.
pub(super) fn settled(
    written: &Written<'_>,
    kind: MemoryType,
    quote: &str,
    dated: &str,
    day: Option<Date>,
    ground: &Ground,
) -> Wording {
    let mut untaken = Vec::new();
    let mut fits = |text: &str, chars_max: usize| {
        let is_fit = text.chars().count() <= chars_max
            && !poses(text)
            && ground.is_about(text)
            && ground.lacks(text).is_none();
        if !is_fit {
            untaken.push(text.to_owned());
        }
        is_fit
    };
    let statement = compose::statement(dated);
    let name = match fits(written.name, NAME_CHARS_MAX) {
        true => written.name.to_owned(),
        false => compose::name(&statement),
    };
    let description = match fits(written.description, DESCRIPTION_CHARS_MAX) {
        true => written.description.to_owned(),
        false => compose::description(&statement),
    };
    let is_fit = written.why.is_empty() || fits(written.why, WHY_CHARS_MAX);
    let why = if is_fit { written.why } else { "" }.to_owned();
    let mut lines: Vec<&str> = Vec::new();
    for line in written.body.lines() {
        if line.trim().is_empty() || (lines.len() < LINES_MAX && fits(line, LINE_CHARS_MAX)) {
            lines.push(line);
        }
    }
    let body = lines.join("\n");
    let body = match body.trim() {
        "" => compose::body(
            Sort::of(kind),
            kind,
            &Said {
                statement: &statement,
                why: &why,
                quote,
                before: "",
                day,
            },
        ),
        body => format!("{body}\n"),
    };
    Wording {
        name,
        description,
        body,
        why,
        untaken,
    }
}
