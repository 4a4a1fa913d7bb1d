//! What `mem sync` says of one's own notes, and where it finds out that they would meet the team's.

use std::fs;

use mem_tests::TestEnv;

use crate::sync::{two, write};
use crate::team::Person;

#[test]
fn one_place_is_one_in_every_spelling_whoever_comes_first() {
    let env = TestEnv::new();
    let (laptop, _) = two(&env);
    let bare = env.root().join("notes.git");
    let link = env.root().join("by-another-name");
    std::os::unix::fs::symlink(&bare, &link).unwrap();
    let (bare, link) = (bare.to_string_lossy(), link.to_string_lossy());
    let spelled = [
        format!("git:{bare}/"),
        format!("git:{}", bare.strip_suffix(".git").unwrap()),
        format!("git:file://{bare}"),
        format!("git:{link}"),
        "git:../../notes.git".to_owned(),
    ];
    let team = |remote: &str| {
        let args = ["team", "setup", "--repo", "acme/app", "--remote", remote];
        laptop.invoke(args).run()
    };
    for remote in &spelled {
        let refused = team(remote).assert_code(1).stderr;
        assert!(
            refused.contains("your own notes are kept at"),
            "{remote}: {refused}"
        );
    }
    let suggestion = laptop.repo.path().join(".mem/team.toml");
    fs::create_dir_all(suggestion.parent().unwrap()).unwrap();
    fs::write(
        &suggestion,
        format!("remote = \"git:{link}\"\nrepo = \"acme/app\"\n"),
    )
    .unwrap();
    laptop.mem("team join --yes").assert_code(1);
    laptop.mem("sync leave").assert_ok();
    team(&spelled[0]).assert_ok();
    // A relative address means another repository in every clone: it is none for one's own notes.
    for remote in &spelled[..4] {
        let refused = laptop.invoke(["sync", "setup", "--remote", remote]).run();
        let refused = refused.assert_code(1).stderr;
        assert!(
            refused.contains("the team's memory is shared at"),
            "{remote}: {refused}"
        );
    }
}

#[test]
fn what_is_said_of_own_notes_is_said_of_them() {
    let env = TestEnv::new();
    let (laptop, desk) = two(&env);
    let save = |person: &Person<'_>, body: &str| {
        let args = [
            "save", "--type", "user", "--scope", "global", "--update", "--name",
        ];
        let rest = ["Editor", "--description", "about it", "--body", body];
        person
            .invoke(args.into_iter().chain(rest))
            .run()
            .assert_ok();
        person.mem("sync").assert_ok();
    };
    save(&laptop, "Tabs.");
    save(&desk, "Spaces.");
    let status = desk.mem("status").assert_ok().stdout;
    assert!(
        status.contains("`mem sync resolve --scope global` shows both"),
        "{status}"
    );
    let shown = desk.mem("sync resolve --scope global").assert_ok().stderr;
    assert!(
        shown.contains("`mem sync resolve --scope global KEY`"),
        "{shown}"
    );
    for (line, said) in [
        (
            "sync delete no.md",
            "nothing at the remote is called `no.md`",
        ),
        (
            "sync redact no.md --yes",
            "nothing at the remote was ever called `no.md`",
        ),
        ("sync resolve no.md --mine", "`mem sync resolve` lists"),
    ] {
        let refused = desk.mem(line).assert_code(1).stderr;
        assert!(
            refused.contains(said) && !refused.contains("team"),
            "{line}: {refused}"
        );
    }
    desk.repo.git(["remote", "remove", "origin"]);
    let told = desk.mem("sync").stderr;
    assert!(
        told.contains("the private notes of this repository stay here"),
        "{told}"
    );
    assert!(!told.contains("team"), "{told}");
    let refused = desk.mem("sync delete x.md").assert_code(1).stderr;
    assert!(
        refused.contains("the private notes stay on this machine"),
        "{refused}"
    );
}

#[test]
fn a_tier_or_a_name_that_is_not_for_ones_own_notes_is_told() {
    let env = TestEnv::new();
    let (laptop, _desk) = two(&env);
    for line in ["sync delete x.md --scope team", "sync resolve --scope team"] {
        let told = laptop.mem(line).assert_code(2).stderr;
        assert!(told.contains("`mem team`"), "{line}: {told}");
    }
    let notes = env.root().join("notes.git");
    let remote = format!("git:{}", notes.display());
    for name in ["../x", "a b", "x/"] {
        let setup = ["sync", "setup", "--remote", &remote, "--name", name];
        let told = laptop.invoke(setup).run().assert_code(1).stderr;
        assert!(
            told.contains("names of your own notes") && told.contains("--name"),
            "{told}"
        );
    }
    for line in [
        "sync diff nothing.md",
        "sync diff --scope global nothing.md",
    ] {
        let told = laptop.mem(line).assert_code(1).stderr;
        assert!(told.contains("is called `nothing.md`"), "{line}: {told}");
    }
    laptop.mem("sync diff --scope team").assert_code(2);
    // One tier has it, and the other need not.
    write(&laptop, "mine.md", "one\n");
    let told = laptop.mem("sync diff mine.md").assert_ok().stdout;
    assert!(told.contains("+one"), "{told}");
}
