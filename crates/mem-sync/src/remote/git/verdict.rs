//! What git's words mean. They are in English because git is asked for that.

use mem_core::memory_path::printable;

use super::GitError;
use crate::limits::LABEL_CHARS_MAX;
use crate::remote::RemoteError;

/// Parts of messages of git, ssh, curl and forges, in the order of how sure they are.
const WORDS: [(&str, Meaning); 28] = [
    ("mismatched algorithms", Meaning::ObjectFormat),
    (
        "does not support this repository's hash",
        Meaning::ObjectFormat,
    ),
    ("unsupported object format", Meaning::ObjectFormat),
    ("Authentication failed", Meaning::Denied),
    ("could not read Username", Meaning::Denied),
    ("could not read Password", Meaning::Denied),
    ("terminal prompts disabled", Meaning::Denied),
    ("returned error: 401", Meaning::Denied),
    ("Permission denied (", Meaning::Denied),
    ("Host key verification failed", Meaning::Denied),
    ("returned error: 403", Meaning::Denied),
    ("service not enabled", Meaning::Denied),
    ("Write access to repository not granted", Meaning::Denied),
    ("dubious ownership", Meaning::Denied),
    ("insufficient permission", Meaning::Denied),
    ("returned error: 404", Meaning::Denied),
    ("not found", Meaning::Denied),
    ("does not appear to be a git repository", Meaning::Denied),
    ("does not exist", Meaning::Denied),
    ("No such file or directory", Meaning::Denied),
    ("transport '", Meaning::Transport),
    ("returned error: 413", Meaning::TooLarge),
    ("returned error: 429", Meaning::Busy(429)),
    ("returned error: 500", Meaning::Busy(500)),
    ("returned error: 502", Meaning::Busy(502)),
    ("returned error: 503", Meaning::Busy(503)),
    ("returned error: 504", Meaning::Busy(504)),
    ("Too many requests", Meaning::Busy(429)),
];

#[derive(Clone, Copy)]
enum Meaning {
    ObjectFormat,
    Denied,
    Transport,
    TooLarge,
    Busy(u16),
}

/// Why a run failed. What is not known is taken for a bad line: it is tried again.
pub(super) fn of(complaint: &str) -> GitError {
    let found = WORDS.iter().find(|(word, _)| complaint.contains(word));
    let said = last_line(complaint);
    let error = match found.map(|(_, meaning)| *meaning) {
        Some(Meaning::ObjectFormat) => return GitError::ObjectFormat,
        Some(Meaning::Transport) => return GitError::Address("git may not speak to it"),
        Some(Meaning::Denied) => return GitError::Denied(said),
        Some(Meaning::TooLarge) => RemoteError::TooLarge,
        Some(Meaning::Busy(status)) => RemoteError::Busy {
            status,
            retry_after_seconds: None,
        },
        None => RemoteError::Unreachable(said),
    };
    error.into()
}

/// The last line that says something, without addresses: they may hold passwords.
pub(super) fn last_line(complaint: &str) -> String {
    let lines = || complaint.lines().rev().map(str::trim);
    let line = lines().find(|line| {
        line.starts_with("fatal:") || line.starts_with("error:") || line.starts_with("remote:")
    });
    // Of a connection that did not come about ssh says why, and git only that.
    let of_ssh = lines().find(|line| {
        line.starts_with("ssh:")
            || line.contains("Permission denied (")
            || line.starts_with("Host key verification failed")
    });
    let line = of_ssh.or(line);
    let line = line.unwrap_or_else(|| complaint.lines().next_back().unwrap_or_default());
    let words = line
        .split_whitespace()
        .map(|word| match word.contains("://") {
            true => "(address)",
            false => word,
        });
    let line: String = words.collect::<Vec<_>>().join(" ");
    printable(&line.chars().take(LABEL_CHARS_MAX).collect::<String>())
}

/// Why a push did not do it, from the lines of `--porcelain` and what else git said.
pub(super) fn of_push(output: &str, complaint: &str, reference: &str) -> GitError {
    let line = output.lines().find(|line| line.starts_with('!'));
    let Some(reason) = line.and_then(|line| line.rsplit('\t').next()) else {
        return of(complaint);
    };
    if complaint.contains(&format!("{reference}.lock': File exists")) {
        return RemoteError::Locked(reference.to_owned()).into();
    }
    let raced = [
        "stale info",
        "fetch first",
        "non-fast-forward",
        "failed to update ref",
        "failed to lock",
        "cannot lock ref",
        "unable to update local ref",
        "incorrect old value provided",
        "reference already exists",
        "remote ref updated since checkout",
    ];
    if raced.iter().any(|word| reason.contains(word)) {
        return RemoteError::Raced { etag: None }.into();
    }
    let plain = reason.chars().take(LABEL_CHARS_MAX).collect::<String>();
    RemoteError::RefNotTaken {
        reference: reference.to_owned(),
        message: printable(&plain),
    }
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_apart() {
        let meaning = |text: &str| RemoteError::from(of(text));
        let asked = "fatal: could not read Username for 'https://h': terminal prompts disabled";
        assert!(matches!(meaning(asked), RemoteError::Access(_)));
        assert!(matches!(
            meaning("remote: Repository not found.\nfatal: x"),
            RemoteError::Access(_)
        ));
        let secret = ["https://me:", "hunter", "2", "@h/x/"].concat();
        let broken = format!("fatal: unable to access '{secret}': Connection reset\n");
        let shown = meaning(&broken).to_string();
        assert!(
            shown.contains("Connection reset") && !shown.contains("hunter"),
            "{shown}"
        );
    }

    #[test]
    fn the_reason_of_ssh_is_told_rather_than_that_git_could_not_read() {
        let said = "ssh: connect to host h port 22: Connection refused\r\n\
                    fatal: Could not read from remote repository.\n\nPlease make sure\n";
        let error = RemoteError::from(of(said));
        assert!(error.to_string().contains("Connection refused"), "{error}");
        for why in [
            "git@h: Permission denied (publickey,password).",
            "Host key verification failed.",
        ] {
            let said = format!("{why}\r\nfatal: Could not read from remote repository.\n");
            let error = RemoteError::from(of(&said)).to_string();
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn a_push_that_lost_a_race_is_no_refusal() {
        let line = |why: &str| format!("To x\n!\ta:refs/mem/team\t{why}\nDone\n");
        let of = |why: &str| RemoteError::from(of_push(&line(why), "", "refs/mem/team"));
        assert_eq!(
            of("[rejected] (stale info)"),
            RemoteError::Raced { etag: None }
        );
        let hook = of("[remote rejected] (deny updating a hidden ref)");
        assert!(matches!(hook, RemoteError::RefNotTaken { .. }), "{hook:?}");
    }
}
