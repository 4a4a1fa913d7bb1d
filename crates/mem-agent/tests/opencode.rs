//! Sessions of opencode, in a database as 1.18.33 writes it.

use std::path::{Path, PathBuf};

use mem_agent::transcript::{
    Cursor, MessagePart, RecordBody, SessionIdentity, Transcript, turn_source,
};
use mem_core::TextSource;
use rusqlite::{Connection, params};
use serde_json::{Value, json};
use tempfile::TempDir;

const SCHEMA: &str = "
CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text NOT NULL, title text NOT NULL,
    time_created integer NOT NULL, time_updated integer NOT NULL);
CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, data text NOT NULL);
CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, data text NOT NULL);
";

/// A database with one session, `ses_1`.
struct Fixture {
    _temp: TempDir,
    db: Connection,
    path: PathBuf,
}

impl Fixture {
    fn new(schema: &str) -> Self {
        let temp = tempfile::tempdir().expect("a folder");
        let database = temp.path().join("opencode.db");
        let db = Connection::open(&database).expect("a database");
        db.execute_batch(schema).expect("tables");
        let path = database.join("ses_1.jsonl");
        Self {
            _temp: temp,
            db,
            path,
        }
    }

    fn begin(&self) {
        let begin = "INSERT INTO session VALUES ('ses_1', NULL, '/app', 'New session', 1795794072466, 1795794072466)";
        self.db.execute(begin, []).expect("a row");
    }

    fn say(&self, number: i64, data: &Value, parts: &[Value]) {
        let insert = "INSERT INTO message VALUES (?, 'ses_1', ?, ?)";
        let id = format!("msg_{number}");
        let time = 1_795_794_072_466 + number * 1_000;
        self.db
            .execute(insert, params![id, time, data.to_string()])
            .expect("a row");
        for (at, part) in parts.iter().enumerate() {
            let insert = "INSERT INTO part VALUES (?, ?, ?)";
            let part_id = format!("prt_{number}_{at}");
            self.db
                .execute(insert, params![part_id, id, part.to_string()])
                .expect("a row");
        }
    }

    fn said(&self, cursor: &Cursor) -> (Vec<String>, Cursor) {
        read_said(&self.path, cursor).expect("read")
    }
}

fn read_said(path: &Path, cursor: &Cursor) -> Result<(Vec<String>, Cursor), String> {
    let mut all = Vec::new();
    let transcript = Transcript::open_at(path, cursor).map_err(|error| error.to_string())?;
    let cursor = transcript.read(|record| match &record.said {
        RecordBody::User { origin, parts } => all.push(format!("{origin:?}{}", shown(parts))),
        RecordBody::Assistant { parts, .. } => all.push(format!("model{}", shown(parts))),
        RecordBody::Title { text, .. } => all.push(format!("title {text}")),
        RecordBody::Compacted => all.push("compacted".to_owned()),
        RecordBody::Other => {}
    });
    Ok((all, cursor.map_err(|error| error.to_string())?))
}

fn shown(parts: &[MessagePart<'_>]) -> String {
    let each = parts.iter().map(|part| match part {
        MessagePart::Text(text) => format!(" {text}"),
        MessagePart::ToolUse { name, input, .. } => format!(" {name}({input})"),
        MessagePart::ToolResult { text, is_error, .. } => format!(" -> {text} {is_error}"),
    });
    each.collect()
}

fn prompt(text: &str) -> [Value; 2] {
    let given = json!({"type": "text", "synthetic": true, "text": "<memories>"});
    [json!({"type": "text", "text": text}), given]
}

fn tool(name: &str, input: &Value, output: &str) -> Value {
    json!({"type": "tool", "tool": name, "callID": "c", "state": {"status": "completed", "input": input, "output": output}})
}

#[test]
fn a_session_is_read_up_to_what_is_whole_and_goes_on_from_there() {
    let fixture = Fixture::new(SCHEMA);
    fixture.begin();
    let (user, done) = (
        json!({"role": "user"}),
        json!({"role": "assistant", "time": {"completed": 1}}),
    );
    fixture.say(0, &user, &prompt("\"Use tabs\""));
    assert_eq!(
        fixture.said(&Cursor::default()).0,
        [] as [&str; 0],
        "a prompt may still grow"
    );
    let input = json!({"filePath": "/app/a.rs", "oldString": "x"});
    fixture.say(
        1,
        &done,
        &[json!({"type": "step-start"}), tool("edit", &input, "Done")],
    );
    fixture.say(
        2,
        &json!({"role": "assistant", "time": {}}),
        &[tool("webfetch", &json!({}), "page")],
    );
    let (said, cursor) = fixture.said(&Cursor::default());
    let edit = r#"model Edit({"file_path":"/app/a.rs","old_string":"x"})"#;
    assert_eq!(
        said,
        [
            "title New session",
            "Person Use tabs",
            edit,
            "Host -> Done false"
        ]
    );
    // What is under way counts where an agent asks whose text it has read.
    assert_eq!(turn_source(&fixture.path), Some(TextSource::WebPage));
    // A title that has changed moves nothing.
    fixture
        .db
        .execute("UPDATE session SET title = 'Of tabs, at length'", [])
        .unwrap();
    fixture
        .db
        .execute(
            "UPDATE message SET data = ? WHERE id = 'msg_2'",
            [done.to_string()],
        )
        .unwrap();
    fixture.say(3, &user, &prompt("And spaces?"));
    fixture.say(4, &done, &[json!({"type": "text", "text": "None."})]);
    let rest = [
        "model webfetch({})",
        "Host -> page false",
        "title Of tabs, at length",
        "Person And spaces?",
        "model None.",
    ];
    assert_eq!(fixture.said(&cursor).0, rest);
    let identity = SessionIdentity::of_transcript(&fixture.path).unwrap();
    assert_eq!(
        (&*identity.id, identity.folder),
        ("ses_1", Some("/app".into()))
    );
}

#[test]
fn tools_of_servers_and_compactions_are_known() {
    let fixture = Fixture::new(SCHEMA);
    fixture.begin();
    let done = json!({"role": "assistant", "time": {"completed": 1}});
    fixture.say(
        0,
        &json!({"role": "user"}),
        &[json!({"type": "compaction", "auto": true})],
    );
    let summary = json!({"role": "assistant", "summary": true, "time": {"completed": 1}});
    fixture.say(1, &summary, &[json!({"type": "text", "text": "So far"})]);
    fixture.say(2, &done, &[tool("tracker_search", &json!({}), "hit")]);
    let want = [
        "compacted",
        "Summary So far",
        "model mcp__tracker_search({})",
        "Host -> hit false",
    ];
    assert_eq!(fixture.said(&Cursor::default()).0, want);
}

#[test]
fn another_form_of_database_is_refused_and_nothing_is_written() {
    let fixture = Fixture::new("CREATE TABLE conversation (id text);");
    let before = std::fs::read_dir(fixture.path.ancestors().nth(2).unwrap())
        .unwrap()
        .count();
    let error = read_said(&fixture.path, &Cursor::default()).unwrap_err();
    assert!(
        error.contains("is not as opencode 1.18 writes it: no such table: session"),
        "{error}"
    );
    let bed_files = std::fs::read_dir(fixture.path.ancestors().nth(2).unwrap())
        .unwrap()
        .count();
    assert_eq!(bed_files, before);
    let other = Fixture::new(SCHEMA);
    let error = read_said(&other.path, &Cursor::default()).unwrap_err();
    assert!(error.contains("no such session"), "{error}");
}
