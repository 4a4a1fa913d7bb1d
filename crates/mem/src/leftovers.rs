//! What killed runs left of files that they were writing, taken away before a command says that something is sealed,
//! or gone: it is as plain as what it was made of.

use std::fs;
use std::path::Path;

use anyhow::Result;
use mem_core::leftovers;

use crate::context::Context;
use crate::counted::format_count;
use crate::master_key::KeySource;

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

/// Removes the files of a folder that were not written for the longest time, of those whose names end so: with one
/// more there are `most` then.
pub(crate) fn forget_oldest(folder: &Path, ending: &str, most: usize) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries
        .filter(|entry| entry.file_name().to_string_lossy().ends_with(ending))
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    files.sort_unstable();
    let surplus = (files.len() + 1).saturating_sub(most);
    for (_, path) in files.iter().take(surplus) {
        // Another run may have removed it.
        let _ = fs::remove_file(path);
    }
}

/// So many, in words.
pub(crate) fn files_text(count: usize) -> String {
    format_count(count, "temporary file", "temporary files")
}
