//! Texts that somebody wrote in an editor and that could not be written: they are kept where their author finds them.

use std::path::PathBuf;

use anyhow::Result;
use mem_core::{MemoryPath, atomic};

use crate::context::Context;

/// Keeps a text that was to stand in a file, and says where it is.
///
/// # Errors
/// It cannot be written either.
pub(crate) fn keep_text(context: &Context, path: &MemoryPath, text: &[u8]) -> Result<()> {
    let folder = context.dirs()?.state.join("unsaved");
    let stamp = context.now.0.as_second();
    let named = |number: u32| match number {
        0 => format!("{stamp}-{}", path.file_name()),
        number => format!("{stamp}-{number}-{}", path.file_name()),
    };
    // Two of one second are two.
    let free = |number: &u32| !folder.join(named(*number)).exists();
    let number = (0..u32::MAX).find(free).unwrap_or_default();
    let file: PathBuf = folder.join(named(number));
    atomic::replace_file(&file, text)?;
    let said = format_args!("your text is kept in {}", file.display());
    context.printer.say(said);
    Ok(())
}
