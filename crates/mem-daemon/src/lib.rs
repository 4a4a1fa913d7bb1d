//! What looks after one repository's memory in the background: it notices changes, keeps history and
//! index warm, synchronises, and answers on a socket. It is an accelerator and never a requirement.
//!
//! # Layout
//! - [`mind`]: what to do next; pure.
//! - [`protocol`]: one JSON line a message, in both directions.
//! - [`place`]: socket, locks and log of one repository's daemon.
//! - [`shell`]: the loop that carries out what the mind asks for: watches, timers, jobs, connections.
//! - [`client`]: asking a running daemon, with little patience.
//!
//! What a daemon does to memory is given to it as [`shell::DaemonTasks`]; it knows neither stores nor remotes.

//!
//! It listens on a Unix socket. Where the system has none ([`IS_AVAILABLE`]) no daemon begins, and nobody finds one.

pub mod client;
pub mod mind;
pub mod place;
pub mod protocol;
pub mod shell;

/// Whether daemons run on this system.
pub const IS_AVAILABLE: bool = cfg!(unix);
