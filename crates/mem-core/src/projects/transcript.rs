//! The working directory that the host's transcripts record, within bounds.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::is_made_of;
use crate::limits::TRANSCRIPT_HEAD_BYTES_MAX;
use crate::limits::TRANSCRIPTS_PROBED_MAX;
use crate::regular_file;

#[derive(Deserialize)]
struct TranscriptHead {
    cwd: Option<PathBuf>,
}

/// The path that a project's directory was made for: a recorded working directory with this very
/// slug, or one of its parents (a session may have changed directory).
pub(super) fn origin(dir: &Path, slug: &str) -> Option<PathBuf> {
    let mut transcripts: Vec<PathBuf> = fs::read_dir(dir)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "jsonl")
        })
        .collect();
    transcripts.sort_unstable();
    transcripts
        .iter()
        .take(TRANSCRIPTS_PROBED_MAX)
        .filter_map(|path| first_cwd(path))
        .find_map(|cwd| {
            let made_for = cwd.ancestors().find(|path| is_made_of(slug, path));
            made_for.map(Path::to_owned)
        })
}

/// The first `cwd` of a transcript.
fn first_cwd(path: &Path) -> Option<PathBuf> {
    let reader = BufReader::new(
        regular_file::open(path)
            .ok()?
            .take(TRANSCRIPT_HEAD_BYTES_MAX),
    );
    reader
        .lines()
        .map_while(Result::ok)
        .filter(|line| line.contains("\"cwd\""))
        .find_map(|line| serde_json::from_str::<TranscriptHead>(&line).ok()?.cwd)
        .filter(|cwd| cwd.is_absolute())
}
