//! A project's memory as one run may write it.

use mem_core::RunContext;
use mem_core::location::ProjectContext;
use mem_core::store::WriteGate;

/// The memory of a project, with the gates of its writes and the run that makes them.
#[derive(Clone, Copy)]
pub struct MemoryAccess<'a> {
    /// The project.
    pub place: &'a ProjectContext,
    /// What every write has to pass.
    pub gate: &'a dyn WriteGate,
    /// Who runs this, when, and in which directories.
    pub run: &'a RunContext,
}
