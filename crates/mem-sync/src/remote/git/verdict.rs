//! What git's words mean. They are in English because git is asked for that.

use mem_core::memory_path::printable;

use super::GitRemoteError;
use crate::limits::LABEL_CHARS_MAX;
use crate::remote::RemoteError;

/// Parts of messages of git, ssh, curl and forges, in the order of how sure they are.
const WORDS: [(&str, PushMeaning); 28] = [
    ("mismatched algorithms", PushMeaning::ObjectFormat),
    (
        "does not support this repository's hash",
        PushMeaning::ObjectFormat,
    ),
    ("unsupported object format", PushMeaning::ObjectFormat),
    ("Authentication failed", PushMeaning::Denied),
    ("could not read Username", PushMeaning::Denied),
    ("could not read Password", PushMeaning::Denied),
    ("terminal prompts disabled", PushMeaning::Denied),
    ("returned error: 401", PushMeaning::Denied),
    ("Permission denied (", PushMeaning::Denied),
    ("Host key verification failed", PushMeaning::Denied),
    ("returned error: 403", PushMeaning::Denied),
    ("service not enabled", PushMeaning::Denied),
    (
        "Write access to repository not granted",
        PushMeaning::Denied,
    ),
    ("dubious ownership", PushMeaning::Denied),
    ("insufficient permission", PushMeaning::Denied),
    ("returned error: 404", PushMeaning::Denied),
    ("not found", PushMeaning::Denied),
    (
        "does not appear to be a git repository",
        PushMeaning::Denied,
    ),
    ("does not exist", PushMeaning::Denied),
    ("No such file or directory", PushMeaning::Denied),
    ("transport '", PushMeaning::Transport),
    ("returned error: 413", PushMeaning::TooLarge),
    ("returned error: 429", PushMeaning::Busy(429)),
    ("returned error: 500", PushMeaning::Busy(500)),
    ("returned error: 502", PushMeaning::Busy(502)),
    ("returned error: 503", PushMeaning::Busy(503)),
    ("returned error: 504", PushMeaning::Busy(504)),
    ("Too many requests", PushMeaning::Busy(429)),
];

#[derive(Clone, Copy)]
enum PushMeaning {
    ObjectFormat,
    Denied,
    Transport,
    TooLarge,
    Busy(u16),
}

/// Why a run failed. What is not known is taken for a bad line: it is tried again.
pub(super) fn classify_failure(complaint: &str) -> GitRemoteError {
    let found = WORDS.iter().find(|(word, _)| complaint.contains(word));
    let said = last_line(complaint);
    let error = match found.map(|(_, meaning)| *meaning) {
        Some(PushMeaning::ObjectFormat) => return GitRemoteError::ObjectFormat,
        Some(PushMeaning::Transport) => return GitRemoteError::Address("git may not speak to it"),
        Some(PushMeaning::Denied) => return GitRemoteError::Denied(said),
        Some(PushMeaning::TooLarge) => RemoteError::TooLarge,
        Some(PushMeaning::Busy(status)) => RemoteError::Busy {
            status,
            message: String::new(),
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
pub(super) fn of_push(output: &str, complaint: &str, reference: &str) -> GitRemoteError {
    let line = output.lines().find(|line| line.starts_with('!'));
    let Some(reason) = line.and_then(|line| line.rsplit('\t').next()) else {
        return classify_failure(complaint);
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
        let meaning = |text: &str| RemoteError::from(classify_failure(text));
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
        let error = RemoteError::from(classify_failure(said));
        assert!(error.to_string().contains("Connection refused"), "{error}");
        for why in [
            "git@h: Permission denied (publickey,password).",
            "Host key verification failed.",
        ] {
            let said = format!("{why}\r\nfatal: Could not read from remote repository.\n");
            let error = RemoteError::from(classify_failure(&said)).to_string();
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
