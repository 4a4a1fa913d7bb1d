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
    ann.write("project_fine.md", &topic("of nobody"));
    for line in [
        "team review --all --dry-run",
        "team review --all",
        "team push",
    ] {
        let told = ann.mem(line).assert_code(3);
        let reason = "not sent: `project_leak.md` holds a secret";
        assert!(told.stderr.contains(reason), "{line}: {}", told.shown());
        assert!(
            !told.stdout.contains("project_leak"),
            "{line}: {}",
            told.shown()
        );
        assert!(
            told.stdout.contains("project_fine"),
            "{line}: {}",
            told.shown()
        );
    }
    // Named where what waits is only shown, and its text is not.
    let told = ann.mem("team review").assert_ok();
    assert!(told.stderr.contains("project_leak.md"), "{}", told.shown());
    assert!(!told.shown().contains(&mem_tests::github_token(3)));
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
fn a_pointer_stays_with_a_memory_that_is_held_back_and_leaves_with_it() {
    let env = TestEnv::new();
    let (ann, ben) = two_by_default(&env);
    for push in ["auto", "review"] {
        ann.mem(&format!("config set team.push {push}")).assert_ok();
        let (held, fine) = (format!("{push}_u2.md"), format!("{push}_x.md"));
        ann.write(&held, ABOUT_PERSON);
        ann.write(&fine, &topic("of all"));
        let index = ann.read("MEMORY.md").unwrap_or_default();
        let entries = format!("- [Tea]({held}) — drinks\n- [X]({fine}) — of all\n");
        ann.write("MEMORY.md", &(index + &entries));
        ann.mem(&format!("team review {fine} MEMORY.md"))
            .assert_ok();
        ann.mem("team sync").assert_code(1);
        ben.sync();
        let shared = ben.read("MEMORY.md").unwrap();
        assert!(
            shared.contains(&fine) && !shared.contains(&held),
            "{shared}"
        );
        // A colleague's line comes in between, and the line that is held back stays where it is.
        ben.write("MEMORY.md", &format!("{shared}\nOf {push} by ben.\n"));
        ben.mem("team review --all").assert_ok();
        ben.sync();
        ann.mem("team sync").assert_code(1);
        let own = ann.read("MEMORY.md").unwrap();
        assert!(
            own.contains(&held) && own.contains(&format!("Of {push}")),
            "{own}"
        );
        let status = ann.mem("team status --json").assert_ok().json();
        let unsent = status["waiting"].to_string();
        assert!(!unsent.contains("MEMORY.md"), "{push}: {status}");
        ann.write(&held, &topic("tea"));
        ann.mem(&format!("team review {held} MEMORY.md"))
            .assert_ok();
        ann.sync();
        ben.sync();
        assert!(ben.read("MEMORY.md").unwrap().contains(&held));
        assert_eq!(ben.read("MEMORY.md"), ann.read("MEMORY.md"));
        // Of one that becomes one about a person colleagues keep what they have.
        ann.write(&held, ABOUT_PERSON);
        let own = ann.read("MEMORY.md").unwrap();
        let line = format!("({held}) — drinks");
        ann.write(
            "MEMORY.md",
            &own.replace(&line, &format!("({held}) — what Ann drinks")),
        );
        ann.mem("team review MEMORY.md");
        ann.mem("team sync").assert_code(1);
        ben.sync();
        let shared = ben.read("MEMORY.md").unwrap();
        assert!(
            shared.contains(&line) && !shared.contains("Ann"),
            "{shared}"
        );
        ann.write(&held, &topic("tea"));
        ann.write("MEMORY.md", &own);
        ann.mem("team review --all");
        ann.sync();
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

#[test]
fn a_redaction_sends_the_cleaned_files_and_no_line_that_waits() {
    let env = TestEnv::new();
    let (ann, ben) = two_by_default(&env);
    let save = ["save", "--type", "project", "--scope", "team", "--name"];
    let rest = [
        "Cache",
        "--description",
        "at zanzibar",
        "--body",
        "b zanzibar",
    ];
    ann.invoke(save.into_iter().chain(rest)).run().assert_ok();
    save_as_agent(&ann, "Seen", "Reviewed zanzibar.");
    ann.mem("team review --all").assert_ok();
    ann.sync();
    ann.write("user_1.md", ABOUT_PERSON);
    let index = ann.read("MEMORY.md").unwrap();
    let lines = "- [Ann](user_1.md) \u{2014} is ill\nProse of a program.\n";
    ann.write("MEMORY.md", &(index + lines));
    save_as_agent(&ann, "Unseen", "Never reviewed zanzibar.");
    ann.mem("team sync").assert_code(1);
    ann.mem("redact --text zanzibar --yes").assert_ok();
    let told = ann.mem("team sync").assert_code(1).stdout;
    for file in ["MEMORY.md", "project_cache.md", "project_seen.md"] {
        assert!(told.contains(&format!("sent  {file}")), "{told}");
    }
    ben.sync();
    assert_eq!(
        ben.read("MEMORY.md").unwrap(),
        "- [Cache](project_cache.md) \u{2014} at [redacted]\n- [Seen](project_seen.md) \u{2014} about it\n"
    );
    let seen = ben.read("project_seen.md").unwrap();
    assert!(seen.contains("Reviewed [redacted]."), "{seen}");
    assert_eq!(ben.read("project_unseen.md"), None);
}

#[test]
fn a_redaction_lets_nothing_go_that_another_program_wrote_into_a_shared_file() {
    let env = TestEnv::new();
    let (ann, ben) = two_by_default(&env);
    let file = "project_cache.md";
    ann.save("Cache", "one zanzibar");
    assert!(sent(&ann, &ben, file).is_some());
    let text = ann.read(file).unwrap();
    ann.write(file, &format!("{text}Of a program.\n"));
    ann.sync();
    ann.mem("redact --text zanzibar --yes").assert_ok();
    let told = ann.sync().stdout;
    let waits = format!("waits for `mem team review`  {file}");
    assert!(told.contains(&waits), "{told}");
    let there = sent(&ann, &ben, file).unwrap();
    assert!(!there.contains("Of a program."), "{there}");
    ann.mem("team review --all").assert_ok();
    let there = sent(&ann, &ben, file).unwrap();
    assert!(
        there.contains("one [redacted]") && there.contains("Of a program."),
        "{there}"
    );
}

#[test]
fn a_redaction_at_the_remote_names_the_review_of_what_waits_for_one() {
    let env = TestEnv::new();
    let (ann, _) = two_by_default(&env);
    for body in ["the leaked one", "a clean one"] {
        ann.save("Cache", body);
        ann.sync();
    }
    save_as_agent(&ann, "Cache", "of an agent");
    ann.sync();
    let redact = "team redact project_cache.md --yes";
    let told = ann.mem(redact).assert_ok().stderr;
    assert!(
        told.contains("is not sent yet") && told.contains("`mem team review`"),
        "{told}"
    );
    assert!(!told.contains("`mem team sync`"), "{told}");
}

#[test]
fn a_line_that_no_review_lets_go_is_not_listed_for_one() {
    let env = TestEnv::new();
    let (ann, _) = two_by_default(&env);
    ann.save("Mine", "Of a person.");
    ann.sync();
    let index = ann.read("MEMORY.md").unwrap();
    ann.write("user_1.md", ABOUT_PERSON);
    ann.write(
        "MEMORY.md",
        &(index + "- [Ann](user_1.md) \u{2014} is ill\n"),
    );
    for _ in 0..2 {
        let told = ann.mem("team sync").assert_code(1);
        assert!(!told.stdout.contains("team review"), "{}", told.shown());
    }
}
