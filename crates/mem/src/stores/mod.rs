//! Servers of memory stores, as this person reaches them: `mem store` and attachments ask through here.
//!
//! # Layout
//! - `shape`: lines for people. `skipped`: what was not imported or exported.

pub(crate) mod shape;
pub(crate) mod skipped;
