//! A model that fails in every way: each ends in time, the rules' candidates stand, and it is told why.

use std::time::{Duration, Instant};

use mem_tests::{ScriptedModel, TestEnv, Turn};
use serde_json::json;

use super::{
    SHEET, Session, assert_rules_stand, create, file, json_of, names, scratch_files, view,
};

/// A machine may be slow; none is as slow as a model that is waited for.
const SOON: Duration = Duration::from_secs(45);

fn played(script: impl Into<Vec<Turn>>, why: &str) -> usize {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let model = ScriptedModel::play(script);
    let begun = Instant::now();
    let output = session.with(&model).extract().run().assert_ok();
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
    assert_rules_stand(&output, why);
    assert_eq!(scratch_files(&env), ["lock"]);
    model.requests().len()
}

#[test]
fn one_that_declines() {
    assert_eq!(played([Turn::message("refusal", &[])], "declines"), 1);
    // Not even what it has written until then counts.
    let written = create("/memories/a.md", &file("Sheet", "reference", SHEET));
    let script = [Turn::calls(&[written]), Turn::message("refusal", &[])];
    assert_eq!(played(script, "declines"), 2);
}

#[test]
fn one_that_says_too_much_or_waits_for_nothing() {
    let long = [json!({ "type": "text", "text": "x" })];
    assert_eq!(played([Turn::message("max_tokens", &long)], "cut off"), 1);
    assert_eq!(played([Turn::message("tool_use", &long)], "calls none"), 1);
    assert_eq!(played([Turn::message("whatever", &long)], "why it ends"), 1);
    let nameless = [json!({ "type": "tool_use", "name": "memory", "input": {} })];
    let script = [Turn::message("tool_use", &nameless)];
    assert_eq!(played(script, "without an id"), 1);
}

#[test]
fn one_that_never_ends() {
    let script = vec![Turn::calls(&[view("/memories")]); 9];
    let env = TestEnv::new();
    let session = Session::new(&env);
    let model = ScriptedModel::play(script);
    let output = session.with(&model).extract().run().assert_ok();
    assert_rules_stand(&output, "after 5 turns");
    let requests = model.requests();
    assert_eq!(requests.len(), 5);
    // In its last turn it is told to come to an end.
    let choices = requests.iter().map(|one| &one.body["tool_choice"]["type"]);
    let told: Vec<bool> = choices.map(|choice| choice == "none").collect();
    assert_eq!(told, [false, false, false, false, true]);
}

#[test]
fn one_that_is_overloaded_is_asked_again_and_then_answers() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let written = create("/memories/a.md", &file("Sheet", "reference", SHEET));
    let model = ScriptedModel::play([
        Turn::fails(529, "Overloaded").with("retry-after", "0"),
        Turn::fails(429, "Slow down").with("retry-after-ms", "20"),
        Turn::fails(529, "Overloaded"),
        Turn::calls(&[written]),
        Turn::fails(503, "Away").with("retry-after", "0"),
        Turn::says("done"),
    ]);
    let done = json_of(&session.with(&model).extract().run().assert_ok());
    assert_eq!(names(&done)[0], "Sheet", "{done}");
    let requests = model.requests();
    assert_eq!(requests.len(), 6);
    assert_eq!(requests[0].body, requests[3].body, "the same is sent again");
}

#[test]
fn one_that_stays_overloaded_is_given_up() {
    let busy = Turn::fails(529, "Overloaded").with("retry-after", "0");
    assert_eq!(played(vec![busy; 9], "(529): Overloaded"), 4);
    // Longer than there is time is not waited for.
    let far = Turn::fails(429, "Slow down").with("retry-after", "3600");
    assert_eq!(played([far], "(429): Slow down"), 1);
    let never = Turn::fails(529, "Overloaded").with("x-should-retry", "false");
    assert_eq!(played([never], "(529)"), 1);
    assert_eq!(
        played([Turn::fails(400, "no such model")], "no such model"),
        1
    );
}

#[test]
fn one_that_answers_with_anything() {
    assert_eq!(played([Turn::body("<html>")], "cannot be understood"), 1);
    assert_eq!(
        played([Turn::body("{\"content\":3}")], "cannot be understood"),
        1
    );
    assert_eq!(
        played([Turn::body(vec![0xff; 64])], "cannot be understood"),
        1
    );
    assert_eq!(
        played([Turn::body(vec![b' '; 2 << 20])], "1048576 bytes"),
        1
    );
    let cut = Turn::says("done").cut();
    assert_eq!(played(vec![cut; 4], "does not answer"), 4);
}

#[test]
fn one_that_hangs() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let model = ScriptedModel::play([Turn::hangs()]);
    session.with(&model).set("model.timeout", "1");
    let begun = Instant::now();
    let output = session.extract().run().assert_ok();
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
    assert_rules_stand(&output, "more than 1 s");
}

#[test]
fn one_that_nobody_finds() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    session.set("model.api", &format!("http://{address}"));
    let output = session.extract().run().assert_ok();
    assert_rules_stand(&output, "does not answer");
}

#[test]
fn one_that_costs_too_much() {
    // The second turn would be beyond the budget.
    let dear = Turn::calls(&[view("/memories")]).costing(199_000, 900);
    assert_eq!(
        played([dear, Turn::says("done")], "budget of 200000 tokens"),
        1
    );
    let env = TestEnv::new();
    let session = Session::new(&env);
    let model = ScriptedModel::play([Turn::says("done")]);
    session.with(&model).set("model.max_tokens", "100");
    let output = session.extract().run().assert_ok();
    assert_rules_stand(&output, "budget of 100 tokens");
    assert_eq!(model.requests().len(), 0, "what cannot be paid is not sent");
}
