//! Deleting for everybody: an agent does it as far as it may write, and a person who agrees does it for it.

use mem_tests::{Output, TestEnv};

use crate::team::{Person, two_with};
use crate::team_review::inbox;

fn as_agent(person: &Person<'_>, line: &str) -> Output {
    let run = person.invoke(line.split(' ')).env("MEM_ACTOR", "agent");
    run.run()
}

/// Whether somebody else's copy stays with a synchronisation.
fn still_has(person: &Person<'_>, file: &str) -> bool {
    person.sync();
    person.read(file).is_some()
}

#[test]
fn an_agent_that_may_not_write_deletes_for_nobody() {
    let env = TestEnv::new();
    let (ann, ben) = two_with(&env, &["x.md", "y.md"]);
    for write in ["read-only", "confirm"] {
        ann.mem(&format!("config set memory.write {write}"))
            .assert_ok();
        // Not even of what it has taken out of the folder by other means.
        std::fs::remove_file(ann.team().join("x.md")).unwrap();
        let told = as_agent(&ann, "team delete x.md").assert_code(1).stderr;
        assert!(told.contains("for a person to decide"), "{write}: {told}");
        as_agent(&ann, "team delete y.md").assert_code(1);
        as_agent(&ann, "team delete y.md --dry-run").assert_code(1);
        ann.sync();
        assert!(
            still_has(&ben, "x.md") && still_has(&ben, "y.md"),
            "{write}"
        );
    }
    assert_eq!(inbox(&ann).len(), 1, "what is to be confirmed waits");
    ann.mem("team delete team:x.md").assert_ok();
    assert!(!still_has(&ben, "x.md"), "a person is asked by nobody");
}

#[test]
fn what_an_agent_deletes_waits_where_pushes_are_reviewed() {
    let env = TestEnv::new();
    let (ann, ben) = two_with(&env, &["x.md", "y.md", "z.md"]);
    ann.mem("config set team.push review").assert_ok();
    for file in ["x.md", "y.md", "z.md"] {
        let line = format!("team delete {file} --reason over");
        let told = as_agent(&ann, &line).assert_code(1).stderr;
        assert!(told.contains("in the inbox"), "{told}");
    }
    ann.sync();
    assert!(still_has(&ben, "x.md"));
    // Somebody changes one of them before a person has looked.
    ben.write("z.md", "two\n");
    ben.sync();
    ann.mem("team pull").assert_ok();
    let waiting = inbox(&ann);
    let id = |file: &str| {
        let one = waiting.iter().find(|(name, _)| name.ends_with(file));
        one.unwrap().1.clone()
    };
    let told = ann.mem(&format!("inbox accept {}", id("x.md"))).assert_ok();
    assert!(
        told.stderr.contains("deletes x.md for everybody"),
        "{}",
        told.stderr
    );
    ann.mem(&format!("inbox reject {}", id("y.md"))).assert_ok();
    ann.mem(&format!("inbox accept {}", id("z.md")))
        .assert_code(4);
    ann.sync();
    assert!(ann.read("x.md").is_none(), "what was accepted came back");
    assert!(!still_has(&ben, "x.md") && still_has(&ben, "y.md"));
    assert_eq!(ben.read("z.md").unwrap(), "two\n");
    let log = ben.mem("team log x.md").assert_ok().stdout;
    assert!(log.contains("deleted") && log.contains("(over)"), "{log}");
}

#[test]
fn a_deletion_that_was_accepted_is_taken_back_as_any_other() {
    let env = TestEnv::new();
    let (ann, ben) = two_with(&env, &["x.md"]);
    ann.mem("config set memory.write confirm").assert_ok();
    as_agent(&ann, "team delete x.md").assert_code(1);
    ann.mem("inbox accept --all").assert_ok();
    ann.mem("undo").assert_ok();
    ann.sync();
    assert!(still_has(&ben, "x.md") && ann.read("x.md").is_some());
}
