//! Reporting to the team's server that memories were not sent because they hold secrets (`team.report_refused`).

use std::collections::BTreeSet;

use mem_sync::EntryKey;
use mem_sync::plan::BlockedFile;
use mem_sync::remote::{Remote, RemoteError};
use mem_sync::wire::RefusalReport;

use super::rounds::RoundRun;
use crate::context::Context;

/// Reports of one run; what is more is reported by the next.
const REPORTS_MAX: usize = 50;

/// Reports what this run withheld and no earlier one reported. Returns all that was reported and is still withheld.
/// Sharing does not depend on it: a report that fails is made again by the next run.
pub(super) fn report_refusals(
    run: &RoundRun,
    mut reported: BTreeSet<String>,
    remote: &mut dyn Remote,
    context: &Context,
) -> BTreeSet<String> {
    let refusals = run.report.blocked.iter().filter_map(refusal_of);
    let refusals: Vec<(String, RefusalReport)> = refusals.collect();
    reported.retain(|words| refusals.iter().any(|(held, _)| held == words));
    let new = refusals
        .iter()
        .filter(|(words, _)| !reported.contains(words));
    let new: Vec<_> = new.take(REPORTS_MAX).cloned().collect();
    for (words, report) in new {
        match remote.report_refusal(&report) {
            // A server that knows no reports, or takes none of this rule, would not take them later either.
            Ok(()) | Err(RemoteError::NotFound | RemoteError::Refused { .. }) => {
                reported.insert(words);
            }
            Err(error) => {
                context.print_warning(format_args!(
                    "the server could not be told that a memory was not sent, the next run tries again: {error}"
                ));
                break;
            }
        }
    }
    reported
}

/// What is reported of a file, and the words by which it is known again.
fn refusal_of(blocked: &BlockedFile) -> Option<(String, RefusalReport)> {
    let BlockedFile::Secret { shown, leak, .. } = blocked else {
        return None;
    };
    // What holds the secret in its name is told by its folder, which is no key.
    let key = leak.line.and_then(|_| EntryKey::parse(shown).ok());
    let report = RefusalReport {
        key,
        rule: leak.rule.clone(),
    };
    Some((blocked.to_string(), report))
}
