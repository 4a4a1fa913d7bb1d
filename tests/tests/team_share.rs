//! `mem team share`: a private memory and its entry move to the team, as one change.

use std::fs;

use mem_tests::{TestEnv, github_token};

use crate::team::Person;

fn save(person: &Person<'_>, kind: &str, name: &str, body: &str) {
    let args = ["save", "--type", kind, "--name", name, "--description"];
    let rest = ["about it", "--body", body];
    person
        .invoke(args.into_iter().chain(rest))
        .run()
        .assert_ok();
}

/// The private list.
fn list(person: &Person<'_>) -> String {
    fs::read_to_string(person.team().parent().unwrap().join("MEMORY.md")).unwrap_or_default()
}

#[test]
fn a_memory_moves_with_its_entry_travels_and_comes_back_with_one_undo() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann").set_up_by_default();
    let ben = Person::new(&env, "ben").set_up_by_default();
    let file = "project_freeze.md";
    save(&ann, "project", "Freeze", "Nothing lands.");
    save(&ann, "project", "Other", "Stays.");
    let id = |name: &str| ann.mem(&format!("show {name} --json")).assert_ok().json()["id"].clone();
    let before = id("project_freeze.md");
    let own = ann.team().parent().unwrap().to_owned();
    let path = own.join("MEMORY.md");
    let worded = list(&ann).replace(
        "[Freeze](project_freeze.md) — about it",
        "[The freeze](project_freeze.md) — my own words",
    );
    fs::write(&path, &worded).unwrap();
    let dry = ann.mem("team share Freeze --dry-run").assert_ok().stdout;
    assert!(
        dry.contains("would move") && dry.contains("+- [The freeze]"),
        "{dry}"
    );
    assert!(!ann.team().exists());
    let told = ann.mem("team share Freeze --json").assert_ok().json();
    assert_eq!((&told["to"], &told["waits"]), (&file.into(), &false.into()));
    assert!(!own.join(file).exists() && !list(&ann).contains("freeze"));
    assert!(list(&ann).contains("[Other]"));
    let team = ann.read("MEMORY.md").unwrap();
    assert!(
        team.contains("- [The freeze](project_freeze.md) — my own words"),
        "{team}"
    );
    assert_eq!(id("team:project_freeze.md"), before);
    ann.mem("undo").assert_ok();
    assert_eq!(list(&ann), worded);
    assert!(own.join(file).exists() && ann.read(file).is_none());
    ann.mem("team share Freeze").assert_ok();
    let told = ann.sync().stdout;
    assert!(
        told.contains(&format!("sent  {file}")) && told.contains("sent  MEMORY.md"),
        "{told}"
    );
    ben.sync();
    assert!(ben.read(file).unwrap().contains("Nothing lands."));
    assert!(ben.read("MEMORY.md").unwrap().contains("The freeze"));
}

#[test]
fn what_does_not_belong_there_is_refused_and_stays_as_it_is() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann");
    save(&ann, "project", "Freeze", "Nothing lands.");
    let told = ann.mem("team share Freeze").assert_code(1).stderr;
    assert!(told.contains("mem team setup"), "{told}");
    let ann = ann.set_up_by_default();
    save(&ann, "user", "Me", "Of Lisbon.");
    save(&ann, "project", "Leak", &format!("key {}", github_token(1)));
    ann.save("Freeze", "Of the team.");
    let own = ann.team().parent().unwrap().to_owned();
    let before = env.files_under(&own);
    for (line, code, said) in [
        ("team share Me", 1, "never goes to the team"),
        ("team share Leak", 3, "holds a secret"),
        ("team share private:project_freeze.md", 4, "--file"),
        ("team share team:project_freeze.md", 1, "already"),
        ("team share nothing", 1, "mem list"),
    ] {
        for end in ["", " --dry-run"] {
            let told = ann.mem(&format!("{line}{end}"));
            let shown = told.shown();
            assert!(shown.contains(said), "{line}: {shown}");
            told.assert_code(code);
            assert_eq!(env.files_under(&own), before, "{line}");
        }
    }
    ann.mem("team share private:project_freeze.md --file project_thaw.md")
        .assert_ok();
    assert!(
        ann.read("project_thaw.md")
            .unwrap()
            .contains("Nothing lands.")
    );
}

#[test]
fn what_an_agent_shares_waits_for_a_look() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann").set_up_by_default();
    let ben = Person::new(&env, "ben").set_up_by_default();
    save(&ann, "project", "Freeze", "Nothing lands.");
    let share = ann
        .invoke(["team", "share", "Freeze"])
        .env("MEM_ACTOR", "agent");
    let told = share.run().assert_ok().stderr;
    assert!(told.contains("mem team review"), "{told}");
    ann.sync();
    ben.sync();
    assert!(ben.read("project_freeze.md").is_none() && ben.read("MEMORY.md").is_none());
    ann.mem("team review --all").assert_ok();
    ann.sync();
    ben.sync();
    assert!(ben.read("project_freeze.md").is_some());
}
