//! Distilling the memory of a place: what is read for it, what is remembered of it, and one run of it.
//!
//! - `sources`: logs, session notes and the inbox as bullets. `code`: what the project says by itself.
//! - [`state`]: what was distilled already, and how the last night went.
//! - `run`: a plan, with the choices of a model, and carrying it out. `distilled_entries`: what of the inbox it took
//!   in. [`nightly`]: the same while nobody looks; `lease`: by which machine.

mod code;
mod distilled_entries;
mod error;
mod lease;
pub mod nightly;
mod run;
mod sources;
pub mod state;

pub use error::DistillationError;
pub use run::{DistillationDraft, prepare_plan};
pub use sources::SourceFilter;
