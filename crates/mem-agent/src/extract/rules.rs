//! Classes of statements as data: a file of patterns for each language, compiled when the first text of it comes.

use std::ops::Range;
use std::sync::OnceLock;

use regex::{Regex, RegexSet, RegexSetBuilder};
use serde::Deserialize;
use serde::de::value::{BorrowedStrDeserializer, Error};

use super::candidate::{Reason, SpeechAct};
use super::language::{RuleLanguage, fold_to_ascii};
use crate::template::fill_pattern;

/// What a pattern says of a sentence that it matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PatternMeaning {
    /// It is a lasting statement.
    Keep(SpeechAct),
    /// It is none of that sort.
    Not(SpeechAct),
    /// It has a word that every statement of that sort must have.
    Need(SpeechAct),
    /// It is not kept, whatever it is.
    Drop(Reason),
    Mark(PatternMark),
}

/// What else a pattern says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum PatternMark {
    Question,
    Polite,
    /// It says that it holds for more than the current work.
    Lasts,
    /// It is about one place in the current work.
    Local,
    /// It demands work.
    Task,
    /// It retracts what was said just before.
    TakesBack,
    /// It retracts what was said in the prompt before, plainly.
    Unsays,
    /// It may, where nothing else is said.
    WavesOff,
    /// It may, and may as well be about the current work.
    MayUnsay,
    /// It begins with what asks for nothing, and goes on.
    Reassures,
    /// It names what it retracts.
    Withdraws,
    /// It is nothing but an exclamation.
    Exclaims,
}

/// The rules of one language.
#[derive(Debug)]
pub(super) struct Rules {
    set: RegexSet,
    lines: Vec<PatternLine>,
}

/// A pattern of a file, compiled by itself where its groups or its end are asked for.
#[derive(Debug)]
struct PatternLine {
    at: usize,
    meaning: PatternMeaning,
    pattern: String,
    alone: OnceLock<Option<Regex>>,
}

/// Why a file of rules is rejected.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub(super) struct RuleError {
    line: usize,
    what: String,
}

/// The memory that the patterns of a language may take, compiled, and that matching them may on each core, in bytes.
const SIZE_MAX: usize = 64 << 20;
const MATCHING_MAX: usize = 12 << 20;

impl RuleLanguage {
    fn rules_text(self) -> &'static str {
        match self {
            Self::English => mem_templates::EXTRACT_EN,
            Self::German => mem_templates::EXTRACT_DE,
            Self::French => mem_templates::EXTRACT_FR,
            Self::Spanish => mem_templates::EXTRACT_ES,
            Self::Russian => mem_templates::EXTRACT_RU,
            Self::Chinese => mem_templates::EXTRACT_ZH,
            Self::Japanese => mem_templates::EXTRACT_JA,
            Self::Korean => mem_templates::EXTRACT_KO,
        }
    }

    /// The rules; `None` where the embedded file is invalid, which a test prevents.
    pub(super) fn rules(self) -> Option<&'static Rules> {
        static COMPILED: [OnceLock<Option<Rules>>; RuleLanguage::ALL.len()] =
            [const { OnceLock::new() }; RuleLanguage::ALL.len()];
        let compiled = &COMPILED[self as usize];
        compiled
            .get_or_init(|| Rules::parse(self.rules_text()).ok())
            .as_ref()
    }
}

impl Rules {
    /// Reads a file of rules.
    fn parse(text: &str) -> Result<Self, RuleError> {
        let mut parts: Vec<(String, String)> = Vec::new();
        let mut lines = Vec::new();
        let mut current = None;
        for (at, line) in text.lines().enumerate() {
            let fail = |what: &str| RuleError {
                line: at + 1,
                what: what.to_owned(),
            };
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(rest) = line.strip_prefix("let ") {
                let (name, pattern) = rest.split_once(' ').ok_or_else(|| fail("no pattern"))?;
                parts.push((format!("{{{name}}}"), fill_pattern(pattern, &parts)));
            } else if let Some(meaning) = parse_heading(line) {
                current = Some(meaning);
            } else {
                let meaning = current.ok_or_else(|| fail("a pattern before any heading"))?;
                let pattern = ascii_pattern(&fold_to_ascii(&fill_pattern(line, &parts)));
                lines.push(PatternLine {
                    at: at + 1,
                    meaning,
                    pattern,
                    alone: OnceLock::new(),
                });
            }
        }
        let set = RegexSetBuilder::new(lines.iter().map(|line| &line.pattern))
            .size_limit(SIZE_MAX)
            .dfa_size_limit(MATCHING_MAX)
            .build();
        let set = set.map_err(|error| RuleError {
            line: first_invalid_line(&lines),
            what: error.to_string(),
        })?;
        Ok(Self { set, lines })
    }

    /// What the patterns say that match. A sort of statement that needs a certain word is found only with it.
    pub(super) fn matching_meanings(
        &self,
        text: &str,
    ) -> impl Iterator<Item = PatternMeaning> + '_ {
        let matched = self.set.matches(text);
        let meanings = matched.into_iter().map(|at| self.lines[at].meaning);
        let meanings: Vec<_> = meanings.collect();
        let is_met = |act| {
            let need = PatternMeaning::Need(act);
            meanings.contains(&need) || self.lines.iter().all(|line| line.meaning != need)
        };
        let met = meanings.iter().filter(|meaning| match meaning {
            PatternMeaning::Keep(act) => is_met(*act),
            _ => true,
        });
        met.copied().collect::<Vec<_>>().into_iter()
    }

    /// Where the first pattern matches that finds a statement of this sort.
    pub(super) fn found_at(&self, text: &str, act: SpeechAct) -> Option<Range<usize>> {
        let found = self
            .single_patterns(PatternMeaning::Keep(act))
            .filter_map(|one| one.find(text));
        found
            .map(|found| found.range())
            .min_by_key(|range| range.start)
    }

    /// What follows the part of a sentence that has a mark: what a request asks for that is worded as a question, or what
    /// stands behind a part that asks for nothing.
    pub(super) fn text_after_mark<'t>(&self, text: &'t str, mark: PatternMark) -> Option<&'t str> {
        let found = self
            .single_patterns(PatternMeaning::Mark(mark))
            .find_map(|one| one.find(text))?;
        text.get(found.end()..)
    }

    /// What is retracted by its name.
    pub(super) fn withdrawn_part<'t>(&self, text: &'t str) -> Option<&'t str> {
        let mut all = self.single_patterns(PatternMeaning::Mark(PatternMark::Withdraws));
        let named = all.find_map(|one| one.captures(text)?.get(1))?;
        Some(named.as_str())
    }

    /// Whether a sentence is nothing but an exclamation.
    pub(super) fn is_exclamation(&self, text: &str) -> bool {
        self.single_patterns(PatternMeaning::Mark(PatternMark::Exclaims))
            .any(|one| one.is_match(text))
    }

    fn single_patterns(&self, meaning: PatternMeaning) -> impl Iterator<Item = &Regex> {
        let lines = self.lines.iter();
        let lines = lines.filter(move |line| line.meaning == meaning);
        lines.filter_map(|line| {
            let alone = || Regex::new(&line.pattern).ok();
            line.alone.get_or_init(alone).as_ref()
        })
    }
}

/// The first line whose pattern does not compile.
fn first_invalid_line(lines: &[PatternLine]) -> usize {
    let mut all = lines.iter();
    let first = all.find(|line| Regex::new(&line.pattern).is_err());
    first.map_or(0, |line| line.at)
}

/// A pattern whose words end where ASCII letters do: texts are folded, and the tables of Unicode cost time.
fn ascii_pattern(pattern: &str) -> String {
    let classes = [
        (r"\b", r"(?-u:\b)"),
        (r"\w", "[0-9a-z]"),
        (r"\d", "[0-9]"),
        (r"\S", "[^ ]"),
        (r"\s", " "),
    ];
    let put = |pattern: String, (class, ascii): (&str, &str)| pattern.replace(class, ascii);
    classes.into_iter().fold(pattern.to_owned(), put)
}

fn parse_heading(line: &str) -> Option<PatternMeaning> {
    Some(match line.split_once(' ')? {
        ("keep", word) => PatternMeaning::Keep(parse_word(word)?),
        ("not", word) => PatternMeaning::Not(parse_word(word)?),
        ("need", word) => PatternMeaning::Need(parse_word(word)?),
        ("drop", word) => PatternMeaning::Drop(parse_word(word)?),
        ("mark", word) => PatternMeaning::Mark(parse_word(word)?),
        _ => return None,
    })
}

/// What a word of a heading names.
fn parse_word<'w, T: Deserialize<'w>>(word: &'w str) -> Option<T> {
    T::deserialize(BorrowedStrDeserializer::<Error>::new(word)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_rules_compiles() {
        for language in RuleLanguage::ALL {
            let rules = Rules::parse(language.rules_text());
            let rules = rules.unwrap_or_else(|error| panic!("{language:?}: {error}"));
            assert!(rules.lines.len() > 15, "{language:?}");
            for mark in [
                PatternMark::Polite,
                PatternMark::Withdraws,
                PatternMark::Exclaims,
                PatternMark::Reassures,
            ] {
                let count = rules.lines.iter();
                let count = count
                    .filter(|line| line.meaning == PatternMeaning::Mark(mark))
                    .count();
                assert_eq!(
                    rules.single_patterns(PatternMeaning::Mark(mark)).count(),
                    count,
                    "{language:?} {mark:?}"
                );
            }
        }
    }

    #[test]
    fn an_invalid_line_is_named() {
        for (text, line) in [
            ("\\bx\n", 1),
            ("keep standing\n(\n", 2),
            ("keep sometimes\n", 1),
        ] {
            assert_eq!(Rules::parse(text).unwrap_err().line, line, "{text}");
        }
    }
}
