//! A model behind the API that is asked a question: what a program would be given, and the same use of the answer.

use std::fs;

use mem_tests::{ScriptedModel, TestEnv, Turn, github_token};

use super::{ID, Session, json_of};

/// The one text of a question.
fn question(model: &ScriptedModel, at: usize) -> String {
    let request = &model.requests()[at];
    assert_eq!(request.body.get("tools"), None, "{}", request.text());
    assert_eq!(request.header("anthropic-beta"), None);
    assert_eq!(request.body["messages"].as_array().unwrap().len(), 1);
    let text = request.body["messages"][0]["content"].as_str().unwrap();
    text.to_owned()
}

#[test]
fn memories_are_chosen_by_it() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.note("deploy.md", "How we deploy", "By hand.");
    session.note("soup.md", "What the cafeteria serves", "Soup.");
    let model = ScriptedModel::play([Turn::says("[\"soup.md\"]"), Turn::message("refusal", &[])]);
    session.with(&model);
    let token = github_token(4);
    let prompt = format!("How do we deploy with {token}?");
    let select = || {
        session
            .repo
            .mem(["recall", &prompt, "--select", "--format", "paths"])
    };
    let chosen = select().assert_ok();
    assert!(chosen.stdout.ends_with("soup.md\n"), "{chosen:?}");
    let asked = question(&model, 0);
    assert!(
        asked.contains("soup.md") && asked.contains("How do we deploy"),
        "{asked}"
    );
    assert!(!asked.contains(&token[4..]), "{asked}");
    let ranked = select().assert_ok();
    assert!(
        ranked.stderr.contains("chosen by rank: the model declines"),
        "{ranked:?}"
    );
}

#[test]
fn notes_of_a_session_are_rewritten_by_it_within_their_frame() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let update = || {
        session
            .repo
            .mem(["session", "update", "--json", "--session", ID])
    };
    let path = json_of(&update().assert_ok())["path"]
        .as_str()
        .unwrap()
        .to_owned();
    let notes = fs::read_to_string(&path).unwrap();
    let first = notes.lines().find(|line| line.contains("mock")).unwrap();
    let better = notes.replacen(first, &format!("{first} (important)"), 1);
    let model = ScriptedModel::play([Turn::says(&better), Turn::says("# Other headings\n")]);
    session.with(&model);
    assert_eq!(json_of(&update().assert_ok())["by_model"], true);
    assert!(question(&model, 0).contains("never mock the database"));
    let rewritten = fs::read_to_string(&path).unwrap();
    assert!(rewritten.contains("(important)"), "{rewritten}");
    let told = update().assert_ok();
    assert!(told.stderr.contains("changed the headings"), "{told:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), rewritten);
}

#[test]
fn logs_are_distilled_with_it() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let logs = session.memory().join("logs/2025/12");
    fs::create_dir_all(&logs).unwrap();
    let log = "# 2025-12-01\n\n- 10:00 The payments owner is Alice\n- 10:05 The cafeteria serves soup on Mondays\n";
    fs::write(logs.join("2025-12-01.md"), log).unwrap();
    let answer = "{\"plan\":[{\"bullet\":1,\"do\":\"keep\",\"name\":\"Owner\",\"type\":\"user\"}]}";
    let model = ScriptedModel::play([Turn::says(answer), Turn::fails(400, "no")]);
    session.with(&model);
    let dream = || {
        session
            .repo
            .mem(["dream", "--dry-run", "--json"])
            .assert_ok()
    };
    let plan = dream().json();
    assert!(plan.to_string().contains("Owner"), "{plan}");
    assert!(question(&model, 0).contains("The payments owner is Alice"));
    // Without an answer it is distilled by rules.
    let plan = dream().json();
    assert!(plan.to_string().contains("payments owner"), "{plan}");
    assert_eq!(model.requests().len(), 2);
}

#[test]
fn a_program_goes_before_it() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let model = ScriptedModel::play([]);
    let asked = env.root().join("asked");
    let command = format!("cat >'{}'; echo '[]'", asked.display());
    session.with(&model).set("model.command", &command);
    session.extract().run().assert_ok();
    assert!(fs::read_to_string(&asked).unwrap().contains(super::RULE));
    session.set("model.command", "");
    session
        .extract()
        .args(["--all", "--no-model"])
        .run()
        .assert_ok();
    assert_eq!(model.requests().len(), 0);
}
