//! Whether a daemon starts without anybody asking for it, and starting one that nobody waits for.

use mem_core::location::Place;

use super::VERSION;
use super::house::{self, House};
use super::start::{self, Started};
use crate::context::Context;
use crate::detached;
use crate::dreaming::nightly;

/// Whether there is work for a daemon here: a shared tier, logs to distil at night, or somebody who wants one everywhere.
pub(crate) fn is_wanted(place: &Place) -> bool {
    let set = place.config.explicit("daemon.autostart");
    let is_shared = || {
        let mut remotes = ["team.remote", "sync.remote"].into_iter();
        remotes.any(|key| !place.config.text(key).trim().is_empty())
    };
    let is_wanted = set.and_then(|setting| setting.value.boolean());
    let has_work = || is_shared() || nightly::is_set(place);
    place.location.enabled && is_wanted.unwrap_or_else(has_work)
}

/// Sends for a daemon, where one is wanted and none runs; nobody waits for it.
pub(crate) fn send_for(place: &Place, context: &Context) {
    if !is_wanted(place) {
        return;
    }
    let Ok(house) = House::of(place, context) else {
        return;
    };
    let is_ours = || house::found(house.place.clone()).version == VERSION;
    if !house.place.is_taken() || !is_ours() {
        // A start replaces one of another version where it is not at work. Everything works without one.
        let _ = detached::send(["--quiet", "daemon", "start"], &house.root);
    }
}

/// Starts a daemon where one is wanted, and says so.
pub(crate) fn start(context: &Context) {
    let Ok(place) = context.place() else { return };
    if !is_wanted(&place) {
        // One that somebody started by hand has news all the same.
        return super::ask::reload(context);
    }
    let printer = &context.printer;
    let house = match House::of(&place, context) {
        Ok(house) => house,
        Err(error) => return printer.warn(error),
    };
    match start::start(&house, context) {
        Ok(Started::Now) => {
            printer.say("a daemon keeps it in step from now on: `mem daemon status`");
        }
        Ok(Started::Before) => super::ask::reload(context),
        Err(error) => printer.warn(format_args!(
            "no daemon keeps it in step: {error}; `mem team sync` and `mem sync` do it by hand"
        )),
    }
}
