//! What a look at every content came to, for people and programs, at a server and on this machine.

use serde_json::{Value, json};

use crate::context::Context;
use crate::printer::OutputError;

/// Contents that are named; the others are counted. With `--json` all are.
const NAMED_MAX: usize = 20;

/// What opens and what does not.
#[derive(Default)]
pub(super) struct SealCheck {
    pub(super) open: u64,
    /// In words, and as JSON.
    pub(super) closed: Vec<(String, Value)>,
}

impl SealCheck {
    /// Whether everything opens.
    pub(super) fn is_well(&self) -> bool {
        self.closed.is_empty()
    }

    /// The object of `--json`.
    pub(super) fn to_json(&self) -> Value {
        let closed = self.closed.iter().map(|(_, value)| value);
        json!({ "open": self.open, "closed": closed.collect::<Vec<_>>() })
    }

    /// Tells it.
    ///
    /// # Errors
    /// Nobody reads on.
    pub(super) fn print_check(&self, context: &Context) -> Result<(), OutputError> {
        let printer = &context.printer;
        let (open, closed) = (self.open, self.closed.len());
        printer.line(format_args!("{open} contents open, {closed} do not"))?;
        for (text, _) in self.closed.iter().take(NAMED_MAX) {
            printer.print_warning(text);
        }
        if closed > NAMED_MAX {
            let others = closed - NAMED_MAX;
            printer.print_warning(format_args!("and {others} more: `--json` names all"));
        }
        Ok(())
    }
}
