//! A job does not outlive its daemon: the daemon keeps the job's standard input open, and when that ends,
//! so does the job, with every process that it started.
//!
//! A pipe and not a signal, because `kill -9` sends none and the parent's id can be reused: the system closes the pipe
//! however the daemon ends. Nothing is ever written to it.
//! Test: `daemon::killed_again_and_again_it_loses_nothing_and_leaves_no_child`.

use std::io::Read as _;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use mem_core::regular_file;
/// A job that takes longer than this hangs.
const TIME_MAX: Duration = Duration::from_secs(20 * 60);

/// Ends this process when its standard input ends, or when it takes too long.
#[expect(clippy::exit, reason = "nobody is left to unwind for")]
pub(super) fn watch_parent() {
    // Without a thread the job ends when it is done, which is nearly always soon.
    let _ = std::thread::Builder::new().spawn(|| {
        let stdin = std::io::stdin();
        let mut ready = [PollFd::new(&stdin, PollFlags::IN)];
        let timeout = Timespec::try_from(TIME_MAX).ok();
        // Interrupted or over: it is looked at either way.
        let over = matches!(poll(&mut ready, timeout.as_ref()), Ok(0));
        let mut rest = [0; 64];
        if !over {
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
            if let Some(id) = id.parse().ok().and_then(Pid::from_raw) {
                // It may have ended by itself.
                let _ = kill_process_group(id, Signal::KILL);
                let _ = kill_process(id, Signal::KILL);
            }
        }
    }
}
