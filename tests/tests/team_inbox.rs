//! What colleagues wrote and waits in the inbox: it can be redacted by its name, and accepted after they went on.

use mem_tests::TestEnv;

use crate::team::{Person, two, two_with};

/// Whether a text stands in any file of somebody's home.
fn has(env: &TestEnv, person: &Person<'_>, text: &str) -> bool {
    let files = env.files_under(&person.home);
    files
        .iter()
        .any(|(_, bytes)| String::from_utf8_lossy(bytes).contains(text))
}

#[test]
fn a_name_that_only_waited_is_redacted() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ben.mem("config set team.pull review").assert_ok();
    let leaked = ["oxhorn", "-blue"].concat();
    ann.write("leak.md", &format!("the passphrase is {leaked}\n"));
    ann.write("other.md", "one\n");
    ann.sync();
    ben.sync();
    // It takes the place of the leak, which is kept as rejected.
    ann.write("leak.md", "it stands in the vault\n");
    ann.sync();
    ann.mem("team redact leak.md --yes").assert_ok();
    ben.sync();
    assert!(has(&env, &ben, &leaked) && ben.read("leak.md").is_none());
    let dry = ben
        .mem("redact leak.md --dry-run --json")
        .assert_ok()
        .json();
    assert_eq!(dry["inbox"], 2, "{dry}");
    assert!(has(&env, &ben, &leaked));
    ben.mem("redact team:leak.md --yes").assert_ok();
    assert!(!has(&env, &ben, &leaked), "it is still there");
    let left = ben.mem("inbox list").assert_ok().stdout;
    assert!(left.contains("team:other.md"), "{left}");
    ben.mem("redact nothing.md --yes").assert_code(1);
    // What the remote has now comes again, and is asked about.
    ben.sync();
    assert!(
        ben.mem("inbox list")
            .assert_ok()
            .stdout
            .contains("team:leak.md")
    );
}

#[test]
fn what_is_accepted_after_colleagues_went_on_is_not_sent_over_it() {
    let env = TestEnv::new();
    let (ann, ben) = two_with(&env, &["back.md", "changed.md", "gone.md", "fine.md"]);
    ben.mem("config set team.pull review").assert_ok();
    let files = ["back.md", "changed.md", "gone.md", "new.md", "fine.md"];
    for file in files {
        ann.write(file, "a slip\n");
    }
    ann.sync();
    ben.sync();
    ann.write("back.md", "one\n");
    ann.write("changed.md", "three\n");
    ann.write("new.md", "in other words\n");
    ann.sync();
    for file in ["gone.md", "new.md"] {
        ann.mem(&format!("team delete {file}")).assert_ok();
    }
    ann.mem("team redact back.md --yes").assert_ok();
    ben.mem("inbox accept --all").assert_ok();
    // What the remote has by now is asked about, and nothing goes there.
    let told = ben.mem("team sync --json").assert_ok().json();
    assert_eq!(told["pushed"], serde_json::json!([]), "{told}");
    let waits = serde_json::json!(["back.md", "changed.md", "gone.md", "new.md"]);
    assert_eq!(told["in_inbox"], waits, "{told}");
    ann.sync();
    let at_remote = files.map(|file| ann.read(file).unwrap_or_default());
    assert_eq!(at_remote, ["one\n", "three\n", "", "", "a slip\n"]);
    ben.mem("inbox accept --all").assert_ok();
    ben.sync();
    assert_eq!(
        files.map(|file| ben.read(file).unwrap_or_default()),
        at_remote
    );
    // What one changes of it goes as ever.
    ben.write("fine.md", "of ben\n");
    ben.sync();
    ann.sync();
    assert_eq!(ann.read("fine.md").unwrap(), "of ben\n");
}

#[test]
fn a_deletion_that_was_rejected_can_be_taken_back_for_everybody() {
    let env = TestEnv::new();
    let (ann, ben) = two_with(&env, &["x.md"]);
    ben.mem("config set team.pull review").assert_ok();
    ann.mem("team delete x.md").assert_ok();
    ben.sync();
    ben.mem("inbox reject --all").assert_ok();
    ben.sync();
    let status = ben.mem("team status").assert_ok().stdout;
    assert!(
        status.contains("comes back for everybody by `mem inbox accept`"),
        "{status}"
    );
    ben.write("x.md", "of ben\n");
    ben.sync();
    ben.mem("inbox accept --all").assert_ok();
    assert!(ben.read("x.md").is_none());
    ben.mem("undo").assert_ok();
    let told = ben.sync().stdout;
    assert!(told.contains("sent  x.md"), "{told}");
    ann.sync();
    assert_eq!(ann.read("x.md").unwrap(), "of ben\n");
}

/// Both have `n.md`, and Ann changes its first line; Ben makes something else of his, and looks at everything first.
fn both_edited<'e>(env: &'e TestEnv, of_ben: &str) -> (Person<'e>, Person<'e>) {
    let (ann, ben) = two_with(env, &["n.md"]);
    ann.write("n.md", "1\n2\n3\n");
    ann.sync();
    ben.sync();
    ben.mem("config set team.pull review").assert_ok();
    ann.write("n.md", "ONE\n2\n3\n");
    ann.sync();
    ben.write("n.md", of_ben);
    ben.sync();
    (ann, ben)
}

#[test]
fn what_is_merged_in_the_inbox_goes_back_to_everybody() {
    let env = TestEnv::new();
    let (ann, ben) = both_edited(&env, "1\n2\nTHREE\n");
    ben.mem("inbox accept --all").assert_ok();
    let both = "ONE\n2\nTHREE\n";
    assert_eq!(ben.read("n.md").as_deref(), Some(both));
    let told = ben.sync();
    assert!(told.stdout.contains("n.md"), "{}", told.shown());
    ann.sync();
    assert_eq!(ann.read("n.md").as_deref(), Some(both));
    assert!(ben.sync().stdout.contains("in step"));
}

#[test]
fn who_wrote_the_same_and_more_sends_the_rest() {
    let env = TestEnv::new();
    let (ann, ben) = both_edited(&env, "ONE\n2\nTHREE\n");
    let waiting = ben.mem("inbox list").assert_ok().stdout;
    assert!(!waiting.contains("n.md"), "{waiting}");
    ann.sync();
    assert_eq!(ann.read("n.md").as_deref(), Some("ONE\n2\nTHREE\n"));
}

#[test]
fn what_a_person_makes_of_a_colleagues_text_is_their_answer_to_it() {
    let env = TestEnv::new();
    let (ann, ben) = two_with(&env, &["n.md"]);
    ben.mem("config set team.pull review").assert_ok();
    ann.write("n.md", "of ann\n");
    ann.sync();
    ben.sync();
    let list = ben.mem("inbox list --json").assert_ok().json();
    let id = list["entries"][0]["id"].as_str().unwrap().to_owned();
    let editor = env.root().join("edit.sh");
    std::fs::write(&editor, "#!/bin/sh\necho of ben >> \"$1\"\n").unwrap();
    let shell = format!("sh {}", editor.display());
    ben.invoke(["inbox", "edit", &id])
        .env("EDITOR", &shell)
        .run()
        .assert_ok();
    let edited = "of ann\nof ben\n";
    assert_eq!(ben.read("n.md").as_deref(), Some(edited));
    ben.sync();
    let waiting = ben.mem("inbox list").assert_ok().stdout;
    assert!(!waiting.contains("n.md"), "{waiting}");
    ann.sync();
    assert_eq!(ann.read("n.md").as_deref(), Some(edited));
}

#[test]
fn what_the_team_deleted_waits_for_nobody() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ben.mem("config set team.pull review").assert_ok();
    ann.write("gone.md", "soon gone\n");
    ann.write("stays.md", "it stays\n");
    ann.sync();
    ben.sync();
    ann.mem("team delete gone.md").assert_ok();
    ann.sync();
    ben.sync();
    let waiting = ben.mem("inbox list").assert_ok().stdout;
    assert!(
        waiting.contains("stays.md") && !waiting.contains("gone.md"),
        "{waiting}"
    );
}

#[test]
fn what_gave_way_to_an_accepted_text_and_was_never_sent_is_kept() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ben.mem("config set team.pull review").assert_ok();
    ann.write("n.md", "of ann\n");
    ann.write("m.md", "of ann\n");
    ann.sync();
    ben.write("n.md", "of ben\n");
    ben.sync();
    ben.mem("inbox accept --all").assert_ok();
    assert_eq!(ben.read("n.md").as_deref(), Some("of ann\n"));
    let told = ben.mem("team resolve").assert_ok().stdout;
    assert!(told.contains("n.md") && !told.contains("m.md"), "{told}");
    ann.write("m.md", "later\n");
    ann.sync();
    ben.sync();
    ben.mem("inbox accept --all").assert_ok();
    let told = ben.mem("team resolve").assert_ok().stdout;
    assert!(!told.contains("m.md"), "it was the team's: {told}");
    ben.mem("team resolve n.md --mine").assert_ok();
    assert_eq!(ben.read("n.md").as_deref(), Some("of ben\n"));
}
