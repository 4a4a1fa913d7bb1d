//! Reasons, which stand in the history for good and are shown in trails: without their secrets.

use crate::context::Context;

/// What is said of a reason that held one.
pub(crate) const BLANKED: &str = "the reason held a secret: it is kept without";

/// A reason as it may be kept and shown.
pub(crate) fn shown(reason: &str) -> String {
    mem_secrets::redacted(reason)
}

impl Context {
    /// A reason as it is kept; whoever gave it is told where that is not what they wrote.
    pub(crate) fn reason(&self, given: Option<String>) -> Option<String> {
        let given = given?;
        let kept = shown(&given);
        if kept != given {
            self.printer.warn(BLANKED);
        }
        Some(kept)
    }
}
