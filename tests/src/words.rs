//! A command line as one types it.

/// The words of a command line, with the quotes of a shell.
///
/// # Panics
/// A quote is not closed.
#[track_caller]
pub fn words(line: &str) -> Vec<String> {
    shlex::split(line).expect("every quote is closed")
}
