//! The runs of git of this process, so that none of them outlives it: each is a group of its own, which a
//! signal to this process does not reach.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The groups that run.
static GROUPS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// One that runs, until it is dropped.
pub(super) struct RunningGit(u32);

impl RunningGit {
    pub(super) fn new(group: u32) -> Self {
        update_groups(|all| all.insert(group));
        Self(group)
    }
}

impl Drop for RunningGit {
    fn drop(&mut self) {
        update_groups(|all| all.remove(&self.0));
    }
}

/// Asks them all, and everything that they started, to end, for a process that was told to end itself.
pub fn end_all() {
    update_groups(|all| {
        for group in all.iter() {
            end_group(*group, GroupSignal::Ask);
        }
        true
    });
}

/// How long a group that was asked to end has for it, before it is killed.
pub(super) const GRACE: Duration = Duration::from_secs(2);

/// How a group is ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GroupSignal {
    /// It removes its locks first, at a remote at a path too.
    Ask,
    /// What it holds stays behind.
    Kill,
}

/// Ends a group.
pub(super) fn end_group(group: u32, how: GroupSignal) {
    #[cfg(unix)]
    {
        use rustix::process::Signal;
        let signal = match how {
            GroupSignal::Ask => Signal::TERM,
            GroupSignal::Kill => Signal::KILL,
        };
        let id = i32::try_from(group).ok();
        if let Some(id) = id.and_then(rustix::process::Pid::from_raw) {
            // It may have ended by itself.
            let _ = rustix::process::kill_process_group(id, signal);
        }
    }
    #[cfg(not(unix))]
    let _ = (group, how);
}

fn update_groups(work: impl FnOnce(&mut BTreeSet<u32>) -> bool) {
    work(&mut GROUPS.lock().unwrap_or_else(PoisonError::into_inner));
}
