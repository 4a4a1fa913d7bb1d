//! `team.push = "review"`: what agents wrote waits in the list as well, and whatever their environment says.

use mem_tests::TestEnv;

use crate::team::two;
use crate::team_review::save_as_agent;

#[test]
fn the_lines_that_agents_wrote_in_the_list_wait_whoever_adds_another() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ann.save("Base", "Ours.");
    ann.sync();
    ann.mem("config set team.push review").assert_ok();
    save_as_agent(&ann, "Freeze", "Nothing lands.");
    ann.save("Other", "Of a person.");
    let told = ann.sync().stdout;
    assert!(
        told.contains("sent  project_other.md") && told.contains("review`  MEMORY.md"),
        "{told}"
    );
    ben.sync();
    let list = ben.read("MEMORY.md").unwrap();
    assert!(!list.contains("Freeze"), "an agent's words left: {list}");
    // What is new is shown, and not all of the list.
    let shown = ann.mem("team review").assert_ok().stdout;
    assert!(
        shown.contains("+- [Freeze]") && !shown.contains("+- [Base]"),
        "{shown}"
    );
    ann.mem("team review --all").assert_ok();
    ann.save("Third", "Of a person.");
    ann.sync();
    ben.sync();
    let list = ben.read("MEMORY.md").unwrap();
    assert!(list.contains("Freeze") && list.contains("Third"), "{list}");
    // Nothing of an agent is new: nothing waits.
    ann.save("Fourth", "Of a person.");
    assert!(ann.sync().stdout.contains("sent  MEMORY.md"));
}

#[test]
fn an_agents_environment_does_not_switch_the_review_off() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ann.mem("config set team.push review").assert_ok();
    ann.mem("config set team.pull review").assert_ok();
    save_as_agent(&ann, "Freeze", "Nothing lands.");
    ben.save("Base", "Of ben.");
    ben.sync();
    let run = ann.invoke(["team", "sync"]).env("MEM_ACTOR", "agent");
    let run = run
        .env("MEM_TEAM_PUSH", "auto")
        .env("MEM_TEAM_PULL", "auto");
    let told = run.run().assert_ok();
    let all = told.shown();
    assert!(
        all.contains("MEM_TEAM_PUSH is not heeded") && all.contains("MEM_TEAM_PULL is not heeded"),
        "{all}"
    );
    assert!(ann.read("project_base.md").is_none(), "{all}");
    ben.sync();
    assert!(ben.read("project_freeze.md").is_none(), "{all}");
}

/// `XDG_CONFIG_HOME` is a variable as any other: what it leads to loosens nothing either.
#[test]
#[cfg(target_os = "linux")]
fn settings_that_an_agent_names_do_not_switch_the_review_off() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ann.mem("config unset team.push").assert_ok();
    ann.mem("config set memory.write auto").assert_ok();
    save_as_agent(&ann, "Freeze", "Nothing lands.");
    let own = std::fs::read_to_string(ann.home.join(".config/mem/config.toml")).unwrap();
    let moved = env.root().join("moved/mem");
    std::fs::create_dir_all(&moved).unwrap();
    std::fs::write(moved.join("config.toml"), own).unwrap();
    let set = ann.invoke(["config", "set", "team.push", "auto"]);
    let set = set.env("XDG_CONFIG_HOME", env.root().join("moved"));
    set.run().assert_ok();
    let sync = |mark: bool| {
        let run = ann.invoke(["team", "sync"]);
        let run = run.env("XDG_CONFIG_HOME", env.root().join("moved"));
        match mark {
            true => run.env("CLAUDECODE", "1").run().assert_ok(),
            false => run.run().assert_ok(),
        }
    };
    let told = sync(true).shown();
    assert!(told.contains("XDG_CONFIG_HOME counts as unset"), "{told}");
    ben.sync();
    assert!(ben.read("project_freeze.md").is_none());
    // A person's own choice counts.
    sync(false);
    ben.sync();
    assert!(ben.read("project_freeze.md").is_some());
}
