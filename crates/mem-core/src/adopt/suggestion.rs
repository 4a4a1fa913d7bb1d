//! Which of the memories that may be this repository's are worth telling a person about.

use serde_json::{Value, json};

use super::preview_adoption;
use super::source::AdoptionSource;
use crate::dirs::Dirs;
use crate::location::Location;
use crate::projects::has_notes;
use crate::registry::{AdoptionCandidate, CandidateReason};
use crate::store::{LocalStore, Tiers};

/// Memories that can be adopted.
#[derive(Clone, Debug)]
pub struct Offer {
    /// Where they are and why they are thought to belong here.
    pub candidate: AdoptionCandidate,
    /// How many files of theirs this repository's memory does not have yet.
    pub fresh: usize,
}

impl Offer {
    /// The stable shape.
    pub fn to_json(&self) -> Value {
        let candidate = &self.candidate;
        json!({
            "slug": candidate.slug, "memory_dir": candidate.memory_dir, "root": candidate.root,
            "why": candidate.why.as_str(), "files": self.fresh,
        })
    }

    /// Why, for a person.
    pub fn reason_text(&self) -> String {
        let root = self.candidate.root.as_ref();
        let at = root.map_or(String::new(), |root| format!(" (`{}`)", root.display()));
        match self.candidate.why {
            CandidateReason::Moved => format!("this repository had them before it was moved{at}"),
            CandidateReason::Spelling => "the same path, spelt otherwise".to_owned(),
            CandidateReason::Worktree => format!("kept for a worktree of this repository{at}"),
            CandidateReason::Subdirectory => {
                format!("kept for a directory inside this repository{at}")
            }
            CandidateReason::FitsInside => {
                format!("their name fits a directory inside this repository{at}")
            }
            CandidateReason::OtherPlace => {
                "kept for this folder while its memory was put there".to_owned()
            }
            CandidateReason::Cloned => format!("kept for another clone of this repository{at}"),
            CandidateReason::SameRemote => {
                format!("kept for a repository with the same remote{at}")
            }
            CandidateReason::SameName => {
                format!("kept for a folder of the same name that is gone{at}")
            }
        }
    }
}

/// The candidates that have something to offer, the likeliest first.
///
/// A memory that is certainly this repository's is offered as long as something of it is missing
/// here. One of another clone, which goes on living there, and one that has no more than a name
/// in common are offered only to a repository that has no memories yet.
pub fn rank_offers(
    candidates: Vec<AdoptionCandidate>,
    location: &Location,
    dirs: &Dirs,
) -> Vec<Offer> {
    let target = LocalStore::new(&location.memory_dir, Tiers::Project, dirs);
    let is_empty = !has_notes(&location.memory_dir);
    let mut offers = Vec::new();
    for candidate in candidates.into_iter().filter(|one| one.exists) {
        let is_own = match candidate.why {
            CandidateReason::Moved
            | CandidateReason::Spelling
            | CandidateReason::Worktree
            | CandidateReason::Subdirectory
            | CandidateReason::FitsInside => true,
            CandidateReason::SameRemote => !candidate.root_exists,
            CandidateReason::OtherPlace | CandidateReason::Cloned | CandidateReason::SameName => {
                false
            }
        };
        if !is_own && !is_empty {
            continue;
        }
        let source = AdoptionSource::from_memory_dir(&candidate.memory_dir, dirs);
        // One that cannot be read is what `mem audit` tells about.
        let fresh =
            preview_adoption(&target, &source.store).map_or(0, |adoption| adoption.fresh_count());
        if fresh > 0 {
            offers.push(Offer { candidate, fresh });
        }
    }
    offers
}
