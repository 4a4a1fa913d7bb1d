//! While a remote is asked: on a terminal it is said who is waited for, and how long; and whoever ends `mem`
//! ends what it started.

use std::sync::Once;

use mem_team::settings::TeamShare;

use crate::context::Context;
use crate::progress::Progress;
use crate::sanitize::one_line;

/// A talk with a remote, until it is dropped.
#[derive(Debug)]
pub(crate) struct SyncProgress {
    _progress: Progress,
}

impl SyncProgress {
    /// Begins one; `what` says what for.
    pub(crate) fn begin_sync(what: &'static str, share: &TeamShare, context: &Context) -> Self {
        static WATCH: Once = Once::new();
        WATCH.call_once(watch_signals);
        let with = one_line(&share.address.to_string());
        Self {
            _progress: Progress::waiting(&context.printer, what, with),
        }
    }
}

#[cfg(unix)]
#[expect(
    clippy::exit,
    reason = "the signal asks for just this; what is being written survives a kill"
)]
fn exit_now(code: i32) -> ! {
    std::process::exit(code)
}

/// Ends every git when this process is told to end: each has a group of its own, so that a terminal's
/// signal does not reach it.
#[cfg(unix)]
fn watch_signals() {
    use tokio::signal::unix::{SignalKind, signal};

    let Ok(runtime) = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
    else {
        return;
    };
    // The handlers stand before anything is started.
    let inside = runtime.enter();
    let wanted = [SignalKind::interrupt(), SignalKind::terminate()];
    let [Ok(mut interrupt), Ok(mut terminate)] = wanted.map(signal) else {
        return;
    };
    drop(inside);
    std::thread::spawn(move || {
        let number = runtime.block_on(async {
            tokio::select! {
                _ = interrupt.recv() => 2,
                _ = terminate.recv() => 15,
            }
        });
        mem_sync::remote::git::end_all();
        exit_now(128 + number);
    });
}

/// A console's signal reaches every git too.
#[cfg(not(unix))]
fn watch_signals() {}
