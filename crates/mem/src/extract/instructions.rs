//! The instruction files that an agent of this repository reads anyway.

use std::path::PathBuf;

use anyhow::Result;
use mem_agent::extract::Known;
use mem_core::location::Place;
use mem_core::regular_file;

use crate::context::Context;

const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// What they say. One that is not there, or no text, says nothing.
pub(super) fn known(place: &Place, context: &Context) -> Result<Known> {
    let mut folders = vec![
        place.project.workdir.clone(),
        place.project.workdir.join(".claude"),
        place.project.cwd.clone(),
        context.dirs()?.base.clone(),
    ];
    folders.dedup();
    let names = ["CLAUDE.md", "CLAUDE.local.md", "AGENTS.md"];
    let paths = folders
        .iter()
        .flat_map(|folder| names.map(|name| folder.join(name)));
    let read = |path: PathBuf| {
        let bytes = regular_file::read(&path, FILE_BYTES_MAX).ok()?;
        String::from_utf8(bytes).ok()
    };
    let texts: Vec<String> = paths.filter_map(read).collect();
    Ok(Known::of(texts.iter().map(String::as_str)))
}
