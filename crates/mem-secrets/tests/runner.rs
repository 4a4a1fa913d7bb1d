//! The one integration binary of this crate.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod configuration;
mod encodings;
mod examples;
mod labelled;
mod pathological;
mod properties;
mod streaming;
