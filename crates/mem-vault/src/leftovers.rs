//! What killed runs left of files that they were writing, taken away before a command says that something is sealed,
//! or gone: it is as plain as what it was made of.

use mem_core::RunContext;
use mem_core::leftovers;
use mem_core::plural::format_count;

use crate::master_key::{KeySource, KeySourceError};

/// Removes them, those beside the master key too, and says how many there were.
///
/// # Errors
/// One cannot be removed.
pub fn remove_leftovers(run: &RunContext) -> Result<(), KeySourceError> {
    let mut count = 0;
    // Where the setting cannot be read, nobody finds keys beside it either.
    if let Ok(Some(origin)) = KeySource::for_run(run) {
        count += origin.end_copies()?;
    }
    if let Ok(dirs) = run.dirs() {
        count += leftovers::sweep(dirs)?;
    }
    if count > 0 {
        let what = format_count(count, "temporary file", "temporary files");
        run.say(format_args!("removed {what} that killed runs left"));
    }
    Ok(())
}
