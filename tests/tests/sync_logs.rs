//! `mem sync` where notes are daily logs: both machines add to the file of the day.

use std::fs;

use mem_tests::TestEnv;

use crate::sync::{read, sync, two, write};

#[test]
fn what_two_machines_logged_on_one_day_becomes_one_log() {
    let env = TestEnv::new();
    let (laptop, desk) = two(&env);
    for person in [&laptop, &desk] {
        person.mem("config set memory.mode log").assert_ok();
    }
    let log = |person: &crate::team::Person<'_>, text: &str| {
        person.invoke(["log", text]).run().assert_ok();
        env.advance(60);
    };
    for round in ["first", "second"] {
        log(&laptop, &format!("laptop {round}"));
        log(&desk, &format!("desk {round}"));
        log(&laptop, &format!("laptop {round} again"));
        sync(&laptop);
        assert!(sync(&desk).contains("merged  logs/"), "{round}");
        sync(&laptop);
    }
    let day = laptop.mem("log show --json").assert_ok().json();
    let texts = ["laptop", "desk"].map(|name| day.to_string().matches(name).count());
    assert_eq!(texts, [4, 2], "{day}");
    let folder = laptop.mem("path").line();
    let mut file = std::path::PathBuf::from(&folder).join("logs");
    while file.is_dir() {
        file = fs::read_dir(&file).unwrap().next().unwrap().unwrap().path();
    }
    let name = file
        .strip_prefix(&folder)
        .unwrap()
        .to_string_lossy()
        .into_owned();
    let (here, there) = (read(&laptop, &name).unwrap(), read(&desk, &name).unwrap());
    assert_eq!(here, there);
    let order: Vec<&str> = here.lines().filter_map(|line| line.get(8..)).collect();
    let wanted = ["laptop first", "desk first", "laptop first again"];
    assert!(
        order
            .iter()
            .filter(|text| text.contains("first"))
            .eq(&wanted),
        "{here}"
    );
    let conflicts = desk.mem("sync resolve").assert_ok().stderr;
    assert!(conflicts.contains("nothing gave way"), "{conflicts}");
}

#[test]
fn a_log_that_begins_otherwise_is_for_a_person() {
    let env = TestEnv::new();
    let (laptop, desk) = two(&env);
    let file = "logs/2026/11/2026-11-20.md";
    write(&laptop, file, "# A day\n\n- 09:00 one\n");
    write(&desk, file, "# Another head\n\n- 10:00 two\n");
    sync(&laptop);
    let told = desk.mem("sync").assert_ok().stdout;
    assert!(told.contains("gave way  logs/"), "{told}");
    let kept = desk.mem("sync resolve").assert_ok().stdout;
    assert!(kept.contains("Another head"), "{kept}");
}
