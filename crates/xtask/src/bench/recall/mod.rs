//! Recall: beside the start of the process and a look at every file, which nothing can do without.

mod files;
mod hook;
mod library;

pub(crate) use files::{NotesDir, PROMPT, milliseconds};
pub(crate) use files::{
    measure_1000, measure_10000, measure_changed, measure_first, measure_sealed,
};
pub(crate) use hook::{measure_end, measure_file, measure_hosts, measure_prompt};
pub(crate) use library::measure_library;
