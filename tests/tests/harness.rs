//! The test environment keeps what it promises, else every other test proves nothing.

use mem_tests::TestEnv;

#[test]
fn nothing_of_the_machine_leaks_in() {
    let env = TestEnv::new();
    let output = env.command("env").output().unwrap();
    let variables = env.normalise(&String::from_utf8(output.stdout).unwrap());
    assert!(variables.contains("HOME=[ENV]/home\n"), "{variables}");
    for foreign in [
        "CLAUDE_",
        "XDG_CONFIG_HOME",
        "XDG_STATE_HOME",
        "GIT_DIR",
        "CARGO_",
    ] {
        assert!(!variables.contains(foreign), "{foreign} in {variables}");
    }
}

#[test]
fn repositories_are_real_and_the_same_every_time() {
    let hash = || {
        let env = TestEnv::new();
        let repo = env.repo("app");
        let worktree = repo.worktree("side");
        assert_eq!(worktree.git(["branch", "--show-current"]), "side");
        repo.git(["rev-parse", "HEAD"])
    };
    assert_eq!(hash(), hash());
}

#[test]
fn the_clock_moves_when_told() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    env.advance(90);
    repo.commit("a", "1", "second");
    let dates = repo.git(["log", "--format=%aI"]);
    assert_eq!(dates, "2026-01-01T00:01:30Z\n2026-01-01T00:00:00Z");
}
