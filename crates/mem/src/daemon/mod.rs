//! The daemon of a repository: what `mem-daemon` is given to do.
//!
//! # Layout
//! - `run`: the process of a daemon, and that of a job. `wanted`: whether one begins by itself.
//! - `keeper`: what is done to memory, by processes of their own, so that the daemon stays small and a failure is that
//!   of one job. `tend`, `sync`, `sync_own` and `dream` are such jobs, `answer` is the one that recalls. `recalled`:
//!   question and answer over the socket.

mod answer;
mod dream;
mod keeper;
pub(crate) mod recalled;
pub(crate) mod run;
pub(crate) mod sync;
pub(crate) mod sync_own;
mod tend;
pub(crate) mod wanted;
