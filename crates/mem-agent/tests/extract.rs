//! Memories found in transcripts by rules.

use std::fs;
use std::path::{Path, PathBuf};

use mem_agent::extract::{Found, Known, Reason, SURE_MIN, Setting, Sort, extract};
use mem_agent::transcript::Cursor;
use mem_core::{MemoryType, Scope};
use serde_json::{Value, json};

use crate::labelled::{FITTED, Judged, origin, rates, read};

pub(crate) struct Talk {
    pub(crate) folder: tempfile::TempDir,
    lines: Vec<Value>,
    known: Known,
}

impl Talk {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a folder"),
            lines: Vec::new(),
            known: Known::default(),
        }
    }

    /// Said on Wednesday, 4 March 2026.
    fn say(mut self, kind: &str, content: impl Into<Value>) -> Self {
        let uuid = format!("u{}", self.lines.len());
        self.lines.push(
            json!({"type": kind, "uuid": uuid, "timestamp": "2026-03-04T10:00:00Z",
            "cwd": "/w", "message": {"role": kind, "content": content.into()}}),
        );
        self
    }

    pub(crate) fn person(self, text: &str) -> Self {
        self.say("user", text)
    }

    fn write(self, path: &str) -> Self {
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

    fn found_from(&self, from: &Cursor, has_team: bool) -> Found {
        let setting = Setting {
            session: "s1",
            known: &self.known,
            has_team,
            is_memory: &|path: &Path| path.starts_with("/memory"),
        };
        extract(&self.file(), from, &setting).expect("a reading")
    }

    pub(crate) fn found(&self) -> Found {
        self.found_from(&Cursor::default(), false)
    }
}

pub(crate) fn heard(text: &str) -> Found {
    Talk::new().person(text).found()
}

#[test]
fn each_language_has_its_rules_for_each_sort() {
    use MemoryType::{Feedback, Project, Reference, User};
    for (text, kind) in [
        (
            "From now on always squash the commits before you merge",
            Feedback,
        ),
        (
            "don't mock the database in these tests - we got burned when mocks hid a bug",
            Feedback,
        ),
        ("I'm a data engineer and I've never used Rust before", User),
        (
            "We decided to stay on Postgres 14 because the hosting can't upgrade",
            Project,
        ),
        (
            "Bugs of the importer are tracked in Jira under IMP",
            Reference,
        ),
        (
            "Ab jetzt bitte immer erst die Tests laufen lassen",
            Feedback,
        ),
        (
            "Ich bin Physikerin und arbeite seit fünf Jahren mit Python",
            User,
        ),
        (
            "Wir haben uns für SQLite entschieden, weil niemand einen Server betreiben will",
            Project,
        ),
        ("Die Tickets liegen in Jira im Projekt ABC", Reference),
        ("Désormais, utilise toujours pnpm dans ce projet", Feedback),
        (
            "Je suis data scientist et je n'ai jamais fait de Rust",
            User,
        ),
        (
            "La mise en production est prévue vendredi prochain",
            Project,
        ),
        (
            "La documentation se trouve dans Confluence, espace Paiements",
            Reference,
        ),
        (
            "De ahora en adelante escribe siempre los mensajes en inglés",
            Feedback,
        ),
        ("Soy diseñadora y nunca he programado en Go", User),
        (
            "Decidimos quedarnos con Redis porque el equipo ya lo conoce",
            Project,
        ),
        ("Los errores están en Jira, en el proyecto PAGOS", Reference),
        ("以后所有接口都必须写测试，不要再跳过", Feedback),
        ("我是数据分析师，刚开始学Rust", User),
        ("我们决定不再用Kafka，因为没人能维护", Project),
        ("缺陷都记录在Jira的PAY项目里", Reference),
        ("今後は必ずテストを書いてからコミットしてください", Feedback),
        ("私はデザイナーで、プログラミングは初めてです", User),
        ("リリースは来週の金曜日です", Project),
        ("仕様はConfluenceにまとまっています", Reference),
        ("앞으로는 반드시 테스트를 먼저 작성해 주세요", Feedback),
        ("저는 데이터 분석가이고 러스트는 처음이에요", User),
        ("법무팀 요구로 로그를 삭제하기로 했어요", Project),
        ("버그는 지라에서 관리해요", Reference),
    ] {
        let found = heard(text);
        let kinds: Vec<MemoryType> = found.candidates.iter().map(|one| one.kind).collect();
        assert_eq!(kinds, [kind], "{text}: {:?}", found.dropped);
    }
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
        ("don't run the slow tests this time", Some(Reason::State)),
        (
            "should we always validate the input?",
            Some(Reason::Question),
        ),
        (
            "don't put it here, move it into the header",
            Some(Reason::Local),
        ),
        (
            "we decided in PR 12 was merged yesterday that the cache goes",
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
    assert_eq!(talk.person(rule).found().candidates.len(), 1);
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
    assert_eq!(talk.found_from(&first.cursor, false).candidates, []);
    let talk = talk.person("I'm a data engineer and new to React");
    let second = talk.found_from(&first.cursor, false);
    let sorts: Vec<Sort> = second.candidates.iter().map(|one| one.sort).collect();
    assert_eq!(sorts, [Sort::Person]);
}

#[test]
fn a_candidate_says_what_why_when_and_by_whom() {
    let talk = Talk::new()
        .say("assistant", json!([{"type": "text", "text": "I mocked the database."}]))
        .person("No, never mock the database in tests. We got burned last quarter when mocks hid a broken migration.");
    let found = talk.found();
    let one = &found.candidates[0];
    assert_eq!(
        (one.kind, one.scope),
        (MemoryType::Feedback, Scope::Private)
    );
    assert!(one.confidence >= SURE_MIN, "{}", one.confidence);
    assert_eq!(one.name, "Never mock the database in tests");
    assert_eq!(
        one.why,
        "We got burned last quarter (2025-Q4) when mocks hid a broken migration."
    );
    assert!(
        one.body
            .contains("**Why:** We got burned last quarter (2025-Q4)"),
        "{}",
        one.body
    );
    assert!(one.body.contains("2026-03-04"), "{}", one.body);
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
    talk.known = Known::of(["- Install packages with pnpm instead of npm.\n"]);
    let found = talk.found();
    assert_eq!(found.candidates, []);
    assert_eq!(found.dropped[0].reason, Reason::Known);
}

#[test]
fn tiers_follow_what_was_said_and_never_share_a_person() {
    for (text, scope) in [
        ("I'm a data engineer and new to React", Scope::Private),
        (
            "We decided to stay on Postgres 14 because the hosting can't upgrade",
            Scope::Team,
        ),
        ("Stop adding emojis to commit messages", Scope::Private),
        (
            "In all my projects, always answer in English",
            Scope::Global,
        ),
    ] {
        let found = Talk::new()
            .person(text)
            .found_from(&Cursor::default(), true);
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
fn the_labelled_sessions_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    for (text, least) in [
        (include_str!("../eval/extract/tuning.txt"), (90.0, 80.0)),
        (include_str!("../eval/extract/others.txt"), (90.0, 65.0)),
        (include_str!("../eval/extract/sentences.txt"), (90.0, 80.0)),
        (include_str!("../eval/extract/heldout.txt"), (85.0, 55.0)),
    ] {
        let sessions = read(text).unwrap();
        let (empty, full): (Vec<_>, Vec<_>) =
            sessions.iter().partition(|one| one.wanted.is_empty());
        assert!(
            sessions.len() >= 25 && empty.len() * 3 >= full.len(),
            "{}",
            sessions.len()
        );
        let judged: Vec<Judged> = sessions
            .iter()
            .map(|one| one.judge(folder.path()).unwrap())
            .collect();
        let (precision, recall) = rates(&judged);
        assert!(
            precision >= least.0 && recall >= least.1,
            "{precision:.1} {recall:.1}"
        );
        let missed: usize = judged
            .iter()
            .map(|one| one.missed.len() + one.dropped.len())
            .sum();
        let mistyped: usize = judged.iter().map(|one| one.mistyped).sum();
        assert!(missed > 0, "nothing is ever left out");
        assert!(mistyped * 10 < missed.max(50), "{mistyped} of another type");
    }
}

#[test]
#[cfg(unix)]
fn a_model_is_believed_as_far_as_it_quotes() {
    use mem_agent::extract::{Shown, propose};
    use mem_agent::model::Model;
    use mem_core::history::{Cited, NoteId};
    use mem_core::memory::Note;
    use mem_core::topic::Topic;
    use std::time::Duration;

    let bytes = b"---\nname: A\ndescription: a note\n---\nText\n".to_vec();
    let notes = [Note {
        id: NoteId::derive(&[b"a.md"]),
        scope: Scope::Private,
        file: "a.md".to_owned(),
        path: mem_core::MemoryPath::parse("a.md").unwrap(),
        absolute: PathBuf::from("/m/a.md"),
        topic: Topic::parse(&bytes),
        bytes,
        modified: jiff::Timestamp::UNIX_EPOCH,
        cited: Cited::default(),
    }];
    let setting = Setting {
        session: "s1",
        known: &Known::default(),
        has_team: true,
        is_memory: &|_| false,
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
        let shown = Shown {
            notes: &notes,
            desks: talk.folder.path(),
            now: mem_core::Now(jiff::Timestamp::UNIX_EPOCH),
        };
        let outcome = propose(&mut found, &shown, &setting, &model);
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
    assert_eq!(found.candidates[0].scope, Scope::Team);
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

#[test]
fn the_weights_of_clues_are_of_what_is_labelled_now() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let clues = fs::read_to_string(folder.join("../../templates/extract/clues.txt"));
    let origin = origin(&folder.join("eval/extract"), &FITTED).expect("what is labelled");
    assert!(
        clues.expect("the weights").contains(&origin),
        "`cargo xtask eval extract --fit` fits them again: {origin}"
    );
}
