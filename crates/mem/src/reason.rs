//! Reasons, which stand in the history for good and are shown in trails: without their secrets.

use mem_tools::BLANKED_REASON;

use crate::context::Context;

/// A reason as it may be kept and shown.
pub(crate) fn shown_reason(reason: &str) -> String {
    mem_secrets::redacted(reason)
}

impl Context {
    /// A reason as it is kept; whoever gave it is told where that is not what they wrote.
    pub(crate) fn stored_reason(&self, given: Option<String>) -> Option<String> {
        let given = given?;
        let kept = shown_reason(&given);
        if kept != given {
            self.printer.print_warning(BLANKED_REASON);
        }
        Some(kept)
    }
}
