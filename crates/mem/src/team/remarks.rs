//! What commands that write for a team remark about sharing: what waits, how something is shared, and what was not
//! deleted for everybody.

use mem_core::inbox::InboxEntry;
use mem_core::location::ProjectContext;
use mem_core::store::LocalStore;
use mem_core::{MemoryPath, MemoryType};
use mem_daemon::instance::DaemonInstance;
use mem_team::{deletion, pending_review, settings};

use crate::context::Context;
use crate::error::ErrorShape;
use crate::sanitize::clean;
use mem_core::plural;

/// Says how many files wait, and what lets them go.
pub(crate) fn say_count(waiting: usize, context: &Context) {
    let waits = match waiting {
        0 => return,
        1 => "waits",
        _ => "wait",
    };
    context.say(format_args!(
        "{} here {waits} for a look before anything of it is sent: `mem team review`",
        plural::count_files(waiting)
    ));
}

/// Says how a memory that was saved without a tier is shared, where a team shares.
pub(crate) fn say_how(place: &ProjectContext, kind: MemoryType, file: &str, context: &Context) {
    if kind != MemoryType::User && is_shared(place) {
        context.say(format_args!(
            "`mem team share {}` shares it with the team",
            clean(file)
        ));
    }
}

/// Says so where files wait that were just written, as far as they are the team's.
pub(crate) fn say_what_waits<'p>(
    place: &ProjectContext,
    written: impl IntoIterator<Item = &'p MemoryPath>,
    context: &Context,
) {
    // What stands in the way of sharing is told by the commands that share.
    if let Ok(Some(share)) = settings::team_if_set_up(place, context) {
        say_count(pending_review::count_among(&share, written), context);
    }
}

/// Says so where a file of the team that was just written waits, or where no daemon runs that sends it.
pub(crate) fn say_what_sends(place: &ProjectContext, written: &MemoryPath, context: &Context) {
    let Ok(Some(share)) = settings::team_if_set_up(place, context) else {
        return;
    };
    match pending_review::count_among(&share, [written]) {
        0 => {
            let instance = DaemonInstance::for_memory(place, context);
            if instance.is_ok_and(|instance| !instance.place.is_taken()) {
                context.say(format_args!("no daemon runs: `{}` sends it", share.sync()));
            }
        }
        waiting => say_count(waiting, context),
    }
}

/// Deletes for everybody what an agent wanted deleted, once a person has accepted it, and tells so: a removal here
/// alone would come back with the next synchronisation.
pub(crate) fn delete_accepted(
    store: &LocalStore,
    entry: &InboxEntry,
    place: &ProjectContext,
    context: &Context,
) {
    if let Err(error) = deletion::delete_accepted(store, entry, place, context) {
        let why = ErrorShape::from_error(&error.into()).message;
        context.print_warning(format_args!("it is deleted here only: {why}"));
    }
}

fn is_shared(place: &ProjectContext) -> bool {
    !place.config.values.team.remote.is_empty()
}
