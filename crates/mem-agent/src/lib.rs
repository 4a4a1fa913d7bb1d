//! What talks to a model, and what is said to it.
//!
//! A model is any program: the prompt on its standard input, the answer on its standard output
//! ([`model`]). Everything that asks one also works without, and falls back to that whenever an
//! answer is late, empty or unfit.

pub mod model;
pub mod select;
pub mod session;
pub mod template;
pub mod tokens;
pub mod transcript;
