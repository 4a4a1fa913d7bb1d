//! Servers of memory stores, as this person reaches them: `mem store` and attachments ask through here.
//!
//! # Layout
//! - `error`: what can be wrong with what is asked.
//! - `shape`: lines for people. `skipped`: what was not imported or exported. `reserved`: names that are the SDKs'.

pub(crate) mod error;
pub(crate) mod reserved;
pub(crate) mod shape;
pub(crate) mod skipped;
