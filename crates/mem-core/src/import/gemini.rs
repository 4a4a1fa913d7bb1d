//! Gemini CLI as a source: its private memory of a project, and the facts that older versions were told to remember.
//!
//! The private memory is `~/.gemini/tmp/PROJECT/memory`: `MEMORY.md` and its siblings. `PROJECT` is a name of Gemini's own;
//! `.project_root` beside it says which folder it stands for. `GEMINI.md`, in `~/.gemini` and in the project, is free in
//! form: its sections are read as those of `CLAUDE.md`. The `save_memory` of older versions appended `- FACT` under a
//! heading of its own.

use std::fs;
use std::path::{Path, PathBuf};

use super::claude_md::{self, is_inside, nothing, push, text_of};
use super::sections::{bullets, sections};
use super::{ImportError, ImportRequest, SourceContents, classification, directory};
use crate::{MemoryType, Scope, regular_file};

/// The heading under which older versions keep what they are told to remember.
const ADDED: &str = "Gemini Added Memories";
/// A path is no longer.
const ROOT_BYTES_MAX: u64 = 64 * 1024;

/// Reads the private memory of the project, and `~/.gemini/GEMINI.md`.
pub(super) fn gather(request: &ImportRequest<'_>) -> Result<SourceContents, ImportError> {
    let mut gathered = SourceContents::default();
    let Some(home) = request.dirs.home.as_ref().map(|home| home.join(".gemini")) else {
        return Err(nothing(&[]));
    };
    if request.scope != Some(Scope::Team) {
        for memory in private_memories(&home, request) {
            let items = directory::read(&memory, &mut gathered, request)?;
            gathered.push(request.scope.unwrap_or(Scope::Private), true, items);
        }
    }
    let path = home.join("GEMINI.md");
    facts(&path, ADDED, request, &mut gathered)?;
    let batches = gathered.batches.len();
    claude_md::read_without(&path, Some(ADDED), Scope::Global, request, &mut gathered)?;
    let workdir = &request.place.project.workdir;
    let own = workdir.join("GEMINI.md");
    if is_inside(&own, workdir) {
        claude_md::read_without(&own, None, Scope::Private, request, &mut gathered)?;
    }
    if gathered.batches.len() > batches {
        gathered.warnings.push(
            "GEMINI.md still says all of this: take out of it what you keep as a memory".to_owned(),
        );
    }
    if gathered.batches.is_empty() && gathered.left_out.is_empty() {
        return Err(nothing(&[home.join("tmp"), path, own]));
    }
    Ok(gathered)
}

/// The folders of private memory that stand for the project: one for each checkout at most.
fn private_memories(home: &Path, request: &ImportRequest<'_>) -> Vec<PathBuf> {
    let project = &request.place.project;
    let is_of_project = |folder: &PathBuf| {
        let root = regular_file::read(&folder.join(".project_root"), ROOT_BYTES_MAX).ok();
        let root = root.and_then(|bytes| String::from_utf8(bytes).ok());
        let root = root.map(|root| PathBuf::from(root.trim_end()));
        root.is_some_and(|root| [&project.workdir, &project.root].contains(&&root))
    };
    let folders = fs::read_dir(home.join("tmp"))
        .into_iter()
        .flatten()
        .flatten();
    let folders = folders.map(|folder| folder.path()).filter(is_of_project);
    let mut memories: Vec<PathBuf> = folders.map(|folder| folder.join("memory")).collect();
    memories.retain(|memory| memory.is_dir());
    memories.sort_unstable();
    memories
}

/// Adds the list under a heading of a file as memories about the user.
pub(super) fn facts(
    path: &Path,
    heading: &str,
    request: &ImportRequest<'_>,
    gathered: &mut SourceContents,
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
            let name = classification::name(&fact);
            let origin = format!("{}#{name}", path.display());
            let topic = classification::topic(MemoryType::User, &name, &fact);
            push(&mut items, gathered, origin, topic, words.modified);
        }
    }
    gathered.push(request.scope.unwrap_or(Scope::Global), true, items);
    Ok(())
}
