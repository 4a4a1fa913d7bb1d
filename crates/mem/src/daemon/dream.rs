//! The job that distils the logs at night.

use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::dreaming::nightly;
use crate::error::Diagnosis;

/// What a job came to.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Told {
    /// What went wrong, for the log.
    pub(super) trouble: Option<String>,
}

/// Distils.
pub(super) fn run(context: &Context) -> Told {
    let trouble = nightly::run(context).err();
    Told {
        trouble: trouble.map(|error| format!("not distilled: {}", Diagnosis::of(&error).message)),
    }
}
