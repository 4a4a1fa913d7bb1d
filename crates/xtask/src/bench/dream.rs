//! Distilling a quarter of logs: beside reading the same files.

use std::fmt::Write as _;
use std::fs;

use mem_tests::TestEnv;

use super::list::{memory_directory, write};
use super::row::BenchRow;
use super::timing::interleave;
use super::{Bench, program};

/// Bullets of the quarter.
const BULLETS: usize = 10_000;
/// Its days, in the year before the one in which tests run.
const DAYS: usize = 90;
/// The goal, in milliseconds.
const GOAL_MS: f64 = 10_000.0;

const THINGS: [&str; 8] = [
    "owner", "timeout", "region", "deadline", "channel", "port", "runbook", "schedule",
];
const WORDS: [&str; 12] = [
    "payments", "orders", "billing", "search", "catalog", "gateway", "mail", "stock", "media",
    "forms", "ledger", "pricing",
];

/// `mem dream --yes` over 90 days of logs with 10,000 bullets, each time in another repository: a third
/// speaks of one of 768 things that change, a third is work of that day, a third is said once.
pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let texts: Vec<String> = (0..DAYS).map(log).collect();
    let read = env.root().join("logs.md");
    write(&read, &texts.concat())?;
    let mut made = 0;
    let medians = interleave(
        bench.runs.div_ceil(8),
        |_| {
            made += 1;
            let repo = env.repo(&format!("app-{made}"));
            let folder = memory_directory(bench, &env, repo.path())?;
            for (day, text) in texts.iter().enumerate() {
                // Three months that have thirty days.
                let (month, date) = (day / 30 + 3, day % 30 + 1);
                let logs = folder.join(format!("logs/2025/{month:02}"));
                fs::create_dir_all(&logs)?;
                write(&logs.join(format!("2025-{month:02}-{date:02}.md")), text)?;
            }
            let args = ["dream", "--yes", "--json"];
            Ok(vec![bench.mem(&env, repo.path(), &args)])
        },
        |_| Ok(vec![program(&env, "cat", env.root(), [&read])]),
    )?;
    let row = BenchRow::new("mem dream --yes, 10,000 bullets", "cat", medians);
    Ok(vec![row.within(GOAL_MS)])
}

/// The log of a day.
fn log(day: usize) -> String {
    let mut text = format!("# {day}\n\n");
    for number in (day * BULLETS / DAYS)..((day + 1) * BULLETS / DAYS) {
        let word = WORDS[number / 3 % WORDS.len()];
        let place = number / 7 % 8;
        // Writing into a string cannot fail.
        let _ = match number % 3 {
            0 => {
                let thing = THINGS[number / 11 % THINGS.len()];
                writeln!(
                    text,
                    "- 10:00 The {word} {thing} of site {place} is now {}",
                    number / 90
                )
            }
            1 => writeln!(text, "- 11:00 Fixed case {number} of {word}"),
            _ => writeln!(
                text,
                "- 12:00 Customer {number} asked for {word} exports in format {}",
                number % 97
            ),
        };
    }
    text
}
