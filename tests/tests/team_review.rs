//! `team.pull` and `team.push` set to `review`: a person looks first.

use mem_tests::TestEnv;

use crate::team::{Person, two, two_with};

pub(crate) fn save_as_agent(person: &Person<'_>, name: &str, body: &str) {
    let args = [
        "save", "--type", "project", "--scope", "team", "--update", "--name", name,
    ];
    let rest = ["--description", "about it", "--body", body];
    let run = person
        .invoke(args.into_iter().chain(rest))
        .env("MEM_ACTOR", "agent");
    run.run().assert_ok();
}

pub(crate) fn inbox(person: &Person<'_>) -> Vec<(String, String)> {
    let json = person.mem("inbox list --json").assert_ok().json();
    let entries = json["entries"].as_array().unwrap().clone();
    let of = |entry: serde_json::Value| {
        let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
        (text(&entry["files"][0]["file"]), text(&entry["id"]))
    };
    entries.into_iter().map(of).collect()
}

#[test]
fn what_colleagues_wrote_waits_in_the_inbox() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ben.mem("config set team.pull review").assert_ok();
    ann.write("x.md", "one\n");
    ann.write("y.md", "one\n");
    ann.sync();
    let told = ben.sync().stdout;
    assert!(told.contains("waits in the inbox  x.md"), "{told}");
    assert!(ben.read("x.md").is_none());
    ben.sync();
    let waiting = inbox(&ben);
    let files: Vec<&str> = waiting.iter().map(|(file, _)| file.as_str()).collect();
    assert_eq!(files, ["team:x.md", "team:y.md"]);
    ben.mem(&format!("inbox accept {}", waiting[0].1))
        .assert_ok();
    ben.mem(&format!("inbox reject {}", waiting[1].1))
        .assert_ok();
    ben.sync();
    assert_eq!(ben.read("x.md").unwrap(), "one\n");
    assert!(
        ben.read("y.md").is_none() && inbox(&ben).is_empty(),
        "a rejected text is back"
    );
    // It is told for what it is, and does not wait.
    let json = ben.mem("team sync --json").assert_ok().json();
    let none = serde_json::json!([]);
    assert_eq!(
        (&json["turned_down"], &json["in_inbox"]),
        (&["y.md"].into(), &none)
    );
    assert!(ben.sync().stdout.contains("was rejected  y.md"));
    let json = ben.mem("team status --json").assert_ok().json();
    assert_eq!(
        (&json["turned_down"], &json["to_take"]),
        (&["y.md"].into(), &none)
    );
    let status = ben.mem("team status").assert_ok().stdout;
    assert!(
        status.contains("was rejected  y.md") && !status.contains("waits"),
        "{status}"
    );
    // A later text of the same file is another one, and takes the place of what waits.
    for text in ["two\n", "three\n"] {
        ann.write("y.md", text);
        ann.sync();
        ben.sync();
    }
    let waiting = inbox(&ben);
    assert_eq!(waiting.len(), 1, "{waiting:?}");
    ben.mem("inbox accept --all").assert_ok();
    ben.sync();
    assert_eq!(ben.read("y.md").unwrap(), "three\n");
    ann.sync();
    assert_eq!(ann.read("y.md").unwrap(), "three\n");
    // What only gave way to a later text was rejected by nobody: it is asked about when it comes again.
    ann.write("y.md", "two\n");
    ann.sync();
    ben.sync();
    assert_eq!(inbox(&ben).len(), 1);
}

#[test]
fn what_waited_is_settled_once_nobody_reviews_any_more() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ben.mem("config set team.pull review").assert_ok();
    for file in ["x.md", "y.md"] {
        ann.write(file, "one\n");
    }
    ann.sync();
    ben.sync();
    // Another one than what waits is taken in the end.
    ann.write("y.md", "two\n");
    ann.sync();
    assert_eq!(inbox(&ben).len(), 2);
    ben.mem("config unset team.pull").assert_ok();
    ben.sync();
    assert_eq!(ben.read("x.md").as_deref(), Some("one\n"));
    assert_eq!(ben.read("y.md").as_deref(), Some("two\n"));
    assert_eq!(inbox(&ben), []);
    // Nobody turned it down: it is asked about again.
    ben.mem("config set team.pull review").assert_ok();
    ann.write("y.md", "one\n");
    ann.sync();
    ben.sync();
    assert_eq!(inbox(&ben).len(), 1);
}

#[test]
fn a_deletion_that_was_rejected_is_told_until_something_else_is_deleted() {
    let env = TestEnv::new();
    let (ann, ben) = two_with(&env, &["x.md"]);
    ben.mem("config set team.pull review").assert_ok();
    ann.mem("team delete x.md").assert_ok();
    ben.sync();
    ben.mem("inbox reject --all").assert_ok();
    for _ in 0..2 {
        let json = ben.mem("team sync --json").assert_ok().json();
        assert_eq!(json["turned_down"], serde_json::json!(["x.md"]), "{json}");
    }
    assert_eq!(ben.read("x.md").unwrap(), "one\n");
    ann.write("x.md", "two\n");
    ann.sync();
    ben.sync();
    ben.mem("inbox accept --all").assert_ok();
    ann.mem("team delete x.md").assert_ok();
    ben.sync();
    assert_eq!(inbox(&ben).len(), 1, "another text was deleted");
}

#[test]
fn what_agents_wrote_waits_until_a_person_says_so() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ann.mem("config set team.push review").assert_ok();
    save_as_agent(&ann, "Freeze", "Nothing lands.");
    ann.save("Mine", "Of a person.");
    let told = ann.sync().stdout;
    assert!(
        told.contains("waits for `mem team review`  project_freeze.md"),
        "{told}"
    );
    assert!(
        told.contains("sent  project_mine.md") && !told.contains("sent  project_freeze"),
        "{told}"
    );
    ben.sync();
    assert!(ben.read("project_freeze.md").is_none());
    assert!(ann.mem("team status").stdout.contains("`mem team review`"));
    assert!(
        ann.mem("team review")
            .assert_ok()
            .stdout
            .contains("+Nothing lands.")
    );
    let by_agent = ann
        .invoke(["team", "review", "--all"])
        .env("MEM_ACTOR", "agent")
        .run();
    by_agent.assert_code(1);
    ann.mem("team review project_mine.md").assert_code(1);
    ann.mem("team review --all").assert_ok();
    ann.sync();
    ben.sync();
    assert!(
        ben.read("project_freeze.md")
            .unwrap()
            .contains("Nothing lands.")
    );
    // What an agent writes later waits again.
    save_as_agent(&ann, "Freeze", "Everything lands.");
    ann.sync();
    ben.sync();
    assert!(
        ben.read("project_freeze.md")
            .unwrap()
            .contains("Nothing lands.")
    );
}

#[test]
fn what_waits_is_not_fetched_again_and_leaves_no_copy_behind() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    for person in [&ann, &ben] {
        person.write("x.md", "one\n");
        person.sync();
    }
    ben.mem("config set team.pull review").assert_ok();
    ann.write("x.md", "of ann\n");
    ann.write("y.md", "new\n");
    ann.sync();
    ben.write("x.md", "of ben\n");
    for _ in 0..2 {
        let told = ben.mem("team sync --json").assert_ok().json();
        let waits = serde_json::json!(["x.md", "y.md"]);
        assert_eq!(
            (
                &told["in_inbox"],
                told["overtaken"].as_array().unwrap().len()
            ),
            (&waits, 0)
        );
        assert_eq!(told["undecided"], serde_json::json!(["x.md"]), "{told}");
        let push = ben.mem("team push --json").assert_ok().json();
        assert_eq!(
            (&push["undecided"], &push["behind"]),
            (&["x.md"].into(), &serde_json::json!([]))
        );
        let conflicts = ben.mem("team resolve --json").assert_ok().json();
        assert_eq!(
            conflicts["conflicts"],
            serde_json::json!([]),
            "the text stands"
        );
        assert_eq!(ben.read("x.md").unwrap(), "of ben\n");
    }
    assert_eq!(inbox(&ben).len(), 2);
    let status = ben.mem("status").assert_ok().stdout;
    assert!(status.contains("2 files of colleagues"), "{status}");
    assert!(!status.contains("of agents"), "{status}");
}

#[test]
fn a_whole_memory_of_a_team_waits_and_is_accepted_or_rejected_at_once() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ben.mem("config set team.pull review").assert_ok();
    // More than of agents may wait.
    for number in 0..700 {
        ann.write(&format!("n{number}.md"), &format!("note {number}\n"));
    }
    ann.sync();
    ben.mem("team pull").assert_ok();
    assert_eq!(inbox(&ben).len(), 700);
    let told = ben.mem("team pull --json").assert_ok().json();
    assert_eq!(told["in_inbox"].as_array().unwrap().len(), 700, "{told}");
    // One is in the way of itself alone.
    ben.write("n3.md", "mine\n");
    let told = ben.mem("inbox accept --all").assert_code(4);
    assert!(told.stderr.contains("n3.md"), "{}", told.stderr);
    assert_eq!(ben.read("n3.md").as_deref(), Some("mine\n"));
    for number in [0, 2, 4, 699] {
        let text = format!("note {number}\n");
        assert_eq!(ben.read(&format!("n{number}.md")), Some(text));
    }
    assert_eq!(inbox(&ben).len(), 1);
    let changes = ben.mem("history --json").assert_ok().json();
    let accepted = changes.to_string().matches("\"accept\"").count();
    assert!((1..30).contains(&accepted), "{accepted} changes");
    ben.mem("inbox reject --all").assert_ok();
    // What is rejected as a whole is not asked about again, and what was changed is.
    for number in 0..700 {
        ann.write(&format!("n{number}.md"), &format!("another {number}\n"));
    }
    ann.sync();
    ben.mem("team pull").assert_ok();
    ben.mem("inbox reject --all").assert_ok();
    ann.write("n5.md", "a third\n");
    ann.sync();
    ben.mem("team pull").assert_ok();
    let waiting = inbox(&ben);
    let files: Vec<&str> = waiting.iter().map(|(file, _)| file.as_str()).collect();
    assert_eq!(files, ["team:n5.md"]);
    assert_eq!(ben.read("n6.md").as_deref(), Some("note 6\n"));
}
