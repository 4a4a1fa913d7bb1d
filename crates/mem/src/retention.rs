//! How much of the past is kept, and dropping the rest when it is time.

use anyhow::Result;
use mem_core::config::HistoryRetention;
use mem_core::history::History;
use mem_core::location::ProjectContext;
use mem_core::store::LocalStore;

use crate::context::Context;

const SECONDS_PER_DAY: i64 = 86_400;

/// How many of the newest changes stay by the setting `history.keep`: at least one, `None` for
/// all.
pub(crate) fn keep_count(
    place: &ProjectContext,
    history: &History,
    context: &Context,
) -> Result<Option<usize>> {
    Ok(match place.config.history_keep() {
        HistoryRetention::Everything => None,
        HistoryRetention::Changes(count) => {
            Some(usize::try_from(count).unwrap_or(usize::MAX).max(1))
        }
        HistoryRetention::Days(days) => {
            let days = i64::try_from(days).unwrap_or(i64::MAX);
            let span = jiff::SignedDuration::from_secs(days.saturating_mul(SECONDS_PER_DAY));
            match context.now.0.checked_sub(span) {
                Ok(oldest) => Some(history.changes_since(oldest)?.max(1)),
                // Longer ago than time itself: everything.
                Err(_) => None,
            }
        }
    })
}

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
    let is_all_kept = matches!(place.config.history_keep(), HistoryRetention::Everything);
    if is_all_kept || !History::is_due_for_cleanup(&store.places().history()) {
        return Ok(());
    }
    let Some(history) = store.open_history()? else {
        return Ok(());
    };
    let keep = keep_count(place, &history, context)?;
    drop(history);
    store.collect_garbage(keep, context.now)?;
    Ok(())
}
