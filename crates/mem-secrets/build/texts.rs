//! Collects the texts of all rules into one, so that a rule holds places instead of pointers.

use std::collections::HashMap;
use std::fmt::Write as _;

#[derive(Default)]
pub(crate) struct RuleTexts {
    all: String,
    known: HashMap<String, usize>,
}

impl RuleTexts {
    /// The expression of a `TextSpan` that stands for `text`.
    pub(crate) fn add(&mut self, text: &str) -> String {
        let start = self.known.get(text).copied().unwrap_or_else(|| {
            let start = self.all.len();
            self.all.push_str(text);
            self.known.insert(text.to_owned(), start);
            start
        });
        format!("TextSpan {{ start: {start}, end: {} }}", start + text.len())
    }

    /// Writes the one text.
    pub(crate) fn emit(&self, source: &mut String) {
        let _ = writeln!(source, "pub(crate) static TEXTS: &str = {:?};", self.all);
    }
}
