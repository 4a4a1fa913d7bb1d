//! Distilling the memory of a place: what is read for it, what is remembered of it, and one run of it.
//!
//! - `sources`: logs, session notes and the inbox as bullets. `code`: what the project says by itself.
//! - `asked`: the answers of a model. [`state`]: what was distilled already, and how the last night went.
//! - `run`: a plan, and carrying it out. `taken`: what of the inbox it took in. [`nightly`]: the same while nobody
//!   looks; `lease`: by which machine.

mod asked;
mod code;
mod error;
mod lease;
pub mod nightly;
mod run;
mod sources;
pub mod state;
mod taken;

pub use error::DistillationError;
pub use run::{DistillationDraft, prepare_plan};
pub use sources::SourceFilter;
