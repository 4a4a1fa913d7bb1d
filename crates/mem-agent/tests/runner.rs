//! The library against real programs and real files.

mod dream;
mod model;
mod quarter;
mod tokens;
mod transcript;
mod wrote;
