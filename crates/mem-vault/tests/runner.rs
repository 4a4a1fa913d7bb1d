//! All integration tests of the crate, in one binary.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test that cannot go on should panic, and sets its scenes with plain writes"
)]

mod local;
mod local_refused;
