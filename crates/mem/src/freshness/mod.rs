//! The verdicts of `mem_find::verdicts` in a run: with its directories and its clock, in its output.

pub(crate) mod excerpt;
pub(crate) mod findings;
pub(crate) mod moves;
pub(crate) mod shown;

use mem_core::location::ProjectContext;
use mem_core::run::HomeError;
use mem_find::verdicts::{self, Verdicts};

use crate::context::Context;

impl Context {
    /// The verdicts on the memories of a place. Nothing is checked yet.
    ///
    /// # Errors
    /// There is no home directory.
    pub(crate) fn open_verdicts(&self, place: &ProjectContext) -> Result<Verdicts, HomeError> {
        Ok(Verdicts::for_project(
            &place.project,
            self.dirs()?,
            self.now,
        ))
    }
}

/// Forgets every verdict: they quote what memories cite, which was erased for good.
pub(crate) fn forget_verdicts(context: &Context) {
    if let Ok(dirs) = context.dirs() {
        verdicts::forget_verdicts(dirs);
    }
}
