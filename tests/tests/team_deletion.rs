//! Deleting for everybody: an agent does it as far as it may write, and a person who agrees does it for it.

use mem_tests::{Output, TestEnv};
use serde_json::json;

use crate::sync::TERMINAL;
use crate::team::{Person, two, two_with};
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

#[test]
fn a_memory_that_the_team_has_is_not_removed_here_alone() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ann.save("Freeze", "Nothing lands.");
    ann.sync();
    ben.sync();
    for line in [
        "remove team:project_freeze.md",
        "remove Freeze --json",
        "undo",
        "rename team:project_freeze.md thaw.md",
    ] {
        let run = ann.mem(line).assert_code(1);
        let all = run.shown();
        assert!(
            all.contains("mem team delete project_freeze.md"),
            "{line}: {all}"
        );
        assert!(ann.read("project_freeze.md").is_some(), "{line}: {all}");
        let run = as_agent(&ann, line).assert_code(1);
        assert!(
            run.shown().contains("mem team delete project_freeze.md"),
            "{line}: {}",
            run.shown()
        );
    }
    // The title is another matter, and so is a memory that nobody else has.
    ann.invoke([
        "rename",
        "team:project_freeze.md",
        "Thaw",
        "--file",
        "project_freeze.md",
    ])
    .run()
    .assert_ok();
    ann.save("Only here", "x");
    ann.mem("remove team:project_only_here.md").assert_ok();
    assert!(ann.read("project_only_here.md").is_none());
    ann.sync();
    assert!(ann.read("project_freeze.md").is_some() && ann.read("project_only_here.md").is_none());
    ann.mem("remove team:project_freeze.md --yes --reason over")
        .assert_ok();
    ann.sync();
    assert!(
        ann.read("project_freeze.md").is_none(),
        "the next sync brought it back"
    );
    assert!(!still_has(&ben, "project_freeze.md"));
    let log = ben.mem("team log project_freeze.md").assert_ok().stdout;
    assert!(log.contains("deleted") && log.contains("(over)"), "{log}");
}

#[test]
fn no_tool_of_an_agent_removes_here_alone_what_the_team_has() {
    let env = TestEnv::new();
    let (ann, ben) = two_with(&env, &["x.md"]);
    let input = json!({ "command": "delete", "path": "/memories/team/x.md" });
    let tool = ann.invoke(["tool"]).stdin(input.to_string()).run();
    let tool = tool.assert_code(1);
    let mut rpc = ann.invoke(["mcp"]).converse();
    rpc.initialize("2025-11-25");
    let answer = rpc.call(
        "memory_delete",
        json!({ "path": "team/x.md", "reason": "over" }),
    );
    assert_eq!(answer["isError"], true, "{answer}");
    for told in [tool.stdout, answer.to_string()] {
        assert!(told.contains("the team has `x.md`"), "{told}");
    }
    assert!(still_has(&ann, "x.md") && still_has(&ben, "x.md"));
}

#[test]
fn a_memory_is_deleted_for_everybody_by_its_short_name_or_its_title() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ann.save("Freeze", "Nothing lands.");
    ann.save("Thaw", "All lands.");
    ann.sync();
    ben.sync();
    // A beginning may mean another memory than the one that somebody has in mind.
    ann.mem("team delete project_fre").assert_code(1);
    ann.mem("team delete project_freeze").assert_ok();
    ann.mem("team delete thaw").assert_ok();
    for file in ["project_freeze.md", "project_thaw.md"] {
        assert!(!still_has(&ben, file) && !still_has(&ann, file), "{file}");
    }
}

#[test]
fn removing_a_shared_memory_on_a_terminal_asks_once() {
    let env = TestEnv::new();
    let (ann, ben) = two_with(&env, &["x.md"]);
    let ask = |answer: &str| {
        let mut python = env.command("python3");
        python.args(["-c", TERMINAL, answer]);
        python.arg(mem_tests::binary::path());
        python.args(["remove", "team:x.md"]).env("HOME", &ann.home);
        let output = python.current_dir(ann.repo.path()).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let said = ask("n");
    assert!(
        said.contains("for everybody") && said.contains("[y/N]"),
        "{said}"
    );
    assert!(
        ann.read("x.md").is_some() && still_has(&ben, "x.md"),
        "{said}"
    );
    let said = ask("y");
    assert_eq!(said.matches("[y/N]").count(), 1, "{said}");
    ann.sync();
    assert!(
        ann.read("x.md").is_none() && !still_has(&ben, "x.md"),
        "{said}"
    );
}

#[test]
fn what_an_agent_removes_of_the_team_is_deleted_for_everybody_once_accepted() {
    let env = TestEnv::new();
    let (ann, ben) = two_with(&env, &["x.md"]);
    ann.mem("config set memory.write confirm").assert_ok();
    let told = as_agent(&ann, "remove team:x.md").assert_code(1).stderr;
    assert!(told.contains("in the inbox"), "{told}");
    let waiting = inbox(&ann);
    let told = ann
        .mem(&format!("inbox accept {}", waiting[0].1))
        .assert_ok();
    assert!(
        told.stderr.contains("deletes x.md for everybody"),
        "{}",
        told.stderr
    );
    ann.sync();
    assert!(ann.read("x.md").is_none() && !still_has(&ben, "x.md"));
}

#[test]
fn a_shared_file_whose_title_cannot_be_written_is_told_no_way_to_retitle_it() {
    let env = TestEnv::new();
    let (ann, _) = two(&env);
    ann.write("x.md", "---\n{name: X, type: project}\n---\nText\n");
    ann.save("Freeze", "Nothing lands.");
    ann.sync();
    let rename = |file: &str| {
        let line = format!("rename team:{file} thaw.md");
        ann.mem(&line).assert_code(1).stderr
    };
    let told = rename("project_freeze.md");
    let retitle = "`mem rename project_freeze.md TITLE --file project_freeze.md`";
    assert!(told.contains(retitle), "{told}");
    let told = rename("x.md");
    assert!(
        told.contains("`mem team delete x.md`") && !told.contains("changes the title"),
        "{told}"
    );
}
