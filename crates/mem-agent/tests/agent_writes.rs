//! What an agent wrote, out of whole transcripts.

use std::fmt::Write as _;
use std::path::Path;

use jiff::Timestamp;
use mem_agent::wrote::{MemoryWrites, Wrote, find_writes};
use serde_json::{Value, json};

/// A transcript of calls: each with its uuid, tool, arguments, and whether it failed, if it was answered.
fn transcript(calls: &[(&str, &str, Value, Option<bool>)]) -> tempfile::NamedTempFile {
    let mut text = String::new();
    for (uuid, tool, input, answer) in calls {
        let time = || format!("2026-03-04T10:00:{:02}Z", text.lines().count());
        let call = json!({"type": "assistant", "uuid": uuid, "timestamp": time(), "message": {"role": "assistant",
            "content": [{"type": "tool_use", "id": uuid, "name": tool, "input": input}]}});
        writeln!(text, "{call}").expect("it works");
        if let Some(failed) = answer {
            let time = format!("2026-03-04T10:00:{:02}Z", text.lines().count());
            let result = json!({"type": "user", "uuid": format!("{uuid}-r"), "timestamp": time, "message": {"role": "user",
                "content": [{"type": "tool_result", "tool_use_id": uuid, "content": "x", "is_error": failed}]}});
            writeln!(text, "{result}").expect("it works");
        }
    }
    let file = tempfile::NamedTempFile::new().expect("it works");
    std::io::Write::write_all(&mut file.as_file(), text.as_bytes()).expect("it works");
    file
}

fn found(calls: &[(&str, &str, Value, Option<bool>)], since: &str) -> Wrote {
    let file = transcript(calls);
    let write: Timestamp = "2026-03-04T10:00:02.5Z".parse().expect("a time");
    let writes = MemoryWrites {
        is_memory: &|path: &Path| path.starts_with("/m"),
        is_written: &|start, end| (start..=end).contains(&write),
    };
    find_writes(file.path(), since, writes).expect("it works")
}

fn by(found: &Wrote) -> Vec<&str> {
    found.by.iter().map(String::as_str).collect()
}

#[test]
fn only_what_came_after_and_succeeded_counts() {
    let file = |path: &str| json!({"file_path": path});
    let calls = [
        ("a", "Write", file("/m/old.md"), Some(false)),
        ("b", "Edit", file("/m/failed.md"), Some(true)),
        ("c", "Edit", file("/src/code.rs"), Some(false)),
        ("d", "MultiEdit", file("/m/new.md"), Some(false)),
        ("e", "Write", file("/m/unanswered.md"), None),
    ];
    let after = found(&calls, "a-r");
    assert!(after.is_since_found);
    assert_eq!(by(&after), ["MultiEdit"]);
    assert_eq!(after.files.iter().collect::<Vec<_>>(), ["/m/new.md"]);
    assert!(!found(&calls, "d-r").has_written());
    let at_the_call = found(&calls[..1], "a");
    assert_eq!(by(&at_the_call), ["Write"], "its success came after");
}

#[test]
fn an_unknown_record_means_the_whole_transcript() {
    let calls = [
        (
            "a",
            "mcp__mem__memory_write",
            json!({"path": "a.md"}),
            Some(false),
        ),
        ("b", "Write", json!({"file_path": "/m/a.md"}), Some(false)),
    ];
    let all = found(&calls, "nowhere");
    assert!(!all.is_since_found);
    assert_eq!(by(&all), ["Write", "mcp__mem__memory_write"]);
}

#[test]
fn a_shell_command_counts_where_the_history_has_a_write_while_it_ran() {
    let line = || json!({"command": "make notes"});
    let call = |uuid, failed| (uuid, "Bash", line(), failed);
    // The write was while the second of them ran, which need not have succeeded.
    for (failed, count) in [(Some(false), 1), (Some(true), 1), (None, 0)] {
        let calls = [call("a", Some(false)), call("b", failed)];
        assert_eq!(found(&calls, "nowhere").by.len(), count, "{failed:?}");
        assert!(!found(&calls[..1], "nowhere").has_written());
    }
}

#[test]
fn what_is_no_transcript_is_an_error() {
    let none = MemoryWrites {
        is_memory: &|_| false,
        is_written: &|_, _| false,
    };
    assert!(find_writes(Path::new("/nowhere/x.jsonl"), "", none).is_err());
    assert!(find_writes(Path::new("/"), "", none).is_err());
}
