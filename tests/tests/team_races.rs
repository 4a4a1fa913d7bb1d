//! Several runs of `mem team sync` at once, and runs that fail in the middle.

use std::fs;

use mem_tests::TestEnv;

use crate::team::{Person, two};

/// The number of commits behind the team's ref.
fn commits(person: &Person<'_>) -> usize {
    let bare = person.repo.path().join("../origin.git");
    let bare = bare.to_string_lossy().into_owned();
    let count = person
        .repo
        .git(["--git-dir", &bare, "rev-list", "--count", "refs/mem/team"]);
    count.trim().parse().unwrap()
}

#[test]
fn a_large_memory_is_one_push_over_git() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    for n in 0..6 {
        ann.write(&format!("n{n}.md"), &format!("line {n}\n").repeat(10_000));
    }
    ann.sync();
    assert_eq!(commits(&ann), 1);
    ben.sync();
    assert_eq!(ben.read("n5.md"), ann.read("n5.md"));
}

#[test]
fn two_runs_in_one_clone_go_one_after_the_other() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    for n in 0..20 {
        ann.write(&format!("n{n}.md"), "one\n");
    }
    let mut both = [0, 1].map(|_| ann.invoke(["team", "sync"]).spawn());
    for run in &mut both {
        assert!(run.wait().unwrap().success());
    }
    assert_eq!(commits(&ann), 1, "what one sent was sent again");
    ben.sync();
    assert_eq!(ben.read("n19.md").unwrap(), "one\n");
}

#[test]
fn two_clones_that_push_at_once_both_get_through() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    for round in 0..4 {
        ann.save(&format!("Of ann {round}"), "a");
        ben.save(&format!("Of ben {round}"), "b");
        let mut both = [&ann, &ben].map(|person| person.invoke(["team", "sync"]).spawn());
        for run in &mut both {
            assert!(run.wait().unwrap().success(), "round {round}");
        }
    }
    ann.sync();
    ben.sync();
    ann.sync();
    assert_eq!(ann.read("MEMORY.md"), ben.read("MEMORY.md"));
    for round in 0..4 {
        for person in [&ann, &ben] {
            assert!(person.read(&format!("project_of_ann_{round}.md")).is_some());
            assert!(person.read(&format!("project_of_ben_{round}.md")).is_some());
        }
    }
}

#[cfg(unix)]
#[test]
fn a_pull_for_which_there_is_no_room_changes_nothing_and_the_next_one_goes_on() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    for n in 0..10 {
        ann.write(&format!("n{n}.md"), &format!("line {n}\n").repeat(10_000));
    }
    ann.sync();
    ben.write("own.md", "of ben\n");
    let mut failures = 0;
    // Blocks of 1,024 bytes: no file at all, then some, then all of them.
    for blocks in [1, 16, 64, 100, 400] {
        // The signal is ignored, so that writing fails as on a full disk.
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" team sync");
        let mut shell = env.command("bash");
        shell.args(["-c", &script]).arg(mem_tests::binary::path());
        shell.env("HOME", &ben.home).current_dir(ben.repo.path());
        failures += u32::from(!shell.output().unwrap().status.success());
        for n in 0..10 {
            let file = format!("n{n}.md");
            let text = ben.read(&file);
            assert!(
                text.is_none() || text == ann.read(&file),
                "{file} is half there"
            );
        }
        assert_eq!(ben.read("own.md").unwrap(), "of ben\n");
    }
    assert!(failures > 0, "there was room enough");
    ben.sync();
    ann.sync();
    assert_eq!(ben.read("n9.md"), ann.read("n9.md"));
    assert_eq!(ann.read("own.md").unwrap(), "of ben\n");
    let conflicts = ben.mem("team resolve --json").assert_ok().json();
    assert_eq!(conflicts["conflicts"].as_array().unwrap().len(), 0);
    assert_eq!(fs::read_dir(ben.team()).unwrap().count(), 11);
}
