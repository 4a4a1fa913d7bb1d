//! The secret scanner: beside whichever peers are installed, and beside git reading the same
//! history.

mod files;
mod history;
mod library;
mod peer;
mod tree;

pub(crate) use files::{measure_500, measure_one};
pub(crate) use history::{measure_history, measure_push, measure_push_again};
pub(crate) use library::{measure_hostile, measure_library};
pub(crate) use tree::{measure_cores, measure_tree};
