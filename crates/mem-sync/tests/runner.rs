//! The protocol as a whole, one binary.
#![expect(
    clippy::disallowed_methods,
    reason = "tests put plain files into place and read them"
)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod convergence;
#[cfg(feature = "git")]
mod git;
#[cfg(feature = "http")]
mod http;
