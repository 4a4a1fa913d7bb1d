//! Distilling the memory of a place: what is read for it, what is remembered of it, and one run of it.
//!
//! - `sources`: logs, session notes and the inbox as bullets. `code`: what the project says by itself.
//! - `asked`: the word of a model. `remembered`: what was distilled already, and how the last night went.
//! - `run`: a plan, and carrying it out. `taken`: what of the inbox it took in. `nightly`: the same while nobody
//!   looks; `lease`: by which machine.

mod asked;
mod code;
mod lease;
pub(crate) mod nightly;
pub(crate) mod remembered;
pub(crate) mod run;
pub(crate) mod sources;
mod taken;
