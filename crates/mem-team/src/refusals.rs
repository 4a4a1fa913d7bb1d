//! Reporting to the team's server that memories were not sent because they hold secrets (`team.report_refused`).

use std::collections::{BTreeMap, BTreeSet};

use mem_core::RunContext;
use mem_sync::EntryKey;
use mem_sync::client::Direction;
use mem_sync::plan::BlockedFile;
use mem_sync::remote::{Remote, RemoteError};
use mem_sync::wire::RefusalReport;

use super::sync_run::RoundRun;

/// Reports of one run; what is more is reported by the next.
const REPORTS_MAX: usize = 1_000;

/// Reports what this run withheld and no earlier one reported. Returns all that was reported and, as far as this run
/// looked, is still withheld. Sharing does not depend on it: a report that fails is made again by the next run.
pub(crate) fn report_refusals(
    run: &RoundRun,
    direction: Direction,
    mut reported: BTreeSet<String>,
    remote: &mut dyn Remote,
    context: &RunContext,
) -> BTreeSet<String> {
    let refusals = refusals_of(&run.report.blocked);
    if direction != Direction::Pull && run.trouble.is_none() && run.report.unscanned.is_none() {
        reported.retain(|id| refusals.contains_key(id));
    }
    let new = refusals.iter().filter(|(id, _)| !reported.contains(*id));
    let new: Vec<_> = new.take(REPORTS_MAX).collect();
    for (id, report) in new {
        match remote.report_refusal(report) {
            // Who asks to be told later has not been told yet.
            Ok(false) => {}
            Ok(true) => {
                reported.insert(id.clone());
            }
            // Before it has a store, or ever.
            Err(RemoteError::NotFound) => break,
            Err(error) => {
                context.print_warning(format_args!(
                    "the server was not told that memories are withheld: {error}"
                ));
                break;
            }
        }
    }
    reported
}

/// What is reported of each file, by file and rule: where it is found may change with every edit. Names that hold a
/// secret are all shown alike, and are counted.
fn refusals_of(blocked: &[BlockedFile]) -> BTreeMap<String, RefusalReport> {
    let mut refusals = BTreeMap::new();
    for one in blocked {
        let BlockedFile::Secret { shown, leak, .. } = one else {
            continue;
        };
        // What holds a secret in its name is shown by its folder and `…`.
        let key = EntryKey::parse(shown).ok();
        let key = key.filter(|_| !shown.ends_with('…'));
        let report = RefusalReport::new(key, &leak.rule);
        let ids = (1..).map(|number| format!("{shown} {} {number}", leak.rule));
        let id = ids.into_iter().find(|id| !refusals.contains_key(id));
        refusals.extend(id.map(|id| (id, report)));
    }
    refusals
}
