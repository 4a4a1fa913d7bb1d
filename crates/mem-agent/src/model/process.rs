//! One run of a program: fed, read, timed and cleared away.

use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::{ANSWER_BYTES_MAX, COMPLAINT_BYTES_MAX, ModelError, ModelQuestion, TASK_VARIABLE};

/// Runs a command line with `prompt` on its standard input; the answer is what it prints.
pub(super) fn run(
    command: &str,
    task: ModelQuestion,
    prompt: &[u8],
    time_limit: Duration,
) -> Result<Vec<u8>, ModelError> {
    let mut child = start_program(command, task).map_err(ModelError::Start)?;
    let group = Group::from_child(&child);
    let prompt = prompt.to_vec();
    if let Some(mut stdin) = child.stdin.take() {
        // A program that does not read to the end is none the worse for it.
        thread::spawn(move || drop(stdin.write_all(&prompt)));
    }
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || drop(sender.send(wait_for_answer(child))));
    match receiver.recv_timeout(time_limit) {
        Ok(answer) => answer,
        Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
            group.kill_group();
            // The waiting thread reaps it; a program out of the group's reach is not waited for.
            drop(receiver.recv_timeout(GRACE));
            Err(ModelError::TimedOut {
                seconds: time_limit.as_secs(),
            })
        }
    }
}

/// How long the end of a killed program is waited for.
const GRACE: Duration = Duration::from_secs(2);

fn start_program(command: &str, task: ModelQuestion) -> io::Result<Child> {
    let mut shell = shell_command(command);
    shell
        .env(TASK_VARIABLE, task.as_str())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut shell, 0);
    shell.spawn()
}

#[cfg(unix)]
fn shell_command(command: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]);
    shell
}

#[cfg(not(unix))]
fn shell_command(command: &str) -> Command {
    let mut shell = Command::new("cmd");
    shell.args(["/C", command]);
    shell
}

/// Reads what it says to the end, then waits for it and clears its group away.
fn wait_for_answer(mut child: Child) -> Result<Vec<u8>, ModelError> {
    let group = Group::from_child(&child);
    let errors = child.stderr.take();
    let complaint = thread::spawn(move || errors.map(stream_tail).unwrap_or_default());
    let read = match child.stdout.take() {
        Some(stdout) => read_bounded(stdout),
        None => Ok(Vec::new()),
    };
    if !matches!(&read, Ok(answer) if answer.len() <= ANSWER_BYTES_MAX) {
        group.kill_group();
    }
    group.wait_and_clear();
    let status = child.wait().map_err(ModelError::Io)?;
    let answer = read.map_err(ModelError::Io)?;
    if answer.len() > ANSWER_BYTES_MAX {
        return Err(ModelError::TooLong);
    }
    let complaint = complaint.join().unwrap_or_default();
    match status.success() {
        true => Ok(answer),
        false => Err(ModelError::Failed { status, complaint }),
    }
}

/// Everything up to one byte over the limit.
fn read_bounded(stdout: impl Read) -> io::Result<Vec<u8>> {
    let mut answer = Vec::new();
    stdout
        .take(ANSWER_BYTES_MAX as u64 + 1)
        .read_to_end(&mut answer)?;
    Ok(answer)
}

/// The end of a stream, which is read to its end so that the writer is never held up.
fn stream_tail(mut stream: impl Read) -> String {
    let mut kept = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = stream.read(&mut buffer) {
        kept.extend_from_slice(&buffer[..count]);
        if kept.len() > 2 * COMPLAINT_BYTES_MAX {
            kept.drain(..kept.len() - COMPLAINT_BYTES_MAX);
        }
    }
    String::from_utf8_lossy(&kept).into_owned()
}

/// The process group of a program, which its children belong to unless they leave it.
#[cfg(unix)]
struct Group(Option<rustix::process::Pid>);

#[cfg(unix)]
impl Group {
    fn from_child(child: &Child) -> Self {
        let id = i32::try_from(child.id()).ok();
        Self(id.and_then(rustix::process::Pid::from_raw))
    }

    fn kill_group(&self) {
        if let Some(id) = self.0 {
            // It may have ended by itself.
            let _ = rustix::process::kill_process_group(id, rustix::process::Signal::KILL);
        }
    }

    /// Waits until the program has ended, and kills what it left in its group. The program is not
    /// reaped yet: until then nobody else can be given the group's number.
    fn wait_and_clear(&self) {
        use rustix::process::{WaitId, WaitIdOptions, waitid};
        let Some(id) = self.0 else { return };
        let ended = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while let Err(rustix::io::Errno::INTR) = waitid(WaitId::Pid(id), ended) {}
        self.kill_group();
    }
}

/// Elsewhere a program is left to end by itself.
#[cfg(not(unix))]
struct Group;

#[cfg(not(unix))]
impl Group {
    fn from_child(_: &Child) -> Self {
        Self
    }

    fn kill_group(&self) {}

    fn wait_and_clear(&self) {}
}
