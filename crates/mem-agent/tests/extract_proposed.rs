//! What a model proposes beside the rules.
#![cfg(unix)]

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use mem_agent::extract::{
    ExtractContext, KnownInstructions, ModelContext, Reason, propose_candidates,
};
use mem_agent::model::Model;
use mem_agent::wrote::MemoryWrites;
use mem_core::Scope;
use mem_core::history::{CitationSnapshot, NoteId};
use mem_core::memory::Note;
use mem_core::topic::TopicFile;

use crate::extract::Talk;

#[test]
fn a_model_is_believed_as_far_as_it_quotes() {
    let bytes = b"---\nname: A\ndescription: a note\n---\nText\n".to_vec();
    let notes = [Note {
        id: NoteId::derive(&[b"a.md"]),
        scope: Scope::Private,
        file: "a.md".to_owned(),
        path: mem_core::MemoryPath::parse("a.md").unwrap(),
        absolute: PathBuf::from("/m/a.md"),
        topic: TopicFile::parse(&bytes),
        bytes,
        modified: jiff::Timestamp::UNIX_EPOCH,
        cited: CitationSnapshot::default(),
    }];
    let setting = ExtractContext {
        session: "s1",
        known: &KnownInstructions::default(),
        writes: MemoryWrites {
            is_memory: &|_| false,
            is_written: &|_, _| false,
        },
    };
    let token = ["gh", "p_", "x7Qm2Kd9Lf4Rt6Yw8Zp1Vb3Nc5Hj0Sg2Aq4E"].concat();
    let talk = Talk::new().person(&format!(
        "The ingest lag alert is in the on-call sheet, ask Henrik. My token is {token}"
    ));
    let asked = |answer: &str| {
        let mut found = talk.found();
        let command = format!(
            "tee '{}' > /dev/null; cat <<'EOF'\n{answer}\nEOF",
            talk.folder.path().join("prompt").display()
        );
        let model = Model::new(&command, Duration::from_secs(60)).unwrap();
        let shown = ModelContext {
            notes: &notes,
            scratch_dir: talk.folder.path(),
            now: mem_core::Now(jiff::Timestamp::UNIX_EPOCH),
        };
        let outcome = propose_candidates(&mut found, &shown, &setting, &model);
        (outcome, found)
    };
    let good = r#"```json
[{"type":"reference","name":"On-call sheet","description":"The ingest lag alert","body":"It is in the sheet.","quote":"the ingest lag alert is in the on-call sheet","why":""},
 {"type":"feedback","name":"x","description":"x","body":"x","quote":"always push to main","why":""},
 {"type":"secret","name":"x","description":"x","body":"x","quote":"ask Henrik. My token is","why":""}]
```"#;
    let (outcome, found) = asked(good);
    outcome.unwrap();
    let names: Vec<&str> = found
        .candidates
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(names[0], "On-call sheet");
    assert_eq!(found.candidates[0].scope, Scope::Private);
    let unfounded = found
        .dropped
        .iter()
        .filter(|one| one.reason == Reason::Unfounded);
    assert_eq!(unfounded.count(), 2);
    let prompt = fs::read_to_string(talk.folder.path().join("prompt")).unwrap();
    assert!(
        prompt.contains("- a.md: a note") && prompt.contains("[redacted"),
        "{prompt}"
    );
    assert!(!prompt.contains(&token[4..]));
    let before = talk.found().candidates;
    for unfit in [
        "",
        "I would keep nothing.",
        "[{\"type\":\"user\"}]",
        "{\"delete\":\"everything\"}",
    ] {
        let (outcome, found) = asked(unfit);
        assert!(outcome.is_err(), "{unfit}");
        assert_eq!(found.candidates, before, "the rules stand");
    }
    let sure = before.iter().filter(|one| one.is_sure()).count();
    assert_eq!(asked("[]").1.candidates.len(), sure, "what is sure stays");
}
