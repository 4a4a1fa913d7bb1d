//! Shared memory of 10,000 files: one that changed, nothing that changed, and all of them.
//!
//! Over a server: beside the bare round trip and a clone of the same files. Over a git remote: beside git
//! doing the same with the same files.

mod files;
pub(crate) mod git;
pub(crate) mod http;
mod person;
mod pull;
mod request_count;
