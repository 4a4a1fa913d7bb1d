//! Where is memory: beside git's own way to find a repository.

use super::row::BenchRow;
use super::timing::interleave;
use super::{Bench, program};
use mem_tests::TestEnv;

/// `mem path` in a repository with one commit.
pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let git = ["rev-parse", "--path-format=absolute", "--git-common-dir"];
    let medians = interleave(
        bench.runs * 5,
        |_| Ok(vec![bench.mem(&env, repo.path(), &["path"])]),
        |_| Ok(vec![program(&env, "git", repo.path(), git)]),
    )?;
    let beside = "git rev-parse --path-format=absolute --git-common-dir";
    let row = BenchRow::new("mem path", beside, medians);
    Ok(vec![row.at_most(1.2)])
}
