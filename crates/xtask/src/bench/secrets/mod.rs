//! The secret scanner: beside whichever peers are installed, and beside git reading the same
//! history.

pub(crate) mod files;
pub(crate) mod history;
pub(crate) mod library;
mod peer;
pub(crate) mod tree;
