//! What encryption costs: the same writes to a server whose contents are sealed, and to one whose are not.

use mem_tests::TestEnv;

use super::yardstick::Yardstick;
use super::{PUTS, put};
use crate::bench::Bench;
use crate::bench::process::ServerProcess;
use crate::bench::row::BenchRow;
use crate::bench::timing::in_turn;
use crate::run::output_of;

/// A write is to take no more than so many times a plain one.
const RATIO_MAX: f64 = 1.3;

/// Over one file of SQLite each.
pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let yardstick = Yardstick::build()?;
    let [sealed, plain] = [TestEnv::new(), TestEnv::new()];
    let mut on = sealed.command(&bench.binary);
    on.args(["encrypt", "on", "--data-dir"]);
    output_of(on.arg(sealed.root().join("data")))?;
    let [sealed, plain] = [
        ServerProcess::serve(bench, &sealed, None)?,
        ServerProcess::serve(bench, &plain, None)?,
    ];
    let times = in_turn(
        1,
        bench.runs.div_ceil(8),
        &mut [
            &mut |round| yardstick.load(sealed.address, 200, PUTS, &put(round)?),
            &mut |round| yardstick.load(plain.address, 200, PUTS, &put(round)?),
        ],
    )?;
    let subject = "mem serve, encrypted, 6,400 PUTs";
    let row = BenchRow::rates(subject, "the same, plain", times, PUTS);
    Ok(vec![row.at_most(RATIO_MAX)])
}
