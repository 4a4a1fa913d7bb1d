//! How many secrets the hooks of git stopped each day: a number, and nothing of a secret.
//!
//! `recalled/secrets_stopped.json` beside the history of a project, one number a day (UTC), bounded, and erased with the
//! history. Where no memory is kept nothing is counted.

use std::collections::BTreeMap;
use std::path::PathBuf;

use mem_core::memory::ProjectMemory;
use mem_core::{RunContext, Scope};
use mem_find::record;

/// Days that are remembered.
const DAYS_MAX: usize = 400;

/// Adds secrets that were stopped today. That they cannot be counted is no reason to fail.
pub fn count_today(secrets: usize, run: &RunContext) {
    let (Ok(place), Ok(dirs)) = (run.place(), run.dirs()) else {
        return;
    };
    let file = record_file(&ProjectMemory::new(&place.location, dirs));
    let has_state = file.ancestors().nth(2).is_some_and(std::path::Path::is_dir);
    if !place.location.enabled || !has_state {
        return;
    }
    let today = run.now.0.strftime("%Y-%m-%d").to_string();
    let _ = record::change_record(&file, |days: &mut BTreeMap<String, usize>| {
        *days.entry(today).or_default() += secrets;
        while days.len() > DAYS_MAX {
            days.pop_first();
        }
    });
}

/// The numbers by day, the oldest first.
pub fn by_day(memory: &ProjectMemory) -> BTreeMap<String, usize> {
    record::read_record(&record_file(memory))
}

fn record_file(memory: &ProjectMemory) -> PathBuf {
    let project = memory.store(Scope::Private).places();
    project.recalled().join("secrets_stopped.json")
}
