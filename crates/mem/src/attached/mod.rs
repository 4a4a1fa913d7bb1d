//! Stores that are attached to a repository: what agents are told of them, and an offline copy of each that
//! they read and write, kept in step with the server.
//!
//! # Layout
//! - `book`, `slug`, `resources`: what is attached, under which name, as the API has it.
//! - `copy`, `state`: the offline copy, plain files, and what is remembered of it.
//! - `decide`: what happens to one memory, as functions.
//! - `round`: one talk with the server; `talk`, `incoming`: what is new there; `outgoing`: what goes there;
//!   `heal`: what may only be read is as the server has it; `altered`: until then it is not shown as if it were.
//!   `undone`: deletions that were not made.
//! - `shelf`: what an agent's call works on; `desk`: the same for the tools of the API. `search`: finding in a
//!   copy. `told`: what an agent reads of it all. `redaction`: a text that is to be gone.
//!
//! Nothing is lost that only stands here: a text that gives way is put aside and told.

pub(crate) mod altered;
pub(crate) mod book;
pub(crate) mod copy;
mod decide;
pub(crate) mod desk;
pub(crate) mod error;
mod heal;
mod incoming;
mod outgoing;
pub(crate) mod redaction;
pub(crate) mod resources;
pub(crate) mod round;
mod search;
pub(crate) mod shelf;
mod slug;
pub(crate) mod state;
mod talk;
pub(crate) mod told;
pub(crate) mod undone;
