//! Printing a tally.

mod json;
mod next_step;
mod sarif;
mod text;

pub(crate) use json::severity;
pub(crate) use text::block;

use clap::ValueEnum;
use mem_scan::ScanTotals;

use crate::context::Context;
use crate::printer::{OutputError, Printer};
use crate::sanitize::one_line;

/// How findings are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people
    #[default]
    Text,
    /// One object
    Json,
    /// One object a line: each finding, then the summary
    Jsonl,
    /// SARIF 2.1.0, for code scanning services
    Sarif,
}

/// What could not be scanned, harmless for a terminal.
fn shown_problems(totals: &ScanTotals) -> impl Iterator<Item = String> {
    totals.problems.iter().map(|problem| one_line(problem))
}

/// Warns of what could not be scanned.
pub(crate) fn print_problems(totals: &ScanTotals, printer: &Printer) {
    shown_problems(totals).for_each(|problem| printer.print_warning(problem));
}

/// Prints a settled tally.
///
/// # Errors
/// Standard output cannot be written.
pub(crate) fn print(
    totals: &ScanTotals,
    format: ReportFormat,
    reveal: bool,
    context: &Context,
) -> Result<(), OutputError> {
    let printer = &context.printer;
    print_problems(totals, printer);
    if totals.unlisted() > 0 {
        printer.print_warning(format_args!(
            "{} more findings or problems are not listed",
            totals.unlisted()
        ));
    }
    match format {
        ReportFormat::Text => text::print(totals, reveal, printer),
        ReportFormat::Json => printer.print_json(&json::whole(totals)),
        ReportFormat::Jsonl => json::lines(totals)
            .iter()
            .try_for_each(|line| printer.print_json(line)),
        ReportFormat::Sarif => printer.print_json(&sarif::log(totals)),
    }
}
