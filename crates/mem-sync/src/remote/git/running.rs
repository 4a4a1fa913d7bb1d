//! The runs of git of this process, so that none of them outlives it: each is a group of its own, which a
//! signal to this process does not reach.

use std::collections::BTreeSet;
use std::process::Child;
use std::sync::{Mutex, PoisonError};

/// The groups that run.
static GROUPS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// One that runs, until it is dropped.
pub(super) struct Running(u32);

impl Running {
    pub(super) fn new(child: &Child) -> Self {
        groups(|all| all.insert(child.id()));
        Self(child.id())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        groups(|all| all.remove(&self.0));
    }
}

/// Ends them all with everything that they started, for a process that was told to end.
pub fn end_all() {
    groups(|all| {
        for group in all.iter() {
            end(*group);
        }
        true
    });
}

/// Ends a group.
pub(super) fn end(group: u32) {
    #[cfg(unix)]
    {
        let id = i32::try_from(group).ok();
        if let Some(id) = id.and_then(rustix::process::Pid::from_raw) {
            // It may have ended by itself.
            let _ = rustix::process::kill_process_group(id, rustix::process::Signal::KILL);
        }
    }
    #[cfg(not(unix))]
    let _ = group;
}

fn groups(work: impl FnOnce(&mut BTreeSet<u32>) -> bool) {
    work(&mut GROUPS.lock().unwrap_or_else(PoisonError::into_inner));
}
