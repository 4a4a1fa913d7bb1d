//! Which session is meant: by its transcript, by its id, else the newest one of a repository.

use std::path::{Path, PathBuf};

use mem_core::host_settings::{self, is_auto_compacting};
use mem_core::location::{self, LocationError, ProjectContext};
use mem_core::project::{Project, linked_worktrees};
use mem_core::run::HomeError;
use mem_core::{Diagnose, RunContext, slug};

use super::place::{self, InvalidId, SessionFiles};
use super::update::{
    NotesUpdate, NotesUpdateError, UpdateContext, advance_session, read_notes, update_notes,
};
use super::update_schedule::{Due, check_due};
use crate::model::configured_model;

/// No session fits, or none can be looked for.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum SessionError {
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
    /// The id cannot be one.
    #[error(transparent)]
    Id(#[from] InvalidId),
    /// There is no home directory.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// The repository cannot be opened.
    #[error(transparent)]
    Location(#[from] LocationError),
    /// The notes cannot be read.
    #[error(transparent)]
    Notes(#[from] NotesUpdateError),
}

impl SessionError {
    /// Whether the settings cannot be read: the message quotes them.
    pub fn is_of_settings(&self) -> bool {
        matches!(self, Self::Location(LocationError::Config(_)))
    }
}

/// What names a session; the newest one of the repository where nothing does.
#[derive(Clone, Debug, Default)]
pub struct SessionQuery {
    /// Its id.
    pub session: Option<String>,
    /// Its transcript.
    pub transcript: Option<PathBuf>,
}

/// A session that was chosen.
pub struct ChosenSession {
    /// Its files.
    pub place: SessionFiles,
    /// Its transcript, where there is one.
    pub transcript: Option<PathBuf>,
}

impl SessionQuery {
    /// Finds the session: by its transcript, by its id, else the newest one.
    ///
    /// # Errors
    /// There is none, or what was named cannot be one.
    pub fn choose_session(&self, run: &RunContext) -> Result<ChosenSession, SessionError> {
        let dirs = run.dirs()?;
        let transcript = match (&self.transcript, &self.session) {
            (Some(path), _) => Some(run.cwd.join(path)),
            (None, Some(id)) => place::transcript_of(dirs, id),
            (None, None) => {
                let newest = place::newest_transcript(dirs, &session_folders(run)?);
                Some(newest.ok_or(SessionError::None)?)
            }
        };
        let place = match (&transcript, &self.session) {
            (Some(path), id) => SessionFiles::of_transcript(dirs, path, id.as_deref())?,
            (None, id) => {
                let id = id.as_deref().unwrap_or_default();
                let slug = place::noted_slug(dirs, id);
                SessionFiles::new(dirs, &slug.unwrap_or_else(|| slug::slug(&run.cwd)), id)?
            }
        };
        Ok(ChosenSession { place, transcript })
    }
}

/// The notes that were changed last, of the sessions of this repository.
///
/// # Errors
/// Git or the settings cannot be read.
pub fn newest_notes(run: &RunContext) -> Result<Option<SessionFiles>, SessionError> {
    let dirs = run.dirs()?;
    let projects = dirs.projects();
    let folders = session_folders(run)?;
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
pub fn session_folders(run: &RunContext) -> Result<Vec<PathBuf>, SessionError> {
    let project = location::open(&run.cwd, run.dirs()?, &run.env, &[])?.project;
    let mut folders = vec![project.cwd, project.root, project.workdir];
    if let Some(common) = &project.git_common_dir {
        folders.extend(linked_worktrees(common));
    }
    Ok(folders)
}

impl ChosenSession {
    /// The transcript.
    ///
    /// # Errors
    /// There is none.
    pub fn transcript_path(&self) -> Result<&Path, SessionError> {
        let id = || SessionError::NoTranscript(self.place.id.clone());
        self.transcript.as_deref().ok_or_else(id)
    }

    /// Reads on in the transcript, and says whether it is time for an update of the notes.
    ///
    /// # Errors
    /// There is no transcript, or it cannot be read.
    pub fn check_due(&self, project: &Project, run: &RunContext) -> Result<Due, SessionError> {
        let dirs = run.dirs()?;
        let settings = host_settings::read(dirs, project);
        let state = advance_session(&self.place, self.transcript_path()?)?;
        Ok(check_due(
            is_auto_compacting(dirs, &settings),
            state.updated,
            state.digest.counts,
        ))
    }

    /// Updates the notes, by the model of the settings where that may be asked, and with a host's summary if there is
    /// one. A model that the settings do not allow counts as one that was rejected.
    ///
    /// # Errors
    /// There is no transcript, or the notes cannot be written.
    pub fn update_notes(
        &self,
        with_model: bool,
        summary: Option<String>,
        repository: &ProjectContext,
        run: &RunContext,
    ) -> Result<NotesUpdate, SessionError> {
        let model = match with_model {
            true => configured_model(repository, run),
            false => Ok(None),
        };
        let (model, unfit) = match model {
            Ok(model) => (model, None),
            Err(error) => (None, Some(error.to_string())),
        };
        let means = UpdateContext {
            model: model.as_ref(),
            root: Some(&repository.project.workdir),
            summary,
            ..own_texts(run)?
        };
        let mut done = update_notes(&self.place, self.transcript_path()?, &means)?;
        done.rejected = done.rejected.or(unfit);
        Ok(done)
    }

    /// The text of the notes.
    ///
    /// # Errors
    /// There are none, or they cannot be read.
    pub fn read_notes(&self) -> Result<String, SessionError> {
        let notes = read_notes(&self.place)?;
        notes.ok_or_else(|| SessionError::NoNotes(self.place.id.clone()))
    }
}

/// The user's own texts, for an update.
///
/// # Errors
/// There is no home directory.
pub fn own_texts(run: &RunContext) -> Result<UpdateContext<'static>, HomeError> {
    let dirs = run.dirs()?;
    Ok(UpdateContext {
        template: place::own_text(dirs, "template.md"),
        prompt: place::own_text(dirs, "prompt.md"),
        ..UpdateContext::default()
    })
}
