//! Whether everything around the memories is as it should be: directories, settings, programs, hosts, histories, the
//! model, daemons and sharing.

mod check;
mod daemon;
mod encoder;
mod environment;
mod hosts;
mod memory;
mod model;
mod program;
mod sharing;

use mem_core::RunContext;

pub use check::{CheckStatus, DoctorCheck};
use program::MemPrograms;

/// Looks at everything. With `fix`, what needs no decision is mended first: permissions, what a crash interrupted, and
/// what a killed write or a killed daemon left behind.
pub fn run_checks(run: &RunContext, fix: bool) -> Vec<DoctorCheck> {
    let programs = MemPrograms::along_path(run);
    let mut checks = environment::environment_checks(run, programs.as_ref(), fix);
    checks.extend(hosts::host_checks(run, programs.as_ref()));
    checks.extend(memory::memory_checks(run, fix));
    checks.extend(encoder::encoder_check(run));
    checks.extend(model::model_check(run));
    checks.extend(daemon::daemon_checks(run, fix));
    checks.extend(sharing::sharing_checks(run, fix));
    checks
}
