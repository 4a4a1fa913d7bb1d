//! Whether the encoder that a person has installed is whole: all of it is read, which no recall does.

use mem_find::encoder::installed_model;

use super::check::DoctorCheck;
use mem_core::RunContext;

/// Nothing where none is installed.
pub(crate) fn encoder_check(run: &RunContext) -> Option<DoctorCheck> {
    match installed_model(run.dirs().ok()?) {
        Ok(installed) => installed.map(|(_, checksum)| {
            DoctorCheck::with_ok("encoder", format!("the installed one, SHA-256 {checksum}"))
        }),
        Err(fault) => Some(DoctorCheck::from_error("encoder", &fault)),
    }
}
