//! Stores that are attached to a repository: what agents are told of them, and an offline copy of each that
//! they read and write, kept in step with the server.
//!
//! # Layout
//! - `book`, `slug`, `resources`: what is attached, under which name, as the API has it.
//! - `copy`, `state`: the offline copy, plain files, and what is remembered of it.
//! - `round`: one talk with the server; `replica`: the copy as the engine of team memory replicates it; `remote`: the
//!   store as its remote.
//! - `undone`: deletions that were not made.
//! - `shelf`: what an agent's call works on; `desk`: the same for the tools of the API. `search`: finding in a
//!   copy. `told`: what an agent reads of it all. `redaction`: a text that is to be gone.
//!
//! Nothing is lost that only stands here: a text that gives way is put aside and told.

pub(crate) mod book;
pub(crate) mod copy;
pub(crate) mod desk;
pub(crate) mod error;
pub(crate) mod redaction;
mod remote;
mod replica;
pub(crate) mod resources;
pub(crate) mod round;
mod search;
pub(crate) mod shelf;
mod slug;
pub(crate) mod state;
pub(crate) mod told;
pub(crate) mod undone;
