//! The storage against the real databases, one binary.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod storage;
