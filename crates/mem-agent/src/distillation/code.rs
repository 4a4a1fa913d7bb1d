//! What a project says by itself: its instructions, and its code. Neither needs a memory.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::dream::Bullet;
use mem_core::Dirs;
use mem_core::location::ProjectContext;
use mem_core::memory::Note;
use mem_core::regular_file;
use mem_drift::{DriftError, Verdict};

use mem_find::verdicts::Verdicts;

/// A larger file of instructions is read by nobody.
const INSTRUCTIONS_BYTES_MAX: u64 = 1024 * 1024;
/// Files of instructions, below the root of the project.
const INSTRUCTIONS: [&str; 4] = [
    "CLAUDE.md",
    ".claude/CLAUDE.md",
    "CLAUDE.local.md",
    "AGENTS.md",
];
/// What a text says that tells no more than where something stands.
const STANDS: [&str; 8] = [
    " is in ",
    " is defined in ",
    " are defined in ",
    " is implemented in ",
    " lives in ",
    " live in ",
    " is located in ",
    " is declared in ",
];

/// The lines of the instructions, without their marks.
pub(super) fn instruction_lines(place: &ProjectContext, dirs: &Dirs) -> Vec<String> {
    let root = &place.location.project_root;
    let of_repository = INSTRUCTIONS
        .iter()
        .map(|name| regular_file::read_inside(root, Path::new(name), INSTRUCTIONS_BYTES_MAX));
    let own = regular_file::read(&dirs.base.join("CLAUDE.md"), INSTRUCTIONS_BYTES_MAX);
    let mut lines = Vec::new();
    for bytes in of_repository.chain([own]).flatten() {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let plain = text.lines().map(|line| {
            let line = line.trim().trim_start_matches(['-', '*', '+', '#', '>']);
            line.replace("**", "").trim().to_owned()
        });
        lines.extend(plain.filter(|line| !line.is_empty()));
    }
    lines
}

/// Memories whose code is gone, and what is gone.
///
/// # Errors
/// The repository cannot be read.
pub(super) fn find_broken(
    notes: &[Note],
    verdicts: &Verdicts,
) -> Result<BTreeMap<String, String>, DriftError> {
    if !verdicts.has_repository() || notes.is_empty() {
        return Ok(BTreeMap::new());
    }
    let reports = verdicts.check_notes(notes)?;
    let broken = notes.iter().zip(reports);
    let broken = broken.filter(|(_, report)| report.verdict == Verdict::Broken);
    Ok(broken
        .map(|(note, report)| (note.file.clone(), report.reasons.join("; ")))
        .collect())
}

/// The texts that say where something of the code stands, and are right: the code says so itself.
///
/// # Errors
/// The repository cannot be read.
pub(super) fn find_code_statements(
    bullets: &[Bullet],
    verdicts: &Verdicts,
) -> Result<BTreeSet<String>, DriftError> {
    let stands = |bullet: &&Bullet| {
        let is_short = bullet.text.split_whitespace().count() <= 12;
        is_short && STANDS.iter().any(|words| bullet.text.contains(words))
    };
    let texts: Vec<String> = bullets
        .iter()
        .filter(stands)
        .map(|bullet| bullet.text.clone())
        .collect();
    if !verdicts.has_repository() || texts.is_empty() {
        return Ok(BTreeSet::new());
    }
    let right = verdicts.check_texts(&texts)?;
    let right = texts.into_iter().zip(right).filter(|(_, holds)| *holds);
    Ok(right.map(|(text, _)| text).collect())
}
