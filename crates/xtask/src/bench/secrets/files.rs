//! Files: one, and five hundred notes.

use std::path::PathBuf;

use mem_tests::TestEnv;

use super::peer;
use crate::bench::Bench;
use crate::bench::list::{note, write};
use crate::bench::row::Row;
use crate::bench::timing::interleave;

/// One file of 2 KB, the whole process.
pub(crate) fn measure_one(bench: &Bench) -> anyhow::Result<Row> {
    measure(bench, 1, "mem scan FILE", 0.3)
}

/// 500 notes of 2 KB.
pub(crate) fn measure_500(bench: &Bench) -> anyhow::Result<Row> {
    measure(bench, 500, "mem scan DIR", 0.25)
}

fn measure(bench: &Bench, count: usize, subject: &'static str, goal: f64) -> anyhow::Result<Row> {
    let env = TestEnv::new();
    let folder: PathBuf = env.work().join("notes");
    std::fs::create_dir(&folder)?;
    for number in 0..count {
        write(&folder.join(format!("{number}.md")), &note(number))?;
    }
    let target = if count == 1 {
        folder.join("0.md")
    } else {
        folder
    };
    let (beside, words) = peer::find(&env);
    let medians = interleave(
        bench.runs,
        |_| {
            let mut mem = env.command(&bench.binary);
            mem.arg("scan").arg(&target);
            Ok(vec![mem])
        },
        |_| Ok(vec![peer::command(&env, &words(&target))]),
    )?;
    Ok(Row {
        subject,
        beside,
        medians,
        goal,
        syncs: None,
    })
}
