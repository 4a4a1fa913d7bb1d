//! Whether the model of the settings can be asked. It is not.

use super::check::DoctorCheck;
use mem_agent::model;
use mem_core::RunContext;
use mem_team::masking;

/// Nothing where no model is set, or nobody can tell.
pub(crate) fn model_check(run: &RunContext) -> Option<DoctorCheck> {
    let place = run.place().ok()?;
    match model::describe_model(&place, run) {
        Ok(described) => Some(DoctorCheck::with_ok(
            "model",
            masking::masked_message(&described?),
        )),
        Err(error) => Some(DoctorCheck::from_error("model", &error)),
    }
}
