//! Whether the encoder that a person has installed is whole: all of it is read, which no recall does.

use mem_find::encoder::installed_model;

use super::check::DoctorCheck;
use crate::context::Context;

/// Nothing where none is installed.
pub(super) fn encoder_check(context: &Context) -> Option<DoctorCheck> {
    match installed_model(context.dirs().ok()?) {
        Ok(installed) => installed.map(|(_, checksum)| {
            DoctorCheck::with_ok("encoder", format!("the installed one, SHA-256 {checksum}"))
        }),
        Err(fault) => Some(DoctorCheck::from_error("encoder", &fault)),
    }
}
