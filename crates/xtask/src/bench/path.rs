//! Where is memory: beside git's own way to find a repository.

use super::Bench;
use super::row::BenchRow;
use super::timing::interleave;
use mem_tests::TestEnv;

/// `mem path` in a repository with one commit.
pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let side = |program: &std::path::Path, args: &[&str]| {
        let mut command = env.command(program);
        command.args(args).current_dir(repo.path());
        Ok(vec![command])
    };
    let git = ["rev-parse", "--path-format=absolute", "--git-common-dir"];
    let medians = interleave(
        bench.runs * 5,
        |_| side(&bench.binary, &["path"]),
        |_| side("git".as_ref(), &git),
    )?;
    Ok(vec![
        BenchRow::new(
            "mem path",
            "git rev-parse --path-format=absolute --git-common-dir",
            medians,
        )
        .at_most(1.2),
    ])
}
