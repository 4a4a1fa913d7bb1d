//! Where the key of a model goes, where it comes from, and who may say so: a person, and no repository.

use std::fs;

use mem_tests::{Output, Request, ScriptedModel, TestEnv, Turn};

use super::{KEY, Session, assert_rules_stand};

/// Whatever was said, the key was not.
#[track_caller]
fn assert_silent(output: &Output) {
    assert!(
        !output.stdout.contains(KEY) && !output.stderr.contains(KEY),
        "{output:?}"
    );
}

#[test]
fn it_is_in_no_output_even_where_the_server_says_it() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let cut = &KEY[..KEY.len() - 1];
    let whole = format!("{KEY} is not valid");
    let part = format!("{cut} is not valid");
    let model = ScriptedModel::play([
        Turn::fails(401, &whole),
        Turn::fails(401, &part),
        Turn::body(KEY),
    ]);
    session.with(&model);
    let output = session.extract().args(["-v"]).run().assert_ok();
    assert_rules_stand(&output, "[key] is not valid");
    assert_silent(&output);
    let output = session.extract().args(["--all"]).run().assert_ok();
    assert!(output.stderr.contains("[key] is not valid"), "{output:?}");
    assert!(!output.stderr.contains(&cut[4..]), "{output:?}");
    assert_eq!(model.requests()[0].header("x-api-key"), Some(KEY));
    for words in [&["config", "list"][..], &["doctor"], &["doctor", "--json"]] {
        let output = session.repo.mem(words);
        assert_silent(&output);
    }
    let doctor = session.repo.mem(["doctor", "--json"]).json();
    let check = doctor["checks"].as_array().unwrap().iter();
    let check = check
        .into_iter()
        .find(|one| one["name"] == "model")
        .unwrap();
    let message = check["message"].as_str().unwrap();
    assert!(
        message.contains("claude-sonnet-4-6 at http://127.0.0.1") && message.contains("model.key"),
        "{check}"
    );
    let kept = [
        env.home().join(".local"),
        env.home().join(".cache"),
        session.memory(),
    ];
    for folder in kept {
        for (name, bytes) in env.files_under(&folder) {
            assert!(!String::from_utf8_lossy(&bytes).contains(KEY), "{name}");
        }
    }
}

#[test]
fn a_redirect_is_not_followed() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let other = ScriptedModel::play([Turn::says("done")]);
    let there = format!("{}/v1/messages", other.url());
    let model = ScriptedModel::play([Turn::fails(307, "there").with("location", &there)]);
    let output = session.with(&model).extract().run().assert_ok();
    assert_rules_stand(&output, "redirects to");
    assert_eq!(other.requests().len(), 0);
}

#[test]
fn it_does_not_travel_in_the_clear() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    for (address, why) in [
        ("http://203.0.113.1", "read on the way"),
        ("ftp://127.0.0.1", "begins neither"),
        ("https://me:pass@127.0.0.1", "does not belong into it"),
    ] {
        let refused = session.repo.mem(["config", "set", "model.api", address]);
        let said = refused.assert_code(2).stderr;
        assert!(said.contains(why) && !said.contains("pass@"), "{said}");
        session.write("model.api", address);
        let output = session.extract().args(["--all"]).run().assert_ok();
        assert!(output.stderr.contains(why), "{output:?}");
        assert!(!output.stderr.contains("pass@"), "{output:?}");
        assert_silent(&output);
    }
}

#[test]
fn a_proxy_hears_nothing_of_what_stays_on_the_machine() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let (model, proxy) = (
        ScriptedModel::play([Turn::says("done")]),
        ScriptedModel::play([]),
    );
    session.with(&model);
    let run = session.extract().env("HTTP_PROXY", proxy.url());
    run.env("http_proxy", proxy.url()).run().assert_ok();
    assert_eq!((model.requests().len(), proxy.requests().len()), (1, 0));
}

#[test]
fn its_file_is_its_owners_alone() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let model = ScriptedModel::play([Turn::says("done")]);
    session.with(&model).keep_key(0o640);
    let output = session.extract().run().assert_ok();
    assert_rules_stand(&output, "may be read by others");
    assert_silent(&output);
    let doctor = session.repo.mem(["doctor"]).assert_code(1);
    assert!(doctor.stdout.contains("fail  model"), "{doctor:?}");
    fs::remove_file(session.key_file()).unwrap();
    let output = session.extract().args(["--all"]).run().assert_ok();
    assert!(output.stderr.contains("there is no key"), "{output:?}");
    // Whoever writes the key itself into the settings is not quoted.
    session.write("model.key_file", KEY);
    let file = session.key_file().with_file_name("config.toml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{text}model.api = \"{}\"\n", model.url())).unwrap();
    let output = session.extract().args(["--all"]).run().assert_ok();
    assert!(output.stderr.contains("names no file"), "{output:?}");
    assert_silent(&output);
    assert_eq!(model.requests().len(), 0);
}

#[test]
fn what_can_be_no_setting_is_refused_before_it_is_kept() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    for (key, value, why) in [
        ("model.key_file", KEY, "names no file"),
        ("model.key_file", "keys/model", "names no file"),
        ("model.api", "example.org", "not a URL"),
        ("model.name", " ", "no model is named"),
    ] {
        let output = session.repo.mem(["config", "set", key, value]);
        let output = output.assert_code(2);
        assert!(
            output.stderr.contains(why) && output.stderr.contains("hint:"),
            "{output:?}"
        );
        assert_silent(&output);
        let kept = session.repo.mem(["config", "get", key]).stdout;
        assert_ne!(kept.trim_end(), value);
    }
    session.set("model.key_file", "~/keys/model");
    session.set("model.api", "");
}

#[test]
fn variables_give_it_to_whom_it_is_for() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let model = ScriptedModel::play([Turn::says("done"), Turn::says("done")]);
    session.with(&model);
    let other = [KEY, "2"].concat();
    session
        .extract()
        .env("MEM_MODEL_KEY", &other)
        .run()
        .assert_ok();
    assert_eq!(model.requests()[0].header("x-api-key"), Some(&*other));
    // The vendor's is for the vendor, and the file's for the address of the settings.
    fs::remove_file(session.key_file()).unwrap();
    let run = session
        .extract()
        .args(["--all"])
        .env("ANTHROPIC_API_KEY", &other);
    let output = run.run().assert_ok();
    assert!(output.stderr.contains("there is no key"), "{output:?}");
    session.keep_key(0o600);
    let run = session.extract().args(["--all"]);
    let output = run.env("MEM_MODEL_API", model.url()).run().assert_ok();
    assert!(output.stderr.contains("there is no key"), "{output:?}");
    assert_eq!(model.requests().len(), 1);
    let run = session
        .extract()
        .args(["--all"])
        .env("MEM_MODEL_API", model.url());
    run.env("MEM_MODEL_KEY", &other).run().assert_ok();
    assert_eq!(model.requests().len(), 2);
}

#[test]
fn no_repository_and_no_agent_says_who_is_asked() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let model = ScriptedModel::play([Turn::says("done"), Turn::says("done")]);
    let named = [
        ("MEM_MODEL_API", model.url()),
        ("MEM_MODEL_NAME", "another"),
        ("MEM_MODEL_KEY_FILE", "/other"),
    ];
    for (as_agent, value) in [
        ("MEM_ACTOR", "agent"),
        ("CLAUDECODE", "1"),
        ("CLAUDE_PROJECT_DIR", "/w"),
    ] {
        for (variable, text) in named {
            session.set("model.api", "https://model.invalid");
            let run = session.extract().args(["--all"]).env(as_agent, value);
            // Who acts may be said by the repository as well.
            let run = match as_agent {
                "MEM_ACTOR" => run,
                _ => run.env("MEM_ACTOR", "person"),
            };
            let run = run.env(variable, text).env("MEM_MODEL_KEY", KEY);
            let output = run.run().assert_ok();
            assert!(
                output
                    .stderr
                    .contains(&format!("`{variable}` names the model")),
                "{output:?}"
            );
        }
        for key in ["model.api", "model.name", "model.key_file"] {
            let run = session.repo.invoke(["config", "set", key, "x"]);
            let output = run.env("MEM_ACTOR", "agent").run().assert_code(1);
            assert!(
                output.stderr.contains("for a person to change"),
                "{output:?}"
            );
        }
    }
    session.with(&model);
    let settings = session.repo.path().join(".claude/settings.json");
    fs::create_dir_all(settings.parent().unwrap()).unwrap();
    fs::write(&settings, "{\"env\":{\"MEM_MODEL_KEY\":\"theirs\"}}").unwrap();
    let run = session
        .extract()
        .args(["--all"])
        .env("MEM_MODEL_KEY", "theirs");
    let output = run.run().assert_ok();
    assert!(
        output.stderr.contains("MEM_MODEL_KEY counts as unset"),
        "{output:?}"
    );
    // A person's own file does, and an agent may work with what a person set.
    let run = session.extract().args(["--all"]).env("CLAUDECODE", "1");
    run.run().assert_ok();
    let requests = model.requests();
    let is_ours = |one: &Request| one.header("x-api-key") == Some(KEY);
    assert!(!requests.is_empty() && requests.iter().all(is_ours));
}
