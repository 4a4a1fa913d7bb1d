//! `memory.write` and `mem inbox`: agents write as far as a person lets them.

use std::ffi::OsStr;
use std::path::PathBuf;

use mem_tests::{Output, Repo, TestEnv};

/// Saves as an agent of the session would.
pub(crate) fn save(repo: &Repo<'_>, session: &str, name: &str, body: &str) -> Output {
    let args = ["save", "--type", "feedback", "--update", "--name", name];
    let more = ["--description", "how to work", "--body", body];
    as_agent(repo, session, args.into_iter().chain(more))
}

pub(crate) fn as_agent<S: AsRef<OsStr>>(
    repo: &Repo<'_>,
    session: &str,
    args: impl IntoIterator<Item = S>,
) -> Output {
    let run = repo.invoke(args).env("MEM_ACTOR", "agent");
    run.env("MEM_SESSION", session).run()
}

pub(crate) fn confirming<'e>(env: &'e TestEnv) -> Repo<'e> {
    let repo = env.repo("app");
    repo.mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    repo
}

pub(crate) fn directory(repo: &Repo<'_>) -> PathBuf {
    repo.mem(["path"]).line().into()
}

pub(crate) fn ids(repo: &Repo<'_>) -> Vec<String> {
    let json = repo.mem(["inbox", "list", "--json"]).assert_ok().json();
    let entries = json["entries"].as_array().unwrap();
    let id = |entry: &serde_json::Value| entry["id"].as_str().unwrap().to_owned();
    entries.iter().map(id).collect()
}

#[test]
fn a_write_of_an_agent_waits_until_a_person_accepts_it() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    let refused = save(&repo, "s1", "No mocks", "Use a real database.").assert_code(1);
    assert!(
        refused
            .stderr
            .contains("put aside for a person to decide on")
    );
    assert!(!directory(&repo).join("feedback_no_mocks.md").exists());
    let listed = repo.mem(["inbox"]).assert_ok().stdout;
    assert!(listed.contains("+Use a real database."), "{listed}");
    assert!(listed.contains("feedback_no_mocks.md") && listed.contains("agent"));
    let status = repo.mem(["status"]).assert_ok().stdout;
    assert!(status.contains("waiting: 1 write of agents"), "{status}");

    repo.mem(["inbox", "accept", &ids(&repo)[0]]).assert_ok();
    let shown = repo.mem(["show", "No mocks", "--json"]).assert_ok().json();
    let made = &shown["provenance"]["created"];
    assert_eq!(
        (made["actor"].as_str(), made["session"].as_str()),
        (Some("agent"), Some("s1"))
    );
    assert!(made["reason"].as_str().unwrap().contains("accepted by"));
    let index = repo.mem(["index", "show"]).stdout;
    assert!(index.contains("(feedback_no_mocks.md)"));
    assert!(ids(&repo).is_empty());
    repo.mem(["undo"]).assert_ok();
    repo.mem(["show", "No mocks"]).assert_code(1);
}

#[test]
fn removals_renames_and_logs_wait_too_and_are_carried_out() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    for name in ["One", "Two"] {
        save(&repo, "s", name, "text\n").assert_ok();
    }
    repo.mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    as_agent(&repo, "s", ["remove", "One"]).assert_code(1);
    as_agent(&repo, "s", ["rename", "Two", "Three"]).assert_code(1);
    as_agent(&repo, "s", ["log", "deployed"]).assert_code(1);
    let id_before = repo.mem(["show", "Two", "--json"]).json()["id"].clone();
    assert_eq!(ids(&repo).len(), 3);
    repo.mem(["inbox", "accept", "--all"]).assert_ok();
    repo.mem(["show", "One"]).assert_code(1);
    let renamed = repo.mem(["show", "Three", "--json"]).assert_ok().json();
    assert_eq!(renamed["id"], id_before, "a renamed note is the same note");
    let index = repo.mem(["index", "show"]).stdout;
    assert!(!index.contains("One") && !index.contains("Two") && index.contains("Three"));
    assert!(repo.mem(["log", "show"]).stdout.contains("deployed"));
}

#[test]
fn what_was_edited_since_is_merged_or_told_and_never_lost() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "s", "Rule", "one\n\ntwo\n\nthree\n").assert_ok();
    repo.mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    save(&repo, "a", "Rule", "ONE\n\ntwo\n\nthree\n").assert_code(1);
    env.advance(1);
    save(&repo, "b", "Rule", "one\n\ntwo\n\nTHREE\n").assert_code(1);
    env.advance(1);
    save(&repo, "c", "Rule", "first\n\ntwo\n\nthree\n").assert_code(1);
    let [a, b, c] = &ids(&repo)[..] else {
        panic!("three wait")
    };
    repo.mem(["inbox", "accept", a, b]).assert_ok();
    let text = repo.mem(["show", "Rule", "--raw"]).stdout;
    assert!(text.ends_with("ONE\n\ntwo\n\nTHREE\n"), "{text}");
    let conflict = repo.mem(["inbox", "accept", c]).assert_code(4);
    assert!(conflict.stdout.contains("+first") && conflict.stdout.contains("-ONE"));
    assert_eq!(ids(&repo), std::slice::from_ref(c));
    assert_eq!(repo.mem(["show", "Rule", "--raw"]).stdout, text);
}

#[test]
fn a_person_edits_what_is_written() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    save(&repo, "s", "Rule", "Always.").assert_code(1);
    let id = &ids(&repo)[0];
    let edit = repo.invoke(["inbox", "edit", id]);
    let edited = edit.env("EDITOR", "sed -i s/Always/Mostly/").run();
    edited.assert_ok();
    let text = repo.mem(["show", "Rule", "--raw"]).assert_ok().stdout;
    assert!(text.contains("Mostly.") && !text.contains("Always."));
    assert!(ids(&repo).is_empty());
    // A program gives the text, of what it was shown.
    save(&repo, "s", "Third", "x").assert_code(1);
    let id = &ids(&repo)[0];
    let shown = repo.mem(["inbox", "show", id, "--json"]).assert_ok().json();
    let offered = &shown["texts"][0];
    let text = offered["content"].as_str().unwrap();
    let sha = offered["sha256"].as_str().unwrap();
    let edit = |sha: &str| {
        let args = ["inbox", "edit", id, "--content", "-", "--if-match", sha];
        repo.invoke(args).stdin(format!("{text}More.\n")).run()
    };
    edit("00").assert_code(4);
    edit(sha).assert_ok();
    assert!(
        repo.mem(["show", "Third", "--raw"])
            .stdout
            .ends_with("More.\n")
    );
    // A text that is left as it was is no decision, and one that is kept waits on.
    save(&repo, "s", "Fourth", "Never.").assert_code(1);
    let id = &ids(&repo)[0];
    let edit = |editor: &str, flags: &[&str]| {
        let run = repo.invoke([&["inbox", "edit", id], flags].concat());
        run.env("EDITOR", editor).run()
    };
    let left = edit("true", &[]).assert_ok();
    assert!(left.stderr.contains("it still waits"), "{}", left.stderr);
    edit("sed -i s/Never/Seldom/", &["--keep"]).assert_ok();
    assert_eq!(ids(&repo), std::slice::from_ref(id));
    repo.mem(["show", "Fourth"]).assert_code(1);
    repo.mem(["inbox", "accept", id]).assert_ok();
    let text = repo.mem(["show", "Fourth", "--raw"]).assert_ok().stdout;
    assert!(text.contains("Seldom."), "{text}");
    // What was decided on meanwhile does not wait again.
    save(&repo, "s", "Fifth", "x").assert_code(1);
    let id = ids(&repo).remove(0);
    repo.mem(["inbox", "reject", &id]).assert_ok();
    let keep = ["inbox", "edit", &id, "--keep", "--content", "y"];
    let refused = repo.mem(keep).assert_code(4);
    assert!(
        refused.stderr.contains("your text is kept in"),
        "{}",
        refused.stderr
    );
    assert!(ids(&repo).is_empty());
    // An emptied text is no decision.
    save(&repo, "s", "Other", "x").assert_code(1);
    let id = &ids(&repo)[0];
    let emptied = repo
        .invoke(["inbox", "edit", id])
        .env("EDITOR", "truncate -s 0")
        .run();
    assert!(emptied.assert_ok().stderr.contains("the entry stays"));
    assert_eq!(ids(&repo).len(), 1);
}

#[cfg(unix)]
#[test]
fn the_finished_text_of_one_file_is_kept_where_the_next_is_not_edited() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    let folder = env.root().join("folder");
    for name in ["a", "b"] {
        let text =
            format!("---\nname: N{name}\ndescription: d\ntype: feedback\n---\n\nBody {name}.\n");
        let file = folder.join(format!("feedback_{name}.md"));
        repo.write(file.to_str().unwrap(), text);
    }
    as_agent(&repo, "s", ["import", folder.to_str().unwrap()]).assert_code(1);
    let id = ids(&repo).remove(0);
    for (last, code) in [("return 1", 1), ("truncate -s 0 \"$1\"", 0)] {
        let editor = format!(
            "edit() {{ grep -q 'Body b' \"$1\" && {{ {last}; return; }}; sed -i s/Body/Text/ \"$1\"; }}; edit"
        );
        let edit = repo.invoke(["inbox", "edit", &id]).env("EDITOR", editor);
        let told = edit.run().assert_code(code).stderr;
        let kept = told
            .lines()
            .filter(|line| line.contains("your text is kept in"));
        assert_eq!(kept.count(), 1, "{told}");
    }
    assert_eq!(ids(&repo), [id]);
}

#[test]
fn what_is_rejected_is_kept_for_a_while_and_can_still_be_accepted() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    save(&repo, "s", "Rule", "Always.").assert_code(1);
    let id = ids(&repo).remove(0);
    let short = id.trim_start_matches("inb_")[..6].to_owned();
    repo.mem(["inbox", "reject", &short]).assert_ok();
    assert!(ids(&repo).is_empty());
    let kept = repo.mem(["inbox", "list", "--rejected"]).assert_ok().stdout;
    assert!(kept.contains("+Always."));
    repo.mem(["inbox", "accept", &id]).assert_ok();
    repo.mem(["show", "Rule"]).assert_ok();
}

#[test]
fn the_same_write_again_waits_once_and_a_newer_one_of_the_session_replaces_it() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    for body in ["first", "first", "second"] {
        save(&repo, "s", "Rule", body).assert_code(1);
        env.advance(60);
    }
    save(&repo, "another", "Rule", "third").assert_code(1);
    let listed = repo.mem(["inbox"]).assert_ok().stdout;
    assert_eq!(ids(&repo).len(), 2, "{listed}");
    assert!(!listed.contains("+first") && listed.contains("+second") && listed.contains("+third"));
    let kept = repo.mem(["inbox", "list", "--rejected"]).stdout;
    assert!(kept.contains("+first"), "{kept}");
}

#[test]
fn a_damaged_entry_is_told_and_the_others_still_count() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    save(&repo, "s", "Rule", "x").assert_code(1);
    let id = ids(&repo).remove(0);
    let state = env.files_under(&env.home());
    let file = state
        .iter()
        .find(|(file, _)| file.ends_with(&format!("inbox/{id}.json")));
    let (file, _) = file.expect("the entry is a file of the state");
    let copy = file.replace(&id, "inb_000000000000000000000000");
    std::fs::write(env.home().join(copy), "{\"half\": ").unwrap();
    let listed = repo.mem(["inbox"]).assert_ok();
    assert!(listed.stdout.contains("Rule") || listed.stdout.contains("feedback_rule.md"));
    assert!(listed.stderr.contains("is no entry of the inbox"));
}

#[test]
fn one_conflict_does_not_keep_the_others_waiting() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    for name in ["One", "Two"] {
        let args = ["save", "--type", "feedback", "--name", name];
        let more = ["--description", name, "--body", "First."];
        repo.mem(args.into_iter().chain(more)).assert_ok();
        save(&repo, "s1", name, "The agent's.").assert_code(1);
    }
    save(&repo, "s1", "Three", "The agent's.").assert_code(1);
    for name in ["one", "two"] {
        let path = directory(&repo).join(format!("feedback_{name}.md"));
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("First.", "The person's.")).unwrap();
    }
    let output = repo.mem(["inbox", "accept", "--all"]).assert_code(4);
    let told = |how: &str, file: &str| {
        let (start, end) = (
            format!("{how}: entry `"),
            format!("`: `{file}` was changed"),
        );
        let mut lines = output.stderr.lines();
        lines.any(|line| line.starts_with(&start) && line.contains(&end))
    };
    assert!(told("warning", "feedback_two.md"), "{}", output.stderr);
    assert!(told("error", "feedback_one.md"), "{}", output.stderr);
    assert!(directory(&repo).join("feedback_three.md").exists());
    assert_eq!(ids(&repo).len(), 2);
}

/// A person saves a memory, and an agent wants something of it, which waits: says its id.
fn waiting_for<'a>(repo: &Repo<'_>, name: &str, args: impl IntoIterator<Item = &'a str>) -> String {
    let save = ["save", "--type", "project", "--name", name];
    let more = ["--description", "of a person", "--body", "First."];
    repo.mem(save.into_iter().chain(more)).assert_ok();
    as_agent(repo, "s", args).assert_code(1);
    ids(repo).remove(0)
}

#[cfg(unix)]
fn edit_with(repo: &Repo<'_>, id: &str, editor: &str) -> Output {
    let edit = repo.invoke(["inbox", "edit", id]);
    edit.env("EDITOR", editor).run()
}

#[cfg(unix)]
#[test]
fn an_edit_does_not_bring_a_removed_or_renamed_memory_back() {
    for change in [&["remove", "Port"][..], &["rename", "Port", "Harbour"]] {
        let env = TestEnv::new();
        let repo = confirming(&env);
        let id = waiting_for(&repo, "Port", ["edit", "Port", "--body", "The agent's."]);
        repo.mem(change).assert_ok();
        let refused = repo.mem(["inbox", "accept", &id]).assert_code(4).stderr;
        let hint = format!("`mem inbox edit {id}`");
        assert!(refused.contains("was removed or renamed") && refused.contains(&hint));
        assert!(!directory(&repo).join("project_port.md").exists());
        let left = edit_with(&repo, &id, "true").assert_ok().stderr;
        assert!(left.contains("it still conflicts"), "{left}");
        assert_eq!(ids(&repo), std::slice::from_ref(&id));
        // A person who wants it all the same gets it with its index entry.
        edit_with(&repo, &id, "sed -i s/agent/person/").assert_ok();
        let index = repo.mem(["index", "show"]).assert_ok().stdout;
        assert!(index.contains("(project_port.md)"), "{index}");
        assert!(ids(&repo).is_empty());
    }
}

#[test]
fn an_edit_behind_the_accepted_removal_or_rename_waits_on() {
    for change in [&["remove", "Port"][..], &["rename", "Port", "Harbour"]] {
        let env = TestEnv::new();
        let repo = confirming(&env);
        waiting_for(&repo, "Port", change.iter().copied());
        env.advance(1);
        as_agent(&repo, "t", ["edit", "Port", "--body", "x"]).assert_code(1);
        repo.mem(["inbox", "accept", "--all"]).assert_code(4);
        assert!(!directory(&repo).join("project_port.md").exists());
        assert_eq!(ids(&repo).len(), 1);
    }
}

#[cfg(unix)]
#[test]
fn an_edited_text_with_conflict_marks_is_not_written() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    let id = waiting_for(&repo, "Con", ["edit", "Con", "--body", "The agent's."]);
    repo.mem(["edit", "Con", "--body", "Second."]).assert_ok();
    let text = repo.mem(["show", "Con", "--raw"]).stdout;
    for editor in [
        "edit() { echo >> \"$1\"; }; edit",
        "true",
        "sed -i '/^<<<<<<< /d'",
    ] {
        let told = edit_with(&repo, &id, editor).assert_code(4).stderr;
        assert!(told.contains("mark a conflict"), "{told}");
        let is_kept = told.contains("your text is kept in");
        assert_eq!(is_kept, editor != "true", "{told}");
    }
    assert_eq!(repo.mem(["show", "Con", "--raw"]).stdout, text);
    assert_eq!(ids(&repo), std::slice::from_ref(&id));
    let resolve = "sed -i -e '1,/^=======$/d' -e '/^>>>>>>> /d'";
    edit_with(&repo, &id, resolve).assert_ok();
    let text = repo.mem(["show", "Con", "--raw"]).stdout;
    assert!(text.ends_with("The agent's.\n") && text.starts_with("---\n"));
}

#[test]
fn a_removal_of_what_was_changed_since_says_what_does_it() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    let id = waiting_for(&repo, "Dee", ["remove", "Dee"]);
    repo.mem(["edit", "Dee", "--body", "Second."]).assert_ok();
    let told = repo.mem(["inbox", "accept", &id]).assert_code(4).stderr;
    assert!(told.contains("`mem remove project_dee.md`"), "{told}");
    assert!(told.contains(&format!("`mem inbox reject {id}`")), "{told}");
    repo.mem(["remove", "project_dee.md"]).assert_ok();
    repo.mem(["inbox", "reject", &id]).assert_ok();
}

#[cfg(unix)]
#[test]
fn a_rename_to_what_exists_by_now_waits_on() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    let id = waiting_for(&repo, "Two", ["rename", "Two", "Three"]);
    let args = ["save", "--type", "project", "--name", "Three"];
    let more = ["--description", "d", "--body", "x"];
    repo.mem(args.into_iter().chain(more)).assert_ok();
    let told = repo.mem(["inbox", "accept", "--all"]).assert_code(4).stderr;
    assert!(told.contains("`project_three.md` exists already"), "{told}");
    assert!(told.contains(&format!("`mem inbox reject {id}`")), "{told}");
    assert!(!told.contains("--update"), "{told}");
    let left = edit_with(&repo, &id, "true").assert_ok().stderr;
    assert!(left.contains("it still conflicts"), "{left}");
}

#[test]
fn a_file_of_the_team_is_named_as_everywhere_else() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    let args = [
        "save", "--type", "project", "--scope", "team", "--name", "Freeze",
    ];
    let more = ["--description", "d", "--body", "x"];
    as_agent(&repo, "s", args.into_iter().chain(more)).assert_code(1);
    let listed = repo.mem(["inbox", "list", "--json"]).assert_ok().json();
    let files = listed["entries"][0]["files"].as_array().unwrap().iter();
    let files: Vec<&str> = files.map(|file| file["file"].as_str().unwrap()).collect();
    assert_eq!(files, ["team:MEMORY.md", "team:project_freeze.md"]);
    repo.mem(["inbox", "accept", "--all"]).assert_ok();
    let status = repo.mem(["status"]).assert_ok().stdout;
    assert!(
        status.contains("agents wrote team:project_freeze.md"),
        "{status}"
    );
    repo.mem(["show", "team:project_freeze.md"]).assert_ok();
}
