//! Rules as data: a file of patterns for each language, compiled when the first text of it comes.

use std::sync::OnceLock;

use regex::bytes::Regex;

use super::candidate::{Reason, Sort};
use super::pattern::over_bytes;
use super::sieve::{Pattern, Sieve};

/// The languages that rules are there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    English,
    German,
    French,
    Spanish,
    Chinese,
    Japanese,
    Korean,
}

/// What speaks for a text, or against it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Question,
    Polite,
    Reason,
    General,
    Local,
    /// It points to where the work is.
    Here,
    Task,
    /// It takes back what was said just before.
    TakesBack,
    /// It takes back what was said in the prompt before, plainly.
    Unsays,
    /// It may, where nothing else is said.
    WavesOff,
    /// It may, and as well be about the work at hand.
    MayUnsay,
    /// It begins with what asks for nothing, and goes on.
    Reassures,
    /// It names what it takes back.
    Withdraws,
    /// It is nothing but an exclamation.
    Exclaims,
}

/// What a pattern that matches says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Meaning {
    Keep(Sort, f32),
    Drop(Reason),
    Mark(Mark),
}

/// The compiled rules of one language.
#[derive(Debug)]
pub(super) struct Rules {
    plain: Patterns,
    /// Those over a text as it was written, for names.
    cased: Patterns,
    /// How requests begin that are worded as questions.
    polite: Vec<Regex>,
    /// What takes something back by its name, which is the first group.
    withdraws: Vec<Pattern>,
    /// What is nothing but an exclamation: asked of short sentences alone.
    exclaims: Vec<Pattern>,
    /// What a sentence may begin with that asks for nothing: asked where all of it seemed to.
    reassures: Vec<Pattern>,
}

/// Patterns and what each of them says.
#[derive(Debug)]
struct Patterns {
    sieve: Sieve,
    meanings: Vec<Meaning>,
}

/// A pattern as it stands in a file.
struct Line {
    at: usize,
    pattern: String,
    meaning: Meaning,
}

/// What keeps a file of rules from being one.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub(super) struct RuleError {
    line: usize,
    what: String,
}

/// How headings begin whose patterns see a text as it was written.
const CASED: &str = "cased ";

impl Language {
    pub(super) const ALL: [Self; 7] = [
        Self::English,
        Self::German,
        Self::French,
        Self::Spanish,
        Self::Chinese,
        Self::Japanese,
        Self::Korean,
    ];

    fn text(self) -> &'static str {
        match self {
            Self::English => include_str!("../../../../templates/extract/en.rules"),
            Self::German => include_str!("../../../../templates/extract/de.rules"),
            Self::French => include_str!("../../../../templates/extract/fr.rules"),
            Self::Spanish => include_str!("../../../../templates/extract/es.rules"),
            Self::Chinese => include_str!("../../../../templates/extract/zh.rules"),
            Self::Japanese => include_str!("../../../../templates/extract/ja.rules"),
            Self::Korean => include_str!("../../../../templates/extract/ko.rules"),
        }
    }

    /// The rules; none where the file that is built in is broken, which a test keeps from happening.
    pub(super) fn rules(self) -> Option<&'static Rules> {
        static COMPILED: [OnceLock<Option<Rules>>; Language::ALL.len()] =
            [const { OnceLock::new() }; Language::ALL.len()];
        let compiled = &COMPILED[self as usize];
        compiled
            .get_or_init(|| Rules::parse(self.text(), self.width()).ok())
            .as_ref()
    }

    /// How many bytes a letter has.
    fn width(self) -> usize {
        match self {
            Self::Chinese | Self::Japanese | Self::Korean => 3,
            Self::English | Self::German | Self::French | Self::Spanish => 1,
        }
    }
}

impl Rules {
    /// Reads a file of rules.
    fn parse(text: &str, width: usize) -> Result<Self, RuleError> {
        let mut parts: Vec<(String, String)> = Vec::new();
        let (mut plain, mut cased) = (Vec::new(), Vec::new());
        let (mut polite, mut withdraws) = (Vec::new(), Vec::new());
        let (mut exclaims, mut reassures) = (Vec::new(), Vec::new());
        let mut is_cased = false;
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
                parts.push((format!("{{{name}}}"), over_bytes(pattern, &parts, 1)));
            } else if let Some(meaning) = heading(line.trim_start_matches(CASED)) {
                (current, is_cased) = (Some(meaning), line.starts_with(CASED));
            } else {
                let meaning = current.ok_or_else(|| fail("a pattern before any heading"))?;
                let pattern = format!("(?-u){}", over_bytes(line, &parts, width));
                match meaning {
                    Meaning::Mark(Mark::Polite) => {
                        let regex = Regex::new(&pattern);
                        polite.push(regex.map_err(|error| fail(&error.to_string()))?);
                    }
                    Meaning::Mark(Mark::Withdraws) => {
                        withdraws.push(Pattern::new(pattern.clone(), 0));
                    }
                    _ => {}
                }
                let apart = match meaning {
                    Meaning::Mark(Mark::Exclaims) => Some(&mut exclaims),
                    Meaning::Mark(Mark::Reassures) => Some(&mut reassures),
                    _ => None,
                };
                if let Some(apart) = apart {
                    apart.push(Pattern::new(pattern, 0));
                    continue;
                }
                let read = Line {
                    at: at + 1,
                    pattern,
                    meaning,
                };
                if is_cased { &mut cased } else { &mut plain }.push(read);
            }
        }
        Ok(Self {
            plain: Patterns::of_lines(plain)?,
            cased: Patterns::of_lines(cased)?,
            polite,
            withdraws,
            exclaims,
            reassures,
        })
    }

    /// What is asked for, of a request that is worded as a question.
    pub(super) fn asked<'t>(&self, text: &'t str) -> Option<&'t str> {
        let found = self
            .polite
            .iter()
            .find_map(|one| one.find(text.as_bytes()))?;
        text.get(found.end()..)
    }

    /// What is taken back by its name.
    pub(super) fn withdrawn<'t>(&self, text: &'t str) -> Option<&'t str> {
        let mut all = self.withdraws.iter();
        let named = all.find_map(|one| one.regex()?.captures(text.as_bytes())?.get(1))?;
        text.get(named.range())
    }

    /// What a sentence goes on with that begins with what asks for nothing.
    pub(super) fn after_reassurance<'t>(&self, text: &'t str) -> Option<&'t str> {
        let mut all = self.reassures.iter().filter_map(Pattern::regex);
        let found = all.find_map(|one| one.find(text.as_bytes()))?;
        text.get(found.end()..)
    }

    /// Whether a sentence is nothing but an exclamation.
    pub(super) fn exclaims(&self, text: &str) -> bool {
        let mut all = self.exclaims.iter().filter_map(Pattern::regex);
        all.any(|one| one.is_match(text.as_bytes()))
    }

    /// What the patterns say that match a text as it was written.
    pub(super) fn of_written(&self, text: &str) -> impl Iterator<Item = Meaning> + '_ {
        self.cased.of(text)
    }

    /// What the patterns say that match.
    pub(super) fn of(&self, text: &str) -> impl Iterator<Item = Meaning> + '_ {
        self.plain.of(text)
    }
}

impl Patterns {
    fn of_lines(lines: Vec<Line>) -> Result<Self, RuleError> {
        let places: Vec<usize> = lines.iter().map(|line| line.at).collect();
        let meanings = lines.iter().map(|line| line.meaning).collect();
        let patterns = lines.into_iter().map(|line| line.pattern).collect();
        let sieve = Sieve::new(patterns).map_err(|broken| RuleError {
            line: places.get(broken.at).copied().unwrap_or_default(),
            what: broken.what,
        })?;
        Ok(Self { sieve, meanings })
    }

    fn of(&self, text: &str) -> impl Iterator<Item = Meaning> + '_ {
        let matched = self.sieve.matches(text.as_bytes());
        matched.into_iter().map(|at| self.meanings[at])
    }
}

fn heading(line: &str) -> Option<Meaning> {
    let words: Vec<&str> = line.split(' ').collect();
    match words[..] {
        ["keep", sort, confidence] => {
            let sort = Sort::ALL.into_iter().find(|one| one.as_str() == sort)?;
            Some(Meaning::Keep(sort, confidence.parse().ok()?))
        }
        ["drop", why] => {
            let named = Reason::NAMED.into_iter();
            let why = named.into_iter().find(|one| one.as_str() == why)?;
            Some(Meaning::Drop(why))
        }
        ["mark", "question"] => Some(Meaning::Mark(Mark::Question)),
        ["mark", "polite"] => Some(Meaning::Mark(Mark::Polite)),
        ["mark", "reason"] => Some(Meaning::Mark(Mark::Reason)),
        ["mark", "general"] => Some(Meaning::Mark(Mark::General)),
        ["mark", "local"] => Some(Meaning::Mark(Mark::Local)),
        ["mark", "here"] => Some(Meaning::Mark(Mark::Here)),
        ["mark", "takes-back"] => Some(Meaning::Mark(Mark::TakesBack)),
        ["mark", "unsays"] => Some(Meaning::Mark(Mark::Unsays)),
        ["mark", "waves-off"] => Some(Meaning::Mark(Mark::WavesOff)),
        ["mark", "may-unsay"] => Some(Meaning::Mark(Mark::MayUnsay)),
        ["mark", "reassures"] => Some(Meaning::Mark(Mark::Reassures)),
        ["mark", "withdraws"] => Some(Meaning::Mark(Mark::Withdraws)),
        ["mark", "exclaims"] => Some(Meaning::Mark(Mark::Exclaims)),
        ["mark", "task"] => Some(Meaning::Mark(Mark::Task)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::pattern::folded;

    #[test]
    fn every_file_of_rules_compiles() {
        for language in Language::ALL {
            let rules = Rules::parse(language.text(), language.width()).unwrap();
            let count = rules.plain.meanings.len();
            assert!(count > 20, "{language:?}: {count}");
            assert!(rules.plain.sieve.compiles() && rules.cased.sieve.compiles());
            let apart = rules.withdraws.iter().chain(&rules.exclaims);
            let apart = apart.chain(&rules.reassures);
            assert!(apart.map(Pattern::regex).all(|regex| regex.is_some()));
        }
    }

    #[test]
    fn no_rule_is_passed_over_that_matches() {
        let said = [
            include_str!("../../eval/extract/tuning.txt"),
            include_str!("../../eval/extract/phrases.txt"),
        ];
        let lines = said.iter().flat_map(|text| text.lines());
        for line in lines.step_by(7) {
            let plain = folded(&line.to_lowercase());
            for rules in Language::ALL.into_iter().filter_map(Language::rules) {
                for (sieve, text) in [
                    (&rules.plain.sieve, plain.as_str()),
                    (&rules.cased.sieve, line),
                ] {
                    let text = text.as_bytes();
                    assert_eq!(sieve.matches(text), sieve.matches_of_all(text), "{line}");
                }
            }
        }
    }

    #[test]
    fn what_is_broken_is_named() {
        for (text, line) in [
            ("\\bx\n", 1),
            ("keep standing 0.5\n(\n", 2),
            ("keep sometimes 0.5\n", 1),
        ] {
            assert_eq!(Rules::parse(text, 1).unwrap_err().line, line, "{text}");
        }
    }
}
