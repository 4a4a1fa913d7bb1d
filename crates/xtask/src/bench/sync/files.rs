//! The files that are shared, in a git repository and in a server.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use mem_tests::TestEnv;
use mem_tests::http::Ask;
use serde_json::{Map, Value, json};

use crate::bench::program;
use crate::run::{output_for, run};

/// Files of a team.
pub(super) const FILES: usize = 10_000;
/// Files in a folder.
const FOLDER_FILES: usize = 100;
/// Characters of a file, without its head.
const TEXT: usize = 1_950;
/// Files that fit into one request.
const PORTION: usize = 80;
/// Words of the texts: as alike as notes of one team are.
const WORDS: &str = "build cache deploy queue never always because the index migration before after release retry timeout \
    table owner decided staging a rollback schema worker until token of review branch locks is replica \
    batch";

/// The name of a file.
pub(super) fn name(number: usize) -> String {
    format!("part{}/note_{number}.md", number / FOLDER_FILES)
}

/// A note of about 2 KB that is like no other. Another `seed` gives another text.
pub(super) fn text(number: usize, seed: usize) -> String {
    let mut text = format!(
        "---\nname: Note {number}\ndescription: what was decided in case {number}\ntype: project\n---\n"
    );
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut drawn = (number * 1_000_003 + seed) as u64 + 1;
    let end = text.len() + TEXT;
    while text.len() < end {
        // A linear congruential generator: the same in every run.
        drawn = drawn
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let word = words[(drawn >> 59) as usize];
        // Writing into a string cannot fail.
        let _ = write!(text, "{word} {} ", (drawn >> 40) % 1_000);
    }
    text.push('\n');
    text
}

/// Commits them all to a reference of a bare repository, which is made where it is missing.
pub(super) fn into_git(env: &TestEnv, name: &str, reference: &str) -> anyhow::Result<PathBuf> {
    let bare = env.work().join(name);
    if !bare.exists() {
        let mut init = env.command("git");
        run(init.args(["init", "--quiet", "--bare"]).arg(&bare))?;
    }
    let mut stream = format!("commit {reference}\ncommitter a <a@example.com> 0 +0000\ndata 0\n");
    for number in 0..FILES {
        let (name, text) = (self::name(number), text(number, 0));
        let length = text.len();
        write!(stream, "M 100644 inline {name}\ndata {length}\n{text}\n")?;
    }
    output_for(
        &mut program(env, "git", &bare, ["fast-import", "--quiet"]),
        &stream,
    )?;
    Ok(bare)
}

/// Sends them all to a server; returns the `ETag` that it has then.
pub(super) fn into_server(server: SocketAddr, repository: &str) -> anyhow::Result<String> {
    let mut etag = String::new();
    let all: Vec<usize> = (0..FILES).collect();
    for portion in all.chunks(PORTION) {
        let entries: Map<String, Value> = portion
            .iter()
            .map(|number| (name(*number), text(*number, 0).into()))
            .collect();
        etag = put(server, repository, &json!({ "entries": entries }), None)?;
    }
    Ok(etag)
}

/// One write; returns the `ETag` after it.
pub(super) fn put(
    server: SocketAddr,
    repository: &str,
    body: &Value,
    if_match: Option<&str>,
) -> anyhow::Result<String> {
    let target = format!("/api/claude_code/team_memory?repo={repository}");
    let mut ask = Ask::new(server, "PUT", &target).json(body.to_string());
    if let Some(etag) = if_match {
        ask = ask.header("if-match", etag);
    }
    let answer = ask.try_send().context("the server answers")?;
    ensure!(answer.status == 200, "the server answers {}", answer.status);
    Ok(answer.header("etag").context("an ETag")?.to_owned())
}

/// Changes one file of a folder of them, as `round` says; returns its size.
pub(super) fn change(folder: &Path, round: usize) -> anyhow::Result<usize> {
    let number = (round * 4_567) % FILES;
    let text = text(number, round + 1);
    crate::bench::list::write(&folder.join(name(number)), &text)?;
    Ok(text.len())
}
