//! What nobody gave to the team stays here, as long as a person has said nothing else (`team.push`).

use mem_tests::{Server, TestEnv};

use crate::team::Person;
use crate::team_review::save_as_agent;

/// Two people who set sharing up and nothing else.
fn two_by_default(env: &TestEnv) -> (Person<'_>, Person<'_>) {
    let ann = Person::new(env, "ann").set_up_by_default();
    let ben = Person::new(env, "ben").set_up_by_default();
    (ann, ben)
}

/// A sync, and what the other has of a file afterwards.
fn sent(from: &Person<'_>, to: &Person<'_>, file: &str) -> Option<String> {
    from.mem("team sync").assert_ok();
    to.mem("team sync").assert_ok();
    to.read(file)
}

fn topic(body: &str) -> String {
    format!("---\nname: x\ndescription: about it\ntype: project\n---\n{body}\n")
}

#[test]
fn a_save_without_a_tier_is_private_and_says_how_it_is_shared() {
    let env = TestEnv::new();
    let (ann, _) = two_by_default(&env);
    for kind in ["project", "reference", "feedback", "user"] {
        let run = ann.mem(&format!(
            "save --type {kind} --name N-{kind} --description d --body b"
        ));
        let told = run.assert_ok();
        assert!(told.stdout.contains("(private)"), "{}", told.shown());
        let says_how = told.stderr.contains("mem team share");
        assert_eq!(says_how, kind != "user", "{kind}: {}", told.shown());
    }
    assert!(!ann.team().exists());
}

#[test]
fn what_another_program_wrote_waits_for_a_look() {
    let env = TestEnv::new();
    let (ann, ben) = two_by_default(&env);
    ann.write("x.md", &topic("of nobody"));
    ann.write("MEMORY.md", "- [x](x.md) — about it\n");
    ann.save("Mine", "Of a person.");
    let told = ann.sync().stdout;
    for file in ["x.md", "MEMORY.md"] {
        let line = format!("waits for `mem team review`  {file}");
        assert!(told.contains(&line), "{told}");
    }
    assert!(told.contains("sent  project_mine.md"), "{told}");
    let has = |file: &str| sent(&ann, &ben, file).is_some();
    assert!(!has("x.md") && has("project_mine.md"));
    assert_eq!(
        ben.read("MEMORY.md").as_deref(),
        Some("- [Mine](project_mine.md) — about it\n")
    );
    // A person who writes over it stands behind it.
    let edit = [
        "save", "--type", "project", "--scope", "team", "--update", "--file", "x.md",
    ];
    let rest = [
        "--name",
        "x",
        "--description",
        "about it",
        "--body",
        "of ann",
    ];
    ann.invoke(edit.into_iter().chain(rest)).run().assert_ok();
    assert!(sent(&ann, &ben, "x.md").unwrap().contains("of ann"));
    // What an agent makes of it then waits again.
    let run = ann
        .invoke(
            edit.into_iter()
                .chain(rest[..5].iter().copied())
                .chain(["of an agent"]),
        )
        .env("MEM_ACTOR", "agent");
    let told = run.run().assert_ok().stderr;
    assert!(told.contains("mem team review"), "{told}");
    assert!(sent(&ann, &ben, "x.md").unwrap().contains("of ann"));
    ann.mem("team review --all").assert_ok();
    assert!(sent(&ann, &ben, "x.md").unwrap().contains("of an agent"));
    assert!(ben.read("MEMORY.md").unwrap().contains("Mine"));
}

#[test]
fn no_undo_or_restore_or_rename_lets_go_what_an_agent_wrote() {
    let env = TestEnv::new();
    let (ann, ben) = two_by_default(&env);
    let file = "project_freeze.md";
    save_as_agent(&ann, "Freeze", "First.");
    save_as_agent(&ann, "Freeze", "Second.");
    ann.mem("undo").assert_ok();
    assert!(ann.read(file).unwrap().contains("First."));
    assert_eq!(sent(&ann, &ben, file), None);
    ann.mem("rename team:project_freeze.md Thaw").assert_ok();
    assert_eq!(sent(&ann, &ben, "project_thaw.md"), None);
    ann.mem("rename team:project_thaw.md Freeze").assert_ok();
    // What a person wrote comes back as theirs.
    ann.save("Freeze", "Of ann.");
    assert!(sent(&ann, &ben, file).unwrap().contains("Of ann."));
    save_as_agent(&ann, "Freeze", "Third.");
    ann.save("Freeze", "Of ann again.");
    ann.mem("undo").assert_ok();
    assert!(ann.read(file).unwrap().contains("Third."));
    assert!(sent(&ann, &ben, file).unwrap().contains("Of ann."));
    ann.mem("undo").assert_ok();
    // The team has the file: another title is all that it may get here alone.
    ann.mem("rename team:project_freeze.md Spring --file project_freeze.md")
        .assert_ok();
    let spring = sent(&ann, &ben, file).unwrap();
    assert!(
        spring.contains("Spring") && spring.contains("Of ann."),
        "{spring}"
    );
}

#[test]
fn a_merge_with_a_colleagues_text_lets_nothing_of_an_agent_go() {
    let env = TestEnv::new();
    let (ann, ben) = two_by_default(&env);
    let lines = |first: &str, last: &str| format!("{first}\n\nmiddle\n\n{last}");
    ann.save("Plan", &lines("one", "two"));
    assert!(sent(&ann, &ben, "project_plan.md").is_some());
    save_as_agent(&ann, "Plan", &lines("of an agent", "two"));
    ben.save("Plan", &lines("one", "of ben"));
    ben.sync();
    let here = {
        ann.sync();
        ann.read("project_plan.md").unwrap()
    };
    assert!(
        here.contains("of an agent") && here.contains("of ben"),
        "{here}"
    );
    let there = sent(&ann, &ben, "project_plan.md").unwrap();
    assert!(!there.contains("of an agent"), "{there}");
    ann.mem("team review --all").assert_ok();
    let there = sent(&ann, &ben, "project_plan.md").unwrap();
    assert!(there.contains("of an agent"), "{there}");
}

#[test]
fn what_was_there_before_or_is_imported_waits_and_is_told() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann");
    ann.mem("init --no-setup").assert_ok();
    ann.write("old.md", &topic("from before"));
    let setup = ann
        .mem("team setup --remote git:origin --repo acme/app")
        .assert_ok();
    assert!(
        setup.stderr.contains("1 file here waits") && setup.stderr.contains("mem team review"),
        "{}",
        setup.shown()
    );
    let ben = Person::new(&env, "ben").set_up_by_default();
    assert_eq!(sent(&ann, &ben, "old.md"), None);
    let folder = env.work().join("elsewhere");
    std::fs::create_dir_all(folder.join("team")).unwrap();
    std::fs::write(folder.join("team/theirs.md"), topic("of others")).unwrap();
    let path = folder.to_string_lossy().into_owned();
    let import = ann.invoke(["import", &path]).run().assert_ok();
    assert!(
        import.stderr.contains("mem team review"),
        "{}",
        import.shown()
    );
    assert_eq!(sent(&ann, &ben, "theirs.md"), None);
    assert_eq!(ben.read("MEMORY.md"), None);
    ann.mem("team review --all").assert_ok();
    assert!(sent(&ann, &ben, "theirs.md").is_some() && ben.read("old.md").is_some());
}

#[test]
fn only_a_person_says_that_everything_goes_and_setup_leaves_their_word() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann");
    let push = || ann.mem("config get team.push").assert_ok().line();
    assert_eq!(push(), "review");
    let setup = "team setup --remote git:origin --repo acme/app";
    ann.mem(setup).assert_ok();
    assert_eq!(push(), "review");
    let by_agent = ann.invoke(["config", "set", "team.push", "auto"]);
    by_agent.env("MEM_ACTOR", "agent").run().assert_code(1);
    let with_flag = format!("{setup} --push auto");
    let by_agent = ann.invoke(with_flag.split(' ')).env("MEM_ACTOR", "agent");
    by_agent.run().assert_code(1);
    assert_eq!(push(), "review");
    let told = ann.mem(&format!("{with_flag} --json")).assert_ok().json();
    assert_eq!(told["push"], "auto");
    assert_eq!(push(), "auto");
    let told = ann.mem(setup).assert_ok().stderr;
    assert_eq!(push(), "auto");
    assert!(told.contains("everything in the team tier goes"), "{told}");
}

#[test]
fn a_secret_in_a_file_that_waits_is_told_at_once() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann").set_up_by_default();
    ann.write(
        "project_leak.md",
        &format!("key {}\n", mem_tests::github_token(3)),
    );
    let told = ann.mem("team push");
    assert_ne!(told.code, 0, "{}", told.shown());
    assert!(told.shown().contains("project_leak.md"), "{}", told.shown());
}

/// A memory about a person, which no write gate of the team tier lets in.
const ABOUT_PERSON: &str = "---\nname: U2\ndescription: d\ntype: user\n---\nLikes tea.\n";

#[test]
fn a_memory_about_a_person_stays_whoever_reviews_it() {
    let env = TestEnv::new();
    let server = Server::open(&env);
    let by_server = |name: &str| {
        let person = Person::new(&env, name);
        let setup = format!("team setup --remote {} --repo acme/app", server.url());
        person.mem(&setup).assert_ok();
        person
    };
    let reason = "not sent: `user_u2.md` is about a person: not for the team tier";
    let hint = "`mem save --type user`";
    let on_server = (by_server("carl"), by_server("dora"));
    for (ann, ben) in [two_by_default(&env), on_server] {
        ann.write("user_u2.md", ABOUT_PERSON);
        ann.write("x.md", &topic("of nobody"));
        for line in ["team review user_u2.md", "team review --all"] {
            let told = ann.mem(line).assert_code(1);
            assert!(told.stderr.contains(reason), "{}", told.shown());
            assert!(told.stderr.contains(hint), "{}", told.shown());
            assert!(!told.stdout.contains("user_u2.md"), "{}", told.shown());
        }
        for line in ["team sync --dry-run", "team push", "team sync"] {
            let told = ann.mem(line).assert_code(1);
            assert!(told.stderr.contains(reason), "{line}: {}", told.shown());
            assert!(told.stderr.contains(hint), "{line}: {}", told.shown());
            assert!(!told.stdout.contains("user_u2.md"), "{}", told.shown());
        }
        let json = ann.mem("team sync --json").assert_code(1).json();
        assert_eq!(json["blocked"][0]["file"], "user_u2.md", "{json}");
        ann.mem("config set team.push auto").assert_ok();
        ann.mem("team sync").assert_code(1);
        let taken = ben.mem("team sync --json").assert_ok().json();
        assert_eq!(taken["not_taken"], serde_json::json!([]), "{taken}");
        assert!(ben.read("x.md").is_some() && ben.read("user_u2.md").is_none());
        assert!(ann.read("user_u2.md").is_some(), "it stays here");
    }
}

#[test]
fn a_merge_of_what_was_reviewed_is_sent_by_the_same_sync() {
    let env = TestEnv::new();
    let (ann, ben) = two_by_default(&env);
    let text = |first: &str, last: &str| topic(&format!("{first}\n\nb\n\nc\n\nd\n\n{last}"));
    let send = |person: &Person<'_>, first: &str, last: &str| {
        person.write("x.md", &text(first, last));
        person.mem("team review --all").assert_ok();
        person.sync().stdout
    };
    send(&ann, "a", "e");
    ben.sync();
    send(&ann, "a", "of ann");
    let told = send(&ben, "of ben", "e");
    for line in ["merged  x.md", "sent  x.md"] {
        assert!(told.contains(line), "{told}");
    }
    assert!(!told.contains("waits for"), "{told}");
    ann.sync();
    assert_eq!(ann.read("x.md"), Some(text("of ben", "of ann")));
}
