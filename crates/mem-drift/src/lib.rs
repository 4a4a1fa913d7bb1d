//! Memories checked against the code they speak of: a note and a repository in, verdicts out.
//!
//! # Layout
//! - [`cite`]: what a note cites, from its Markdown alone.
//! - [`checkout`]: the repository as it stands. libgit2 and system calls only: no hook, no filter,
//!   no helper of a repository ever runs.
//! - `scan`: which identifiers stand in the code: one pass over all files for all notes.
//! - `history`: what became of the rest: one walk over the commits, newest first, bounded.
//! - `check`: from citations to answers. `verdict`: from answers to one word.
//! - [`verify_notes()`] puts them together, [`cached_reports`] tells what it found last; [`snapshot_citations()`]
//!   records what a note speaks of when it is saved.
//!
//! Nothing here prints, reads the environment, looks at the clock or writes a file: callers hand
//! in the present and keep the cache.

mod cache;
mod check;
pub mod checkout;
pub mod cite;
pub mod error;
mod finding;
mod history;
pub mod limits;
pub mod note;
mod previous_run;
pub mod report;
mod scan;
mod snapshot;
mod stamp;
mod verdict;
mod verify;

pub use checkout::CheckoutPaths;
pub use cite::{Citation, CitationClaim, CitationKind, CitationTarget, extract_citations};
pub use error::DriftError;
pub use note::{DriftInput, DriftRequest, EarlierName, EarlierNames};
pub use report::{CitationReport, CitationStatus, Drift, DriftReport, NoteReport, Verdict};
pub use snapshot::snapshot_citations;
pub use verify::{OpenRepository, Verification, by_age, cached_reports, verify_notes};
