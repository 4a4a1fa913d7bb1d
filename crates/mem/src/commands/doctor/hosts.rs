//! What was installed into host programs: whether it is still there and runs something.

use std::path::Path;

use mem_core::Dirs;
use mem_core::installed::{self, Installed};

use super::check::DoctorCheck;
use crate::context::Context;
use crate::hosts::Installation;

const NAME: &str = "hosts";
const AGAIN: &str = "install it again, or let `mem uninstall` forget it";

pub(super) fn host_checks(context: &Context) -> Vec<DoctorCheck> {
    let installed = |dirs: &Dirs| installed::list(dirs).0;
    let entries = context.dirs().map(installed).unwrap_or_default();
    let entries = entries.iter();
    entries
        .filter_map(|entry| Some(check_entry(entry, &Installation::from_entry(entry)?)))
        .collect()
}

fn check_entry(entry: &Installed, installation: &Installation) -> DoctorCheck {
    let (what, path) = (&entry.what, entry.path.display());
    let programs = installation.programs();
    if programs.is_empty() {
        let text = format!("{what} should be in {path}, and is not");
        return DoctorCheck::with_warning(NAME, text, AGAIN);
    }
    // A name without a folder is looked up by the host, whose PATH may be another.
    let is_gone = |program: &&String| {
        let program = Path::new(program);
        program.is_absolute() && !program.is_file()
    };
    match programs.iter().find(is_gone) {
        Some(program) => {
            let text = format!("{what} in {path}: `{program}` is not there");
            DoctorCheck::with_failure(NAME, text, "`mem install` writes where mem is now")
        }
        None => DoctorCheck::with_ok(NAME, format!("{what} in {path}")),
    }
}
