//! Transcripts in the shapes that hosts write them in, whole, torn and growing.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use mem_agent::transcript::{
    Cursor, LINE_BYTES_MAX, MessagePart, RecordBody, SessionIdentity, Transcript,
};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A transcript that tests write to.
pub(crate) struct Fixture {
    _temp: TempDir,
    pub(crate) path: PathBuf,
}

impl Fixture {
    pub(crate) fn new(lines: &[Value]) -> Self {
        let temp = tempfile::tempdir().expect("a folder");
        let path = temp.path().join("session.jsonl");
        let fixture = Self { _temp: temp, path };
        fixture.append("");
        fixture.lines(lines);
        fixture
    }

    pub(crate) fn lines(&self, lines: &[Value]) {
        for line in lines {
            self.append(&format!("{line}\n"));
        }
    }

    pub(crate) fn append(&self, text: &str) {
        let mut options = std::fs::OpenOptions::new();
        let mut file = options
            .create(true)
            .append(true)
            .open(&self.path)
            .expect("a file");
        file.write_all(text.as_bytes()).expect("written");
    }

    /// What is said from a place on, one line a record, and the place after it.
    fn said(&self, cursor: &Cursor) -> (Vec<String>, Cursor) {
        let mut all = Vec::new();
        let transcript = Transcript::open_at(&self.path, cursor).expect("open");
        let cursor = transcript.read(|record| all.push(shown(&record.said)));
        (all, cursor.expect("read"))
    }
}

fn shown(said: &RecordBody<'_>) -> String {
    let parts = |parts: &[MessagePart<'_>]| {
        let each = parts.iter().map(|part| match part {
            MessagePart::Text(text) => format!(" text={text}"),
            MessagePart::ToolUse { id, name, input } => format!(" use={id}/{name}/{input}"),
            MessagePart::ToolResult { id, text, is_error } => {
                format!(" result={id}/{text}/{is_error}")
            }
        });
        each.collect::<String>()
    };
    match said {
        RecordBody::User { origin, parts: p } => format!("{origin:?}{}", parts(p)),
        RecordBody::Assistant { message, parts: p } => format!("assistant {message:?}{}", parts(p)),
        RecordBody::Title { text, is_chosen } => format!("title {text} {is_chosen}"),
        RecordBody::Compacted => "compacted".to_owned(),
        RecordBody::Other => "other".to_owned(),
    }
}

fn user(content: impl Into<Value>) -> Value {
    json!({"type": "user", "uuid": "u", "message": {"role": "user", "content": content.into()}})
}

fn one(line: &Value) -> String {
    Fixture::new(std::slice::from_ref(line))
        .said(&Cursor::default())
        .0
        .remove(0)
}

#[test]
fn what_a_person_says_is_told_from_what_the_host_says() {
    assert_eq!(
        one(&user(json!("Fix the login"))),
        "Person text=Fix the login"
    );
    let list = json!([{"type": "text", "text": "Fix \"it\"\n"}, {"type": "image", "source": {}}]);
    assert_eq!(one(&user(list)), "Person text=Fix \"it\"\n");
    for host in [
        "<command-name>/clear</command-name>",
        "<task-notification>done</task-notification>",
        "[Request interrupted by user for tool use]",
        "  <local-command-stdout>x</local-command-stdout>",
    ] {
        assert!(one(&user(json!(host))).starts_with("Host"), "{host}");
    }
    let mut skill = user(json!("How to draw"));
    skill["isMeta"] = json!(true);
    assert!(one(&skill).starts_with("Host"));
    let mut summary = user(json!("What happened so far"));
    summary["isCompactSummary"] = json!(true);
    assert!(one(&summary).starts_with("Summary"));
}

#[test]
fn tools_and_their_results_in_every_form() {
    let uses = json!({"type": "assistant", "message": {"id": "m1", "content": [
        {"type": "thinking", "thinking": "hm"},
        {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}]}});
    assert_eq!(
        one(&uses),
        "assistant Some(\"m1\") use=t1/Bash/{\"command\":\"ls\"}"
    );
    let plain = json!([{"type": "tool_result", "tool_use_id": "t1", "content": "a\nb"}]);
    assert_eq!(one(&user(plain)), "Host result=t1/a\nb/false");
    let parts = json!([{"type": "tool_result", "tool_use_id": "t1", "is_error": true,
        "content": [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]}]);
    assert_eq!(one(&user(parts)), "Host result=t1/a\nb/true");
    let odd =
        json!([{"type": "tool_result", "tool_use_id": 5, "content": {"x": 1}, "is_error": "no"}]);
    assert_eq!(one(&user(odd)), "Host result=//false");
}

#[test]
fn other_kinds_sidechains_errors_and_titles() {
    let kinds = [
        "attachment",
        "progress",
        "file-history-snapshot",
        "queue-operation",
        "new-kind",
    ];
    for kind in kinds {
        assert_eq!(
            one(&json!({"type": kind, "message": {"content": "x"}})),
            "other"
        );
    }
    assert_eq!(one(&json!({"no": "type"})), "other");
    let mut aside = user(json!("do it"));
    aside["isSidechain"] = json!(true);
    assert_eq!(one(&aside), "other");
    let error =
        json!({"type": "assistant", "isApiErrorMessage": true, "message": {"content": "x"}});
    assert_eq!(one(&error), "other");
    assert_eq!(
        one(&json!({"type": "ai-title", "aiTitle": "Login"})),
        "title Login false"
    );
    assert_eq!(
        one(&json!({"type": "custom-title", "customTitle": "Mine"})),
        "title Mine true"
    );
    let boundary = json!({"type": "system", "subtype": "compact_boundary", "uuid": "c"});
    assert_eq!(one(&boundary), "compacted");
}

#[test]
fn a_mark_of_the_encoding_is_no_part_of_the_first_line() {
    let fixture = Fixture::new(&[]);
    fixture.append(&format!("\u{feff}{}\n", user(json!("first"))));
    assert_eq!(fixture.said(&Cursor::default()).0, ["Person text=first"]);
}

#[test]
fn corrupt_lines_are_passed_over_and_a_torn_last_one_is_left_for_later() {
    let fixture = Fixture::new(&[user(json!("first"))]);
    fixture.append(
        "not json\n\n[1,2]\n\"text\"\n{\"type\":\"user\",\"message\":\"text\"}\n{\"type\":\"us",
    );
    let (said, cursor) = fixture.said(&Cursor::default());
    assert_eq!(said, ["Person text=first"]);
    assert_eq!(
        fixture.said(&cursor),
        (vec![], cursor.clone()),
        "nothing is read twice"
    );
    fixture.append("er\",\"uuid\":\"u2\",\"message\":{\"content\":\"second\"}}\n");
    let (said, cursor) = fixture.said(&cursor);
    assert_eq!(said, ["Person text=second"]);
    assert_eq!(cursor.uuid, "u2");
    assert_eq!(
        cursor.offset,
        std::fs::metadata(&fixture.path).expect("there").len()
    );
}

/// A transcript of several megabytes, with lines of every sort.
fn long() -> Fixture {
    let mut text = "x".repeat(LINE_BYTES_MAX + 1);
    text.push('\n');
    for at in 0..9_000 {
        let line = json!({"type": "user", "uuid": format!("u{at}"), "message": {"content": format!("said {at} {}",
            "on and on ".repeat(at % 90))}});
        text.push_str(&line.to_string());
        text.push_str(["\n", "\r\n", "\n\nnot json\n"][at % 3]);
    }
    let fixture = Fixture::new(&[user("first")]);
    fixture.append(&text);
    fixture.append("{\"type\":\"us");
    fixture
}

#[test]
fn a_long_one_is_the_same_on_all_cores() {
    let fixture = long();
    let (said, cursor) = fixture.said(&Cursor::default());
    assert_eq!(said.len(), 9_001);
    for from in [
        Cursor::default(),
        Cursor {
            offset: cursor.offset,
            uuid: "before".to_owned(),
        },
    ] {
        let (expected, end) = fixture.said(&from);
        let mut all = Vec::new();
        let transcript = Transcript::open_at(&fixture.path, &from).expect("open");
        let read = transcript.read_on_cores(|record| shown(&record.said), |said| all.push(said));
        assert_eq!(read.expect("read"), end);
        assert!(all == expected, "{} and {}", all.len(), expected.len());
    }
}

#[test]
#[should_panic(expected = "a scoped thread panicked")]
fn what_panics_on_another_core_ends_the_reading() {
    let fixture = long();
    let transcript = Transcript::open_at(&fixture.path, &Cursor::default());
    let _ = transcript.expect("open").read_on_cores(
        |record| assert_ne!(record.uuid.as_deref(), Some("u3000"), "as it has to be"),
        |()| {},
    );
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test may cut a file")]
fn a_transcript_that_was_cut_is_read_from_its_start() {
    let fixture = Fixture::new(&[user(json!("first")), user(json!("second"))]);
    let (_, cursor) = fixture.said(&Cursor::default());
    std::fs::write(&fixture.path, format!("{}\n", user(json!("other")))).expect("written");
    let (said, _) = fixture.said(&cursor);
    assert_eq!(said, ["Person text=other"]);
}

#[test]
fn what_is_no_file_is_an_error_and_not_waited_for() {
    let fixture = Fixture::new(&[]);
    let folder = fixture.path.parent().expect("a folder");
    for path in [folder, &folder.join("missing"), Path::new("/dev/zero")] {
        let error = Transcript::open_at(path, &Cursor::default()).expect_err("no transcript");
        assert!(
            error.to_string().contains("cannot read the transcript"),
            "{error}"
        );
    }
}

#[test]
fn a_rollout_of_codex_is_read() {
    let message = |role: &str, kind: &str, text: &str| {
        let part = if role == "assistant" {
            "output_text"
        } else {
            "input_text"
        };
        json!({"timestamp": "2026-11-27T01:13:11Z", "type": "response_item", "payload": {
            "type": "message", "id": "msg", "role": role, "content": [{"type": part, "text": text}],
            "internal_chat_message_metadata_passthrough": {"content_item_kinds": [kind]}}})
    };
    let item = |payload: Value| json!({"type": "response_item", "payload": payload});
    let patch = "*** Begin Patch\n*** Update File: src/a.rs\n@@\n-a\n+b\n*** End Patch\n";
    let shell = json!({"command": ["bash", "-lc", "cargo test"]}).to_string();
    let failed = json!({"output": "no", "metadata": {"exit_code": 1}}).to_string();
    let fixture = Fixture::new(&[
        json!({"type": "session_meta", "payload": {"id": "s-1", "cwd": "/app", "base_instructions": {"text": "x"}}}),
        message("developer", "hooks.additional_context", "<memories>"),
        message(
            "user",
            "environments.environment_context",
            "<environment_context>",
        ),
        message("user", "user.text", "Use tabs."),
        json!({"type": "event_msg", "payload": {"type": "user_message", "message": "Use tabs."}}),
        item(
            json!({"type": "function_call", "name": "shell", "arguments": shell, "call_id": "c1"}),
        ),
        item(json!({"type": "function_call_output", "call_id": "c1", "output": failed})),
        item(
            json!({"type": "custom_tool_call", "name": "apply_patch", "input": patch, "call_id": "c2"}),
        ),
        item(
            json!({"type": "custom_tool_call_output", "call_id": "c2", "output": "Exit code: 0\nSuccess"}),
        ),
        message("assistant", "unknown", "Done."),
        json!({"type": "compacted", "payload": {"message": "so far"}}),
    ]);
    let said = fixture.said(&Cursor::default()).0;
    let said: Vec<&str> = said
        .iter()
        .map(String::as_str)
        .filter(|one| *one != "other")
        .collect();
    assert_eq!(
        said,
        [
            "Host text=<environment_context>",
            "Person text=Use tabs.",
            r#"assistant None use=c1/Bash/{"command":"cargo test"}"#,
            "Host result=c1/no/true",
            r#"assistant None use=c2/Edit/{"file_path":"src/a.rs"}"#,
            "Host result=c2/Exit code: 0\nSuccess/false",
            "assistant None text=Done.",
            "compacted",
        ]
    );
    let identity = SessionIdentity::of_transcript(&fixture.path).unwrap();
    assert_eq!(
        (&*identity.id, identity.folder),
        ("s-1", Some("/app".into()))
    );
}

#[test]
fn sessions_of_gemini_cli_and_qwen_code_are_read() {
    let context = "<hook_context>&lt;memories&gt;</hook_context>\n\n";
    let answered = |error: &str| json!({"functionResponse": {"id": "c1", "response": {"output": format!("Exit Code: {error}")}}});
    let fixture = Fixture::new(&[
        json!({"sessionId": "s-2", "projectHash": "h", "kind": "main"}),
        json!({"$set": {"messages": [{"type": "user", "content": [{"text": "<session_context>"}]}]}}),
        json!({"id": "1", "type": "user", "content": [{"text": format!("{context}Use tabs.")}, {"text": context}]}),
        json!({"id": "2", "type": "gemini", "content": "I look."}),
        json!({"id": "2", "type": "gemini", "content": "I look.", "toolCalls":
            [{"id": "c1", "name": "run_shell_command", "args": {"command": "ls"}}]}),
        json!({"id": "3", "type": "user", "content": [answered("1")]}),
        json!({"id": "4", "type": "info", "content": "Update available"}),
    ]);
    let said = fixture.said(&Cursor::default()).0;
    let said: Vec<&str> = said
        .iter()
        .map(String::as_str)
        .filter(|one| *one != "other")
        .collect();
    assert_eq!(
        said,
        [
            "Person text=Use tabs.",
            r#"assistant Some("2") text=I look."#,
            r#"assistant Some("2") use=c1/Bash/{"command":"ls"}"#,
            "Host result=c1/Exit Code: 1/true",
        ]
    );
    let identity = SessionIdentity::of_transcript(&fixture.path).unwrap();
    assert_eq!((&*identity.id, identity.folder), ("s-2", None));

    let qwen = |kind: &str, provenance: &str, parts: Value| {
        json!({"uuid": "u", "sessionId": "s-3", "cwd": "/app", "type": kind, "provenance": provenance,
            "message": {"parts": parts}})
    };
    let call = json!({"functionCall": {"id": "c1", "name": "replace", "args": {"file_path": "a"}}});
    let hooked = "<qwen:user-prompt-submit-context>\nx\n</qwen:user-prompt-submit-context>";
    let fixture = Fixture::new(&[
        qwen(
            "user",
            "real_user",
            json!([{"text": "Use tabs."}, {"text": hooked}]),
        ),
        qwen(
            "assistant",
            "assistant_output",
            json!([{"text": "I edit."}, call]),
        ),
        qwen("tool_result", "tool_result", json!([answered("0")])),
        qwen("user", "system", json!([{"text": "Go on."}])),
    ]);
    let said = fixture.said(&Cursor::default()).0;
    assert_eq!(
        said,
        [
            "Person text=Use tabs.",
            r#"assistant None text=I edit. use=c1/Edit/{"file_path":"a"}"#,
            "Host result=c1/Exit Code: 0/false",
            "Host text=Go on.",
        ]
    );
    let identity = SessionIdentity::of_transcript(&fixture.path).unwrap();
    assert_eq!(
        (&*identity.id, identity.folder),
        ("s-3", Some("/app".into()))
    );
}

/// What 1.0.102 wrote, shortened.
#[test]
fn a_session_of_copilot_is_read_without_its_subagents() {
    let line = |kind: &str, data: Value| json!({"type": kind, "data": data, "id": "1", "timestamp": "2026-11-27T09:30:54.865Z"});
    let request = json!({"toolCallId": "c", "name": "view", "arguments": {"path": "/w/a.txt"}, "type": "function"});
    let mut aside = line(
        "user.message",
        json!({"content": "how do we indent", "source": "agent-s"}),
    );
    aside["agentId"] = json!("sub");
    let lines = [
        line(
            "session.start",
            json!({"sessionId": "s", "context": {"cwd": "/w", "branch": "master"}}),
        ),
        line("hook.start", json!({"hookType": "sessionStart"})),
        line(
            "user.message",
            json!({"content": "Look around", "transformedContent": "<system_reminder>x"}),
        ),
        line(
            "assistant.message",
            json!({"content": "I look.", "messageId": "m", "toolRequests": [request]}),
        ),
        line(
            "tool.execution_complete",
            json!({"toolCallId": "c", "success": true, "result": {"content": "one"}}),
        ),
        line(
            "tool.execution_complete",
            json!({"toolCallId": "d", "success": false, "error": {"message": "No match"}}),
        ),
        aside,
    ];
    let fixture = Fixture::new(&lines);
    let identity = SessionIdentity::of_transcript(&fixture.path).unwrap();
    assert_eq!((&*identity.id, identity.folder), ("s", Some("/w".into())));
    let (said, _) = fixture.said(&Cursor::default());
    assert_eq!(
        said,
        [
            "other",
            "other",
            "Person text=Look around",
            r#"assistant Some("m") text=I look. use=c/Read/{"path":"/w/a.txt"}"#,
            "Host result=c/one/false",
            "Host result=d/No match/true",
            "other",
        ]
    );
}

#[test]
fn claude_codes_transcript_is_named_by_its_file_alone() {
    let fixture = Fixture::new(&[user("Hello")]);
    assert_eq!(SessionIdentity::of_transcript(&fixture.path), None);
}
