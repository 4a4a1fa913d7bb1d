//! The one integration binary of this crate.
#![expect(
    clippy::disallowed_methods,
    reason = "tests put plain files into place and read them"
)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod binary;
mod configuration;
mod contexts;
mod encodings;
mod examples;
mod labelled;
mod pathological;
mod properties;
mod streaming;
mod surroundings;
