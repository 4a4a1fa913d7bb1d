//! Distilling the memory of a place: what is read for it, what is remembered of it, and one run of it.
//!
//! - `sources`: logs, session notes and the inbox as bullets, and what of the inbox a plan takes in. `code`: what the
//!   project says by itself.
//! - [`state`]: what was distilled already, and how the last night went.
//! - `run`: a plan, with the choices of a model, and carrying it out. [`nightly`]: the same while nobody looks; `lease`:
//!   by which machine.

mod code;
mod error;
mod lease;
pub mod nightly;
mod run;
mod sources;
pub mod state;

pub use error::DistillationError;
pub use run::{DistillationDraft, prepare_plan};
pub use sources::SourceFilter;
