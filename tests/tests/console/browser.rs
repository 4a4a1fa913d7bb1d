//! The console in Debian's Chromium, driven by playwright-core (`tests/clients/browser/console.mjs`).

use std::path::PathBuf;

use mem_tests::{Console, TestEnv};

use super::shop;
use crate::team::both_changed;

/// Runs a scenario. Says so where there is no browser.
#[track_caller]
fn run(scenario: &str, console: &Console) {
    let folder = std::env::var_os("MEM_TESTS_SCREENSHOTS").map(PathBuf::from);
    let Some(output) = console.drive(scenario, folder.as_deref()) else {
        return;
    };
    let said = String::from_utf8_lossy(&output.stdout);
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{scenario}: {said}{talk}");
}

fn run_in_shop(scenario: &str) {
    let env = TestEnv::new();
    let repo = shop(&env);
    run(scenario, &Console::start(&repo));
}

#[test]
fn every_page_can_be_read_by_everybody() {
    run_in_shop("pages");
}

#[test]
fn a_person_does_a_days_work() {
    run_in_shop("actions");
}

#[test]
fn two_edits_of_one_memory_lose_nothing() {
    run_in_shop("conflict");
}

#[test]
fn reading_and_deciding_need_no_script() {
    run_in_shop("without_script");
}

#[test]
fn a_team_is_decided_on() {
    let env = TestEnv::new();
    let (_ann, ben) = both_changed(&env, "of ben\n");
    ben.sync();
    ben.mem("config set team.push review").assert_ok();
    let save = |scope, name| {
        let args = [
            "save", "--type", "project", "--scope", scope, "--name", name,
        ];
        ben.invoke(
            args.into_iter()
                .chain(["--description", "about it", "--body", "text"]),
        )
    };
    save("team", "Of an agent")
        .env("CLAUDECODE", "1")
        .run()
        .assert_ok();
    save("private", "Mine alone").run().assert_ok();
    run("team", &Console::of(ben.invoke(Vec::<&str>::new()), &[]));
}
