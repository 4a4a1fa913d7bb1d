//! Other scanners, with validation and update checks off; without any, `cat` of the same files.

use std::path::Path;
use std::process::Command;

use mem_tests::TestEnv;

use crate::workspace::succeeds;

/// Program, what it is asked, and how it is shown.
const PEERS: [(&str, &[&str], &str); 3] = [
    ("ripsecrets", &[], "ripsecrets"),
    (
        "kingfisher",
        &["scan", "--no-validate", "--no-update-check", "--quiet"],
        "kingfisher scan",
    ),
    (
        "gitleaks",
        &["dir", "--no-banner", "--log-level", "error"],
        "gitleaks dir",
    ),
];

/// The first peer that is installed: how it is shown, and its command line for a path.
pub(super) fn find(env: &TestEnv) -> (&'static str, impl Fn(&Path) -> Vec<String>) {
    let installed = PEERS.iter().find(|(name, ..)| {
        let mut version = env.command(name);
        succeeds(version.arg("--version")) || succeeds(env.command(name).arg("version"))
    });
    let shown = installed.map_or("cat (no peer is installed)", |peer| peer.2);
    let words = move |path: &Path| {
        let path = path.to_string_lossy().into_owned();
        match installed {
            Some((name, args, _)) => {
                let mut words: Vec<String> = vec![(*name).to_owned()];
                words.extend(args.iter().map(|arg| (*arg).to_owned()));
                words.push(path);
                words
            }
            None => vec![
                "sh".into(),
                "-c".into(),
                format!("find '{path}' -type f -exec cat {{}} +"),
            ],
        }
    };
    (shown, words)
}

/// A command of words.
pub(super) fn command(env: &TestEnv, words: &[String]) -> Command {
    let mut command = env.command(&words[0]);
    command.args(&words[1..]);
    command
}
