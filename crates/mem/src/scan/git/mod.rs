//! Scanning git objects: exactly the blobs, added lines, messages and names of some commits.
//!
//! Each blob is read and scanned whole, once, so that a finding has its whole context; only where
//! something is found are its lines compared with those of the parents. What was clean is
//! remembered between runs, by the hash of the rules.

pub(crate) mod added;
pub(crate) mod blobs;
pub(crate) mod cache;
pub(crate) mod changes;
pub(crate) mod commits;
pub(crate) mod id;
mod library;
pub(crate) mod messages;
pub(crate) mod object;
pub(crate) mod open;
pub(crate) mod patches;
mod program;
pub(crate) mod push;
pub(crate) mod refs;
pub(crate) mod source;
pub(crate) mod staged;
pub(crate) mod updates;
mod walk;

pub(crate) use cache::Clean;
pub(crate) use open::{GitObjectError, GitObjects};
