//! `mem erase`: out of every place, and a proof that says so without saying what.
#![expect(
    clippy::disallowed_methods,
    reason = "tests write files as other programs do"
)]

mod server_leftovers;
mod server_stores;
mod server_users;
mod transcripts;

use std::fs;

use mem_tests::{Repo, Session, TestEnv, words};
use serde_json::{Value, json};

const TEXT: &str = "The staging database is restored every monday at six";

fn remembering<'e>(env: &'e TestEnv, name: &str, text: &str) -> Repo<'e> {
    let repo = env.repo(name);
    let save = "save --type project --name 'Staging restore' --description when";
    repo.mem(words(&format!("{save} --body '{text}'")))
        .assert_ok();
    repo.mem(["recall", "when is staging restored"]).assert_ok();
    repo
}

fn holds(env: &TestEnv, text: &str) -> Vec<String> {
    let holds = |bytes: &[u8]| bytes.windows(text.len()).any(|one| one == text.as_bytes());
    let files = env.files_under(&env.home()).into_iter();
    files
        .filter(|(_, bytes)| holds(bytes))
        .map(|(name, _)| name)
        .collect()
}

#[test]
fn a_project_is_gone_from_every_place_and_the_proof_says_so() {
    let env = TestEnv::new();
    let repo = remembering(&env, "app", TEXT);
    let slug = {
        let told = repo.mem(["path"]).assert_ok().line();
        let memory = std::path::PathBuf::from(told);
        memory.parent().unwrap().file_name().unwrap().to_owned()
    };
    // What stands beside the memory: notes of a session, a log, what an editor left.
    let notes = env.base().join("session-memory").join(slug);
    fs::create_dir_all(&notes).unwrap();
    fs::write(notes.join("s1.md"), format!("# Notes\n{TEXT}\n")).unwrap();
    let state = env.home().join(".local/state/mem");
    fs::create_dir_all(state.join("unsaved")).unwrap();
    fs::write(state.join("unsaved/draft.md"), TEXT).unwrap();
    fs::write(
        state.join("hooks.log"),
        format!("1 fine\n2 {TEXT}\n3 fine\n"),
    )
    .unwrap();
    let dry = repo.mem(["erase", "--project", "--dry-run"]).assert_ok();
    assert!(dry.stdout.contains("its whole history"), "{}", dry.stdout);
    assert!(dry.stdout.contains("session-memory"), "{}", dry.stdout);
    assert!(dry.stderr.contains("nothing was erased"), "{}", dry.stderr);
    let dry = repo.mem(["erase", "--project", "--dry-run", "--json"]);
    assert_eq!(dry.json()["erased"], false);
    assert!(!dry.stderr.contains("erased"), "{}", dry.stderr);
    assert!(holds(&env, TEXT).len() >= 4);
    repo.mem(["erase", "--project"]).assert_code(2);
    let nowhere = ["erase", "--project", "--yes", "--proof", "nowhere/p.json"];
    repo.mem(nowhere).assert_code(2);
    assert!(holds(&env, TEXT).len() >= 4);
    let erased = repo
        .mem(["erase", "--project", "--yes", "--proof", "proof.json"])
        .assert_ok();
    assert!(
        erased.stdout.contains("nothing is left"),
        "{}",
        erased.stdout
    );
    assert_eq!(holds(&env, TEXT), [""; 0]);
    assert_eq!(
        fs::read_to_string(state.join("hooks.log")).unwrap(),
        "1 fine\n3 fine\n"
    );
    let text = fs::read_to_string(repo.path().join("proof.json")).unwrap();
    let proof: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(proof["is_clean"], true);
    assert!(proof["searched_for"]["content"].as_u64().unwrap() > 0);
    assert!(proof["searched_in"].as_array().unwrap().len() >= 4);
    assert!(
        !text.contains("staging") && !text.contains("Staging"),
        "{text}"
    );
    // Whoever has the text can see that it was looked for.
    let salt = proof["traces"]["salt"].as_str().unwrap();
    assert_eq!(salt.len(), 32);
    let again = ["erase", "--project", "--yes", "--proof", "proof.json"];
    repo.mem(again).assert_code(2);
}

#[test]
fn what_another_memory_says_too_is_told_and_stays() {
    let env = TestEnv::new();
    let repo = remembering(&env, "app", TEXT);
    let other = remembering(&env, "other", TEXT);
    let erased = repo
        .mem(["erase", "--project", "--yes", "--json"])
        .assert_code(1)
        .json();
    assert_eq!(erased["proof"]["is_clean"], false);
    let found = erased["proof"]["found"].as_array().unwrap();
    assert!(!found.is_empty());
    // In its file, and in the history.
    let files: Vec<&str> = found
        .iter()
        .filter_map(|one| one["file"].as_str())
        .collect();
    assert!(files.iter().any(|file| file.ends_with(".md")), "{files:?}");
    assert!(
        files.iter().any(|file| file.ends_with("history")),
        "{files:?}"
    );
    assert!(
        other
            .mem(["list"])
            .assert_ok()
            .stdout
            .contains("project_staging")
    );
}

/// A session that has no notes yet, of which only what was said is remembered.
fn remembered_session(env: &TestEnv) -> Session<'_> {
    let session = Session::new(env);
    session.say("user", SAID);
    session.repo.mem(["session", "due"]).assert_ok();
    assert_eq!(
        of_mem(env, SAID).len(),
        1,
        "it is remembered, without notes"
    );
    session
}

const SAID: &str = "My rent rises to four thousand in spring, tell nobody";

/// The files that hold a text, but for the host's transcripts.
fn of_mem(env: &TestEnv, text: &str) -> Vec<String> {
    let mut files = holds(env, text);
    files.retain(|file| !file.ends_with(".jsonl"));
    files
}

#[test]
fn what_is_remembered_of_a_session_without_notes_goes_too() {
    for words in [["erase", "--project"], ["purge", "--repo"]] {
        let env = TestEnv::new();
        let session = remembered_session(&env);
        let other = env.repo("other");
        other.mem([words[0], words[1], "--yes"]).assert_ok();
        assert_eq!(of_mem(&env, SAID).len(), 1, "another project's stays");
        session.repo.mem([words[0], words[1], "--yes"]).assert_ok();
        assert_eq!(of_mem(&env, SAID), [""; 0]);
        assert!(session.transcript.exists());
    }
}

#[test]
fn a_session_is_found_by_where_it_stood_and_the_proof_looks_for_its_words() {
    let env = TestEnv::new();
    let session = remembered_session(&env);
    // The host forgot it meanwhile, and a colleague's words say the same elsewhere.
    fs::remove_file(&session.transcript).unwrap();
    let other = remembering(&env, "other", SAID);
    let erased = session.repo.mem(["erase", "--project", "--yes", "--json"]);
    let proof = erased.assert_code(1).json()["proof"].clone();
    assert!(proof["searched_for"]["content"].as_u64().unwrap() > 0);
    assert_eq!(proof["is_clean"], false);
    other.mem(["erase", "--project", "--yes"]).assert_ok();
    assert_eq!(holds(&env, SAID), [""; 0]);
}

#[test]
fn names_that_another_project_has_for_itself_are_no_trace() {
    let env = TestEnv::new();
    let repo = remembering(&env, "app", TEXT);
    let other = env.repo("other");
    let save = "save --type project --name 'Staging restore' --description 'of the cellar'";
    other
        .mem(words(&format!("{save} --body 'Pipes are old there'")))
        .assert_ok();
    for (repo, text) in [
        (&repo, "Looked at pipes today"),
        (&other, "Planted tomatoes at noon"),
    ] {
        repo.mem(["log", text]).assert_ok();
    }
    let erased = repo.mem(["erase", "--project", "--yes", "--json"]).json();
    assert_eq!(erased["proof"]["found"], json!([]));
    assert_eq!(erased["proof"]["is_clean"], true);
    assert!(
        other
            .mem(["list"])
            .assert_ok()
            .stdout
            .contains("project_staging")
    );
}

#[test]
fn a_whole_copy_is_found_however_short_and_wherever_it_stands() {
    for (body, too_short) in [("PIN 4711", 1), ("Never on a Friday.", 0)] {
        let env = TestEnv::new();
        let repo = env.repo("app");
        let save = format!("save --type project --name PIN --description door --body '{body}'");
        repo.mem(words(&save)).assert_ok();
        let text = repo.note("project_pin.md").unwrap();
        let global = env.base().join("memory");
        fs::create_dir_all(&global).unwrap();
        fs::write(global.join("keep.md"), &text).unwrap();
        // Of another project it is only in the history.
        let other = env.repo("other");
        other.edit_note("keep.md", &text);
        other.mem(["history"]).assert_ok();
        fs::remove_file(other.memory().join("keep.md")).unwrap();
        let erased = repo.mem(["erase", "--project", "--yes", "--json"]);
        let proof = erased.assert_code(1).json()["proof"].clone();
        let found = proof["found"].as_array().unwrap().iter();
        let files: Vec<&str> = found.filter_map(|one| one["file"].as_str()).collect();
        for place in ["memory/keep.md", "history"] {
            let is_found = files.iter().any(|file| file.ends_with(place));
            assert!(is_found, "{body}: {place} in {files:?}");
        }
        assert_eq!(proof["too_short"], too_short, "{body}");
    }
}

#[test]
fn a_text_that_is_too_short_for_pieces_is_told() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let save = "save --type project --name PIN --description door --body 4711";
    repo.mem(words(save)).assert_ok();
    let told = repo.mem(["erase", "--project", "--yes"]).assert_ok().stdout;
    assert!(
        told.contains("too short to be looked for in pieces: 1 content, looked for as a whole"),
        "{told}"
    );
    assert!(
        told.contains("nothing is left that could be looked for"),
        "{told}"
    );
}

#[test]
fn a_proof_in_a_folder_that_goes_is_refused_first() {
    let env = TestEnv::new();
    let repo = remembering(&env, "app", TEXT);
    let memory = repo.mem(["path"]).assert_ok().line();
    let file = format!("{memory}/proof.json");
    let refused = repo.mem(["erase", "--project", "--yes", "--proof", &file]);
    let told = refused.assert_code(2).stderr;
    assert!(told.contains("would stand in what is erased"), "{told}");
    let state = env.home().join(".local/state/mem/proof.json");
    let all = [
        "erase",
        "--all",
        "--yes",
        "--proof",
        state.to_str().unwrap(),
    ];
    repo.mem(all).assert_code(2);
    assert!(!holds(&env, TEXT).is_empty());
}

#[test]
fn a_daemon_ends_before_what_it_looks_after_goes() {
    let env = TestEnv::new();
    let repo = remembering(&env, "app", TEXT);
    repo.mem(["config", "set", "team.remote", "git:nowhere"])
        .assert_ok();
    repo.mem(["daemon", "start"]).assert_ok();
    let erased = repo.mem(["erase", "--project", "--yes"]).assert_ok();
    assert!(
        erased
            .stderr
            .contains("nothing is shared through `team.remote` from here any more"),
        "{}",
        erased.stderr
    );
    let get = ["config", "get", "team.remote", "--json"];
    assert_eq!(repo.mem(get).assert_ok().json()["value"], "");
    let status = repo.mem(["daemon", "status", "--json"]).assert_ok().json();
    assert_eq!(status["running"], false);
    assert_eq!(holds(&env, TEXT), [""; 0]);
    repo.mem(["daemon", "start"]).assert_ok();
    repo.mem(["erase", "--all", "--yes"]).assert_ok();
    let status = repo.mem(["daemon", "status", "--json"]).assert_ok().json();
    assert_eq!(status["running"], false);
    assert!(!env.home().join(".local/state/mem/erasing").exists());
}

/// A repository whose private memory is at a git remote, and the address of that.
fn synced<'e>(env: &'e TestEnv) -> (Repo<'e>, String) {
    let repo = remembering(env, "app", TEXT);
    repo.git(["remote", "add", "origin", "https://github.com/acme/app.git"]);
    let bare = env.root().join("own.git").to_str().unwrap().to_owned();
    repo.git(["init", "-q", "--bare", &bare]);
    let remote = format!("git:{bare}");
    repo.mem(["sync", "setup", "--remote", &remote]).assert_ok();
    repo.mem(["sync"]).assert_ok();
    (repo, bare)
}

#[test]
fn a_remote_that_has_copies_is_named_and_brings_nothing_back() {
    let env = TestEnv::new();
    let (repo, bare) = synced(&env);
    let remote = format!("git:{bare}");
    let erased = repo.mem(["erase", "--project", "--yes", "--json"]);
    let proof = erased.assert_ok().json()["proof"].clone();
    assert_eq!(proof["is_clean"], false, "{proof}");
    let told = proof["not_searched"].to_string();
    let command = "git push [ENV]/own.git --delete refs/mem/own/private/";
    assert!(told.contains(command), "{told}");
    // Nor after a second erasure, which has nothing more to erase.
    for _ in 0..2 {
        repo.mem(["sync"]).assert_code(1);
        assert!(!repo.mem(["list"]).assert_ok().stdout.contains("staging"));
        repo.mem(["erase", "--project", "--yes"]).assert_ok();
    }
    // Whoever wants it back says so.
    repo.mem(["sync", "setup", "--remote", &remote]).assert_ok();
    repo.mem(["sync"]).assert_ok();
    assert!(repo.mem(["list"]).assert_ok().stdout.contains("staging"));
}

#[test]
fn an_erasure_that_was_interrupted_has_ended_the_sharing() {
    let env = TestEnv::new();
    let (repo, _) = synced(&env);
    let lock = env.home().join(".local/state/mem/trust.lock");
    fs::create_dir(&lock).unwrap();
    repo.mem(["purge", "--repo", "--yes"]).assert_code(1);
    fs::remove_dir(&lock).unwrap();
    repo.mem(["sync"]).assert_code(1);
    assert!(!repo.mem(["list"]).assert_ok().stdout.contains("staging"));
    // Of a memory that is empty here, the remote may have something all the same.
    let empty = env.repo("empty");
    empty.mem(["purge", "--repo", "--yes"]).assert_ok();
    empty.mem(["sync"]).assert_code(1);
}

#[test]
fn a_variable_that_shares_is_told() {
    let env = TestEnv::new();
    let repo = remembering(&env, "app", TEXT);
    let erase = repo.invoke(["erase", "--project", "--yes"]);
    let told = erase.env("MEM_SYNC_REMOTE", "git:/nowhere").run();
    let told = told.assert_ok().shown();
    assert!(
        told.contains("`sync.remote` is set by MEM_SYNC_REMOTE"),
        "{told}"
    );
    let listed = "not searched: the remote of `sync.remote`, which is set by MEM_SYNC_REMOTE";
    assert!(told.contains(listed), "{told}");
}

#[test]
fn what_is_remembered_of_remotes_is_told_wherever_it_is_shared_now() {
    let told = |repo: &Repo<'_>, what: &str| {
        let erased = repo.mem(["erase", what, "--yes", "--json"]);
        let proof = erased.assert_ok().json()["proof"].clone();
        assert_eq!(proof["is_clean"], false, "{proof}");
        proof["not_searched"].to_string()
    };
    // By another repository, which is shared with the same remote.
    let env = TestEnv::new();
    synced(&env);
    let all = told(&env.repo("other"), "--all");
    let command = "git push [ENV]/own.git --delete refs/mem/own/private/";
    assert!(all.contains(command), "{all}");
    // With a remote that was left.
    let env = TestEnv::new();
    let (repo, _) = synced(&env);
    repo.mem(["sync", "leave"]).assert_ok();
    let left = told(&repo, "--project");
    assert!(
        left.contains("at a remote that is not set up here")
            && left.contains("git push URL --delete refs/mem/own/private/"),
        "{left}"
    );
    // Where that cannot be read.
    let env = TestEnv::new();
    let (repo, _) = synced(&env);
    let stores = env.home().join(".local/state/mem/stores");
    for store in fs::read_dir(stores).unwrap() {
        let shares = fs::read_dir(store.unwrap().path().join("own"));
        for file in shares.into_iter().flatten() {
            let file = file.unwrap().path();
            if file.extension().is_some_and(|ending| ending == "state") {
                fs::write(file, "damaged").unwrap();
            }
        }
    }
    let unread = told(&repo, "--project");
    assert!(unread.contains("what others have of"), "{unread}");
}

#[test]
fn an_erasure_that_was_interrupted_is_told_in_the_next_proof() {
    let env = TestEnv::new();
    let repo = remembering(&env, "app", TEXT);
    let lock = env.home().join(".local/state/mem/trust.lock");
    fs::create_dir(&lock).unwrap();
    repo.mem(["erase", "--project", "--yes"]).assert_code(1);
    assert_eq!(holds(&env, TEXT), [""; 0], "the memory is gone by then");
    fs::remove_dir(&lock).unwrap();
    let again = repo
        .mem(["erase", "--project", "--yes", "--json"])
        .assert_ok();
    let proof = again.json()["proof"].clone();
    assert!(
        proof["searched_for"]["digest"].as_u64().unwrap() > 0,
        "{proof}"
    );
    assert!(
        proof["not_searched"].to_string().contains("did not end"),
        "{proof}"
    );
    assert_eq!(proof["is_clean"], false);
    let third = repo
        .mem(["erase", "--project", "--yes", "--json"])
        .assert_ok();
    assert_eq!(third.json()["proof"]["is_clean"], true);
    assert!(!env.home().join(".local/state/mem/erasing").exists());
}

#[test]
fn everything_of_this_machine_goes_and_an_agent_does_not_decide() {
    let env = TestEnv::new();
    let repo = remembering(&env, "app", TEXT);
    remembering(
        &env,
        "other",
        "Another text that only one of them has said so far",
    );
    repo.mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    let as_agent = repo
        .invoke(["erase", "--all", "--yes"])
        .env("MEM_ACTOR", "agent");
    as_agent.run().assert_code(1);
    assert!(!holds(&env, TEXT).is_empty());
    repo.mem(["erase", "--all", "--yes"]).assert_ok();
    assert_eq!(holds(&env, TEXT), [""; 0]);
    assert_eq!(holds(&env, "only one of them has said"), [""; 0]);
    repo.mem(["erase"]).assert_code(2);
    repo.mem(["erase", "--all", "--project"]).assert_code(2);
}

#[test]
fn a_user_of_a_host_goes_from_every_place_and_nobody_else() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let record = |user: &str, text: &str| {
        let args = [
            "record",
            "store",
            text,
            "--category",
            "factual_knowledge",
            "--user",
            user,
        ];
        repo.mem(args).assert_ok();
        repo.mem(["record", "retrieve", "staging database", "--user", user])
            .assert_ok();
    };
    record("alice", TEXT);
    record(
        "bob",
        "Bob restores the staging database on fridays at noon",
    );
    // The memory tool keeps files for her in a project, and where a host wanted them.
    let create = |more: &[&str], text: &str| {
        let input = json!({ "command": "create", "path": "/memories/a.md", "file_text": text });
        let run = repo.invoke(["tool"]).args(more).stdin(input.to_string());
        run.run().assert_ok();
    };
    let root = env.root().join("host");
    let root = root.to_str().unwrap();
    let tool = "The tool was told that she lives by the harbour";
    create(&["--user", "alice"], tool);
    create(&["--user", "alice", "--root", root, "--history"], tool);
    create(
        &["--user", "bob"],
        "Bob was here, and wrote of nothing else at all",
    );
    assert!(!holds(&env, TEXT).is_empty() && !holds(&env, tool).is_empty());
    repo.mem(["erase", "--user", "nobody", "--yes"])
        .assert_code(2);
    repo.mem(["erase", "--user", "", "--yes"]).assert_code(2);
    repo.mem(["erase", "--user", "alice", "--all"])
        .assert_code(2);
    let dry = repo.mem(["erase", "--user", "alice", "-n"]).assert_ok();
    assert!(dry.stdout.contains("records/u-alice"), "{}", dry.stdout);
    assert!(dry.stdout.contains("host/users/u-alice"), "{}", dry.stdout);
    assert!(!dry.stdout.contains("bob"), "{}", dry.stdout);
    repo.mem(["erase", "--user", "alice"]).assert_code(2);
    assert!(!holds(&env, TEXT).is_empty());
    let run = ["erase", "--user", "alice", "--yes", "--proof", "proof.json"];
    let erased = repo.mem(run).assert_ok();
    assert!(
        erased.stdout.contains("nothing is left"),
        "{}",
        erased.stdout
    );
    let state = env.home().join(".local/state/mem");
    assert_eq!(holds(&env, TEXT), [""; 0]);
    assert_eq!(holds(&env, tool), [""; 0]);
    assert!(!state.join("records/u-alice").exists());
    assert!(!env.root().join("host/users/u-alice").exists());
    let proof = fs::read_to_string(repo.path().join("proof.json")).unwrap();
    assert!(
        proof.contains("\"is_clean\": true") && !proof.contains("staging"),
        "{proof}"
    );
    let trail = repo
        .mem(["log-audit", "--user", "alice", "--json"])
        .assert_ok()
        .json();
    assert_eq!(trail, json!({ "entries": [] }));
    repo.mem(["erase", "--user", "alice", "--yes"])
        .assert_code(2);
    let bobs = repo
        .mem(["record", "list", "--user", "bob", "--json"])
        .json();
    assert_eq!(bobs["memories"].as_array().unwrap().len(), 1);
    assert!(!holds(&env, "Bob was here").is_empty());
    // Where agents are held back they do not erase either.
    repo.mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    let agent = repo.invoke(["erase", "--user", "bob", "--yes"]);
    agent.env("MEM_ACTOR", "agent").run().assert_code(1);
    assert!(!holds(&env, "Bob was here").is_empty());
}

#[test]
fn texts_that_could_not_be_written_go_where_they_hold_an_erased_text_and_else_are_named() {
    let env = TestEnv::new();
    let repo = remembering(&env, "app", TEXT);
    let edit = [
        "edit",
        "staging",
        "--if-match",
        "00",
        "--content",
        "unlike the memory\n",
    ];
    repo.mem(edit).assert_code(4);
    let unsaved = env.home().join(".local/state/mem/unsaved");
    assert_eq!(fs::read_dir(&unsaved).unwrap().count(), 1);
    fs::write(unsaved.join("1-my_project_staging_restore.md"), "theirs").unwrap();
    fs::write(unsaved.join("1-draft.md"), TEXT).unwrap();
    let erase = ["erase", "--project", "--yes"];
    let told = repo.mem(erase).assert_ok().stdout;
    assert!(!unsaved.join("1-draft.md").exists());
    assert_eq!(fs::read_dir(&unsaved).unwrap().count(), 2);
    assert_eq!(told.matches("stays: the unsaved text").count(), 2, "{told}");
    assert!(!told.contains("nothing is left"), "{told}");
}
