//! Something that matched a rule and has not been judged yet.

use std::ops::Range;

use crate::finding::{Confidence, LeakSeverity};

/// How much a rule knows about what it matched; the higher one names the
/// finding when two match the same bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// Told by words around it.
    Prose,
    /// Told by the kind of name it is assigned to.
    Generic,
    /// Told by a vendor's name.
    Named,
    /// Told by its own form.
    Formed,
}

/// A match: which rule, where, how sure.
#[derive(Debug, Clone)]
pub(crate) struct RuleMatch<'a> {
    pub(crate) rule: &'a str,
    pub(crate) severity: LeakSeverity,
    pub(crate) rank: Rank,
    pub(crate) confidence: Confidence,
    /// Whether the rule ships with the crate.
    pub(crate) is_builtin: bool,
    /// The secret itself.
    pub(crate) span: Range<usize>,
    /// The secret after decoding, where that differs from the bytes.
    pub(crate) decoded: Option<Box<[u8]>>,
    /// What had to be undone, outermost first.
    pub(crate) encodings: Vec<crate::finding::SecretEncoding>,
}

impl<'a> RuleMatch<'a> {
    pub(crate) fn new(
        rule: &'a str,
        severity: LeakSeverity,
        rank: Rank,
        span: Range<usize>,
    ) -> Self {
        Self {
            rule,
            severity,
            rank,
            confidence: Confidence::High,
            is_builtin: true,
            span,
            decoded: None,
            encodings: Vec::new(),
        }
    }
}
