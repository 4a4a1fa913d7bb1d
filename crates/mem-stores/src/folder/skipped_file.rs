//! What did not come along when a directory became memories or memories became files, and why.

use mem_scan::outbound::OutboundScanner;
use mem_sync::outbound_scan::Leak;

/// One thing that was left out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SkippedFile {
    /// The path of the memory that it is, or would be; `None` where the path itself holds a secret.
    pub path: Option<String>,
    /// In words.
    pub why: String,
    /// The rule and the line of a secret in it.
    pub secret: Option<(String, Option<u64>)>,
}

impl SkippedFile {
    /// For any other reason than a secret.
    pub fn new(path: impl Into<String>, why: impl Into<String>) -> Self {
        Self {
            path: Some(path.into()),
            why: why.into(),
            secret: None,
        }
    }

    /// Because it holds a secret.
    pub fn for_leak(path: &str, leak: Leak) -> Self {
        Self {
            path: leak.line.map(|_| path.to_owned()),
            why: format!("it holds a secret: {leak}"),
            secret: Some((leak.rule, leak.line)),
        }
    }

    /// The same, without its path where that holds a secret.
    pub fn for_path(self, screen: &OutboundScanner) -> Self {
        let path = self.path.as_deref().unwrap_or_default();
        match screen.leak(path, "") {
            None => self,
            Some(_) => Self { path: None, ..self },
        }
    }

    /// Whether a secret is the reason.
    pub fn is_secret(&self) -> bool {
        self.secret.is_some()
    }
}
