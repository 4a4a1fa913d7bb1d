//! What did not come along when a directory became memories or memories became files, and why.

use mem_core::memory_path::escaped;
use mem_scan::outbound::OutboundScanner;
use mem_sync::screen::Leak;
use serde_json::{Value, json};

use crate::printer::Printer;

/// One thing that was left out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SkippedFile {
    /// The path of the memory that it is, or would be; `None` where the path itself holds a secret.
    path: Option<String>,
    /// In words.
    why: String,
    /// The rule and the line of a secret in it.
    secret: Option<(String, Option<u64>)>,
}

impl SkippedFile {
    /// For any other reason than a secret.
    pub(crate) fn new(path: impl Into<String>, why: impl Into<String>) -> Self {
        Self {
            path: Some(path.into()),
            why: why.into(),
            secret: None,
        }
    }

    /// Because it holds a secret.
    pub(crate) fn for_leak(path: &str, leak: Leak) -> Self {
        Self {
            path: leak.line.map(|_| path.to_owned()),
            why: format!("it holds a secret: {leak}"),
            secret: Some((leak.rule, leak.line)),
        }
    }

    /// The same, without its path where that holds a secret.
    pub(crate) fn for_path(self, screen: &OutboundScanner) -> Self {
        let path = self.path.as_deref().unwrap_or_default();
        match screen.leak(path, "") {
            None => self,
            Some(_) => Self { path: None, ..self },
        }
    }

    /// Whether a secret is the reason.
    pub(crate) fn is_secret(&self) -> bool {
        self.secret.is_some()
    }

    /// As programs read it.
    fn shape(&self) -> Value {
        let mut shape = json!({ "path": self.path, "why": self.why });
        if let Some((rule, line)) = &self.secret {
            shape["rule"] = json!(rule);
            shape["line"] = json!(line);
        }
        shape
    }
}

/// All of them, as programs read them.
pub(crate) fn skipped_json(all: &[SkippedFile]) -> Vec<Value> {
    all.iter().map(SkippedFile::shape).collect()
}

/// A line for each.
pub(crate) fn warn_of_skipped(all: &[SkippedFile], printer: &Printer) {
    for one in all {
        let path = one.path.as_deref().map(escaped);
        let path = path
            .as_deref()
            .unwrap_or("something with a secret in its name");
        printer.print_warning(format_args!("{path} is left out: {}", one.why));
    }
}
