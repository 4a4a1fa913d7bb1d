//! Extracts memories from a transcript by rules and prints how fast, in MB/s: `extract_speed FILE`.
#![expect(clippy::print_stdout, reason = "an example says what it found")]

use std::path::Path;
use std::time::Instant;

use mem_agent::extract::{ExtractContext, KnownInstructions, extract_transcript};
use mem_agent::transcript::Cursor;
use mem_agent::wrote::MemoryWrites;

fn main() -> anyhow::Result<()> {
    let path = std::env::args().nth(1).unwrap_or_default();
    let setting = ExtractContext {
        session: "s",
        known: &KnownInstructions::default(),
        writes: MemoryWrites {
            is_memory: &|path| path.starts_with("/memory"),
            is_written: &|_, _| false,
        },
    };
    let start = Instant::now();
    let found = extract_transcript(Path::new(&path), &Cursor::default(), &setting)?;
    let seconds = start.elapsed().as_secs_f64();
    let rate = found.cursor.offset as f64 / 1e6 / seconds;
    let (prompts, candidates) = (found.prompts, found.candidates.len());
    println!("{prompts} prompts, {candidates} candidates, {rate:.0} MB/s");
    Ok(())
}
