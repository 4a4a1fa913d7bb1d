//! Gemini CLI as a source: the facts it was told to remember, one memory each.
//!
//! Its `save_memory` appends `- FACT` under a heading of its own in `~/.gemini/GEMINI.md`; the
//! rest of that file are instructions that a person wrote, and stays there.

use std::path::Path;

use super::claude_md::{nothing, push, text_of};
use super::sections::{bullets, sections};
use super::{Gathered, ImportError, ImportRequest, guess};
use crate::{MemoryType, Scope};

/// Reads `~/.gemini/GEMINI.md`.
pub(super) fn gather(request: &ImportRequest<'_>) -> Result<Gathered, ImportError> {
    let mut gathered = Gathered::default();
    let Some(home) = &request.dirs.home else {
        return Err(nothing(&[]));
    };
    let path = home.join(".gemini/GEMINI.md");
    facts(&path, "Gemini Added Memories", request, &mut gathered)?;
    if gathered.batches.is_empty() && gathered.left_out.is_empty() {
        return Err(nothing(&[path]));
    }
    Ok(gathered)
}

/// Adds the list under a heading of a file as memories about the user.
pub(super) fn facts(
    path: &Path,
    heading: &str,
    request: &ImportRequest<'_>,
    gathered: &mut Gathered,
) -> Result<(), ImportError> {
    let Some(words) = text_of(path, gathered)? else {
        return Ok(());
    };
    let mut items = Vec::new();
    for section in sections(&words.text, 2) {
        let is_meant = section
            .title
            .is_some_and(|title| title.eq_ignore_ascii_case(heading));
        for fact in bullets(section.text).into_iter().filter(|_| is_meant) {
            let name = guess::name(&fact);
            let origin = format!("{}#{name}", path.display());
            let topic = guess::topic(MemoryType::User, &name, &fact);
            push(&mut items, gathered, origin, topic, words.modified);
        }
    }
    gathered.push(request.scope.unwrap_or(Scope::Global), true, items);
    Ok(())
}
