//! A master key from a program: a password manager, a service that holds keys.

use std::io::Read as _;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use mem_vault::{MasterKeys, VaultError};
use zeroize::Zeroizing;

/// A program may ask a person, but a server cannot wait for ever.
const TIME_MAX: Duration = Duration::from_secs(30);
/// Keys are shorter.
const ANSWER_BYTES_MAX: u64 = 64 * 1024;
/// What errors call it.
const NAME: &str = "the command of `encryption.key`";

/// Asks: its standard output has one key a line. What it says on standard error is not shown: it may be the key.
pub(super) fn ask(line: &str) -> Result<MasterKeys, VaultError> {
    let mut child = start(line).map_err(|error| failed(&error.to_string()))?;
    let stdout = child.stdout.take();
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut text = Zeroizing::new(Vec::new());
        let read = stdout.map(|out| out.take(ANSWER_BYTES_MAX).read_to_end(&mut text));
        // Nobody waits any more where it took too long.
        let _ = sender.send((read.is_some_and(|read| read.is_ok()), text));
    });
    let answer = receiver.recv_timeout(TIME_MAX);
    if answer.is_err() {
        // It may have ended by itself.
        let _ = child.kill();
    }
    let status = child.wait().map_err(|error| failed(&error.to_string()))?;
    let Ok((true, text)) = answer else {
        return Err(failed("it gave no answer within 30 seconds"));
    };
    if !status.success() {
        return Err(failed(&status.to_string()));
    }
    let text = std::str::from_utf8(&text).map_err(|_| VaultError::KeyForm)?;
    MasterKeys::parse(text)
}

/// A key cannot be put into a program.
pub(super) fn brings_its_own() -> VaultError {
    failed("it has to give a new key itself, on the first line, with the old ones behind it")
}

/// Nor taken out of one.
#[cfg(feature = "server")]
pub(super) fn keeps_its_own() -> VaultError {
    failed("what it gives is kept elsewhere: destroy it there")
}

fn start(line: &str) -> std::io::Result<Child> {
    let (shell, flag) = match cfg!(unix) {
        true => ("sh", "-c"),
        false => ("cmd", "/C"),
    };
    Command::new(shell)
        .args([flag, line])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
}

fn failed(why: &str) -> VaultError {
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
        let keys = ask(&format!("echo {key}; echo {}", "7d".repeat(32))).unwrap();
        assert_eq!(keys.ids().len(), 2);
        let error = ask(&format!("echo {key}; echo {key} >&2; exit 3")).unwrap_err();
        assert!(error.to_string().contains("exit status: 3"), "{error}");
        assert!(!error.to_string().contains("3c3c"));
        assert!(matches!(ask("true"), Err(VaultError::KeyForm)));
        assert!(matches!(ask("echo no"), Err(VaultError::KeyForm)));
    }
}
