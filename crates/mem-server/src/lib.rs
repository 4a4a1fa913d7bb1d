//! The server of shared memory: storage, access and the team protocol over HTTP.
//!
//! # Layout
//! - [`storage`]: stores, memories, versions and tokens, in SQLite or PostgreSQL.

pub mod storage;
