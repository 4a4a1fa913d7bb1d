//! Exporting a memory and importing from everywhere, as a person does it.

mod export;
mod hostile;
mod sources;

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use mem_tests::{Output, Repo, TestEnv};

/// A private, a team and a global note, an odd file, a log.
fn filled<'e>(env: &'e TestEnv, name: &str) -> Repo<'e> {
    let repo = env.repo(name);
    for (kind, title, scope) in [
        ("feedback", "Real DB", "private"),
        ("project", "Freeze", "team"),
        ("user", "Go", "global"),
    ] {
        repo.mem([
            "save",
            "--type",
            kind,
            "--name",
            title,
            "--description",
            "d",
            "--scope",
            scope,
            "--body",
            title,
        ])
        .assert_ok();
    }
    repo.mem(["log", "a thought"]).assert_ok();
    let odd = repo.memory().join("odd (통과).md");
    fs::write(&odd, b"\xef\xbb\xbf---\r\nname: x: y\r\n---\r\n\xff\r\n").unwrap();
    let start = SystemTime::UNIX_EPOCH + Duration::from_secs(1_767_225_600);
    let written = fs::File::options().write(true).open(&odd).unwrap();
    written.set_modified(start).unwrap();
    env.advance(3_600);
    repo
}

fn write(path: impl AsRef<Path>, text: &str) {
    fs::create_dir_all(path.as_ref().parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn list(repo: &Repo<'_>) -> String {
    repo.mem(["list"]).assert_ok().stdout
}

fn import(repo: &Repo<'_>, args: &[&str]) -> Output {
    repo.mem(["import"].iter().chain(args))
}
