//! The embedded model files: how their bytes are read, and the static table.
//!
//! The files are made by `models/distil.py` (`mem-model`, `mem-model-layers`) and are part of the binary, so a wrong one is an error
//! of the build (a test reads each) and reading them does not return errors.

mod half;
mod parts;
mod rows;
mod table;

pub(crate) use half::f16_at;
pub(crate) use parts::{ModelParts, f32_at, i32_at, u16_at, u32_at};
pub(crate) use rows::Rows;
pub use table::{DIMS, Table};
