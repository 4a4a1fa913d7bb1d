//! The instruction files that an agent of this repository reads anyway.

use std::path::PathBuf;

use crate::extract::KnownInstructions;
use mem_core::location::ProjectContext;
use mem_core::run::HomeError;
use mem_core::{RunContext, regular_file};

const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// What they say. One that is not there, or no text, says nothing.
pub(super) fn known_instructions(
    place: &ProjectContext,
    run: &RunContext,
) -> Result<KnownInstructions, HomeError> {
    let mut folders = vec![
        place.project.workdir.clone(),
        place.project.workdir.join(".claude"),
        place.project.cwd.clone(),
        run.dirs()?.base.clone(),
    ];
    folders.dedup();
    let names = ["CLAUDE.md", "CLAUDE.local.md", "AGENTS.md"];
    let paths = folders
        .iter()
        .flat_map(|folder| names.map(|name| folder.join(name)));
    let root = &place.project.workdir;
    let read = |path: PathBuf| {
        // Those of the repository may not be those of somebody else through a link.
        let bytes = match path.strip_prefix(root) {
            Ok(below) => regular_file::read_inside(root, below, FILE_BYTES_MAX),
            Err(_) => regular_file::read(&path, FILE_BYTES_MAX),
        };
        String::from_utf8(bytes.ok()?).ok()
    };
    let texts: Vec<String> = paths.filter_map(read).collect();
    Ok(KnownInstructions::from_texts(
        texts.iter().map(String::as_str),
    ))
}
