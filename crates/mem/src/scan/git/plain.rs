//! Repositories whose objects are named by SHA-256: libgit2 does not read them, so git prints what
//! their commits add, and nothing is remembered between runs.

use std::io;
use std::process::{Command, Stdio};

use super::commits::{Scan, first_of_each};
use super::open::{Git, GitError};
use super::{messages, patches};
use crate::scan::Tally;

/// Digits of a SHA-256 name.
const NAME_DIGITS: usize = 64;

/// What a hook or a command asks about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Commits {
    /// Revisions as `git rev-list --stdin` reads them, a line each.
    revisions: String,
    /// What stands for revisions on the command line.
    options: Vec<String>,
}

impl Commits {
    /// Every commit of every reference.
    pub(crate) fn all() -> Self {
        Self {
            revisions: String::new(),
            options: vec!["--all".to_owned(), "HEAD".to_owned()],
        }
    }

    /// The commits of a range as git writes it.
    ///
    /// # Errors
    /// It is an option of git's, not a range.
    pub(crate) fn of_range(range: &str) -> Result<Self, GitError> {
        if range.starts_with('-') || range.contains('\n') {
            return Err(GitError::Range(range.to_owned()));
        }
        Ok(Self {
            revisions: format!("{range}\n"),
            options: Vec::new(),
        })
    }

    /// What a push sends, by the lines that git gives its hook; `None` where they do not speak of
    /// SHA-256.
    pub(crate) fn of_push(input: &[u8], remote: &str, git: &Git) -> Option<Self> {
        let text = String::from_utf8_lossy(input);
        let names = |line: &str| -> Option<[String; 2]> {
            let mut words = line.trim_end().rsplitn(4, ' ');
            let (old, _, new) = (words.next()?, words.next()?, words.next()?);
            let is_name = |word: &str| {
                word.len() == NAME_DIGITS && word.bytes().all(|byte| byte.is_ascii_hexdigit())
            };
            (is_name(old) && is_name(new)).then(|| [new.to_owned(), old.to_owned()])
        };
        let updates: Vec<[String; 2]> = text.lines().map(names).collect::<Option<_>>()?;
        let real = |name: &&String| name.bytes().any(|byte| byte != b'0');
        let (new, old) = (
            updates.iter().map(|one| &one[0]),
            updates.iter().map(|one| &one[1]),
        );
        let wanted = new.filter(real).map(|name| format!("{name}\n"));
        // What was never fetched cannot be left out.
        let known = old
            .filter(real)
            .filter(|name| ask(git, &["cat-file", "-e", name]).is_ok());
        let revisions: String = wanted
            .chain(known.map(|name| format!("^{name}\n")))
            .collect();
        (!updates.is_empty()).then(|| Self {
            revisions,
            options: vec!["--not".to_owned(), format!("--remotes={remote}")],
        })
    }
}

/// Scans what commits add, their messages, and the messages of the tags that name them.
///
/// # Errors
/// git is missing, or fails.
pub(crate) fn scan(scan: &Scan<'_>, commits: &Commits, tally: &mut Tally) -> Result<(), GitError> {
    for name in commits
        .revisions
        .lines()
        .filter(|line| line.len() == NAME_DIGITS)
    {
        if ask(scan.git, &["cat-file", "-t", name]).is_ok_and(|kind| kind == b"tag\n") {
            let tag = ask(scan.git, &["cat-file", "tag", name]).map_err(GitError::Print)?;
            messages::of_tag_text(&tag, name, scan.ruleset, tally);
        }
    }
    if commits.revisions.is_empty() && !commits.options.contains(&"--all".to_owned()) {
        return Ok(());
    }
    // Whatever git takes for binary is printed as well: it cannot be read otherwise.
    let options = commits.options.iter().map(String::as_str).chain(["--text"]);
    let options: Vec<&str> = options.collect();
    let outcome = patches::by_names(
        scan.git,
        scan.ruleset,
        scan.counters,
        &commits.revisions,
        &options,
    );
    tally.merge(outcome.map_err(GitError::Print)?.tally);
    first_of_each(tally);
    Ok(())
}

/// What git answers.
fn ask(git: &Git, args: &[&str]) -> io::Result<Vec<u8>> {
    let mut command = Command::new("git");
    command.arg("--git-dir").arg(git.dir()).args(args);
    let output = command.stdin(Stdio::null()).output()?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(io::Error::other(format!("git {}", output.status)))
    }
}
