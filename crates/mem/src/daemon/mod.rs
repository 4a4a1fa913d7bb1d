//! The daemon of a repository: what `mem-daemon` is given to do, and how it is found, started and ended.
//!
//! # Layout
//! - `house`, `runtime`: where it is. `pace`: how patient it is. `log`: what it says.
//! - `start`, `stop`, `held`, `ask`: beginning, ending, keeping away and asking one; `wanted`: whether one begins by
//!   itself.
//! - `keeper`: what is done to memory, by processes of their own (`child`), so that the daemon stays small
//!   and a failure is that of one job. `tend`, `sync`, `sync_own` and `dream` are such jobs, `answer` is the one that
//!   recalls; `orphan` ends them with the daemon. `recalled`, `told`: question and answer over the socket.
//! - `system`: what differs between systems. `announced`: trouble that is told once.
//! - `unit`: a daemon that the system starts. `error`: why there is none.

pub(crate) mod announced;
mod answer;
pub(crate) mod ask;
mod child;
mod dream;
pub(crate) mod error;
pub(crate) mod held;
pub(crate) mod house;
mod keeper;
pub(crate) mod log;
mod orphan;
mod pace;
mod reader;
pub(crate) mod recalled;
pub(crate) mod run;
mod runtime;
pub(crate) mod start;
pub(crate) mod stop;
pub(crate) mod sync;
pub(crate) mod sync_own;
pub(crate) mod system;
mod tend;
mod told;
pub(crate) mod unit;
pub(crate) mod wanted;

/// Of this program, as daemons and clients tell each other.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");
