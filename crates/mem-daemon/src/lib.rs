//! What looks after one repository's memory in the background: it notices changes, keeps history and
//! index warm, synchronises, and answers on a socket. It is an accelerator and never a requirement.
//!
//! # Layout
//! - [`state_machine`]: what to do next; pure.
//! - [`protocol`]: one JSON line a message, in both directions.
//! - [`place`]: socket, locks and log of one repository's daemon.
//! - [`event_loop`]: the loop that carries out what the state machine asks for: watches, timers, jobs, connections.
//! - [`client`]: asking a running daemon, with little patience. [`ask`], [`daemon_view`]: how it is. [`blocker_notice`]: trouble
//!   that is shown once.
//! - [`instance`]: which daemon is whose; `runtime`: where its socket is. [`timings`]: how patient it is. [`log`]: what it
//!   says.
//! - [`start`], [`stop`], [`startup_lock`]: beginning, ending and keeping one away. [`mod@unit`]: one that the system starts.
//!   [`autostart`]: whether one begins by itself.
//! - [`child`], [`reader`]: processes of this program that do its jobs and answer for it; [`parent_watch`] ends them with it.
//!   [`background`]: those that outlive the one that sends them.
//! - [`system`]: what differs between systems. [`error`]: why there is no daemon.
//!
//! What a daemon does to memory is given to it as [`event_loop::DaemonTasks`]; it knows neither stores nor remotes.
//!
//! It listens on a Unix socket. Where the system has none ([`IS_AVAILABLE`]) no daemon begins, and nobody finds one.

#![cfg_attr(
    test,
    expect(
        clippy::disallowed_methods,
        reason = "tests put plain files into place and read them"
    )
)]

pub mod ask;
pub mod autostart;
pub mod background;
pub mod blocker_notice;
pub mod child;
pub mod client;
pub mod daemon_view;
pub mod error;
pub mod event_loop;
pub mod instance;
pub mod log;
pub mod parent_watch;
pub mod place;
pub mod protocol;
pub mod reader;
mod runtime;
pub mod start;
pub mod startup_lock;
pub mod state_machine;
pub mod stop;
pub mod system;
pub mod timings;
pub mod unit;

/// Of this program, as daemons and clients tell each other.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Whether daemons run on this system.
pub const IS_AVAILABLE: bool = cfg!(unix);
