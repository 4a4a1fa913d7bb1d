//! A job does not outlive its daemon: the daemon keeps the job's standard input open, and when that ends,
//! so does the job, with every process that it started.
//!
//! A pipe and not a signal, because `kill -9` sends none and the parent's id can be reused: the system closes the pipe
//! however the daemon ends. Nothing is ever written to it.
//! Test: `daemon::killed_again_and_again_it_loses_nothing_and_leaves_no_child`.

use std::io::Read as _;
use std::time::Duration;

use mem_core::regular_file;

use crate::system::{EndSignal, end_group, end_process, stays_silent};

/// A job that takes longer than this hangs.
const TIME_MAX: Duration = Duration::from_secs(20 * 60);

/// Ends this process when its standard input ends, or when it takes too long.
#[expect(clippy::exit, reason = "nobody is left to unwind for")]
pub fn watch_parent() {
    // Without a thread the job ends when it is done, which is nearly always soon.
    let _ = std::thread::Builder::new().spawn(|| {
        let stdin = std::io::stdin();
        let mut rest = [0; 64];
        if !stays_silent(&stdin, TIME_MAX) {
            while let Ok(1..) = stdin.lock().read(&mut rest) {}
        }
        end_children();
        std::process::exit(1);
    });
}

/// Ends what this process started, and the groups that these lead: git, and what git started.
fn end_children() {
    let tasks = std::fs::read_dir("/proc/self/task");
    // Elsewhere they end when they find their pipes broken.
    for task in tasks.into_iter().flatten().flatten() {
        let children = regular_file::read_text(task.path().join("children"));
        for id in children.unwrap_or_default().split_whitespace() {
            if let Ok(id) = id.parse() {
                end_group(id);
                end_process(id, EndSignal::Kill);
            }
        }
    }
}
