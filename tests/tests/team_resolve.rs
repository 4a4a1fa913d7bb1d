//! `mem team resolve`: what somebody wrote is not lost by it, and nobody else's text either.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use mem_tests::{Output, TestEnv};

use crate::team::{Person, both_changed};

/// Resolves in an editor that does this with the file it is given.
fn edited(env: &TestEnv, person: &Person<'_>, script: &str) -> Output {
    let editor = env.root().join("editor.sh");
    fs::write(&editor, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&editor, fs::Permissions::from_mode(0o755)).unwrap();
    let run = person.invoke(["team", "resolve", "x.md", "--edit"]);
    run.env("EDITOR", &editor).run()
}

/// The texts that were put aside for their author.
fn unsaved(person: &Person<'_>) -> Vec<String> {
    let folder = person.home.join(".local/state/mem/unsaved");
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = files.map(|file| file.path()).collect();
    paths.sort();
    let texts = paths.iter().map(fs::read_to_string);
    texts.collect::<Result<_, _>>().unwrap()
}

#[test]
fn what_was_made_in_the_editor_is_kept_where_it_cannot_be_written() {
    let env = TestEnv::new();
    let (_ann, ben) = both_changed(&env, "of ben\n");
    ben.sync();
    edited(&env, &ben, "true").assert_code(1);
    assert_eq!(
        unsaved(&ben),
        Vec::<String>::new(),
        "nothing was made of it"
    );
    let told = edited(&env, &ben, "echo half done >> \"$1\"").assert_code(1);
    assert!(
        told.stderr.contains("your text is kept in"),
        "{}",
        told.stderr
    );
    let secret = mem_tests::github_token(1);
    edited(&env, &ben, &format!("echo {secret} > \"$1\"")).assert_code(3);
    let kept = unsaved(&ben);
    assert!(kept.len() == 2 && kept.iter().any(|text| text.contains("half done")));
    // Only the end of the other text was left.
    edited(&env, &ben, "sed -i -e /mine/d \"$1\"").assert_code(1);
    assert_eq!(unsaved(&ben).len(), 3);
    assert!(
        ben.mem("team resolve")
            .assert_ok()
            .stdout
            .contains("of ben")
    );
    edited(&env, &ben, "echo of both > \"$1\"").assert_ok();
    assert_eq!(ben.read("x.md").unwrap(), "of both\n");
}

#[test]
fn what_came_while_the_editor_was_open_is_not_written_over() {
    let env = TestEnv::new();
    let (_ann, ben) = both_changed(&env, "of ben\n");
    ben.sync();
    let newer = ben.team().join("x.md");
    let script = format!("echo of both > \"$1\"; echo newer > {}", newer.display());
    let told = edited(&env, &ben, &script).assert_code(4);
    assert!(
        told.stderr.contains("was changed by something else"),
        "{}",
        told.stderr
    );
    assert_eq!(ben.read("x.md").unwrap(), "newer\n");
    assert_eq!(unsaved(&ben), ["of both\n"]);
    let left = ben.mem("team resolve --json").assert_ok().json();
    assert_eq!(left["conflicts"][0]["mine"], "of ben\n", "{left}");
}

#[test]
fn an_agent_that_may_not_write_forgets_no_text() {
    let env = TestEnv::new();
    let (_ann, ben) = both_changed(&env, "of ben\n");
    ben.sync();
    for write in ["read-only", "confirm"] {
        ben.mem(&format!("config set memory.write {write}"))
            .assert_ok();
        for choice in ["--theirs", "--mine"] {
            let run = ben.invoke(["team", "resolve", "x.md", choice]);
            run.env("MEM_ACTOR", "agent").run().assert_code(1);
        }
        assert!(
            ben.mem("team resolve")
                .assert_ok()
                .stdout
                .contains("of ben")
        );
    }
    ben.mem("team resolve x.md --theirs").assert_ok();
}

#[test]
fn a_text_of_both_has_what_differs_between_marks_which_have_to_go() {
    let env = TestEnv::new();
    let (_ann, ben) = both_changed(&env, "of ben\n");
    ben.sync();
    let shown = ben.mem("team resolve --json").assert_ok().json();
    let conflict = &shown["conflicts"][0];
    let (both, theirs) = (conflict["both"].as_str(), conflict["theirs"].as_str());
    let (both, theirs) = (both.unwrap(), theirs.unwrap());
    assert_eq!(
        both,
        format!("<<<<<<< mine\nof ben\n=======\n{theirs}>>>>>>> theirs\n")
    );
    let merge = |text: &str| {
        let run = ben.invoke(["team", "resolve", "x.md", "--merged", "-"]);
        run.stdin(text.to_owned()).run()
    };
    merge(both).assert_code(1);
    assert_eq!(
        ben.read("x.md").as_deref(),
        Some(theirs),
        "nothing was written"
    );
    merge("of both\n").assert_ok();
    assert_eq!(ben.read("x.md").unwrap(), "of both\n");
}
