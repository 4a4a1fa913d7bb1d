//! Dropping what the history is not to keep, when it is time.

use anyhow::Result;
use mem_core::config::HistoryRetention;
use mem_core::history::History;
use mem_core::location::ProjectContext;
use mem_core::store::LocalStore;

use crate::context::Context;

/// After a write: drops what is not kept, when the history has grown. The write has happened; what goes wrong here is
/// a warning.
pub(crate) fn clean_up_when_due(place: &ProjectContext, store: &LocalStore, context: &Context) {
    if let Err(error) = try_clean_up(place, store, context) {
        context.printer.print_warning(format_args!(
            "the history was not cut to `history.keep`: {error}"
        ));
    }
}

fn try_clean_up(place: &ProjectContext, store: &LocalStore, context: &Context) -> Result<()> {
    let retention = place.config.values.history.keep;
    let is_all_kept = matches!(retention, HistoryRetention::Everything);
    if is_all_kept || !History::is_due_for_cleanup(&store.places().history()) {
        return Ok(());
    }
    let cleanup = store.collect_garbage(retention, context.now)?;
    if let Some(repair) = &cleanup.repair {
        context.printer.print_warning(repair);
    }
    Ok(())
}
