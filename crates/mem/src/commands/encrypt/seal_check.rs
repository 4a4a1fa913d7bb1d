//! What a look at every content came to, told to people.

use mem_admin::encryption::SealCheck;

use crate::context::Context;
use crate::printer::OutputError;

/// Contents that are named; the others are counted. With `--json` all are.
const NAMED_MAX: usize = 20;

/// Tells it.
///
/// # Errors
/// Nobody reads on.
pub(super) fn print_check(check: &SealCheck, context: &Context) -> Result<(), OutputError> {
    let printer = &context.printer;
    let (open, closed) = (check.open, check.closed.len());
    printer.line(format_args!("{open} contents open, {closed} do not"))?;
    for (text, _) in check.closed.iter().take(NAMED_MAX) {
        printer.print_warning(text);
    }
    if closed > NAMED_MAX {
        let others = closed - NAMED_MAX;
        printer.print_warning(format_args!("and {others} more: `--json` names all"));
    }
    Ok(())
}
