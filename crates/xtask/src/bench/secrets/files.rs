//! Files: one, and five hundred notes.

use mem_tests::TestEnv;

use super::peer;
use crate::bench::Bench;
use crate::bench::list::{note, write};
use crate::bench::row::BenchRow;

/// One file of 2 KB, the whole process.
pub(crate) fn measure_one(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let rows = measure(bench, 1, "mem scan FILE")?;
    Ok(rows
        .into_iter()
        .map(|row| row.at_most(0.3).within(20.0))
        .collect())
}

/// 500 notes of 2 KB.
pub(crate) fn measure_500(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let rows = measure(bench, 500, "mem scan DIR")?;
    Ok(rows
        .into_iter()
        .map(|row| row.at_most(0.25).within(60.0))
        .collect())
}

fn measure(bench: &Bench, count: usize, subject: &'static str) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let folder = env.work().join("notes");
    std::fs::create_dir(&folder)?;
    for number in 0..count {
        write(&folder.join(format!("{number}.md")), &note(number))?;
    }
    let target = if count == 1 {
        folder.join("0.md")
    } else {
        folder
    };
    let peers: Vec<_> = peer::installed()
        .into_iter()
        .map(|peer| (peer, bench.runs.div_ceil(2)))
        .collect();
    let mem = |_| {
        let mut mem = env.command(&bench.binary);
        mem.arg("scan").arg(&target);
        Ok(vec![mem])
    };
    peer::rows(subject, &peers, bench.runs, mem, |peer| {
        peer.command(&env, &target)
    })
}
