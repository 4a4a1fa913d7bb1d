//! The job that distils the logs at night.

use anyhow::Result;
use jiff::tz::TimeZone;
use mem_agent::access::MemoryAccess;
use mem_agent::distillation::nightly::{NightlyTasks, distil_tonight};
use mem_team::gates::ProjectGate;
use serde::{Deserialize, Serialize};

use super::sync_own;
use crate::context::Context;
use crate::error::{ErrorShape, shown_message};

/// What a job came to.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct DreamJobOutcome {
    /// What went wrong, for the log.
    pub(super) trouble: Option<String>,
}

/// Distils.
pub(super) fn run(context: &Context) -> DreamJobOutcome {
    let trouble = distil(context).err();
    DreamJobOutcome {
        trouble: trouble
            .map(|error| format!("not distilled: {}", ErrorShape::from_error(&error).message)),
    }
}

fn distil(context: &Context) -> Result<()> {
    let place = context.place()?;
    let access = MemoryAccess {
        place: &place,
        gate: &ProjectGate::for_place(&place, context),
        run: context,
    };
    let tasks = NightlyTasks {
        sync_notes: &|| sync_own::run(context).outcome.has_agreed(),
        error_text: &|error| shown_message(error),
        zone: &TimeZone::system(),
    };
    Ok(distil_tonight(&access, &tasks)?)
}
