//! One run of the `git` program: no prompt, a bounded answer, a deadline for it and all that it started.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use super::process_groups::{self, GroupSignal, RunningGit};
use super::process_guard::ProcessGuard;
use super::{GitOptions, GitRemoteError, address};

/// Of what it prints; what is more is read and dropped.
const OUTPUT_BYTES_MAX: usize = 1024 * 1024;
/// How long the end of its output is waited for after its own end: a connection that is kept open for
/// the next run holds the pipes.
const GRACE: Duration = Duration::from_millis(500);
/// How often its end is looked for.
const PAUSE_MIN: Duration = Duration::from_micros(250);
const PAUSE_MAX: Duration = Duration::from_millis(20);
/// Variables of git that are the user's say in how it reaches remotes, and nothing else.
const KEPT: [&str; 11] = [
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_SSH_VARIANT",
    "GIT_PROXY_COMMAND",
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "GIT_SSL_CERT",
    "GIT_SSL_KEY",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
];

/// What it said.
#[derive(Debug)]
pub(super) struct GitOutput {
    pub(super) status: ExitStatus,
    pub(super) output: Vec<u8>,
    /// For people and for telling errors apart.
    pub(super) complaint: String,
}

/// A git that is to be run.
pub(super) struct GitProcess<'a> {
    command: Command,
    deadline: Duration,
    /// A folder that may not grow beyond so many bytes meanwhile.
    watched: Option<(&'a Path, u64)>,
    /// Whether it holds the lock of what it writes.
    is_writing: bool,
}

impl<'a> GitProcess<'a> {
    /// In this folder, with the given environment less what would lead it elsewhere. An ssh that the user has set up
    /// without `BatchMode` would stop at the terminal for ever: it asks a program that says no instead.
    pub(super) fn new(options: &GitOptions, folder: &Path) -> Self {
        let mut command = Command::new(&options.git);
        let given = options.environment.iter();
        command
            .current_dir(folder)
            .env_clear()
            .envs(given.filter(|(name, _)| is_kept(name)).cloned())
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_ASKPASS", "true")
            .env("SSH_ASKPASS", "false")
            .env("SSH_ASKPASS_REQUIRE", "force")
            .env("GCM_INTERACTIVE", "never")
            .env("GIT_ALLOW_PROTOCOL", address::TRANSPORTS)
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("LC_ALL", "C")
            .env_remove("LANGUAGE")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        Self {
            command,
            deadline: options.deadline,
            watched: None,
            is_writing: false,
        }
    }

    pub(super) fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub(super) fn args<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.command.args(args);
        self
    }

    /// Held open until it ends, even where this process does not live so long.
    pub(super) fn hold_lock(mut self, lock: &File) -> Self {
        // The lock belongs to the open file, which git inherits as its input: it lasts until both have closed it. So a
        // git that outlives this process keeps the next one out of the copy it is writing.
        if let Ok(held) = lock.try_clone() {
            self.command.stdin(held);
        }
        self.is_writing = true;
        self
    }

    /// Is given up after this, if that is sooner.
    pub(super) fn limit_time(mut self, time: Duration) -> Self {
        self.deadline = self.deadline.min(time);
        self
    }

    pub(super) fn limit_folder_size(mut self, folder: &'a Path, bytes_max: u64) -> Self {
        self.watched = Some((folder, bytes_max));
        self
    }

    /// Runs it to its end, or to the deadline.
    pub(super) fn run(mut self) -> Result<GitOutput, GitRemoteError> {
        let fail = |error: std::io::Error| GitRemoteError::Run(error.to_string());
        // What only reads leaves nothing half done, and nobody waits for its lock.
        let guard = self.is_writing.then(ProcessGuard::start);
        let group = guard.as_ref().and_then(ProcessGuard::group);
        #[cfg(unix)]
        {
            let group = group.and_then(|group| i32::try_from(group).ok());
            std::os::unix::process::CommandExt::process_group(
                &mut self.command,
                group.unwrap_or_default(),
            );
        }
        let mut child = self.command.spawn().map_err(fail)?;
        let group = group.unwrap_or(child.id());
        let _running = RunningGit::new(group);
        // Both streams are read while it runs. A git that fills one pipe waits for its reader, and would wait for ever
        // for one that first waits for its end.
        let output = child
            .stdout
            .take()
            .map(|stdout| read(stdout, StreamPart::Begin));
        let complaint = child
            .stderr
            .take()
            .map(|stderr| read(stderr, StreamPart::End));
        let status = self.wait_child(&mut child, group)?;
        let collect = |from: Option<Receiver<Vec<u8>>>| {
            from.and_then(|from| from.recv_timeout(GRACE).ok())
                .unwrap_or_default()
        };
        let output = collect(output);
        let complaint = String::from_utf8_lossy(&collect(complaint)).into_owned();
        Ok(GitOutput {
            status,
            output,
            complaint,
        })
    }

    fn wait_child(&self, child: &mut Child, group: u32) -> Result<ExitStatus, GitRemoteError> {
        let begin = Instant::now();
        loop {
            match child.try_wait() {
                Ok(Some(status)) => return Ok(status),
                Ok(None) => {}
                Err(error) => {
                    end_child_group(child, group);
                    return Err(GitRemoteError::Run(error.to_string()));
                }
            }
            if begin.elapsed() >= self.deadline {
                end_child_group(child, group);
                return Err(GitRemoteError::TimedOut(self.deadline.as_secs()));
            }
            // Short at first: most runs take a few milliseconds, and nobody is to wait much longer than they.
            let pause = (begin.elapsed() / 8).clamp(PAUSE_MIN, PAUSE_MAX);
            thread::sleep(pause);
            if let Some((folder, max)) = self.watched
                && pause == PAUSE_MAX
                && folder_size(folder) > max
            {
                end_child_group(child, group);
                return Err(GitRemoteError::TooMuch);
            }
        }
    }
}

/// Whether a variable goes along.
fn is_kept(name: &OsString) -> bool {
    let Some(name) = name.to_str() else {
        return true;
    };
    !name.starts_with("GIT_") || KEPT.contains(&name)
}

/// Ends a program and everything in its group: asks first, and kills what does not end.
fn end_child_group(child: &mut Child, group: u32) {
    process_groups::end_group(group, GroupSignal::Ask);
    let begin = Instant::now();
    while begin.elapsed() < process_groups::GRACE {
        match child.try_wait() {
            Ok(Some(_)) => return,
            _ => thread::sleep(PAUSE_MIN),
        }
    }
    process_groups::end_group(group, GroupSignal::Kill);
    let _ = child.kill();
    let _ = child.wait();
}

/// Bytes of the files of a folder.
fn folder_size(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return 0;
    };
    let sizes = entries.flatten().filter_map(|entry| entry.metadata().ok());
    sizes.map(|file| file.len()).sum()
}

/// Which part of a long stream counts.
#[derive(Clone, Copy, PartialEq)]
enum StreamPart {
    Begin,
    End,
}

/// Reads a stream to its end, so that the writer is never held up, and keeps a part of it.
fn read(mut stream: impl Read + Send + 'static, keep: StreamPart) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut kept = Vec::new();
        let mut buffer = [0; 8192];
        while let Ok(count @ 1..) = stream.read(&mut buffer) {
            kept.extend_from_slice(&buffer[..count]);
            if kept.len() > OUTPUT_BYTES_MAX {
                match keep {
                    StreamPart::Begin => kept.truncate(OUTPUT_BYTES_MAX),
                    StreamPart::End => drop(kept.drain(..OUTPUT_BYTES_MAX / 2)),
                }
            }
        }
        // Nobody waits any more where the run took too long.
        drop(sender.send(kept));
    });
    receiver
}
