//! What `templates/team` shows is a command line of ours, and the proxies let through what the server takes.

use mem_tests::{Server, TestEnv};

const UNIT: &str = include_str!("../../../templates/team/mem.service");
const COMPOSE: &str = include_str!("../../../templates/team/compose.yaml");
const NGINX: &str = include_str!("../../../templates/team/nginx.conf");
const CADDY: &str = include_str!("../../../templates/team/Caddyfile");

/// Starts a server by a command line of a template, with places that a test has.
fn starts(env: &TestEnv, words: &[&str], data: &str) {
    assert_eq!(words[1], "serve");
    let folder = env.root().join("data");
    let folder = folder.to_str().unwrap();
    let words = words[1..].iter().map(|word| match *word {
        "127.0.0.1:8787" | "0.0.0.0:8787" => "127.0.0.1:0",
        word if word == data => folder,
        word => word,
    });
    let server = Server::of(env.invoke(words));
    server.ask("GET", "/readyz").send().assert(200);
}

/// The commands in the comments, by the words that they begin with.
fn commands<'t>(text: &'t str, start: &str) -> Vec<Vec<&'t str>> {
    let lines = text.lines().filter_map(|line| line.split_once(start));
    lines
        .map(|(_, rest)| rest.split_whitespace().collect())
        .collect()
}

#[test]
fn the_unit_starts_a_server() {
    let env = TestEnv::new();
    let line = UNIT
        .lines()
        .find_map(|line| line.strip_prefix("ExecStart="));
    let words: Vec<&str> = line.unwrap().split_whitespace().collect();
    starts(&env, &words, "/var/lib/mem");
    assert!(UNIT.contains("StateDirectory=mem\n") && UNIT.contains("TimeoutStopSec=15\n"));
}

#[test]
fn the_compose_file_starts_a_server() {
    let env = TestEnv::new();
    let line = COMPOSE
        .lines()
        .find_map(|line| line.trim().strip_prefix("command: "));
    let words: Vec<String> = serde_json::from_str(line.unwrap()).unwrap();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    starts(&env, &words, "/data");
}

#[test]
fn the_commands_in_comments_are_real() {
    let env = TestEnv::new();
    let folder = env.root().join("data");
    let mut run = 0;
    for (text, data) in [(UNIT, "/var/lib/mem"), (COMPOSE, "/data")] {
        for words in commands(text, " mem server ") {
            let words = words
                .iter()
                .map(|word| word.replace(data, folder.to_str().unwrap()));
            env.invoke(["server"]).args(words).run().assert_ok();
            run += 1;
        }
    }
    assert_eq!(run, 3);
}

#[test]
fn proxies_take_what_the_server_takes() {
    // A PUT has at most 200,000 bytes.
    assert!(NGINX.contains("client_max_body_size 256k;") && CADDY.contains("max_size 256KB"));
    for text in [NGINX, CADDY] {
        assert!(text.contains("8787") && text.contains("metrics"));
    }
}
