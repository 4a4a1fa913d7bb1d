//! Asks the memory stores API one kind of thing over many connections, and makes what there is to ask about.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::task::JoinSet;

use crate::connection::Line;
use crate::{AT_ONCE, Outcome};

const STORES: &str = "/v1/memory_stores";
/// Characters of a memory.
const CONTENT: usize = 500;
/// Words that memories are made of.
const WORDS: u64 = 5_000;

/// Makes stores with memories; prints their ids.
pub(crate) async fn fill(address: &str, stores: usize, memories: usize) -> Outcome<()> {
    let mut line = Line::open(address).await?;
    for _ in 0..stores {
        let store = make(&mut line).await?;
        println!("{store}");
        let each = memories.div_ceil(AT_ONCE);
        let mut all = JoinSet::new();
        for connection in 0..AT_ONCE {
            let (mut line, store) = (Line::open(address).await?, store.clone());
            let last = memories.min((connection + 1) * each);
            all.spawn(async move {
                for number in connection * each..last {
                    let path = format!("/f{}/n{number}.md", number % 20);
                    let body = json!({ "path": path, "content": text(number as u64) });
                    line.value("POST", &format!("{STORES}/{store}/memories"), &body)
                        .await?;
                }
                Outcome::Ok(())
            });
        }
        all.join_all().await.into_iter().collect::<Outcome<()>>()?;
    }
    Ok(())
}

/// Seconds that so many requests took, and milliseconds that all but one in a hundred took at most.
pub(crate) async fn load(
    address: &str,
    what: &str,
    store: &str,
    at_once: usize,
    requests: usize,
) -> Outcome<(f64, f64)> {
    let mut askers = Vec::new();
    for connection in 0..at_once {
        askers.push(Asker::ready(address, what, store, connection).await?);
    }
    let before = Instant::now();
    let mut all = JoinSet::new();
    for mut asker in askers {
        all.spawn(async move {
            let mut times = Vec::new();
            for number in 0..requests / at_once {
                let began = Instant::now();
                asker.ask(number).await?;
                times.push(began.elapsed());
            }
            Outcome::Ok(times)
        });
    }
    let times = all
        .join_all()
        .await
        .into_iter()
        .collect::<Outcome<Vec<_>>>()?;
    let seconds = before.elapsed().as_secs_f64();
    let mut times: Vec<Duration> = times.into_iter().flatten().collect();
    times.sort_unstable();
    let slow = times
        .get(times.len() * 99 / 100)
        .copied()
        .unwrap_or_default();
    Ok((seconds, slow.as_secs_f64() * 1e3))
}

/// Who asks on one connection.
struct Asker {
    line: Line,
    what: String,
    store: String,
    /// Of the memory that it works on.
    memory: String,
    sha256: String,
    seed: u64,
}

impl Asker {
    /// With a store and a memory of its own, where none is named.
    async fn ready(address: &str, what: &str, store: &str, connection: usize) -> Outcome<Self> {
        let mut line = Line::open(address).await?;
        let mut store = store.to_owned();
        let mut memory = String::new();
        if store.is_empty() {
            store = make(&mut line).await?;
            let body = json!({ "path": "/own.md", "content": "" });
            let made = line
                .value("POST", &format!("{STORES}/{store}/memories"), &body)
                .await?;
            memory = id(&made)?;
        }
        Ok(Self {
            line,
            what: what.to_owned(),
            store,
            memory,
            sha256: sha256(""),
            seed: connection as u64 * 7_919,
        })
    }

    async fn ask(&mut self, number: usize) -> Outcome<()> {
        let (store, memory) = (&self.store, &self.memory);
        let answer = match self.what.as_str() {
            "create" => {
                let path = format!("/c{}/n{number}.md", self.seed);
                let body = json!({ "path": path, "content": "x".repeat(CONTENT) });
                let target = format!("{STORES}/{store}/memories");
                self.line.ask("POST", &target, &body.to_string()).await?
            }
            "update" => {
                let content = format!("{number} {}", "x".repeat(CONTENT));
                let on = json!({ "type": "content_sha256", "content_sha256": self.sha256 });
                self.sha256 = sha256(&content);
                let body = json!({ "content": content, "precondition": on });
                let target = format!("{STORES}/{store}/memories/{memory}");
                self.line.ask("POST", &target, &body.to_string()).await?
            }
            "retrieve" => {
                let target = format!("{STORES}/{store}/memories/{memory}");
                self.line.ask("GET", &target, "").await?
            }
            "list" => {
                let target = format!("{STORES}/{store}/memories?limit=100");
                self.line.ask("GET", &target, "").await?
            }
            "search" => {
                let query = query(self.seed + number as u64);
                let given = json!({ "store": store, "query": query });
                let params = json!({ "name": "memory_search", "arguments": given });
                let call =
                    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
                self.line.ask("POST", "/mcp", &call.to_string()).await?
            }
            "row" => self.line.ask("GET", "/", "").await?,
            what => return Err(format!("no such question: {what}").into()),
        };
        let is_error = answer.windows(14).any(|part| part == b"\"isError\":true");
        match is_error {
            true => Err(String::from_utf8_lossy(&answer).into()),
            false => Ok(()),
        }
    }
}

async fn make(line: &mut Line) -> Outcome<String> {
    id(&line
        .value("POST", STORES, &json!({ "name": "bench" }))
        .await?)
}

fn id(object: &Value) -> Outcome<String> {
    Ok(object["id"].as_str().ok_or("no id")?.to_owned())
}

fn sha256(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Some 1,000 characters, most of them rare words, as notes have them.
fn text(seed: u64) -> String {
    let mut state = seed + 1;
    let words = (0..130).map(|_| word(&mut state));
    words.collect::<Vec<_>>().join(" ")
}

/// Three words.
fn query(seed: u64) -> String {
    let mut state = seed.wrapping_mul(31) + 5;
    let words = (0..3).map(|_| word(&mut state));
    words.collect::<Vec<_>>().join(" ")
}

/// A word; low ones far more often than high ones.
fn word(state: &mut u64) -> String {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    let share = (*state >> 40) as f64 / (1_u64 << 24) as f64;
    format!("word{}", (share * share * share * WORDS as f64) as u64)
}
