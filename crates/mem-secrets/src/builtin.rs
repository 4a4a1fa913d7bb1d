//! The rules that ship with the crate, as the build script wrote them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use regex::bytes::{Regex, RegexBuilder};

use crate::check::RuleCheck;
use crate::detect::{Detector, LineRecord};
use crate::finding::LeakSeverity;
use crate::keywords::Keywords;
use crate::rule::sequence::{ByteRun, ByteSequence, Sequences, Set};
use crate::rule::{Body, Rule, RuleSearch, TextSpan};

include!(concat!(env!("OUT_DIR"), "/rules.rs"));

/// Compiled size of one expression, a limit against a rule written carelessly.
pub(crate) const EXPRESSION_BYTES_MAX: usize = 10 << 20;

static EXPRESSIONS: [OnceLock<Option<Regex>>; SEARCH_COUNT] =
    [const { OnceLock::new() }; SEARCH_COUNT];

/// The keywords of every rule; borrows static tables.
pub(crate) fn keywords() -> Keywords {
    Keywords {
        bits: Cow::Borrowed(&BITS),
        buckets: Cow::Borrowed(&BUCKETS),
        starts: Cow::Borrowed(&STARTS),
        members: Cow::Borrowed(&MEMBERS),
        heads: Cow::Borrowed(&HEADS),
        folds: Cow::Borrowed(&FOLDS),
        fourths: Cow::Borrowed(&FOURTHS),
        text: Cow::Borrowed(TEXT.as_bytes()),
        places: Cow::Borrowed(&PLACES),
    }
}

/// The rules that a keyword wakes.
pub(crate) fn owners(keyword: u16) -> &'static [u16] {
    let place = |keyword: usize| usize::from(OWNER_PLACES[keyword]);
    let keyword = usize::from(keyword);
    &OWNERS[place(keyword)..place(keyword + 1)]
}

/// The compiled expression of a search rule, compiled on its first use. A
/// pattern that does not compile finds nothing; a test compiles them all.
pub(crate) fn expression(search: &RuleSearch) -> Option<&'static Regex> {
    EXPRESSIONS[search.slot]
        .get_or_init(|| compile(search.pattern.as_str()))
        .as_ref()
}

/// The compiled path expression of a rule, kept for the next file.
pub(crate) fn path_expression(pattern: &'static str) -> Option<Regex> {
    static KNOWN: Mutex<BTreeMap<&'static str, Option<Regex>>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known
        .entry(pattern)
        .or_insert_with(|| compile(pattern))
        .clone()
}

fn compile(pattern: &str) -> Option<Regex> {
    let mut builder = RegexBuilder::new(pattern);
    builder
        .unicode(false)
        .size_limit(EXPRESSION_BYTES_MAX)
        .build()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_expression_compiles_and_has_its_group() {
        for rule in &RULES {
            if let Body::Search(search) = &rule.body {
                let expression = expression(search).unwrap_or_else(|| panic!("{}", rule.id()));
                assert!(search.group < expression.captures_len(), "{}", rule.id());
            }
            if let Some(path) = rule.path {
                assert!(compile(path.as_str()).is_some(), "{}", rule.id());
            }
        }
    }

    #[test]
    fn there_are_enough_rules() {
        assert!(RULES.len() >= 250, "{}", RULES.len());
    }
}
