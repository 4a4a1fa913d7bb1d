//! Lines that other programs append to the index while it is saved to: none is lost.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::thread;

use mem_tests::TestEnv;

/// Programs that save at the same time, and how often each does.
const SAVERS: usize = 8;
const SAVES: usize = 4;
/// Programs that append, and how many lines each.
const APPENDERS: usize = 4;
const LINES: usize = 1_250;

/// As a shell does by `>>`: the file is opened, one line is written, the file is closed. To wait for the disk now and
/// then spreads the lines over the time that the savers take.
fn append(index: &Path, appender: usize, number: usize) {
    let mut file = OpenOptions::new().append(true).open(index).unwrap();
    let line = format!("appended {appender} {number}\n");
    file.write_all(line.as_bytes()).unwrap();
    if number.is_multiple_of(8) {
        file.sync_data().unwrap();
    }
}

#[test]
fn no_line_is_lost_that_is_appended_to_the_index_beside_savers() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let save = |name: &str| {
        let run = repo.invoke(["save", "--type", "user", "--name", name]);
        run.args(["--description", "d", "--body", "b"]).run()
    };
    save("First").assert_ok();
    let index = repo.memory().join("MEMORY.md");
    thread::scope(|scope| {
        for saver in 0..SAVERS {
            let save = &save;
            scope.spawn(move || {
                for number in 0..SAVES {
                    // A save gives up, and says so, where the file is another at each look.
                    let name = format!("Note {saver} {number}");
                    let mut run = save(&name);
                    while run.code == 4 {
                        run = save(&name);
                    }
                    run.assert_ok();
                }
            });
        }
        for appender in 0..APPENDERS {
            let index = &index;
            scope.spawn(move || {
                for number in 0..LINES {
                    append(index, appender, number);
                }
            });
        }
    });
    // What was written to a file that had been exchanged away is found by the next command.
    repo.mem(["list"]).assert_ok();
    save("Last").assert_ok();
    let text = repo.note("MEMORY.md").unwrap();
    let is_there = |line: &String| text.lines().any(|one| one == line);
    let lines = (0..APPENDERS)
        .flat_map(|appender| (0..LINES).map(move |number| format!("appended {appender} {number}")));
    let lost: Vec<String> = lines.filter(|line| !is_there(line)).collect();
    assert!(lost.is_empty(), "{} lost: {lost:?}", lost.len());
    let entries = text.matches("](").count();
    assert_eq!(entries, SAVERS * SAVES + 2, "{text}");
}
