//! What killed runs left of files that they were writing, taken away before a command says that something is sealed,
//! or gone: it is as plain as what it was made of.

use anyhow::Result;
use mem_core::leftovers;

use crate::context::Context;
use crate::master_key::KeySource;
use mem_core::counted::format_count;

/// Removes them, those beside the master key too, and says how many there were.
///
/// # Errors
/// One cannot be removed.
pub(crate) fn remove_leftovers(context: &Context) -> Result<()> {
    let mut count = 0;
    // Where the setting cannot be read, nobody finds keys beside it either.
    if let Ok(Some(origin)) = KeySource::for_context(context) {
        count += origin.end_copies()?;
    }
    if let Ok(dirs) = context.dirs() {
        count += leftovers::sweep(dirs)?;
    }
    if count > 0 {
        let what = files_text(count);
        context.say(format_args!("removed {what} that killed runs left"));
    }
    Ok(())
}

/// So many, in words.
pub(crate) fn files_text(count: usize) -> String {
    format_count(count, "temporary file", "temporary files")
}
