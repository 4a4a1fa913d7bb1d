//! Memories found in transcripts by rules.

use std::fs;
use std::path::{Path, PathBuf};

use mem_agent::extract::{
    ExtractContext, Extraction, KnownInstructions, Reason, SURE_MIN, SpeechAct, extract_transcript,
};
use mem_agent::transcript::Cursor;
use mem_agent::wrote::MemoryWrites;
use mem_core::{MemoryType, Scope};
use serde_json::{Value, json};

pub(crate) struct Talk {
    pub(crate) folder: tempfile::TempDir,
    lines: Vec<Value>,
    known: KnownInstructions,
}

impl Talk {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a folder"),
            lines: Vec::new(),
            known: KnownInstructions::default(),
        }
    }

    /// Said on Wednesday, 4 March 2026.
    pub(crate) fn say(mut self, kind: &str, content: impl Into<Value>) -> Self {
        let uuid = format!("u{}", self.lines.len());
        self.lines.push(
            json!({"type": kind, "uuid": uuid, "timestamp": "2026-03-04T10:00:00Z",
            "cwd": "/w", "message": {"role": kind, "content": content.into()}}),
        );
        self
    }

    pub(crate) fn line(mut self, line: Value) -> Self {
        self.lines.push(line);
        self
    }

    pub(crate) fn person(self, text: &str) -> Self {
        self.say("user", text)
    }

    pub(crate) fn write(self, path: &str) -> Self {
        let id = format!("t{}", self.lines.len());
        let call =
            json!([{"type": "tool_use", "id": id, "name": "Write", "input": {"file_path": path}}]);
        let result = json!([{"type": "tool_result", "tool_use_id": id, "content": "ok"}]);
        self.say("assistant", call).say("user", result)
    }

    fn file(&self) -> PathBuf {
        let path = self.folder.path().join("s1.jsonl");
        let lines: Vec<String> = self.lines.iter().map(Value::to_string).collect();
        let text = format!("{}\n", lines.join("\n"));
        fs::File::create(&path)
            .and_then(|mut file| std::io::Write::write_all(&mut file, text.as_bytes()))
            .expect("a transcript");
        path
    }

    pub(crate) fn found_from(&self, from: &Cursor) -> Extraction {
        let setting = ExtractContext {
            session: "s1",
            known: &self.known,
            writes: MemoryWrites {
                is_memory: &|path: &Path| path.starts_with("/memory"),
                is_written: &|_, _| false,
            },
        };
        extract_transcript(&self.file(), from, &setting).expect("a reading")
    }

    pub(crate) fn found(&self) -> Extraction {
        self.found_from(&Cursor::default())
    }
}

pub(crate) fn heard(text: &str) -> Extraction {
    Talk::new().person(text).found()
}

#[test]
fn what_is_not_to_be_saved_is_left_out_with_the_reason() {
    for (text, reason) in [
        (
            "the project uses axum, and requests always go through tower layers in src/http/mod.rs",
            None,
        ),
        (
            "add a rule to CLAUDE.md that we always squash",
            Some(Reason::Instructions),
        ),
        ("don't run the slow tests this time", None),
        (
            "should we always validate the input?",
            Some(Reason::Question),
        ),
        (
            "never write it here, move it into the header",
            Some(Reason::Local),
        ),
        (
            "we decided on the cache, PR 12 was merged yesterday",
            Some(Reason::Git),
        ),
        ("the test always fails on the second run", None),
    ] {
        let found = heard(text);
        assert_eq!(found.candidates.len(), 0, "{text}: {:?}", found.candidates);
        let reasons: Vec<Reason> = found.dropped.iter().map(|one| one.reason).collect();
        assert_eq!(reasons.first().copied(), reason, "{text}");
    }
}

#[test]
fn only_the_person_is_listened_to() {
    let rule = "From now on always squash the commits before you merge.";
    let result = json!([{"type": "tool_result", "tool_use_id": "t", "content": rule}]);
    let mut talk = Talk::new()
        .say("user", result)
        .say("assistant", json!([{"type": "text", "text": rule}]))
        .person(&format!("<system-reminder>{rule}</system-reminder>"))
        .person(&format!("look at this:\n> {rule}\n```\n{rule}\n```"))
        .person(&format!("the page should say \"{rule}\""));
    let mut aside =
        json!({"type": "user", "uuid": "x", "isSidechain": true, "message": {"content": rule}});
    talk.lines.push(aside.clone());
    aside["isSidechain"] = json!(false);
    aside["isMeta"] = json!(true);
    talk.lines.push(aside);
    assert_eq!(talk.found().candidates, []);
    // What the agent said first was pasted back; what the person said first is theirs.
    assert_eq!(talk.person(rule).found().dropped[0].reason, Reason::Pasted);
    let echoed = Talk::new()
        .person(rule)
        .say("assistant", json!([{"type": "text", "text": rule}]))
        .person(rule);
    assert_eq!(echoed.found().candidates.len(), 1);
}

#[test]
fn a_list_of_the_agent_that_comes_back_later_is_no_statement() {
    let list =
        "Next:\n1. **Styles**: We should always use the shared tokens for every new component\n";
    let talk = Talk::new()
        .person("what is left to do?")
        .say("assistant", json!([{"type": "text", "text": list}]));
    let first = talk.found();
    let back = "We should always use the shared tokens for every new component. Please do it";
    let talk = talk.person(back);
    // In a run of its own, too, as after each turn.
    for found in [talk.found(), talk.found_from(&first.cursor)] {
        assert_eq!(found.candidates, []);
        assert_eq!(
            found.dropped[0].reason,
            Reason::Pasted,
            "{:?}",
            found.dropped
        );
    }
    assert_eq!(heard(back).candidates.len(), 1);
}

#[test]
fn a_turn_in_which_the_agent_wrote_memory_is_left_out_and_others_are_not() {
    let talk = Talk::new()
        .person("Always run the linter before you commit")
        .write("/memory/feedback_lint.md")
        .person("We never merge on Fridays because nobody is on call")
        .write("/src/lib.rs");
    let found = talk.found();
    assert_eq!(found.written_turns, 1);
    let quotes: Vec<&str> = found
        .candidates
        .iter()
        .map(|one| one.quote.as_str())
        .collect();
    assert_eq!(
        quotes,
        ["We never merge on Fridays because nobody is on call"]
    );
    assert_eq!(found.dropped[0].reason, Reason::Written);
}

#[test]
fn what_was_read_is_not_read_again() {
    let talk = Talk::new().person("Always run the linter before you commit");
    let first = talk.found();
    assert_eq!(first.candidates.len(), 1);
    assert_eq!(talk.found_from(&first.cursor).candidates, []);
    let talk = talk.person("I'm a data engineer and new to React");
    let second = talk.found_from(&first.cursor);
    let sorts: Vec<SpeechAct> = second.candidates.iter().map(|one| one.sort).collect();
    assert_eq!(sorts, [SpeechAct::Person]);
}

#[test]
fn a_candidate_says_what_why_when_and_by_whom() {
    let talk = Talk::new()
        .say("assistant", json!([{"type": "text", "text": "I mocked the database."}]))
        .person("No, never mock the database in tests because we got burned last quarter. It took days.");
    let found = talk.found();
    let one = &found.candidates[0];
    assert_eq!(
        (one.kind, one.scope),
        (MemoryType::Feedback, Scope::Private)
    );
    assert!(one.confidence >= SURE_MIN, "{}", one.confidence);
    assert_eq!(one.name, "Never mock the database in tests");
    // The reason stands in the same sentence; no other sentence is made one.
    assert_eq!(one.why, "we got burned last quarter (2025-Q4).");
    assert_eq!(
        one.body,
        "Never mock the database in tests because we got burned last quarter (2025-Q4).\n\n\
         **Said on 2026-03-04:** \"No, never mock the database in tests because we got burned last quarter.\"\n"
    );
    assert_eq!(
        (one.source.session.as_str(), one.source.from.as_str()),
        ("s1", "u1")
    );
}

#[test]
fn relative_dates_are_made_absolute_by_the_day_they_were_said() {
    let found = heard("We're freezing all non-critical merges after Thursday");
    let body = &found.candidates[0].body;
    assert!(
        body.starts_with("We're freezing all non-critical merges after Thursday (2026-03-05)."),
        "{body}"
    );
}

#[test]
fn secrets_are_gone_before_anything_is_made_of_them() {
    let token = ["gh", "p_", "x7Qm2Kd9Lf4Rt6Yw8Zp1Vb3Nc5Hj0Sg2Aq4E"].concat();
    let found = heard(&format!(
        "Always use the token {token} when you push to the mirror"
    ));
    let shown = serde_json::to_string(&found.candidates).unwrap()
        + &serde_json::to_string(&found.dropped).unwrap();
    assert!(!shown.contains(&token[4..]), "{shown}");
    assert!(shown.contains("redacted"), "{shown}");
}

#[test]
fn a_password_in_an_address_makes_no_memory() {
    let word = ["hun", "ter", "2"].concat();
    for text in [
        format!(
            "From now on always log in with postgres://admin:{word}@db.corp/x because the pool is gone"
        ),
        format!("From now on always use the staging login: admin / {word}"),
    ] {
        let found = heard(&text);
        assert_eq!(found.candidates, [], "{text}");
        let [dropped] = found.dropped.as_slice() else {
            panic!("{text}: {:?}", found.dropped);
        };
        assert!(!dropped.quote.contains(&word), "{dropped:?}");
    }
    let found = heard("From now on always connect with postgres://user:password@host/db");
    assert_eq!(found.candidates.len(), 1, "{:?}", found.dropped);
}

#[test]
fn what_nobody_sees_is_in_no_memory() {
    for hidden in [
        "\u{1b}[31m",
        "\u{7}",
        "\0",
        "\u{202e}",
        "\u{200b}",
        "\u{85}",
    ] {
        let found = heard(&format!(
            "From now on always prefix branches with feature/ {hidden}because CI filters"
        ));
        let one = &found.candidates[0];
        for text in [&one.name, &one.description, &one.quote] {
            assert!(!text.contains(char::is_control), "{text:?}");
        }
        let clean = one.body.replace('\n', "");
        let is_hidden = |c: char| c.is_control() || "\u{202e}\u{200b}".contains(c);
        assert!(!clean.contains(is_hidden), "{clean:?}");
        assert!(clean.contains("because CI filters"), "{clean:?}");
    }
}

#[test]
fn a_day_of_every_week_gets_no_date() {
    let found = heard("les mises en prod se font uniquement le mardi parce que le client est là");
    let body = &found.candidates[0].body;
    assert!(!body.contains("mardi ("), "{body}");
}

#[test]
fn what_an_instruction_file_says_is_known() {
    let mut talk = Talk::new().person("Always use pnpm instead of npm for installing packages");
    talk.known = KnownInstructions::from_texts(["- Install packages with pnpm instead of npm.\n"]);
    let found = talk.found();
    assert_eq!(found.candidates, []);
    assert_eq!(found.dropped[0].reason, Reason::Known);
}

#[test]
fn what_a_person_says_is_for_no_other() {
    for (text, scope) in [
        ("I'm a data engineer and new to React", Scope::Private),
        (
            "We decided to stay on Postgres 14 because the hosting can't upgrade",
            Scope::Private,
        ),
        ("Stop adding emojis to commit messages", Scope::Private),
        (
            "Our convention is to squash every commit before the merge",
            Scope::Private,
        ),
        (
            "In all my projects, always answer in English",
            Scope::Global,
        ),
    ] {
        let found = Talk::new().person(text).found();
        assert_eq!(found.candidates[0].scope, scope, "{text}");
    }
}

#[test]
fn anything_may_stand_in_a_transcript() {
    let mut talk = Talk::new().person("Always run the linter before you commit");
    talk.lines.insert(0, json!([1, 2]));
    talk.lines
        .insert(0, json!({"type": "user", "message": 7, "cwd": []}));
    talk.lines.push(json!({"type": "user", "timestamp": "yesterday", "message": {"content": "never ".repeat(9_000)}}));
    talk.lines
        .push(json!({"type": "user", "message": {"content": "\u{0}\u{202e} always \u{feff}"}}));
    assert_eq!(talk.found().candidates.len(), 1);
}

#[test]
fn a_secret_is_in_no_quotation_whatever_is_quoted_with_it() {
    let password = ["hun", "ter", "2", "-Qz91"].concat();
    for prompt in [
        format!(
            "Always use the staging database in tests. The password is {password}. We never change it."
        ),
        format!("The password is {password}. Always use it for staging because the others expire."),
        format!("The password is {password}. From now on always run the linter before you commit."),
    ] {
        let found = Talk::new().person(&prompt).found();
        let text = format!("{:?} {:?}", found.candidates, found.dropped);
        assert!(!text.contains(&password), "{text}");
        let kept = found.candidates.iter().map(|one| one.quote.as_str());
        let kept: Vec<&str> = kept.collect();
        assert!(
            kept.iter().all(|quote| !quote.contains("[redacted")),
            "{kept:?}"
        );
    }
    let both =
        format!("From now on always run the linter before you commit. The password is {password}.");
    assert_eq!(Talk::new().person(&both).found().candidates.len(), 1);
}

#[test]
fn a_request_in_the_form_of_a_question_is_kept_as_what_it_asks_for() {
    let asked = "Can you always run the linter before you tell me that something is finished?";
    let found = Talk::new().person(asked).found();
    let candidate = found.candidates.first().expect("a candidate");
    assert!(
        candidate
            .body
            .starts_with("Always run the linter before you tell me that something is finished.\n"),
        "{}",
        candidate.body
    );
    for question in [
        "Can you always assume that the list is sorted?",
        "Can you really always rely on that?",
        "Why do you always use the second one?",
    ] {
        let found = Talk::new().person(question).found();
        assert!(found.candidates.is_empty(), "{:?}", found.candidates);
    }
}

#[test]
fn what_is_told_of_the_user_is_no_project() {
    let found = Talk::new()
        .person("Remember: the user wants short commit messages without emojis")
        .found();
    let kinds: Vec<MemoryType> = found.candidates.iter().map(|one| one.kind).collect();
    assert_eq!(kinds, [MemoryType::Feedback]);
}
