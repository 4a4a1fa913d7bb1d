//! `kill -9` at any moment of a sync: nothing is lost, nothing looks like somebody's change.

use std::time::{Duration, Instant};

use mem_tests::TestEnv;

use crate::team::two;

/// Kills; the first come right after the start, the last after the end.
const ROUNDS: u32 = 16;

#[test]
fn a_killed_sync_is_finished_by_the_next_one() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    let files: Vec<String> = (0..12).map(|n| format!("note{n}.md")).collect();
    let start = Instant::now();
    ben.sync();
    let mut whole = start.elapsed();
    for round in 0..=ROUNDS {
        for file in &files {
            ann.write(file, &format!("{file} of round {round}\n"));
        }
        ben.write("own.md", &format!("of ben, round {round}\n"));
        ann.sync();
        let start = Instant::now();
        let mut child = ben.invoke(["team", "sync"]).spawn();
        if round > 0 {
            spin(whole * round / ROUNDS);
            let _ = child.kill();
        }
        child.wait().unwrap();
        whole = whole.max(if round == 0 { start.elapsed() } else { whole });
        ben.sync();
        ann.sync();
        for file in &files {
            let want = format!("{file} of round {round}\n");
            assert_eq!(ben.read(file).as_ref(), Some(&want), "round {round}");
        }
        let own = format!("of ben, round {round}\n");
        assert_eq!(ann.read("own.md"), Some(own), "round {round}");
    }
    for person in [&ann, &ben] {
        let conflicts = person.mem("team resolve --json").assert_ok().json();
        assert_eq!(conflicts["conflicts"].as_array().unwrap().len(), 0);
        let left = std::fs::read_dir(person.team()).unwrap();
        assert_eq!(left.count(), files.len() + 1, "temporary files are left");
    }
}

/// Waits without giving up the processor, so that a kill can be placed between two system calls.
fn spin(time: Duration) {
    let start = Instant::now();
    while start.elapsed() < time {
        std::hint::spin_loop();
    }
}
