//! Whether the model of the settings can be asked. It is not.

use super::check::Check;
use crate::context::Context;
use crate::{masked, model};

/// Nothing where no model is set, or nobody can tell.
pub(super) fn check(context: &Context) -> Option<Check> {
    let place = context.place().ok()?;
    match model::described(&place, context) {
        Ok(described) => Some(Check::ok("model", masked::message(&described?))),
        Err(error) => Some(Check::error("model", &error)),
    }
}
