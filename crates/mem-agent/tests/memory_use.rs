//! Which memories a model made use of, by what it wrote once it had them.

use mem_agent::memory_use::{GivenMemory, GivenPlace, find_used};
use serde_json::{Value, json};

use crate::transcript::Fixture;

const BEFORE: &str = "2026-11-27T10:00:00.200Z";
const AFTER: &str = "2026-11-27T10:00:05Z";

fn line(kind: &str, time: &str, content: &Value) -> Value {
    json!({"type": kind, "timestamp": time, "message": {"role": kind, "content": content}})
}

fn text(text: &str) -> Value {
    json!([{"type": "text", "text": text}])
}

fn call(id: &str, input: &Value) -> Value {
    json!([{"type": "tool_use", "id": id, "name": "Edit", "input": input}])
}

fn result(text: &str) -> Value {
    json!([{"type": "tool_result", "tool_use_id": "t0", "content": text}])
}

fn with_prompt(mark: &str) -> GivenMemory {
    GivenMemory {
        marks: vec![mark.to_owned()],
        place: GivenPlace::Time("2026-11-27T10:00:01Z".parse().expect("a time")),
    }
}

#[track_caller]
fn check(lines: &[Value], given: &[GivenMemory], want: &[bool]) {
    let fixture = Fixture::new(lines);
    assert_eq!(find_used(&fixture.path, given).expect("read"), want);
}

#[test]
fn only_what_the_model_writes_first_counts() {
    let lines = [
        line("assistant", BEFORE, &text("I know old_one().")),
        line("user", AFTER, &text("Fix asked_for, please")),
        line(
            "user",
            AFTER,
            &result("fn found_there() <memories>`quoted_one`</memories>"),
        ),
        line(
            "assistant",
            AFTER,
            &text("So old_one, asked_for, found_there, quoted_one."),
        ),
        line(
            "assistant",
            AFTER,
            &call("t1", &json!({"new_string": "charge_card(my_charge)"})),
        ),
    ];
    let given = [
        "old_one",
        "asked_for",
        "found_there",
        "quoted_one",
        "charge_card",
        "charge",
        "never_named",
    ];
    let given = given.map(with_prompt);
    let want = [false, false, false, true, true, false, false];
    check(&lines, &given, &want);
}

#[test]
fn the_call_that_brought_a_memory_does_not_use_it() {
    let given = |mark: &str| GivenMemory {
        marks: vec![mark.to_owned()],
        place: GivenPlace::Call("t1".to_owned()),
    };
    let lines = [
        line("user", AFTER, &text("Fix it")),
        line(
            "assistant",
            AFTER,
            &call("t1", &json!({"old_string": "book_sum(1)"})),
        ),
        line(
            "assistant",
            AFTER,
            &text("book_sum rounds, see feedback_money.md"),
        ),
    ];
    let given = [
        given("book_sum"),
        given("feedback_money.md"),
        with_prompt("book_sum"),
    ];
    check(&lines, &given, &[false, true, true]);
    check(&lines, &[], &[]);
}

#[test]
fn what_a_subagent_was_given_counts_in_its_own_transcript() {
    let given = |place: GivenPlace| GivenMemory {
        marks: vec!["charge_card".to_owned()],
        place,
    };
    let fixture = Fixture::new(&[line("user", AFTER, &text("Fix it"))]);
    let folder = fixture.path.with_extension("").join("subagents");
    std::fs::create_dir_all(&folder).unwrap();
    let own = line("assistant", AFTER, &text("charge_card it is"));
    std::fs::write(folder.join("agent-1.jsonl"), format!("{own}\n")).unwrap();
    let time = "2026-11-27T10:00:01Z".parse().unwrap();
    let given = [
        given(GivenPlace::Subagent(time)),
        given(GivenPlace::Time(time)),
    ];
    assert_eq!(find_used(&fixture.path, &given).unwrap(), [true, false]);
}
