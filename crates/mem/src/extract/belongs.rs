//! Whether a session was held in this repository: another one's memories are none of ours.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Result;
use mem_core::location::{self, Place};
use mem_core::{Diagnose, ErrorKind, slug};

use crate::context::Context;

/// The session was held elsewhere.
#[derive(Debug, thiserror::Error)]
#[error("the session was held in `{}`, which is another repository", .0.display())]
pub(crate) struct ForeignTranscript(PathBuf);

impl Diagnose for ForeignTranscript {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Refused
    }

    fn hint(&self) -> Option<String> {
        let folder = self.0.display();
        Some(format!(
            "`mem -C {folder} extract` keeps it where it belongs"
        ))
    }
}

/// Refuses a session of another repository. Where none of its folders is there any more nobody can tell,
/// and whoever names its transcript is believed.
pub(super) fn check(
    folders: &BTreeSet<String>,
    transcript: &Path,
    place: &Place,
    context: &Context,
) -> Result<()> {
    let project = &place.project;
    let projects = context.dirs()?.projects();
    let own = [&project.cwd, &project.root, &project.workdir]
        .map(|folder| projects.join(slug::existing(folder, &projects)));
    if transcript
        .parent()
        .is_some_and(|parent| own.iter().any(|one| one == parent))
    {
        return Ok(());
    }
    let mut foreign = None;
    for folder in folders.iter().map(Path::new).filter(|one| one.is_dir()) {
        let there = location::open(folder, context.dirs()?, &context.env, &[])?;
        if there.location.memory_dir == place.location.memory_dir {
            return Ok(());
        }
        foreign.get_or_insert(folder);
    }
    match foreign {
        Some(folder) => Err(ForeignTranscript(folder.to_owned()).into()),
        None => Ok(()),
    }
}
