//! A master key from a program: a password manager, a service that holds keys.

use std::io::IsTerminal as _;
use std::process::Command;
use std::time::Duration;

use crate::{MasterKeys, VaultError};

use mem_core::timed_program::run_within;

/// So long it may take where nobody sits: a hook, a server and a host all wait for it.
const TIME_MAX: Duration = Duration::from_secs(5);
/// And so long where it may ask a person at a terminal.
const TIME_OF_A_PERSON_MAX: Duration = Duration::from_secs(30);
/// Keys are shorter.
const ANSWER_BYTES_MAX: u64 = 64 * 1024;
/// What errors call it.
const NAME: &str = "the command of `encryption.key`";

/// Asks: its standard output has one key a line. What it says on standard error is not shown: it may be the key.
pub(super) fn ask_program(line: &str) -> Result<MasterKeys, VaultError> {
    match std::io::stderr().is_terminal() {
        true => ask_within(line, TIME_OF_A_PERSON_MAX, false),
        false => ask_within(line, TIME_MAX, true),
    }
}

/// One that is alone ends with all that it started; a terminal would stop it where it asks somebody.
fn ask_within(line: &str, time: Duration, alone: bool) -> Result<MasterKeys, VaultError> {
    let (shell, flag) = match cfg!(unix) {
        true => ("sh", "-c"),
        false => ("cmd", "/C"),
    };
    let mut command = Command::new(shell);
    command.args([flag, line]);
    let answer = run_within(&mut command, time, ANSWER_BYTES_MAX, alone)
        .map_err(|error| program_failed(&error.to_string()))?;
    let Some((status, text)) = answer else {
        let seconds = time.as_secs();
        return Err(program_failed(&format!(
            "it gave no answer within {seconds} seconds"
        )));
    };
    if !status.success() {
        return Err(program_failed(&status.to_string()));
    }
    let text = std::str::from_utf8(&text).map_err(|_| VaultError::KeyForm)?;
    MasterKeys::parse_keys(text)
}

/// A key cannot be put into a program.
pub(super) fn brings_its_own() -> VaultError {
    program_failed(
        "it has to give a new key itself, on the first line, with the old ones behind it",
    )
}

/// Nor taken out of one.
pub(super) fn keeps_its_own() -> VaultError {
    program_failed("what it gives is kept elsewhere: destroy it there")
}

fn program_failed(why: &str) -> VaultError {
    VaultError::Source {
        origin: NAME,
        why: why.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_it_prints_is_the_key_and_its_failures_are_told_without_its_words() {
        let key = "3c".repeat(32);
        let keys = ask_program(&format!("echo {key}; echo {}", "7d".repeat(32))).unwrap();
        assert_eq!(keys.key_ids().len(), 2);
        let error = ask_program(&format!("echo {key}; echo {key} >&2; exit 3")).unwrap_err();
        assert!(error.to_string().contains("exit status: 3"), "{error}");
        assert!(!error.to_string().contains("3c3c"));
        assert!(matches!(ask_program("true"), Err(VaultError::KeyForm)));
        assert!(matches!(ask_program("echo no"), Err(VaultError::KeyForm)));
    }

    #[test]
    fn one_that_gives_no_answer_is_not_waited_for() {
        let (time, begun) = (Duration::from_secs(3), std::time::Instant::now());
        let folder = tempfile::tempdir().unwrap();
        let (pipe, pid) = (folder.path().join("pipe"), folder.path().join("pid"));
        // Waits in a program of its own for somebody to write.
        let line = format!(
            "mkfifo '{0}'; sh -c 'echo $$ >{1}; exec cat {0}'; echo",
            pipe.display(),
            pid.display()
        );
        let error = ask_within(&line, time, true).unwrap_err();
        assert!(error.to_string().contains("within 3 seconds"), "{error}");
        assert!(begun.elapsed() < Duration::from_secs(20));
        // What it started is gone with it, or is at most a name that waits to be told of.
        let pid = std::fs::read_to_string(pid).unwrap();
        let state = || std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
        let is_running = || state().is_ok_and(|state| !state.contains(") Z "));
        while is_running() {
            assert!(begun.elapsed() < Duration::from_secs(20));
            std::thread::yield_now();
        }
    }
}
