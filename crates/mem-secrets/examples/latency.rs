//! Measures what one small file costs: the first scan of a process and a warm
//! one. `cargo run --release --example latency -- FILE`.
#![expect(
    clippy::disallowed_methods,
    reason = "it measures on files that its user names"
)]
#![expect(clippy::print_stdout, reason = "a measurement is printed")]

use std::error::Error;
use std::time::Instant;

use mem_secrets::{InputOrigin, Scanner};

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("which file?")?;
    let bytes = std::fs::read(&file)?;
    let origin = InputOrigin::path(&file);
    let start = Instant::now();
    let scanner = Scanner::new();
    let built = start.elapsed();
    let findings = scanner.scan(&bytes, &origin).len();
    let first = start.elapsed();
    let start = Instant::now();
    for _ in 0..1000 {
        assert_eq!(scanner.scan(&bytes, &origin).len(), findings);
    }
    let warm = start.elapsed() / 1000;
    println!(
        "{} bytes: built {built:?}, first scan after {first:?}, warm in nanoseconds: {}",
        bytes.len(),
        warm.as_nanos()
    );
    Ok(())
}
