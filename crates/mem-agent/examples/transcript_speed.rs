//! Reads a transcript and prints how fast, in MB/s: `transcript_speed FILE`.
#![expect(clippy::print_stdout, reason = "an example says what it found")]

use std::path::Path;
use std::time::Instant;

use mem_agent::transcript::{Cursor, Transcript};

fn main() -> anyhow::Result<()> {
    let path = std::env::args().nth(1).unwrap_or_default();
    let start = Instant::now();
    let mut records = 0;
    let cursor =
        Transcript::open_at(Path::new(&path), &Cursor::default())?.read(|_| records += 1)?;
    let seconds = start.elapsed().as_secs_f64();
    let rate = cursor.offset as f64 / 1e6 / seconds;
    println!("{records} records, {} bytes, {rate:.0} MB/s", cursor.offset);
    Ok(())
}
