//! Files: one, and five hundred notes.

use mem_tests::TestEnv;

use super::peer;
use crate::bench::Bench;
use crate::bench::list::{note, write};
use crate::bench::row::BenchRow;

/// A number of notes of 2 KB, the whole process; with the ratio and the milliseconds not to exceed.
pub(crate) fn measure(
    bench: &Bench,
    count: usize,
    subject: &'static str,
    [ratio, milliseconds]: [f64; 2],
) -> anyhow::Result<Vec<BenchRow>> {
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
    let installed = peer::installed().into_iter();
    let peers: Vec<_> = installed
        .map(|peer| (peer, bench.runs.div_ceil(2)))
        .collect();
    let mem = |_| {
        let mut mem = env.command(&bench.binary);
        mem.arg("scan").arg(&target);
        Ok(vec![mem])
    };
    let rows = peer::rows(subject, &peers, bench.runs, mem, |peer| {
        peer.command(&env, &target)
    })?;
    let rows = rows.into_iter();
    Ok(rows
        .map(|row| row.at_most(ratio).within(milliseconds))
        .collect())
}
