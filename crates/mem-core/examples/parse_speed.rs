//! Prints how long reading takes: `cargo run --release -p mem-core --example parse_speed`.
#![expect(clippy::print_stdout, reason = "an example shows its result")]

use std::hint::black_box;
use std::time::Instant;

use mem_core::topic::TopicFile;

const FILES: usize = 1_000;
const ROUNDS: usize = 20;

/// Microseconds a file, the best of some rounds.
fn measure(front: &str) -> f64 {
    let body = "A line of prose that a memory may hold.\n".repeat(45);
    let file = format!("---\n{front}---\n\n{body}");
    let files = vec![file.into_bytes(); FILES];
    let round = || {
        let start = Instant::now();
        for file in &files {
            black_box(TopicFile::parse(black_box(file)));
        }
        start.elapsed().as_secs_f64()
    };
    let best = (0..ROUNDS).map(|_| round()).fold(f64::MAX, f64::min);
    best * 1e6 / FILES as f64
}

fn main() {
    let head = "name: No mocks\ndescription: Integration tests use a real database — always\n";
    let fronts = [
        ("flat", format!("{head}type: feedback\n")),
        (
            "nested",
            format!(
                "{head}metadata: \n  node_type: memory\n  type: feedback\n  originSessionId: 0a1b2c3d-0000\n  modified: 2026-11-01T10:00:00.000Z\n"
            ),
        ),
        (
            "strict YAML",
            format!("{head}type: feedback # a comment\ntags:\n  - a\n  - b\n"),
        ),
        ("broken", format!("{head}category: a: b\ntype: feedback\n")),
    ];
    for (name, front) in fronts {
        println!("{name:12} {:7.2} us a file", measure(&front));
    }
}
