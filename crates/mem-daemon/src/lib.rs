//! What looks after one repository's memory in the background: it notices changes, keeps history and
//! index warm, synchronises, and answers on a socket. It is an accelerator and never a requirement.
//!
//! # Layout
//! - [`mind`]: what to do next; pure.
//! - [`protocol`]: one JSON line a message, in both directions.
//! - [`place`]: socket, locks and log of one repository's daemon.
//! - [`shell`]: the loop that carries out what the mind asks for: watches, timers, jobs, connections.
//! - [`client`]: asking a running daemon, with little patience. [`ask`], [`view`]: how it is. [`announced`]: trouble
//!   that is shown once.
//! - [`instance`]: which daemon is whose; `runtime`: where its socket is. [`pace`]: how patient it is. [`log`]: what it
//!   says.
//! - [`start`], [`stop`], [`hold`]: beginning, ending and keeping one away. [`mod@unit`]: one that the system starts.
//!   [`autostart`]: whether one begins by itself.
//! - [`child`], [`reader`]: processes of this program that do its jobs and answer for it; [`orphan`] ends them with it.
//!   [`background`]: those that outlive the one that sends them.
//! - [`system`]: what differs between systems. [`error`]: why there is no daemon.
//!
//! What a daemon does to memory is given to it as [`shell::DaemonTasks`]; it knows neither stores nor remotes.
//!
//! It listens on a Unix socket. Where the system has none ([`IS_AVAILABLE`]) no daemon begins, and nobody finds one.

#![cfg_attr(
    test,
    expect(
        clippy::disallowed_methods,
        reason = "tests put plain files into place and read them"
    )
)]

pub mod announced;
pub mod ask;
pub mod autostart;
pub mod background;
pub mod child;
pub mod client;
pub mod error;
pub mod hold;
pub mod instance;
pub mod log;
pub mod mind;
pub mod orphan;
pub mod pace;
pub mod place;
pub mod protocol;
pub mod reader;
mod runtime;
pub mod shell;
pub mod start;
pub mod stop;
pub mod system;
pub mod unit;
pub mod view;

/// Of this program, as daemons and clients tell each other.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Whether daemons run on this system.
pub const IS_AVAILABLE: bool = cfg!(unix);
