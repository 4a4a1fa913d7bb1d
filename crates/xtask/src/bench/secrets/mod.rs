//! The secret scanner: beside whichever peer is installed, and beside git reading the same
//! history.

mod files;
mod history;
mod peer;

pub(crate) use files::{measure_500, measure_one};
pub(crate) use history::{measure_history, measure_push, measure_push_again};
