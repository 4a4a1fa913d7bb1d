//! One binary for the tests that need fixtures or the whole crate.

#[cfg(feature = "encoder")]
mod encoder;
mod index;
mod wordpiece;
