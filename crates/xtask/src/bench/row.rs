//! One line of the table.

use std::time::Duration;

use super::timing::Medians;

/// The head of the table.
pub(crate) const HEADER: &str = "\
| | `mem` | beside | `mem` ms | beside ms | ratio (goal) | syncs `mem` / beside |
|---|---|---|---:|---:|---:|---:|";

/// What a scenario found.
pub(crate) struct Row {
    /// The command line of `mem`.
    pub subject: &'static str,
    /// What it is compared with.
    pub beside: &'static str,
    /// Both medians.
    pub medians: Medians,
    /// The ratio not to exceed.
    pub goal: f64,
    /// Calls that wait for the disk, of both; `None` where they cannot be counted.
    pub syncs: Option<(usize, usize)>,
}

impl Row {
    /// The line.
    pub(crate) fn markdown(&self, name: &str) -> String {
        let (subject, beside) = (ms(self.medians.subject), ms(self.medians.beside));
        let syncs = self.syncs.map_or_else(String::new, |(subject, beside)| {
            format!("{subject} / {beside}")
        });
        format!(
            "| {name} | `{}` | `{}` | {subject:.2} | {beside:.2} | {:.2} ({}) | {syncs} |",
            self.subject,
            self.beside,
            subject / beside,
            self.goal
        )
    }
}

/// Milliseconds.
fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}
