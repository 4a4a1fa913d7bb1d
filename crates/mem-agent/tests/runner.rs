//! The library against real programs and real files.

mod extract;
mod labelled;
mod model;
mod tokens;
mod transcript;
mod wrote;
