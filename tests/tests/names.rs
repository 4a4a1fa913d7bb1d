//! What a name means: in every tier, and for notes that are gone.

use mem_tests::{Repo, TestEnv};

fn save(repo: &Repo<'_>, name: &str, scope: &str) {
    let args = ["save", "--type", "user", "--name", name, "--scope", scope];
    let more = ["--description", "what it is", "--body", name];
    repo.mem([&args[..], &more].concat()).assert_ok();
}

#[test]
fn a_note_that_is_gone_answers_to_its_title_and_to_a_beginning() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    for name in ["Second thoughts", "Season", "Second thoughts"] {
        save(&repo, name, "private");
        repo.mem(["remove", name]).assert_ok();
    }
    let output = repo.mem(["restore", "se"]).assert_code(1);
    assert!(output.stderr.contains("could be"), "{}", output.stderr);
    for name in ["Second thoughts", "second THOUGHTS", "sec", "user_sec"] {
        let output = repo.mem(["restore", name]).assert_ok();
        insta::allow_duplicates! {
            let (what, when) = output.stdout.split_once(" to ").unwrap();
            insta::assert_snapshot!(what, @"restored user_second_thoughts.md");
            assert!(when.ends_with(" of 2026-01-01 00:00:00Z\n"), "{when}");
        }
        repo.mem(["history", name]).assert_ok();
        repo.mem(["remove", "second"]).assert_ok();
    }
    // What stands goes before what is gone.
    save(&repo, "Sec", "private");
    let output = repo.mem(["history", "sec", "--json"]).assert_ok();
    assert_eq!(output.json()["file"], "user_sec.md");
}

#[test]
fn a_former_title_still_leads_to_the_note() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "Old words", "private");
    repo.mem(["rename", "old words", "New words"]).assert_ok();
    for name in ["Old words", "user_old_words"] {
        let json = repo.mem(["history", name, "--json"]).assert_ok().json();
        assert_eq!(json["versions"][0]["file"], "user_new_words.md");
    }
    repo.mem(["redact", "old words", "--yes"]).assert_ok();
    assert_eq!(repo.note("user_new_words.md"), None);
}

#[test]
fn a_file_that_something_moved_has_its_id_and_age_before_it_is_recorded() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "Moved", "private");
    let note = |name: &str| {
        let json = repo.mem(["show", name, "--json"]).assert_ok().json();
        (json["id"].clone(), json["modified"].clone())
    };
    let before = note("moved");
    let dir = repo.memory();
    std::fs::rename(dir.join("user_moved.md"), dir.join("elsewhere.md")).unwrap();
    assert_eq!(note("elsewhere.md"), before);
    repo.mem(["history"]).assert_ok();
    assert_eq!(note("elsewhere.md"), before);
}

#[test]
fn the_commands_about_the_past_find_ones_own_notes_too() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "Mine", "global");
    save(&repo, "Both", "global");
    save(&repo, "Both", "private");
    for name in ["mine", "global:mine", "global:user_mine.md"] {
        repo.mem(["history", name]).assert_ok();
        repo.mem(["diff", name]).assert_ok();
    }
    let output = repo.mem(["remove", "mine"]).assert_ok();
    assert!(
        output
            .stderr
            .starts_with("`mem undo --global` brings it back\n")
    );
    repo.mem(["restore", "mine"]).assert_ok();
    let both = |name: &str| {
        let json = repo.mem(["history", name, "--json"]).assert_ok().json();
        json["note"].clone()
    };
    assert_ne!(both("global:both"), both("private:both"));
    repo.mem(["history", "team:both"]).assert_code(1);
    repo.mem(["redact", "global:both", "--yes"]).assert_ok();
    repo.mem(["show", "private:both"]).assert_ok();
    repo.mem(["show", "global:both"]).assert_code(1);
}

#[test]
fn a_name_in_two_tiers_is_told_apart_by_its_tier() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "Both", "global");
    save(&repo, "Both", "private");
    let output = repo.mem(["show", "user_both.md"]).assert_code(1);
    insta::assert_snapshot!(output.stderr, @r"
    error: `user_both.md` could be any of private:user_both.md, global:user_both.md
    hint: name the file in full; `private:`, `team:` or `global:` before it says the tier
    ");
    repo.mem(["show", "private:user_both.md"]).assert_ok();
}

#[test]
fn undo_takes_the_last_change_back_wherever_it_was_made() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "Here", "private");
    env.advance(60);
    save(&repo, "Mine", "global");
    let output = repo.mem(["undo"]).assert_ok();
    assert!(output.stdout.contains("user_mine.md"), "{}", output.shown());
    assert!(
        output.stderr.contains("your own notes"),
        "{}",
        output.shown()
    );
    let left = repo.mem(["list"]).assert_ok().stdout;
    assert!(left.contains("user_here.md"), "{left}");
    let output = repo.mem(["undo"]).assert_ok();
    assert!(output.stdout.contains("user_here.md"), "{}", output.shown());
    let output = repo.mem(["undo"]).assert_code(1);
    assert!(output.stderr.contains("--global"), "{}", output.stderr);
}

#[test]
fn texts_may_begin_with_a_hyphen() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let args = ["save", "--type", "feedback", "--name", "List"];
    let texts = [
        "--description",
        "- one",
        "--body",
        "- one\n- two",
        "--reason",
        "- asked",
    ];
    repo.mem([&args[..], &texts].concat()).assert_ok();
    let shown = repo.mem(["show", "list"]).assert_ok().stdout;
    assert!(shown.ends_with("- one\n- two\n"), "{shown}");
    assert!(shown.contains("(- asked)"), "why it was written: {shown}");
    let history = repo.mem(["history", "list"]).assert_ok().stdout;
    assert!(history.contains("(- asked)"), "{history}");
}

#[test]
fn a_choice_that_leaves_nothing_is_not_called_empty() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let output = repo.mem(["list"]).assert_ok();
    insta::assert_snapshot!(output.stderr, @"no memories yet: `mem save` makes one");
    save(&repo, "One", "private");
    let output = repo.mem(["list", "--tag", "none"]).assert_ok();
    insta::assert_snapshot!(output.stderr, @"no memory is of that kind: `mem list` shows all");
}
