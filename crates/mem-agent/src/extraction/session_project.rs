//! Whether a session was held in this repository: another one's memories are none of ours.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use mem_core::location::{self, ProjectContext};
use mem_core::{Diagnose, RunContext, slug};

use super::error::ExtractionError;

/// The session was held elsewhere.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum ForeignTranscript {
    /// In a folder that is there.
    #[error("the session was held in `{}`, which is another repository", .0.display())]
    #[diagnose(
        Refused,
        hint = format!("`mem -C {} extract` keeps it where it belongs", _0.display())
    )]
    Elsewhere(PathBuf),
    /// In one that is not, and the host keeps it under another project.
    #[error("the session is kept under another project, and no folder of it is there any more")]
    #[diagnose(
        Refused,
        hint = format!("if it was held in this repository, `mem extract --transcript {}` keeps it here", _0.display())
    )]
    Gone(PathBuf),
}

/// Refuses a session of another repository. Where none of its folders is there any more nobody can tell: one that
/// was found by its id under another project is refused, and whoever names a transcript is believed, and told.
pub(super) fn check(
    folders: &BTreeSet<String>,
    transcript: &Path,
    is_named: bool,
    place: &ProjectContext,
    run: &RunContext,
) -> Result<Option<String>, ExtractionError> {
    let project = &place.project;
    let projects = run.dirs()?.projects();
    let own = [&project.cwd, &project.root, &project.workdir]
        .map(|folder| projects.join(slug::existing(folder, &projects)));
    if transcript
        .parent()
        .is_some_and(|parent| own.iter().any(|one| one == parent))
    {
        return Ok(None);
    }
    let mut other = None;
    for folder in folders.iter().map(Path::new).filter(|one| one.is_dir()) {
        let there = location::open(folder, run.dirs()?, &run.env, &[])?;
        if there.location.memory_dir == place.location.memory_dir {
            return Ok(None);
        }
        other.get_or_insert(folder);
    }
    match other {
        Some(folder) => Err(ForeignTranscript::Elsewhere(folder.to_owned()).into()),
        None if !is_named => Err(ForeignTranscript::Gone(transcript.to_owned()).into()),
        None => Ok(Some(match folders.first() {
            Some(folder) => format!(
                "the session was held in `{folder}`, which is not there: nobody can tell whether that was this repository"
            ),
            None => "the transcript does not say where the session was held".to_owned(),
        })),
    }
}
