//! What ties a git to this process: however that ends, `kill -9` included, the git ends with all that it
//! started, such as an ssh that waits for a host which never answers.
//!
//! A system has calls for this that no safe code can make between fork and exec. So a shell waits for the end of a
//! pipe that only this process holds, and then ends its group, which the git is started into. The shell comes first:
//! a git that is there before it would go on where this process is killed between the two. As long as it is there no
//! other group can have that number.
//!
//! ```text
//!  mem  ---- pipe ----> sh -c 'read'      group of sh:  sh, git, ssh, remote helpers
//!  kill -9: the system closes the pipe; read returns; TERM to the group, 2 s, KILL to the group
//! ```
//!
//! Test: `git::network::a_line_that_hangs_is_given_up_with_all_that_was_started`.

use std::process::Child;
#[cfg(unix)]
use std::process::{Command, Stdio};

/// Waits for the end of its input, then ends its group and itself with it. A git is asked first: one that
/// writes to a remote at a path holds a lock there, which it removes when it is asked and nobody removes when
/// it is killed. The shell is of the group too, and ignores the first signal to be there for the second.
#[cfg(unix)]
const WAIT: &str = "trap '' TERM; read -r _; kill -TERM 0; sleep 2; kill -KILL 0";

/// One git's; untied when dropped.
pub(super) struct ProcessGuard(Option<Child>);

impl ProcessGuard {
    /// Begins a group that a git can be started into.
    #[cfg(unix)]
    pub(super) fn start() -> Self {
        use std::os::unix::process::CommandExt as _;
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", WAIT]).env_clear().current_dir("/");
        shell
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Self(shell.process_group(0).spawn().ok())
    }

    /// Elsewhere nothing is tied.
    #[cfg(not(unix))]
    pub(super) fn start() -> Self {
        Self(None)
    }

    /// The number of the group; `None` where there is no shell.
    pub(super) fn group(&self) -> Option<u32> {
        self.0.as_ref().map(Child::id)
    }
}

impl Drop for ProcessGuard {
    fn drop(&mut self) {
        if let Some(shell) = &mut self.0 {
            // Before its input ends; it may have ended with its group already.
            let _ = shell.kill();
            let _ = shell.wait();
        }
    }
}
