//! The front door: what a caller builds once and asks again and again.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use crate::builtin;
use crate::candidate::RuleMatch;
use crate::config::{self, Config, CustomRule};
use crate::decode::{properties, utf16};
use crate::entropy::shannon;
use crate::filter::MatchFilter;
use crate::finding::{Confidence, SecretEncoding, SecretFinding};
use crate::keywords::Keywords;
use crate::lines::LineStarts;
use crate::origin::{InputOrigin, is_binary};
use crate::pass::Pass;
use crate::rule::Rule;
use crate::secret::Secret;
use crate::suppress::{Suppressed, suppressor};

/// A compiled set of rules. Building one costs next to nothing; expressions
/// are compiled when a keyword of theirs first turns up.
#[derive(Clone)]
pub struct Scanner {
    keywords: Keywords,
    custom: Option<Arc<Custom>>,
    comments: bool,
    least: Confidence,
}

/// A user's configuration and the search for its keywords.
struct Custom {
    config: Config,
    keywords: Option<Keywords>,
    /// Of each keyword, the rules that it wakes.
    owners: Vec<Vec<usize>>,
}

/// A match that a filter took back, for `--explain`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterRejection {
    /// The rule that matched.
    pub rule: String,
    /// Bytes of what it took for a secret.
    pub span: Range<u64>,
    /// Why it is none.
    pub filter: MatchFilter,
}

/// Findings, and what was taken back.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ScanReport {
    /// In the order of their place.
    pub findings: Vec<SecretFinding>,
    /// What a user's configuration or comment hides.
    pub suppressed: Vec<Suppressed>,
    /// Empty unless an explanation was asked for.
    pub rejections: Vec<FilterRejection>,
}

impl ScanReport {
    /// The findings, also those that are hidden.
    fn all_findings(&mut self) -> impl Iterator<Item = &mut SecretFinding> {
        let hidden = self.suppressed.iter_mut();
        let hidden = hidden.map(|hidden| &mut hidden.finding);
        self.findings.iter_mut().chain(hidden)
    }
}

impl Default for Scanner {
    fn default() -> Self {
        Self::new()
    }
}

impl Scanner {
    /// A scanner with the rules that ship with the crate.
    #[must_use]
    pub fn new() -> Self {
        Self {
            keywords: builtin::keywords(),
            custom: None,
            comments: false,
            least: Confidence::Medium,
        }
    }

    /// The same scanner with a user's rules added and allowlists applied.
    #[must_use]
    pub fn with_config(mut self, config: Config) -> Self {
        self.custom = Some(Arc::new(Custom::new(config)));
        self
    }

    /// The same scanner, which lets `gitleaks:allow` and `mem:allow` comments
    /// hide findings. Whoever does not trust a repository leaves this off.
    #[must_use]
    pub const fn with_comments(mut self, obeyed: bool) -> Self {
        self.comments = obeyed;
        self
    }

    /// The same scanner, which reports findings of this confidence and above; without this call of
    /// [`Confidence::Medium`], at which whatever leaves the machine is stopped.
    #[must_use]
    pub const fn with_confidence(mut self, least: Confidence) -> Self {
        self.least = least;
        self
    }

    /// Whether rules of a user are among those that look for something: nothing bounds how far such a rule looks.
    #[must_use]
    pub fn has_custom_rules(&self) -> bool {
        let custom = self.custom.as_ref();
        custom.is_some_and(|custom| custom.config.rules.iter().any(CustomRule::finds))
    }

    /// The findings in `bytes`, in the order of their place.
    #[must_use]
    pub fn scan(&self, bytes: &[u8], origin: &InputOrigin) -> Vec<SecretFinding> {
        self.report(bytes, origin).findings
    }

    /// Like [`Scanner::scan`], and what the user's configuration hides.
    #[must_use]
    pub fn report(&self, bytes: &[u8], origin: &InputOrigin) -> ScanReport {
        self.run(bytes, origin, false, is_binary(bytes))
    }

    /// Like [`Scanner::report`], for a window of an input whose beginning says whether it is binary.
    pub(crate) fn report_window(
        &self,
        bytes: &[u8],
        origin: &InputOrigin,
        is_binary: bool,
    ) -> ScanReport {
        self.run(bytes, origin, false, is_binary)
    }

    /// Like [`Scanner::report`], and what the filters took back, with the name
    /// of each filter.
    #[must_use]
    pub fn explain(&self, bytes: &[u8], origin: &InputOrigin) -> ScanReport {
        self.run(bytes, origin, true, is_binary(bytes))
    }

    fn run(
        &self,
        bytes: &[u8],
        origin: &InputOrigin,
        explain: bool,
        is_binary: bool,
    ) -> ScanReport {
        let Some(wide) = utf16::transcode(bytes) else {
            return self.run_text(bytes, origin, explain, is_binary);
        };
        let mut report = self.run_text(&wide.text, origin, explain, false);
        for finding in report.all_findings() {
            finding.span = wide.original(&finding.span);
            finding.encodings.insert(0, SecretEncoding::Utf16);
        }
        report
    }

    /// Scans a text without the escapes that its format has.
    fn run_text(
        &self,
        bytes: &[u8],
        origin: &InputOrigin,
        explain: bool,
        is_binary: bool,
    ) -> ScanReport {
        let plain = origin
            .is_properties()
            .then(|| properties::unescape(bytes))
            .flatten();
        let Some(plain) = plain else {
            return self.run_bytes(bytes, origin, explain, is_binary);
        };
        let mut report = self.run_bytes(&plain.text, origin, explain, is_binary);
        let lines = LineStarts::new(bytes);
        for finding in report.all_findings() {
            finding.span = plain.original(&finding.span);
            let [start, end] = [finding.span.start, finding.span.end].map(|at| at as usize);
            (finding.line, finding.column) = lines.locate(start);
            (finding.end_line, finding.end_column) = lines.locate(end);
        }
        report
    }

    fn run_bytes(
        &self,
        bytes: &[u8],
        origin: &InputOrigin,
        explain: bool,
        is_binary: bool,
    ) -> ScanReport {
        let mut pass = Pass::new(&self.keywords, bytes, origin, explain, self.least);
        pass.is_binary = is_binary;
        pass.run();
        let rejections = std::mem::take(&mut pass.rejections);
        let mut candidates: Vec<RuleMatch<'_>> = pass.candidates;
        let custom = self.custom.as_deref();
        if let Some(custom) = custom {
            custom.find(bytes, origin, &mut candidates);
        }
        let mut report = ScanReport {
            rejections,
            ..ScanReport::default()
        };
        let mut rows = config::LineCursor::new(bytes);
        candidates.retain(|candidate| candidate.confidence >= self.least);
        for finding in resolve_matches(bytes, candidates) {
            let config = custom.map(|custom| &custom.config);
            match suppressor(config, self.comments, &finding, &mut rows, origin) {
                Some(by) => report.suppressed.push(Suppressed { finding, by }),
                None => report.findings.push(finding),
            }
        }
        report
    }
}

/// Every rule that ships with the crate, in the order of their families.
#[must_use]
pub fn rules() -> &'static [Rule] {
    &builtin::RULES
}

/// What a rule finds; a user's own rule has only its name.
#[must_use]
pub fn rule_description(id: &str) -> &'static str {
    let known = rules().iter().find(|rule| rule.id() == id);
    known.map_or("a rule of this repository", Rule::description)
}

impl Custom {
    fn new(config: Config) -> Self {
        let mut words: Vec<&str> = Vec::new();
        let mut owners: Vec<Vec<usize>> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        for (index, rule) in config.rules.iter().enumerate() {
            for word in rule.keywords.iter().filter(|word| !word.is_empty()) {
                let place = *places.entry(word).or_insert_with(|| {
                    words.push(word);
                    owners.push(Vec::new());
                    words.len() - 1
                });
                owners[place].push(index);
            }
        }
        let bytes: Vec<&[u8]> = words.iter().map(|word| word.as_bytes()).collect();
        // Keywords of one or two letters: then every rule always runs.
        let keywords = Keywords::new(&bytes).ok();
        Self {
            keywords,
            owners,
            config,
        }
    }

    /// Adds what the user's rules find.
    fn find<'a>(&'a self, bytes: &[u8], origin: &InputOrigin, candidates: &mut Vec<RuleMatch<'a>>) {
        let rules = &self.config.rules;
        let free = |rule: &CustomRule| rule.keywords.is_empty() || self.keywords.is_none();
        let mut awake: Vec<bool> = rules.iter().map(free).collect();
        if let Some(keywords) = &self.keywords {
            keywords.each(bytes, |word, _, _| {
                self.owners[usize::from(word)]
                    .iter()
                    .for_each(|&rule| awake[rule] = true);
            });
        }
        let commit = origin.commit().unwrap_or_default();
        let active = rules
            .iter()
            .zip(awake)
            .filter(|(rule, awake)| *awake && rule.finds());
        let active: Vec<&CustomRule> = active.map(|(rule, _)| rule).collect();
        let found = active
            .iter()
            .flat_map(|rule| rule.find(bytes, origin, commit));
        candidates.extend(found.collect::<Vec<_>>());
        if !active
            .iter()
            .any(|rule| rule.silent || !rule.required.is_empty())
        {
            return;
        }
        let lines = LineStarts::new(bytes);
        let lacking = |candidate: &RuleMatch<'_>| {
            let rule = active.iter().find(|rule| rule.id == candidate.rule);
            rule.is_some_and(|rule| {
                rule.silent
                    || !rule
                        .required
                        .iter()
                        .all(|r| r.holds(&lines, &candidate.span, candidates))
            })
        };
        let keep: Vec<bool> = candidates
            .iter()
            .map(|candidate| !lacking(candidate))
            .collect();
        let mut keep = keep.into_iter();
        candidates.retain(|_| keep.next().unwrap_or(true));
    }
}

/// Sorts the candidates, joins those over the same bytes, and names places.
fn resolve_matches(bytes: &[u8], mut candidates: Vec<RuleMatch<'_>>) -> Vec<SecretFinding> {
    candidates.sort_by_key(|c| (c.span.start, std::cmp::Reverse(c.span.end)));
    let mut groups: Vec<(Range<usize>, Vec<RuleMatch<'_>>)> = Vec::new();
    for candidate in candidates {
        match groups.last_mut() {
            Some((span, group)) if candidate.span.start < span.end && same(group, &candidate) => {
                span.end = span.end.max(candidate.span.end);
                group.push(candidate);
            }
            _ => groups.push((candidate.span.clone(), vec![candidate])),
        }
    }
    if groups.is_empty() {
        return Vec::new();
    }
    let lines = LineStarts::new(bytes);
    groups
        .into_iter()
        .filter_map(|(_, group)| join(bytes, &lines, &group))
        .collect()
}

/// Whether a candidate over the same bytes is about the same secret: one
/// encoded row may hold many.
fn same(group: &[RuleMatch<'_>], candidate: &RuleMatch<'_>) -> bool {
    let last = group.last().and_then(|last| last.decoded.as_deref());
    match (last, candidate.decoded.as_deref()) {
        (Some(last), Some(next)) => {
            let (short, long) = if last.len() < next.len() {
                (last, next)
            } else {
                (next, last)
            };
            memchr::memmem::find(long, short).is_some()
        }
        _ => true,
    }
}

/// One finding for a group of overlapping candidates: the one that knows
/// most, with the others' names beside it.
fn join(bytes: &[u8], lines: &LineStarts, group: &[RuleMatch<'_>]) -> Option<SecretFinding> {
    // An identifier that may be a secret by another rule is one.
    let key = |c: &&RuleMatch<'_>| (c.confidence > Confidence::Low, c.rank, c.confidence);
    let best = group.iter().rev().max_by_key(key)?;
    let mut also: Vec<String> = group.iter().map(|c| c.rule.to_owned()).collect();
    also.sort();
    also.dedup();
    also.retain(|rule| rule != best.rule);
    let (line, column) = lines.locate(best.span.start);
    let (end_line, end_column) = lines.locate(best.span.end);
    let secret = best.decoded.as_deref().unwrap_or(&bytes[best.span.clone()]);
    Some(SecretFinding {
        rule: best.rule.to_owned(),
        also,
        severity: best.severity,
        confidence: best.confidence,
        is_builtin: best.is_builtin,
        span: best.span.start as u64..best.span.end as u64,
        line,
        column,
        end_line,
        end_column,
        entropy: shannon(secret),
        encodings: best.encodings.clone(),
        secret: Secret::new(secret),
    })
}
