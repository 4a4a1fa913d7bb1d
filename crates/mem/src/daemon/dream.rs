//! The job that distils the logs at night.

use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::dreaming::nightly;
use crate::error::ErrorShape;

/// What a job came to.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct DreamJobOutcome {
    /// What went wrong, for the log.
    pub(super) trouble: Option<String>,
}

/// Distils.
pub(super) fn run(context: &Context) -> DreamJobOutcome {
    let trouble = nightly::run(context).err();
    DreamJobOutcome {
        trouble: trouble
            .map(|error| format!("not distilled: {}", ErrorShape::from_error(&error).message)),
    }
}
