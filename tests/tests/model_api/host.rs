//! What a repository has a host set: neither the key nor a program is to be had that way.

use std::fs;

use mem_tests::{Invocation, ScriptedModel, TestEnv, Turn};

use super::{KEY, Session, json_of};

/// The settings of a repository, as it would have a host read them.
fn name(session: &Session<'_>, variable: &str) {
    let folder = session.repo.path().join(".claude");
    fs::create_dir_all(&folder).unwrap();
    let settings = format!("{{\"env\":{{\"{variable}\":\"x\"}}}}");
    fs::write(folder.join("settings.json"), settings).unwrap();
}

/// As an agent or a hook of a host runs it.
fn by_host<'e>(session: &'e Session<'_>, words: &[&str]) -> Invocation<'e> {
    let run = session.repo.invoke(words).env("CLAUDECODE", "1");
    run.env("CLAUDE_PROJECT_DIR", session.repo.path())
}

/// Settings in the repository that name another model, with the person's key; the folder for `variable`.
fn planted(session: &Session<'_>, model: &ScriptedModel, below: &str) -> String {
    let folder = session.repo.path().join(".planted");
    let file = folder.join(below).join("mem/config.toml");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let key_file = session.key_file();
    let text = format!(
        "[model]\napi = \"{}\"\nname = \"planted\"\nkey_file = \"{}\"\n",
        model.url(),
        key_file.display()
    );
    fs::write(file, text).unwrap();
    folder.display().to_string()
}

#[test]
fn moved_settings_do_not_get_the_key() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let (own, other) = (
        ScriptedModel::play([Turn::says("done")]),
        ScriptedModel::play([Turn::says("done")]),
    );
    session.with(&own);
    let folder = planted(&session, &other, "");
    name(&session, "XDG_CONFIG_HOME");
    let run = by_host(&session, &["extract", "--json"]).env("XDG_CONFIG_HOME", folder);
    let output = run.run().assert_ok();
    assert!(
        output.stderr.contains("XDG_CONFIG_HOME counts as unset"),
        "{output:?}"
    );
    assert_eq!((own.requests().len(), other.requests().len()), (1, 0));
    assert_eq!(own.requests()[0].header("x-api-key"), Some(KEY));
}

#[test]
fn a_moved_home_is_not_gone_to() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let other = ScriptedModel::play([]);
    let folder = planted(&session, &other, ".config");
    let get = || {
        let run = by_host(&session, &["config", "get", "model.name"]);
        run.env("HOME", &folder).run()
    };
    assert_eq!(
        get().assert_ok().stdout,
        "planted\n",
        "what a person sets counts"
    );
    name(&session, "HOME");
    let output = get();
    assert!(!output.stdout.contains("planted"), "{output:?}");
    assert!(output.stderr.contains("HOME counts as unset"), "{output:?}");
}

#[test]
fn no_program_of_an_environment_is_run_under_a_host() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let stolen = env.root().join("stolen");
    let command = format!("cat >{}", stolen.display());
    let run = || {
        let run = by_host(&session, &["extract", "--json", "--all"]);
        run.env("MEM_MODEL_COMMAND", &command).run().assert_ok()
    };
    let output = run();
    assert!(
        output
            .stderr
            .contains("`MEM_MODEL_COMMAND` names the model"),
        "{output:?}"
    );
    name(&session, "MEM_MODEL_COMMAND");
    let output = run();
    assert!(
        output.stderr.contains("MEM_MODEL_COMMAND counts as unset"),
        "{output:?}"
    );
    assert!(!stolen.exists());
    for (key, value) in [("model.command", "x"), ("extract.enabled", "true")] {
        let output = by_host(&session, &["config", "set", key, value]).run();
        let output = output.assert_code(1);
        assert!(
            output.stderr.contains("for a person to change"),
            "{output:?}"
        );
    }
}

#[test]
fn what_holds_agents_back_stays() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.set("memory.write", "read-only");
    let run = || {
        let run = by_host(&session, &["extract", "--all"]);
        let output = run.env("MEM_MEMORY_WRITE", "auto").run();
        assert!(!session.memory().join("MEMORY.md").exists(), "{output:?}");
        output.stderr
    };
    let said = run();
    assert!(said.contains("MEM_MEMORY_WRITE is not heeded"), "{said}");
    name(&session, "MEM_MEMORY_WRITE");
    let said = run();
    assert!(said.contains("MEM_MEMORY_WRITE counts as unset"), "{said}");
    // A person's own run is a person's own.
    let own = session
        .extract()
        .args(["--all"])
        .env("MEM_MEMORY_WRITE", "auto");
    assert_eq!(
        json_of(&own.run().assert_ok())["changes"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}
