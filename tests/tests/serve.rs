//! `mem serve` over real sockets.

mod access;
mod description;
mod events;
mod grants;
mod identity;
mod input;
mod lifecycle;
mod limits;
mod protocol;
mod records;
mod retention;
mod tampering;
mod templates;
mod tokens;

use mem_tests::http::Answer;
use mem_tests::{Server, TestEnv};

/// Writes one entry and returns the answer.
#[track_caller]
fn put(server: &Server, key: &str, text: &str) -> Answer {
    let body = serde_json::json!({ "entries": { key: text } });
    let answer = server
        .store("PUT", "acme/app", "")
        .json(body.to_string())
        .send();
    answer.assert(200);
    answer
}

/// What the store holds.
#[track_caller]
fn get(server: &Server) -> Answer {
    let answer = server.store("GET", "acme/app", "").send();
    answer.assert(200);
    answer
}

/// Makes a token for the server in `data`, for everything where no grant is named, and returns it.
#[track_caller]
pub(crate) fn token(env: &TestEnv, args: &[&str]) -> String {
    let everything: &[&str] = match args.contains(&"--grant") {
        true => &[],
        false => &["--grant", "*:write"],
    };
    let data = env.root().join("data");
    let run = env.invoke([
        "server",
        "token",
        "create",
        "--data-dir",
        data.to_str().unwrap(),
    ]);
    run.args(args).args(everything).run().assert_ok().line()
}
