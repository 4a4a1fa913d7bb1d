//! One pass over one input: each keyword wakes its rules, each match is
//! judged at once, and what survives is a candidate.

use std::ops::Range;

use crate::builtin::{
    self, BINARY_RULES, FILE_RULES, PATH_RULES, RULES, RUN_RULES, SEARCH_COUNT, SEARCH_RULES,
};
use crate::candidate::{Rank, RuleMatch};
use crate::check::{self, CheckResult, RuleCheck};
use crate::decode::{self, utf16};
use crate::detect;
use crate::entropy::shannon;
use crate::filter::{self, MatchFilter, is_uuid, weak_password};
use crate::finding::{Confidence, LeakSeverity, SecretEncoding};
use crate::keywords::Keywords;
use crate::origin::{FileKind, InputOrigin};
use crate::rule::assigned::{is_own_word, value_after};
use crate::rule::boundary::{self, ends_value};
use crate::rule::sequence::Sequences;
use crate::rule::{Body, Rule, RuleSearch};
use crate::runs;
use crate::scanner::FilterRejection;

/// A keyword in the input: where it begins and ends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeywordHit {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// The state of one pass.
pub(crate) struct Pass<'a> {
    pub(crate) bytes: &'a [u8],
    keywords: &'a Keywords,
    pub(crate) origin: &'a InputOrigin,
    pub(crate) kind: FileKind,
    pub(crate) candidates: Vec<RuleMatch<'static>>,
    pub(crate) rejections: Vec<FilterRejection>,
    pub(crate) explain: bool,
    /// What is less sure is not reported, so nothing need be done to find it.
    pub(crate) least: Confidence,
    /// Up to where the text is known, and whether a block of code between fences is open there.
    fence: (usize, bool),
    /// Up to where the lines are known, and the indent of the section of encrypted values that is open there.
    pub(crate) sealed_section: (usize, Option<usize>),
    /// Whether the input is no text. Then nothing separates a token from what stands around it: SQLite and its kind
    /// store the fields of a row one after another.
    pub(crate) is_binary: bool,
    /// How many encodings are already undone.
    pub(crate) depth: usize,
    /// Where each rule last matched or gave up, so that no byte is looked at
    /// by one rule again and again.
    done: Vec<usize>,
    windows: Vec<Range<usize>>,
}

impl<'a> Pass<'a> {
    pub(crate) fn new(
        keywords: &'a Keywords,
        bytes: &'a [u8],
        origin: &'a InputOrigin,
        explain: bool,
        least: Confidence,
    ) -> Self {
        Self {
            bytes,
            keywords,
            origin,
            kind: origin.kind(),
            candidates: Vec::new(),
            rejections: Vec::new(),
            explain,
            least,
            fence: (0, false),
            sealed_section: (0, None),
            is_binary: false,
            depth: 0,
            done: vec![0; RULES.len()],
            windows: vec![0..0; SEARCH_COUNT],
        }
    }

    pub(crate) fn run(&mut self) {
        self.paths();
        self.records();
        self.keywords.each(self.bytes, |keyword, start, end| {
            for &rule in builtin::owners(keyword) {
                self.wake(usize::from(rule), KeywordHit { start, end });
            }
        });
        if self.is_binary {
            for rule in BINARY_RULES {
                detect::der_keys(self, &RULES[usize::from(rule)]);
            }
        }
        let mut decoded = 0;
        let bytes = self.bytes;
        runs::each(bytes, |run| {
            for start in boundary::starts_in_row(bytes, &run) {
                for rule in RUN_RULES {
                    self.run_rule(usize::from(rule), start);
                }
            }
            if run.start >= decoded {
                decoded = self.decode_run(run);
            }
        });
        for rule in SEARCH_RULES {
            let rule = &RULES[usize::from(rule)];
            if let Body::Search(search) = &rule.body {
                self.search(rule, search, 0..0);
            }
        }
    }

    /// Rules whose finding is the file itself.
    fn paths(&mut self) {
        let path = self
            .origin
            .as_path()
            .unwrap_or_default()
            .to_ascii_lowercase();
        for rule in PATH_RULES {
            let rule = &RULES[usize::from(rule)];
            let likely = rule.keywords().any(|word| path.contains(word));
            if likely && self.path_filter(rule).is_none() {
                self.accept(rule, Rank::Formed, 0..0, Confidence::Medium);
                // Each file is a secret of its own.
                if let Some(candidate) = self.candidates.last_mut() {
                    candidate.decoded = Some(path.as_bytes().into());
                }
            }
        }
    }

    /// Rules for files of one format, which their names tell.
    fn records(&mut self) {
        let name = self.origin.name();
        for rule in FILE_RULES {
            let rule = &RULES[usize::from(rule)];
            if let Body::File(record) = rule.body
                && rule.keywords().any(|word| name.contains(word))
            {
                detect::records(record, self, rule);
            }
        }
    }

    fn wake(&mut self, index: usize, hit: KeywordHit) {
        let rule = &RULES[index];
        match &rule.body {
            &Body::Token(sequences) => self.token(index, sequences, hit),
            &Body::Assigned(sequences) => self.assigned(rule, sequences, hit),
            Body::Search(search) => {
                let end = (hit.end + search.after).min(self.bytes.len());
                self.search(rule, search, hit.start.saturating_sub(search.before)..end);
            }
            Body::Detector(detector) => {
                self.done[index] = detect::run(*detector, self, rule, hit, self.done[index]);
            }
            Body::File(_) | Body::Path => {}
        }
    }

    /// A rule without a keyword: its token begins at a place of a row, or a few
    /// bytes before.
    fn run_rule(&mut self, index: usize, place: usize) {
        let back = RULES[index].lead;
        if let Some(start) = place.checked_sub(back) {
            self.wake(index, KeywordHit { start, end: start });
        }
    }

    /// Scans what a row decodes to, and says how far it looked.
    fn decode_run(&mut self, run: Range<usize>) -> usize {
        let block = runs::block(self.bytes, run);
        if let Some((encoding, text)) = decode::run(&self.bytes[block.clone()]) {
            self.nested(encoding, &text, &block);
        }
        block.end
    }

    /// Scans decoded text; what is found there stands at `span` here.
    pub(crate) fn nested(&mut self, encoding: SecretEncoding, text: &[u8], span: &Range<usize>) {
        if self.depth >= decode::DEPTH_MAX {
            return;
        }
        let wide = utf16::transcode(text);
        let text = wide.as_ref().map_or(text, |wide| &wide.text);
        let origin = InputOrigin::unknown();
        let mut inner = Pass::new(self.keywords, text, &origin, self.explain, self.least);
        inner.depth = self.depth + 1;
        inner.run();
        for mut rejection in inner.rejections {
            rejection.span = span.start as u64..span.end as u64;
            self.rejections.push(rejection);
        }
        for mut candidate in inner.candidates {
            if candidate.rank == Rank::Prose || candidate.span.is_empty() {
                continue;
            }
            let secret = candidate.decoded.take();
            candidate.decoded = secret.or_else(|| Some(text[candidate.span.clone()].into()));
            if wide.is_some() {
                candidate.encodings.insert(0, SecretEncoding::Utf16);
            }
            candidate.encodings.insert(0, encoding);
            candidate.span = span.clone();
            self.candidates.push(candidate);
        }
    }

    fn token(&mut self, index: usize, sequences: Sequences, hit: KeywordHit) {
        if hit.start < self.done[index] {
            return;
        }
        let (bytes, rule) = (self.bytes, &RULES[index]);
        // In binary input a right checksum replaces the check of the bytes around a token.
        let is_proven = self.is_binary && rule.check.has_checksum();
        let is_valid =
            |token: &[u8]| is_proven && check::verify(rule.check, token) == CheckResult::Valid;
        let opens = |start| is_proven || boundary::opens(bytes, start);
        let closes = |start, end| {
            boundary::opens(bytes, start) && boundary::closes(bytes, start, end)
                || is_valid(&bytes[start..end])
        };
        let found = sequences
            .iter()
            .find_map(|s| s.match_around(bytes, hit.start, &opens, &closes));
        if let Some((start, end)) = found {
            self.done[index] = end;
            self.judge(rule, Rank::Formed, start..end);
        }
    }

    fn assigned(&mut self, rule: &'static Rule, sequences: Sequences, hit: KeywordHit) {
        let bytes = self.bytes;
        if !is_own_word(bytes, hit.start, hit.end) {
            return;
        }
        let Some(start) = value_after(bytes, hit.end) else {
            return;
        };
        let found = sequences
            .iter()
            .find_map(|s| s.match_at(bytes, start, &|e| ends_value(bytes, e)));
        if let Some(end) = found {
            let known = self.candidates.len();
            self.judge(rule, Rank::Named, start..end);
            let Range {
                start: from,
                end: to,
            } = detect::name_around(bytes, hit);
            if detect::name::is_identifier(&bytes[from..to]) {
                let added = self.candidates[known..].iter_mut();
                added.for_each(|candidate| candidate.confidence = Confidence::Low);
            }
        }
    }

    /// Joins overlapping windows of one rule and searches a window as soon as
    /// a later one does not touch it.
    fn search(&mut self, rule: &'static Rule, search: &RuleSearch, window: Range<usize>) {
        let pending = &mut self.windows[search.slot];
        if window.start < window.end && window.start <= pending.end && pending.start < pending.end {
            pending.end = pending.end.max(window.end);
            return;
        }
        let pending = std::mem::replace(pending, window);
        if pending.start >= pending.end {
            return;
        }
        let Some(expression) = builtin::expression(search) else {
            return;
        };
        let base = pending.start;
        for captures in expression.captures_iter(&self.bytes[pending]) {
            // Each alternative of a pattern has a group of its own.
            let groups = (search.group..captures.len()).filter_map(|group| captures.get(group));
            if let Some(found) = groups.take(1).next().or(captures.get(0)) {
                self.judge(rule, Rank::Formed, base + found.start()..base + found.end());
            }
        }
    }

    /// Whether a place of a document is in a block of code between fences of Markdown. Places are asked for in their
    /// order, so that no byte is looked at twice.
    pub(crate) fn is_fenced(&mut self, at: usize) -> bool {
        let (known, mut open) = self.fence;
        if at > known {
            let text = &self.bytes[known..at];
            let fences = memchr::memmem::find_iter(text, b"```");
            let opens_line = |place: &usize| {
                let line = memchr::memrchr(b'\n', &text[..*place]).map_or(0, |newline| newline + 1);
                text[line..*place].iter().all(u8::is_ascii_whitespace)
            };
            open ^= fences.filter(opens_line).count() % 2 == 1;
            self.fence = (at, open);
        }
        open
    }

    /// Runs the filters that every format shares, then the format's own check.
    pub(crate) fn judge(&mut self, rule: &'static Rule, rank: Rank, span: Range<usize>) {
        let secret = &self.bytes[span.clone()];
        let filter = if shannon(secret) < rule.entropy {
            Some(MatchFilter::LowEntropy)
        } else if rule.exact {
            None
        } else if rank == Rank::Named {
            filter::of_named_value(secret)
        } else if matches!(rule.body, Body::Token(_) | Body::Assigned(_)) {
            filter::of_token(secret)
        } else {
            filter::of_chosen_value(secret)
        };
        if let Some(filter) = filter.or_else(|| self.path_filter(rule)) {
            self.reject(rule, span, filter);
            return;
        }
        let confidence = match check::verify(rule.check, secret) {
            CheckResult::Valid => Confidence::Certain,
            CheckResult::Invalid => Confidence::Medium,
            CheckResult::Unknown if rank == Rank::Formed => Confidence::High,
            CheckResult::Unknown => Confidence::Medium,
            CheckResult::Refused(MatchFilter::Words)
                if rule.check == RuleCheck::WeakLogin
                    && self.least <= Confidence::Low
                    && weak_password::judge(secret, true).is_none() =>
            {
                Confidence::Low
            }
            CheckResult::Refused(filter) => {
                self.reject(rule, span, filter);
                return;
            }
        };
        self.accept(rule, rank, span, confidence);
    }

    pub(crate) fn accept(
        &mut self,
        rule: &'static Rule,
        rank: Rank,
        span: Range<usize>,
        confidence: Confidence,
    ) {
        if rank == Rank::Generic && check::jwt::is_unsigned(&self.bytes[span.clone()]) {
            self.reject(rule, span, MatchFilter::Public);
            return;
        }
        // Beside the name of a secret a UUID far more often names something than opens it, the header of a web token is
        // what a manual leaves of one, and an identifier opens nothing.
        let value = &self.bytes[span.clone()];
        let is_name = rank == Rank::Generic && (is_uuid(value) || check::jwt::is_header(value))
            || rule.severity == LeakSeverity::Low;
        let mut candidate = RuleMatch::new(rule.id(), rule.severity, rank, span);
        candidate.confidence = match is_name {
            true => Confidence::Low,
            false => confidence,
        };
        self.candidates.push(candidate);
    }

    pub(crate) fn reject(&mut self, rule: &Rule, span: Range<usize>, filter: MatchFilter) {
        if self.explain {
            let span = span.start as u64..span.end as u64;
            self.rejections.push(FilterRejection {
                rule: rule.id().to_owned(),
                span,
                filter,
            });
        }
    }

    fn path_filter(&self, rule: &Rule) -> Option<MatchFilter> {
        let wanted = rule.path?.as_str();
        let path = self.origin.as_path().unwrap_or_default();
        let fits = builtin::path_expression(wanted).is_some_and(|e| e.is_match(path.as_bytes()));
        (!fits).then_some(MatchFilter::OtherFile)
    }
}
