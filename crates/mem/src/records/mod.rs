//! Records as commands and tools find them: whose they are, with their gates and their index.
//!
//! # Layout
//! - `open`: the records of a project, or of one user of a host.
//! - `of_user`: errors of what is asked about those.
//! - `elsewhere`: where they are if not in files.
//! - `host`: what the back end of files has to be given.
//! - `setting`: what the settings can be.
//! - `prune`: what goes when there is too much, and what the daemon took out of it.

mod elsewhere;
mod host;
mod of_user;
mod open;
pub(crate) mod prune;
mod setting;

pub(crate) use elsewhere::{ElsewhereError, kept_elsewhere};
pub(crate) use of_user::OfUser;
pub(crate) use open::{OpenRecords, half_life_days};
pub(crate) use setting::{RecordSettingError, check_setting as judge_setting};
