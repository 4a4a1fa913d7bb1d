//! Scans a tree on one thread, as `mem scan` does, and says how fast that was, for measuring and
//! for looking at what is found: `cargo run --release --example tree -- DIR [-v]`.
#![expect(
    clippy::disallowed_methods,
    reason = "it measures on files that its user names"
)]
#![expect(clippy::print_stdout, reason = "a measurement is printed")]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use mem_secrets::{Confidence, InputOrigin, Scanner};

#[derive(Default)]
struct Totals {
    files: usize,
    bytes: usize,
    time: Duration,
    rules: BTreeMap<String, usize>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let root = PathBuf::from(arguments.next().ok_or("which folder?")?);
    let verbose = arguments.next().is_some();
    let scanner = Scanner::new().with_confidence(Confidence::Low);
    let mut totals = Totals::default();
    walk(&root, &mut |path| {
        scan(&scanner, path, verbose, &mut totals);
    })?;
    let rate = totals.bytes as f64 / 1e6 / totals.time.as_secs_f64();
    println!(
        "{} files, {} MB, {:.0} MB/s",
        totals.files,
        totals.bytes / 1_000_000,
        rate
    );
    println!(
        "{} findings {:?}",
        totals.rules.values().sum::<usize>(),
        totals.rules
    );
    Ok(())
}

fn scan(scanner: &Scanner, path: &Path, verbose: bool, totals: &mut Totals) {
    let Ok(bytes) = std::fs::read(path) else {
        return;
    };
    if bytes.iter().take(1024).any(|byte| *byte == 0) {
        return;
    }
    let origin = InputOrigin::path(&path.to_string_lossy());
    let start = Instant::now();
    let findings = scanner.scan(&bytes, &origin);
    totals.time += start.elapsed();
    totals.files += 1;
    totals.bytes += bytes.len();
    for finding in findings {
        if verbose {
            let line = bytes
                .split(|b| *b == b'\n')
                .nth(finding.line as usize - 1)
                .unwrap_or(b"");
            let line = String::from_utf8_lossy(&line[..line.len().min(180)]);
            println!(
                "{}:{} {} | {}",
                path.display(),
                finding.line,
                finding.rule,
                line.trim()
            );
        }
        *totals.rules.entry(finding.rule).or_default() += 1;
    }
}

fn walk(path: &Path, visit: &mut dyn FnMut(&Path)) -> std::io::Result<()> {
    if path.is_symlink() {
        return Ok(());
    }
    if path.is_file() {
        visit(path);
        return Ok(());
    }
    for entry in std::fs::read_dir(path)? {
        walk(&entry?.path(), visit)?;
    }
    Ok(())
}
