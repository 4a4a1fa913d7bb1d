//! What a memory rests on at the moment it is saved: the blobs of the files that it cites.

use mem_core::Scope;
use mem_core::history::CitationSnapshot;
use mem_core::location::ProjectContext;
use mem_core::memory::ScopeDir;
use mem_core::project::{self, Project};
use mem_core::store::GatedFile;

/// The repository that memories speak of. It is opened only for one that cites files.
#[derive(Debug)]
pub struct CitedRepository {
    project: Project,
    place: mem_drift::CheckoutPaths,
}

impl CitedRepository {
    /// The repository of a place. Nothing is read yet.
    pub fn for_project(place: &ProjectContext) -> Self {
        Self {
            place: mem_drift::CheckoutPaths::for_project(&place.project),
            project: place.project.clone(),
        }
    }

    /// What a content that is about to be written rests on. One's own notes across repositories rest
    /// on none. Where the repository cannot be read nothing is recorded: that keeps nobody from saving.
    pub fn cite_content(&self, proposal: &GatedFile<'_>) -> CitationSnapshot {
        let is_about_here = proposal.scope != Scope::Global;
        if self.place.git_dir.is_none()
            || !is_about_here
            || ScopeDir(proposal.scope).note(proposal.path).is_none()
        {
            return CitationSnapshot::default();
        }
        let text = String::from_utf8_lossy(proposal.bytes);
        // Only addresses need the remotes, which stand in a file of their own.
        let remotes = match text.contains("://") {
            true => project::remotes(&self.project),
            false => Vec::new(),
        };
        let blobs = mem_drift::snapshot_citations(&text, &self.place, &remotes);
        CitationSnapshot::new(blobs.unwrap_or_default())
    }
}
