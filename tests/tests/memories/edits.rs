//! Memories that change: what stays of them, and what two editors make of one.

use std::fs;

use insta::assert_snapshot;
use mem_tests::{Output, TestEnv, words};

use super::{memory_dir, save};

/// The text that a run kept because it could not be written.
fn kept_text(env: &TestEnv, output: &Output) -> String {
    let mut lines = output.stderr.lines();
    let kept = lines
        .find_map(|line| line.strip_prefix("warning: your text is kept in "))
        .unwrap_or_else(|| panic!("nothing was kept: {output:?}"));
    let kept = kept.replace("[ENV]", &env.root().to_string_lossy());
    fs::read_to_string(kept).unwrap()
}

/// An editor that does this with the file that it is given, and ends with that status.
#[cfg(unix)]
fn editor(script: &str, status: u8) -> String {
    format!("edit() {{ {script} \"$1\"; return {status}; }}; edit")
}

#[test]
fn an_update_keeps_what_it_does_not_know() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let dir = memory_dir(&repo);
    fs::create_dir_all(&dir).unwrap();
    let old = "---\r\nname: Freeze # comment\r\nowner: \"me\"\r\ndescription: old\r\ntype: project\r\n---\r\nBody\r\n";
    fs::write(dir.join("freeze.md"), old).unwrap();
    let args =
        words("save --type project --name Freeze --description new --file freeze.md --update");
    repo.mem(args).assert_ok();
    let new = fs::read_to_string(dir.join("freeze.md")).unwrap();
    assert!(
        new.contains("owner: \"me\"\r\ndescription: new\r\n"),
        "{new:?}"
    );
    assert!(new.ends_with("---\r\nBody\r\n"), "{new:?}");
}

#[cfg(unix)]
#[test]
fn a_new_memory_is_stored_as_it_was_written() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let text = "---\n# until the audit\nname: Freeze\nowner: \"me\"\ndescription: No merges before the audit\n\
                type: project\n---\n\n\nNothing is merged.";
    let draft = env.root().join("draft.md");
    let hint = "# type: user, feedback, project or reference\ntype: project";
    fs::write(&draft, text.replace("type: project", hint)).unwrap();
    let copy = format!("cp {}", draft.display());
    let run = repo.invoke(["edit", "--new"]).env("EDITOR", copy).run();
    run.assert_ok();
    let file = memory_dir(&repo).join("project_freeze.md");
    assert_eq!(fs::read_to_string(file).unwrap(), text);
}

#[cfg(unix)]
#[test]
fn editing_merges_what_happened_meanwhile() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(
        &repo,
        "project",
        "Plan",
        &["--body", "one\ntwo\nthree\nfour\nfive"],
    );
    let file = memory_dir(&repo).join("project_plan.md");
    // The editor changes the first line, and somebody else the last one while it is open.
    let editor = format!(
        "sed -i s/four/FOUR/ {} && sed -i s/one/ONE/",
        file.display()
    );
    let edited = repo
        .invoke(["edit", "plan"])
        .env("EDITOR", editor)
        .run()
        .assert_ok();
    assert_snapshot!(edited.stdout, @"edited project_plan.md, merged with another edit");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.ends_with("ONE\ntwo\nthree\nFOUR\nfive\n"), "{text}");
}

#[cfg(unix)]
#[test]
fn an_edit_that_cannot_be_merged_is_kept_and_nothing_is_overwritten() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "project", "Plan", &["--body", "one"]);
    let file = memory_dir(&repo).join("project_plan.md");
    let editor = format!(
        "sed -i s/one/theirs/ {} && sed -i s/one/ours/",
        file.display()
    );
    let failed = repo
        .invoke(["edit", "plan"])
        .env("EDITOR", editor)
        .run()
        .assert_code(4);
    assert!(fs::read_to_string(&file).unwrap().ends_with("theirs\n"));
    assert!(kept_text(&env, &failed).ends_with("ours\n"));
}

#[cfg(unix)]
#[test]
fn a_text_is_kept_where_the_editor_fails_after_it_wrote_it() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "project", "Plan", &["--body", "one"]);
    let before = repo.note("project_plan.md");
    let temporary = env.root().join("temporary");
    fs::create_dir(&temporary).unwrap();
    let edit = |script: &str, status: u8| {
        let run = repo.invoke(["edit", "plan", "--quiet"]);
        let run = run.env("TMPDIR", &temporary);
        run.env("EDITOR", editor(script, status)).run()
    };
    let failed = edit("sed -i s/one/two/", 1).assert_code(1);
    assert!(kept_text(&env, &failed).ends_with("two\n"));
    let untouched = edit("true", 1).assert_code(1).stderr;
    assert!(!untouched.contains("kept"), "{untouched}");
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
    // Where it cannot be kept with the state, the editor's copy stays.
    let folder = env.home().join(".local/state/mem/unsaved");
    fs::remove_dir_all(&folder).unwrap();
    fs::write(&folder, "").unwrap();
    let failed = edit("sed -i s/one/three/", 1).assert_code(1);
    assert!(kept_text(&env, &failed).ends_with("three\n"));
    let why = "your text stays where the editor wrote it: cannot write it into";
    assert!(failed.stderr.contains(why), "{}", failed.stderr);
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 1);
    // So does one that cannot be read, whose editor failed.
    let swap = "swap() { rm \"$1\"; mkdir \"$1\"; }; swap";
    let failed = edit(swap, 1).assert_code(1).stderr;
    assert!(
        failed.contains("warning: cannot read `") && failed.contains("ended with"),
        "{failed}"
    );
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 2);
    assert_eq!(repo.note("project_plan.md"), before);
}

#[test]
fn that_a_text_cannot_be_kept_does_not_hide_why_it_was_not_written() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "user", "Beta", &[]);
    fs::write(env.home().join(".local/state/mem/unsaved"), "").unwrap();
    let failed = repo.mem(words("edit beta --if-match 00 --description another"));
    let told = failed.assert_code(4).stderr;
    assert!(told.contains("is not the one of `--if-match`"), "{told}");
    assert!(
        told.contains("warning: your text is not kept: cannot write it into"),
        "{told}"
    );
}

#[cfg(unix)]
#[test]
fn an_emptied_text_changes_nothing() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "project", "Plan", &[]);
    let before = repo.note("project_plan.md");
    let edit = repo.invoke(["edit", "plan"]).env("EDITOR", "truncate -s 0");
    assert_snapshot!(edit.run().assert_code(1).stderr, @r"
    error: the new text of `project_plan.md` is empty; nothing was changed
    hint: `mem remove NAME` removes a memory
    ");
    let piped = repo.invoke(words("edit plan --content -")).stdin("\n");
    piped.run().assert_code(1);
    assert_eq!(repo.note("project_plan.md"), before);
}

#[cfg(unix)]
#[test]
fn a_new_memory_of_a_taken_name_is_kept_with_a_hint_for_an_editor() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "project", "Dupe", &[]);
    let text = "---\nname: Dupe\ndescription: d\ntype: project\n---\n\nTyped.\n";
    let draft = env.root().join("draft.md");
    fs::write(&draft, text).unwrap();
    let copy = format!("cp {}", draft.display());
    let run = repo.invoke(["edit", "--new"]).env("EDITOR", copy).run();
    let failed = run.assert_code(4);
    assert!(
        failed.stderr.contains("hint: choose another name") && !failed.stderr.contains("--update"),
        "{}",
        failed.stderr
    );
    assert_eq!(kept_text(&env, &failed), text);
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_no_sign_that_nothing_was_changed() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let save = repo.invoke(words(
        "save --type project --name Plan --description d --body b",
    ));
    let run = save.through_shell("exec \"$0\" \"$@\" >/dev/full").run();
    let told = run.assert_code(1).stderr;
    assert!(
        told.contains("hint: what the command changed before stays changed: `mem history`"),
        "{told}"
    );
    assert!(repo.note("project_plan.md").is_some());
}

#[test]
fn a_field_that_breaks_its_rules_is_a_usage_error() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "project", "Plan", &[]);
    for flags in ["--importance 9", "--importance few", "--title ''"] {
        let told = repo.mem(words(&format!("edit plan {flags}")));
        assert!(told.assert_code(2).stderr.contains("hint:"), "{flags}");
    }
}

#[test]
fn an_expiry_that_is_past_is_told() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let warning = "warning: the memory expired on 2020-01-01: recall leaves it out";
    let saved = repo.mem(words(
        "save --type project --name Door --description code --body 1234 --expires 2020-01-01",
    ));
    assert_eq!(saved.assert_ok().stderr.trim_end(), warning);
    let listed = repo.mem(["list"]).assert_ok();
    assert_snapshot!(listed.stdout, @"project  project_door.md  today  (expired 2020-01-01) code");
    let expired = || repo.mem(["list", "--json"]).json()["memories"][0]["expired"].clone();
    assert_eq!(expired(), true);
    let later = repo.mem(words("edit door --expires 2026-01-01"));
    assert_eq!(later.assert_ok().stderr, "", "it holds through that day");
    assert_eq!(expired(), false);
    let again = repo.mem(words("edit door --expires 2020-01-01"));
    assert_eq!(again.assert_ok().stderr.trim_end(), warning);
}

#[test]
fn an_update_keeps_line_endings_and_a_body_that_says_the_same() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let head = "---\r\nname: N\r\ndescription: d\r\ntype: user\r\n---\r\n";
    repo.edit_note("n.md", &format!("{head}one\r\nno line end"));
    let update = |description: &str, body: &str| {
        let args = [
            "save", "--update", "--type", "user", "--name", "N", "--file", "n",
        ];
        let more = ["--description", description, "--body", body];
        let line = repo.mem([&args[..], &more].concat()).assert_ok().line();
        (line, repo.note("n.md").unwrap())
    };
    let (line, note) = update("d", "one\nno line end\n");
    assert_eq!(note, format!("{head}one\r\nno line end"));
    assert_eq!(line, "updated n.md (private)", "the index got its line");
    let (line, _) = update("d", "one\nno line end\n");
    assert_eq!(line, "unchanged n.md (private)");
    let (_, note) = update("e", "two\nlines");
    let head = head.replace("description: d", "description: e");
    assert_eq!(note, format!("{head}two\r\nlines\r\n"));
}

#[test]
fn a_hook_that_a_person_wrote_stays_when_only_the_title_changes() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "user", "One", &[]);
    repo.edit_note("MEMORY.md", "# Mine\n* [One](user_one.md): my own words\n");
    repo.mem(["rename", "one", "Two"]).assert_ok();
    let index = || repo.note("MEMORY.md").unwrap();
    assert_eq!(index(), "# Mine\n* [Two](user_two.md): my own words\n");
    let edit = |script: &str| {
        let args = repo.invoke(["edit", "two"]);
        args.env("EDITOR", format!("sed -i {script}"))
            .run()
            .assert_ok();
    };
    edit("s/Two/Three/");
    assert_eq!(index(), "# Mine\n* [Three](user_two.md): my own words\n");
    repo.mem(["undo"]).assert_ok();
    edit("s/what.it.is/anew/");
    assert_eq!(index(), "# Mine\n* [Two](user_two.md): anew\n");
}

#[test]
fn an_update_renews_the_stamp_that_ages_are_told_by() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let dir = memory_dir(&repo);
    fs::create_dir_all(&dir).unwrap();
    let old = "---\nname: Old\ndescription: d\nmetadata: \n  type: project\n  modified: 2020-01-01T00:00:00Z\n---\n\nBody\n";
    fs::write(dir.join("old.md"), old).unwrap();
    let update = |description| {
        let args = [
            "save", "--update", "--type", "project", "--name", "Old", "--file", "old.md",
        ];
        repo.invoke(args.into_iter().chain(["--description", description]))
            .run()
            .assert_ok();
        repo.mem(["list", "--json"]).assert_ok().json()["memories"][0]["modified"].clone()
    };
    assert_eq!(update("d"), "2020-01-01T00:00:00Z", "nothing was changed");
    assert_eq!(update("new"), "2026-01-01T00:00:00Z");
}

#[test]
fn a_removal_without_a_reason_says_that_the_trail_has_none() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    for name in ["One", "Two"] {
        save(&repo, "project", name, &[]);
    }
    let silent = repo.mem(["remove", "One"]).assert_ok().stderr;
    assert!(silent.contains("`--reason` gives one"), "{silent}");
    let told = repo.mem(["remove", "Two", "--reason", "it is over"]);
    assert!(!told.assert_ok().stderr.contains("--reason"));
    let trail = repo.mem(["log-audit"]).assert_ok().stdout;
    assert!(trail.contains("project_one.md  no reason given"), "{trail}");
    assert!(trail.contains("project_two.md  it is over"), "{trail}");
}

#[test]
fn an_edit_whose_condition_does_not_hold_says_so() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "user", "Beta", &[]);
    let before = repo.note("user_beta.md");
    let args = words("edit beta --if-match 00 --description another");
    let told = repo.mem(args).assert_code(4).stderr;
    assert!(
        told.contains("the content of `user_beta.md` is not the one of `--if-match`"),
        "{told}"
    );
    assert_eq!(repo.note("user_beta.md"), before);
}
