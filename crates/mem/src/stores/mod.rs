//! Servers of memory stores, as this person reaches them: `mem store` and attachments ask through here.
//!
//! # Layout
//! - `server`: which server, and the key that goes to it.
//! - `error`: what can be wrong before a server is asked.
//! - `named`: from what a person calls a store or a memory to its id.
//! - `shape`: lines for people. `folder`: a directory as a store's memories, and the other way round; `left_out`:
//!   what does not come along. `reserved`: names that are the SDKs'.

pub(crate) mod error;
pub(crate) mod folder;
pub(crate) mod left_out;
pub(crate) mod named;
pub(crate) mod reserved;
pub(crate) mod server;
pub(crate) mod shape;
