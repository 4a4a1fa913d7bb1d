//! Patterns that are asked all at once, each of them only where it could match.
//!
//! Hundreds of patterns with distances in them (`.{3,80}`) make one automaton of which nearly every letter of a text
//! that was not seen before is a state of its own, and making states was half the time of an extraction. So
//! a text is searched once for whatever some pattern cannot match without (`needs`); most patterns are
//! out then, and are not even compiled.

use std::collections::HashMap;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use regex::bytes::{Regex, RegexBuilder};
use regex_syntax::ParserBuilder;

use super::needs::{AnyOf, needs};

/// So much of what one pattern remembers while it searches may be in memory.
const SEARCH_BYTES_MAX: usize = 256 * 1024;

/// Patterns, and what tells which of them to ask.
#[derive(Debug)]
pub(super) struct Sieve {
    patterns: Vec<Pattern>,
    /// What some pattern needs, and the needs that each of these texts meets.
    texts: AhoCorasick,
    meets: Vec<Vec<usize>>,
    /// The pattern of each need.
    pattern_of: Vec<usize>,
}

/// A pattern that is compiled when it is asked for the first time.
#[derive(Debug)]
pub(super) struct Pattern {
    text: String,
    compiled: OnceLock<Option<Regex>>,
    /// How many needs it has.
    needs: usize,
}

/// A pattern that is none.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Broken {
    /// Its place.
    pub(super) at: usize,
    pub(super) what: String,
}

impl Sieve {
    /// Of patterns over bytes.
    pub(super) fn new(patterns: Vec<String>) -> Result<Self, Broken> {
        let mut made = Vec::with_capacity(patterns.len());
        let (mut meets, mut pattern_of) = (Vec::<Vec<usize>>::new(), Vec::new());
        let mut place_of: HashMap<Vec<u8>, usize> = HashMap::new();
        for (at, text) in patterns.into_iter().enumerate() {
            let all = needed(&text).map_err(|what| Broken { at, what })?;
            made.push(Pattern::new(text, all.len()));
            for any_of in all {
                for needed in any_of {
                    let place = *place_of.entry(needed).or_insert_with(|| {
                        meets.push(Vec::new());
                        meets.len() - 1
                    });
                    meets[place].push(pattern_of.len());
                }
                pattern_of.push(at);
            }
        }
        let mut texts: Vec<(Vec<u8>, usize)> = place_of.into_iter().collect();
        texts.sort_unstable_by_key(|(_, place)| *place);
        let texts = AhoCorasick::builder()
            // Others search faster and take as long to make as most sessions to search.
            .kind(Some(AhoCorasickKind::NoncontiguousNFA))
            .build(texts.iter().map(|(text, _)| text))
            .map_err(|error| Broken {
                at: 0,
                what: error.to_string(),
            })?;
        Ok(Self {
            patterns: made,
            texts,
            meets,
            pattern_of,
        })
    }

    /// The places of the patterns that match, in their order.
    pub(super) fn matches(&self, text: &[u8]) -> Vec<usize> {
        let mut missing: Vec<usize> = self.patterns.iter().map(|one| one.needs).collect();
        let mut is_found = vec![false; self.meets.len()];
        let mut is_met = vec![false; self.pattern_of.len()];
        for found in self.texts.find_overlapping_iter(text) {
            let place = found.pattern().as_usize();
            if std::mem::replace(&mut is_found[place], true) {
                continue;
            }
            for need in &self.meets[place] {
                if !std::mem::replace(&mut is_met[*need], true) {
                    missing[self.pattern_of[*need]] -= 1;
                }
            }
        }
        let possible = missing.iter().zip(&self.patterns).enumerate();
        possible
            .filter(|(_, (missing, pattern))| **missing == 0 && pattern.is_match(text))
            .map(|(at, _)| at)
            .collect()
    }
}

fn needed(pattern: &str) -> Result<Vec<AnyOf>, String> {
    let mut parser = ParserBuilder::new().utf8(false).build();
    let parsed = parser.parse(pattern).map_err(|error| error.to_string())?;
    Ok(needs(&parsed))
}

impl Pattern {
    /// One with so many needs.
    pub(super) fn new(text: String, needs: usize) -> Self {
        Self {
            text,
            compiled: OnceLock::new(),
            needs,
        }
    }

    /// Itself, compiled. One that is too large is none, which a test keeps from being there.
    pub(super) fn regex(&self) -> Option<&Regex> {
        let compiled = self.compiled.get_or_init(|| {
            let mut builder = RegexBuilder::new(&self.text);
            builder.dfa_size_limit(SEARCH_BYTES_MAX).build().ok()
        });
        compiled.as_ref()
    }

    fn is_match(&self, text: &[u8]) -> bool {
        self.regex().is_some_and(|regex| regex.is_match(text))
    }
}

#[cfg(test)]
impl Sieve {
    /// Whether all patterns compile.
    pub(super) fn compiles(&self) -> bool {
        let mut patterns = self.patterns.iter();
        patterns.all(|one| Regex::new(&one.text).is_ok())
    }

    /// The places of the patterns that match, each of them asked.
    pub(super) fn matches_of_all(&self, text: &[u8]) -> Vec<usize> {
        let patterns = self.patterns.iter().enumerate();
        let matched = patterns.filter(|(_, pattern)| pattern.is_match(text));
        matched.map(|(at, _)| at).collect()
    }
}
