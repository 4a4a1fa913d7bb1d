//! Whether the model of the settings can be asked. It is not.

use super::check::DoctorCheck;
use crate::context::Context;
use mem_team::masking;
use mem_agent::model;

/// Nothing where no model is set, or nobody can tell.
pub(super) fn model_check(context: &Context) -> Option<DoctorCheck> {
    let place = context.place().ok()?;
    match model::describe_model(&place, context) {
        Ok(described) => Some(DoctorCheck::with_ok(
            "model",
            masking::masked_message(&described?),
        )),
        Err(error) => Some(DoctorCheck::from_error("model", &error)),
    }
}
