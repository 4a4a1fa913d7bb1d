//! Knowing a repository again: its identity is recorded outside it, so that its memories are
//! found after it was moved.
//!
//! Reading an identity walks the history of the repository, which takes a while in a large one.
//! So it is read once, when a memory directory is first used from a folder, and again by `init`
//! and `adopt`; everything else goes by the record.

use crate::adopt::{self, AdoptError, AdoptionSource, Offer};
use crate::location::ProjectContext;
use crate::project::{self, Identity};
use crate::registry::{self, AdoptionCandidate, KnownDirectory};
use crate::run::{HomeError, RunContext};

/// What a repository's identity is taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recognition {
    /// The record; read and recorded where there is none.
    Record,
    /// The repository; the record is renewed.
    Renew,
    /// The repository; nothing is written.
    Look,
}

impl RunContext {
    /// The memories elsewhere that this repository could take over, the likeliest first.
    ///
    /// # Errors
    /// There is no home directory.
    pub fn adoption_offers(
        &self,
        place: &ProjectContext,
        by: Recognition,
    ) -> Result<Vec<Offer>, HomeError> {
        let found = self.adoption_candidates(place, by)?;
        Ok(adopt::rank_offers(found, &place.location, self.dirs()?))
    }

    /// Where nothing is offered: the one source that was adopted already, so that it can be emptied.
    ///
    /// # Errors
    /// There is no such one: the error says what is known.
    pub fn adopted_source(&self, place: &ProjectContext) -> Result<AdoptionSource, AdoptError> {
        let mut known = self.adoption_candidates(place, Recognition::Record)?;
        known.retain(|one| one.exists);
        if let [only] = known.as_slice()
            && only.why.is_own()
        {
            return Ok(AdoptionSource::from_memory_dir(
                &only.memory_dir,
                self.dirs()?,
            ));
        }
        let slugs: Vec<String> = known.into_iter().map(|one| one.slug).collect();
        Err(match slugs.is_empty() {
            true => AdoptError::NothingKnown,
            false => AdoptError::NotOffered(slugs),
        })
    }

    /// All memories elsewhere that may be this repository's, offered or not.
    ///
    /// # Errors
    /// There is no home directory.
    pub fn adoption_candidates(
        &self,
        place: &ProjectContext,
        by: Recognition,
    ) -> Result<Vec<AdoptionCandidate>, HomeError> {
        let dirs = self.dirs()?;
        let identity = match (by, self.recorded_directory(place)?) {
            (Recognition::Record, Some(record)) => Identity {
                root_commits: record.root_commits,
                remotes: record.remotes,
            },
            (Recognition::Look, _) => project::identity(&place.project),
            (Recognition::Record | Recognition::Renew, _) => self.record_identity(place)?,
        };
        let (project, location) = (&place.project, &place.location);
        Ok(registry::candidates(dirs, project, location, &identity))
    }

    /// Records the repository unless it is known here: cheap every time but the first. For
    /// commands that have just written.
    pub fn remember_project(&self, place: &ProjectContext) {
        if let Ok(None) = self.recorded_directory(place) {
            // Without a home directory nothing could have been written.
            let _ = self.record_identity(place);
        }
    }

    /// What is known of the memory directory, where it was last used from this folder. A record
    /// from before the first commit tells nothing.
    fn recorded_directory(
        &self,
        place: &ProjectContext,
    ) -> Result<Option<KnownDirectory>, HomeError> {
        let record = registry::get(self.dirs()?, &place.location.memory_dir);
        let root = place.location.project_root.to_string_lossy();
        Ok(record.filter(|record| {
            let is_here = record.roots.last().is_some_and(|last| *last == root);
            let is_telling = !record.root_commits.is_empty() || !record.remotes.is_empty();
            is_here && (is_telling || place.project.git_dir.is_none())
        }))
    }

    /// Reads the identity and records it, unless memory is off or there is nothing to know: a
    /// plain folder without memories.
    fn record_identity(&self, place: &ProjectContext) -> Result<Identity, HomeError> {
        let dirs = self.dirs()?;
        let identity = project::identity(&place.project);
        let is_known = !identity.is_empty() || place.location.memory_dir.is_dir();
        if place.location.enabled && is_known {
            match registry::record(dirs, &place.location, &identity, self.now) {
                Ok(warning) => warning.iter().for_each(|text| self.print_warning(text)),
                Err(error) => self.print_warning(format_args!(
                    "this repository would not be known again after a move: {error}"
                )),
            }
        }
        Ok(identity)
    }
}
