//! Records as commands and tools find them: whose they are, with their gates and their index.
//!
//! # Layout
//! - `open`: the records of a project, or of one user of a host.
//! - `qdrant`: where they are if not in files.
//! - `host`: what the back end of files has to be given.
//! - `setting`: what the settings can be.
//! - `prune`: what goes when there is too much, and what the daemon took out of it.

mod host;
mod open;
pub mod prune;
mod qdrant;
mod setting;

pub use open::{OpenRecords, RecordAccessError, half_life_days};
pub use qdrant::{QdrantSettingError, open_qdrant};
pub use setting::{RecordSettingError, check_setting};
