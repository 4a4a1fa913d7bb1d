//! A program that is run for its standard output, within a time.

use std::io::{self, Read as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use zeroize::Zeroizing;

/// A program that has closed its output is about to end.
const STEP: Duration = Duration::from_millis(2);

/// Runs a program without standard input and reads what it prints, at most `bytes_max`. What it says on standard error
/// is dropped. `None` where it takes longer than `time`: it is ended then. One that is `alone` has a process group of
/// its own and ends with all that it started; a terminal would stop it where it asks somebody.
///
/// # Errors
/// It cannot be started, or the system does not tell how it ended.
pub fn run_within(
    command: &mut Command,
    time: Duration,
    bytes_max: u64,
    alone: bool,
) -> io::Result<Option<(ExitStatus, Zeroizing<Vec<u8>>)>> {
    let mut child = start_program(command, alone)?;
    let stdout = child.stdout.take();
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut text = Zeroizing::new(Vec::new());
        let read = stdout.map(|out| out.take(bytes_max).read_to_end(&mut text));
        // Nobody waits any more where it took too long.
        let _ = sender.send((read.is_some_and(|read| read.is_ok()), text));
    });
    let begun = Instant::now();
    let answer = receiver.recv_timeout(time);
    // One that closes its output need not end.
    let mut status = child.try_wait()?;
    while status.is_none() && answer.is_ok() && begun.elapsed() < time {
        thread::sleep(STEP);
        status = child.try_wait()?;
    }
    let Some(status) = status else {
        end_program(&mut child, alone);
        child.wait()?;
        return Ok(None);
    };
    Ok(match answer {
        Ok((true, text)) => Some((status, text)),
        _ => None,
    })
}

fn start_program(command: &mut Command, alone: bool) -> io::Result<Child> {
    #[cfg(unix)]
    if alone {
        std::os::unix::process::CommandExt::process_group(command, 0);
    }
    #[cfg(not(unix))]
    let _ = alone;
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
}

/// Whether that succeeds or not: nobody waits any more.
fn end_program(child: &mut Child, alone: bool) {
    #[cfg(unix)]
    if alone {
        use rustix::process::{Pid, Signal, kill_process_group};
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let _ = group.map(|group| kill_process_group(group, Signal::KILL));
    }
    #[cfg(not(unix))]
    let _ = alone;
    let _ = child.kill();
}
