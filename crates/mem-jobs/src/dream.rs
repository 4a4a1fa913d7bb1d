//! The job that distils the logs at night.

use crate::JobError;
use jiff::tz::TimeZone;
use mem_agent::access::MemoryAccess;
use mem_agent::distillation::nightly::{NightlyTasks, distil_tonight};
use mem_team::write_gates::ProjectGate;
use serde::{Deserialize, Serialize};

use crate::personal_sync;
use mem_core::RunContext;
use mem_tools::error_text::shown_message;

/// What a job came to.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct DreamJobOutcome {
    /// What went wrong, for the log.
    pub(crate) trouble: Option<String>,
}

/// Distils.
pub(crate) fn run(run: &RunContext) -> DreamJobOutcome {
    let trouble = distil(run).err();
    DreamJobOutcome {
        trouble: trouble.map(|error| format!("not distilled: {}", shown_message(&*error))),
    }
}

fn distil(run: &RunContext) -> Result<(), JobError> {
    let place = run.place()?;
    let access = MemoryAccess {
        place: &place,
        gate: &ProjectGate::for_place(&place, run),
        run,
    };
    let tasks = NightlyTasks {
        sync_notes: &|| personal_sync::run(run).outcome.has_agreed(),
        error_text: &|error| shown_message(error),
        zone: &TimeZone::system(),
    };
    Ok(distil_tonight(&access, &tasks)?)
}
