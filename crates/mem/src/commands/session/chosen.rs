//! Which session is meant.

use std::path::{Path, PathBuf};

use anyhow::Result;
use mem_agent::session::place::{self, SessionFiles};
use mem_agent::session::update::UpdateContext;
use mem_core::location;
use mem_core::project::linked_worktrees;
use mem_core::{Diagnose, slug};

use crate::context::Context;

/// No session fits.
#[derive(Debug, thiserror::Error, Diagnose)]
pub(crate) enum NoSession {
    /// None at all.
    #[error("no session of this repository has a transcript")]
    #[diagnose(
        NotFound,
        hint = "name one by its id, or its transcript with --transcript FILE"
    )]
    None,
    /// None of that id has a transcript.
    #[error("the session `{0}` has no transcript")]
    #[diagnose(NotFound, hint = "name the transcript with --transcript FILE")]
    NoTranscript(String),
    /// There are no notes.
    #[error("the session `{0}` has no notes yet")]
    #[diagnose(NotFound, hint = "`mem session update` makes them from the transcript")]
    NoNotes(String),
}

/// The flags by which a session is named.
#[derive(clap::Args, Debug)]
pub(crate) struct SessionArgs {
    /// The session's id; default: the newest session of this repository
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// The session's transcript; default: found by the id
    #[arg(long, value_name = "FILE")]
    pub transcript: Option<PathBuf>,
}

/// A session that was chosen.
pub(crate) struct Chosen {
    /// Its files.
    pub place: SessionFiles,
    /// Its transcript, where there is one.
    pub transcript: Option<PathBuf>,
}

impl SessionArgs {
    /// Finds the session: by its transcript, by its id, else the newest one.
    ///
    /// # Errors
    /// There is none, or what was named cannot be one.
    pub(crate) fn choose_session(&self, context: &Context) -> Result<Chosen> {
        let dirs = context.dirs()?;
        let transcript = match (&self.transcript, &self.session) {
            (Some(path), _) => Some(context.cwd.join(path)),
            (None, Some(id)) => place::transcript_of(dirs, id),
            (None, None) => {
                let newest = place::newest_transcript(dirs, &session_folders(context)?);
                Some(newest.ok_or(NoSession::None)?)
            }
        };
        let place = match (&transcript, &self.session) {
            (Some(path), id) => SessionFiles::of_transcript(dirs, path, id.as_deref())?,
            (None, id) => {
                let id = id.as_deref().unwrap_or_default();
                let slug = place::noted_slug(dirs, id);
                SessionFiles::new(dirs, &slug.unwrap_or_else(|| slug::slug(&context.cwd)), id)?
            }
        };
        Ok(Chosen { place, transcript })
    }
}

/// The notes that were changed last, of the sessions of this repository.
///
/// # Errors
/// Git or the settings cannot be read.
pub(crate) fn newest_notes(context: &Context) -> Result<Option<SessionFiles>> {
    let dirs = context.dirs()?;
    let projects = dirs.projects();
    let folders = session_folders(context)?;
    let slugs: Vec<String> = folders
        .iter()
        .map(|folder| slug::existing(folder, &projects))
        .collect();
    let mut all = place::noted_sessions(dirs).into_iter().map(|one| one.place);
    Ok(all.find(|place| slugs.contains(&place.slug)))
}

/// Every folder in which a session of this repository may have begun.
///
/// # Errors
/// There is no such folder, or the settings cannot be read.
pub(crate) fn session_folders(context: &Context) -> Result<Vec<PathBuf>> {
    let project = location::open(&context.cwd, context.dirs()?, &context.env, &[])?.project;
    let mut folders = vec![project.cwd, project.root, project.workdir];
    if let Some(common) = &project.git_common_dir {
        folders.extend(linked_worktrees(common));
    }
    Ok(folders)
}

impl Chosen {
    /// The transcript.
    ///
    /// # Errors
    /// There is none.
    pub(crate) fn transcript_path(&self) -> Result<&Path, NoSession> {
        let id = || NoSession::NoTranscript(self.place.id.clone());
        self.transcript.as_deref().ok_or_else(id)
    }

    /// The text of the notes.
    ///
    /// # Errors
    /// There are none, or they cannot be read.
    pub(crate) fn read_notes(&self) -> Result<String> {
        let notes = mem_agent::session::update::read_notes(&self.place)?;
        Ok(notes.ok_or_else(|| NoSession::NoNotes(self.place.id.clone()))?)
    }
}

/// The user's own texts, for an update.
pub(crate) fn own_means(context: &Context) -> Result<UpdateContext<'static>> {
    let dirs = context.dirs()?;
    Ok(UpdateContext {
        template: place::own_text(dirs, "template.md"),
        prompt: place::own_text(dirs, "prompt.md"),
        ..UpdateContext::default()
    })
}
