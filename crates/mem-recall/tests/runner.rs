//! One binary for the tests that need fixtures or the whole crate.

mod abstention;
#[cfg(feature = "encoder")]
mod encoder;
mod explanations;
mod filters;
mod hostile;
mod index;
#[cfg(feature = "encoder")]
mod larger;
mod order;
mod wordpiece;
