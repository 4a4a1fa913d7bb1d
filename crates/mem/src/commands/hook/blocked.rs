//! What a person sees when a hook stops git, or could not look.

use mem_scan::ScanTotals;

use crate::context::Context;
use crate::error::ErrorShape;
use crate::exit::Exit;
use crate::scan::report::{block, print_problems};
use mem_admin::secrets_stopped;

/// Findings that a hook shows; `mem scan` lists the rest.
const SHOWN_MAX: usize = 20;

/// Ends a hook: 3 where something was found, and where the scan broke and `strict` says so.
pub(super) fn end_hook(
    outcome: anyhow::Result<ScanTotals>,
    verb: &str,
    strict: bool,
    context: &Context,
) -> Exit {
    let printer = &context.printer;
    let totals = match outcome {
        Ok(totals) => totals,
        Err(error) => {
            let message = ErrorShape::from_error(&error).message;
            printer.print_error(&format!("nothing was scanned: {message}"), None);
            return report_broken_scan(verb, strict, context);
        }
    };
    if !totals.found.is_empty() {
        print_block(&totals, verb, context);
        secrets_stopped::count_today(totals.found.len(), context);
        return Exit::Secrets;
    }
    if totals.suppressed > 0 {
        printer.say(format_args!(
            "mem: {} {} hidden by configuration, comments or allows",
            totals.suppressed,
            if totals.suppressed == 1 {
                "finding is"
            } else {
                "findings are"
            }
        ));
    }
    if totals.is_complete() {
        return Exit::Ok;
    }
    print_problems(&totals, printer);
    report_broken_scan(verb, strict, context)
}

/// The scan itself broke: git goes on, unless the user wants it otherwise.
fn report_broken_scan(verb: &str, strict: bool, context: &Context) -> Exit {
    if strict {
        context.printer.print_error(
            &format!("the {verb} is stopped, as --strict wants it"),
            None,
        );
        return Exit::Secrets;
    }
    context.printer.print_error(
        &format!("not everything was scanned; the {verb} goes on"),
        None,
    );
    Exit::Ok
}

/// Names commit, file, line, rule and why, and the three ways on.
fn print_block(totals: &ScanTotals, verb: &str, context: &Context) {
    let printer = &context.printer;
    let count = totals.found.len();
    let noun = if count == 1 { "secret" } else { "secrets" };
    printer.print_error(
        &format!("mem found {count} {noun}; the {verb} is stopped"),
        None,
    );
    for found in totals.found.iter().take(SHOWN_MAX) {
        printer.write_stderr(&block(found, false));
    }
    if count > SHOWN_MAX {
        printer.write_stderr(&format_args!("... and {} more", count - SHOWN_MAX));
    }
    print_problems(totals, printer);
    let first = totals.found.first().map(|one| one.fingerprint.to_string());
    let fingerprint = first.unwrap_or_default();
    // What comes along with a push allows nothing, and neither does an agent.
    let by = match verb {
        "push" => " (a person does)",
        _ => "",
    };
    printer.write_stderr(&format_args!(
        "three ways on:\n  \
         rewrite:  revoke the secret, take it out of the commits, and {verb} again\n  \
         allow:    mem secrets allow {fingerprint} --reason \"why it is no secret\"{by}\n  \
         bypass:   git {verb} --no-verify"
    ));
}
