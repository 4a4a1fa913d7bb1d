//! What is to go, told before anything goes.

use anyhow::Result;
use serde_json::Value;

use super::Args;
use crate::context::Context;

/// What is to go.
pub(super) struct Listed {
    /// For people.
    pub(super) lines: Vec<String>,
    /// An object for programs.
    pub(super) shape: Value,
}

impl Listed {
    /// Tells it and asks. `false` where it was only to be shown.
    ///
    /// # Errors
    /// The answer is no, or there is nobody to ask.
    pub(super) fn is_to_go(&self, question: &str, args: &Args, context: &Context) -> Result<bool> {
        let printer = &context.printer;
        if !printer.json {
            for line in &self.lines {
                printer.line(line)?;
            }
        }
        if !args.dry_run {
            context.confirm(question, args.yes)?;
            return Ok(true);
        }
        printer.say("nothing was erased");
        if printer.json {
            let mut all = self.shape.clone();
            all["erased"] = false.into();
            printer.json(&all)?;
        }
        Ok(false)
    }
}
