//! What a person takes back: in the same breath, in the next prompt, by its name, and what only sounds so.

use mem_agent::extract::{
    Candidate, Dropped, Extraction, LastSaid, Reason, RetractionRecord, RetractionTarget, SURE_MIN,
};
use serde_json::json;

use crate::extract::{Talk, heard};

/// A rule in each language.
const RULES: [(&str, &str); 7] = [
    ("en", "From now on always use pnpm for installing packages."),
    ("de", "Ab jetzt bitte immer Tabs zum Einrücken verwenden."),
    ("fr", "Désormais, utilise toujours pnpm dans ce projet."),
    (
        "es",
        "De ahora en adelante escribe siempre los mensajes en inglés.",
    ),
    ("zh", "以后所有接口都必须写测试。"),
    ("ja", "今後は必ずテストを書いてからコミットしてください。"),
    ("ko", "앞으로는 반드시 테스트를 먼저 작성해 주세요."),
];

fn rule(language: &str) -> &'static str {
    let rule = RULES.iter().find(|(name, _)| *name == language);
    rule.map(|(_, rule)| *rule).expect(language)
}

/// Two prompts with an answer between them.
fn said_twice(first: &str, second: &str) -> Extraction {
    let answer = json!([{"type": "text", "text": "Will do."}]);
    let talk = Talk::new().person(first).say("assistant", answer);
    talk.person(second).found()
}

fn quotes(found: &Extraction) -> Vec<&str> {
    found
        .candidates
        .iter()
        .map(|one| one.quote.as_str())
        .collect()
}

fn is_told(found: &Extraction) -> bool {
    let is_back = |one: &Dropped| one.reason == Reason::TakenBack;
    found.dropped.iter().any(is_back)
}

#[test]
fn the_next_prompt_takes_back_what_was_said_last() {
    let mut wrong = Vec::new();
    for (language, second) in [
        ("en", "No wait, scrap that"),
        ("en", "never mind"),
        ("en", "Never mind, bad idea."),
        ("en", "actually, ignore my last message"),
        ("en", "Hmm. Scrap that, I changed my mind."),
        ("en", "Sorry, forget what I just said."),
        ("en", "oh, forget it"),
        ("en", "I take that back, npm is fine"),
        ("en", "Pretend I never said that."),
        ("en", "Ok I changed my mind, forget what I said"),
        ("en", "oops, wrong window, ignore my last message"),
        (
            "en",
            "Sorry, that was meant for a different project, ignore it",
        ),
        ("en", "Actually, I don't want that rule after all."),
        ("en", "ignore that"),
        ("en", "actually, ignore that"),
        ("en", "cancel that"),
        ("en", "forget that, it was for another project"),
        ("en", "nevermind that, using npm is fine"),
        ("en", "never mind, that was wrong"),
        ("en", "that rule is no longer needed"),
        ("en", "sorry, wrong window"),
        ("en", "we don't need that rule anymore"),
        ("en", "on second thought, using npm is fine"),
        ("de", "Sorry, falsches Fenster"),
        ("fr", "cette règle n'est plus nécessaire"),
        ("fr", "mauvaise fenêtre, désolé"),
        ("es", "esa regla ya no es necesaria"),
        ("es", "ventana equivocada, perdón"),
        ("de", "Ach nein, vergiss das wieder."),
        ("de", "Sorry, falsches Fenster, bitte ignorieren"),
        ("de", "Hab's mir anders überlegt."),
        ("de", "Moment, streich das bitte."),
        ("de", "Ich nehme das zurück."),
        ("de", "Ignorier bitte meine letzte Nachricht"),
        ("de", "Nee, doch nicht."),
        ("de", "Vergiss, was ich eben gesagt habe."),
        ("fr", "Non, oublie ça."),
        ("fr", "En fait, ignore mon dernier message."),
        ("fr", "laisse tomber"),
        ("fr", "Oublie ce que je viens de dire."),
        ("es", "No, olvida eso."),
        ("es", "olvídalo"),
        ("es", "Ignora mi último mensaje, por favor."),
        ("es", "Espera, retiro lo dicho."),
        ("es", "quiero retirar eso"),
        ("zh", "等等，算了，当我没说"),
        ("zh", "刚才说的不算"),
        ("zh", "算了"),
        ("zh", "忽略我上一条消息"),
        ("ja", "やっぱり今のは忘れて"),
        ("ja", "今のはなしで"),
        ("ja", "すみません、さっきの指示は取り消します。"),
        ("ja", "やっぱりいいです"),
        ("ko", "아니, 방금 말은 잊어 주세요"),
        ("ko", "방금 한 말 취소"),
        ("ko", "아까 말한 건 무시해 주세요."),
    ] {
        let found = said_twice(rule(language), second);
        if !found.candidates.is_empty() || !is_told(&found) {
            wrong.push((second, found));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_only_sounds_like_taking_back_takes_nothing_back() {
    let mut wrong = Vec::new();
    for (language, second) in [
        ("en", "never mind the warnings, run it with -q"),
        (
            "en",
            "forget about the refactoring, let's do the tests first",
        ),
        ("en", "forget it, I'll do that one myself"),
        ("en", "never mind, found it"),
        ("en", "Run the tests. Hm, scrap that."),
        ("en", "scrap that function, nobody calls it"),
        ("en", "Why did you ignore my last message?"),
        ("en", "undo that"),
        ("en", "ignore that file"),
        ("en", "nvm found the bug"),
        ("en", "ignore that warning"),
        ("en", "cancel that job"),
        ("en", "wrong window, the dialog has to open in the main one"),
        ("en", "don't do that anymore, use the helper in api.rs"),
        ("en", "that was wrong"),
        ("en", "never mind that, the build is green"),
        (
            "en",
            "that rule in the firewall is no longer needed, take it out",
        ),
        (
            "en",
            "that rule in the linter config is too strict, relax it",
        ),
        ("en", "bad idea to log that, take it out"),
        ("en", "don't forget what I said"),
        ("de", "vergiss nicht, die Tests laufen zu lassen"),
        ("de", "schon gut, die Datei ist jetzt da"),
        ("de", "streich das Feld aus der Tabelle"),
        ("fr", "annule ça dans le fichier"),
        ("es", "borra eso del archivo"),
        ("zh", "取消这个订单的按钮要放在右边"),
        ("ja", "キャンセルボタンを右に置いて"),
        ("ko", "취소 버튼을 오른쪽으로 옮겨 줘"),
    ] {
        let found = said_twice(rule(language), second);
        let is_kept = |one: &Candidate| one.quote == rule(language) && one.is_sure();
        if !found.candidates.iter().any(is_kept) {
            wrong.push((second, found));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn only_the_prompt_before_is_taken_back_and_only_the_last_of_it() {
    // The prompt between is what was taken back.
    let talk = Talk::new()
        .person(rule("en"))
        .person("Run the tests, please.")
        .person("No, scrap that.");
    assert_eq!(talk.found().candidates.len(), 1);
    // Twice takes back no more than once.
    let talk = Talk::new()
        .person("Never mock the database in tests.")
        .person(rule("en"))
        .person("Scrap that.")
        .person("Scrap that.");
    assert_eq!(quotes(&talk.found()), ["Never mock the database in tests."]);
    // What stood before it in the same prompt stays, and so does what is said instead.
    let first = "We decided to stay on Postgres 14 because the hosting can't upgrade.\n\nFrom now on always use tabs.";
    let found = said_twice(first, "No, scrap that. From now on always use spaces.");
    let all = quotes(&found).join("\n");
    assert!(
        all.contains("Postgres") && all.contains("spaces") && !all.contains("tabs"),
        "{all}"
    );
}

#[test]
fn what_is_said_instead_in_the_same_sentence_is_kept() {
    for (first, second) in [
        (
            "Always squash commits before merging.",
            "Forget that, never squash commits.",
        ),
        (
            "Always squash commits before merging.",
            "Never mind, never squash commits.",
        ),
        (
            rule("de"),
            "Vergiss das, ab jetzt immer Leerzeichen verwenden.",
        ),
    ] {
        assert_eq!(quotes(&said_twice(first, second)), [second]);
    }
    let reminder = "Vergiss das nicht, ab jetzt immer Leerzeichen verwenden.";
    assert_eq!(quotes(&said_twice(rule("de"), reminder)).len(), 2);
}

#[test]
fn what_may_mean_something_else_is_left_to_a_person() {
    let asked = json!([{"type": "text", "text": "pnpm isn't installed here. Shall I install it?"}]);
    let answered = Talk::new()
        .person(rule("en"))
        .say("assistant", asked)
        .person("never mind");
    let work = said_twice(
        "From now on always use pnpm for installing packages. Then rename the branch to main.",
        "no wait, scrap that",
    );
    let stopped = said_twice(rule("en"), "don't do that anymore");
    let undone = said_twice(rule("fr"), "annule ça");
    let removed = said_twice(rule("en"), "remove that rule");
    let others = [
        ("de", "mach das nicht mehr"),
        ("fr", "Ne fais plus ça."),
        ("es", "ya no hagas eso"),
    ];
    let others = others.map(|(language, second)| said_twice(rule(language), second));
    let all = [answered.found(), work, stopped, undone, removed];
    for found in all.into_iter().chain(others) {
        let [one] = found.candidates.as_slice() else {
            panic!("{:?}", found.dropped);
        };
        assert!(one.confidence < SURE_MIN, "{}", one.confidence);
    }
}

#[test]
fn what_is_named_is_taken_back_wherever_the_session_says_it() {
    let mut wrong = Vec::new();
    let said = |language: &str, second: &str| {
        let talk = Talk::new()
            .person(rule(language))
            .person("Never mock the database in tests.")
            .person("rename the button to Save");
        let found = talk.person(second).found();
        let mut kept: Vec<String> = quotes(&found).into_iter().map(str::to_owned).collect();
        kept.retain(|quote| !quote.contains("mock the database"));
        kept
    };
    for (language, second) in [
        ("en", "Scrap the pnpm rule, I changed my mind"),
        ("en", "forget what I said about pnpm"),
        ("en", "I changed my mind about pnpm."),
        ("en", "Drop the pnpm rule, I've changed my mind."),
        ("de", "Vergiss das mit den Tabs."),
        ("de", "Vergiss, was ich zu den Tabs gesagt habe."),
        ("fr", "Oublie ce que j'ai dit sur pnpm."),
        ("es", "Olvida lo que dije de los mensajes en inglés."),
        ("zh", "刚才说的写测试那条作废"),
        ("ja", "テストの件は忘れてください"),
        ("ko", "테스트 얘기는 잊어 주세요"),
    ] {
        wrong.extend(said(language, second).first().map(|_| second));
    }
    assert_eq!(wrong, [""; 0]);
    for (language, second) in [
        ("en", "Scrap the yarn rule"),
        (
            "en",
            "forget about pnpm for a second and look at this error",
        ),
        ("en", "drop the eslint rule for line length"),
        ("de", "Vergiss die Umlaute im Titel nicht"),
    ] {
        assert_eq!(said(language, second).len(), 1, "{second}");
    }
}

#[test]
fn what_an_earlier_reading_may_have_kept_is_told() {
    let talk = Talk::new().person(rule("en"));
    let first = talk.found();
    let last = first.last.clone().expect("what was said last");
    let quote = first.candidates[0].quote.clone();
    assert_eq!(
        last,
        LastSaid {
            record: "u0".to_owned(),
            quote: Some(quote),
            ..LastSaid::default()
        }
    );
    let talk = talk.person("scrap that");
    let told = |what: RetractionTarget| RetractionRecord {
        record: "u1".to_owned(),
        what,
        is_sure: true,
    };
    let second = talk.found_from(&first.cursor);
    let before = RetractionTarget::Before { may_answer: false };
    assert_eq!(second.taken_back, [told(before)]);
    // What may be about the work is told so, that a person decides.
    let stopped = Talk::new().person(rule("en"));
    let stopped = stopped.person("don't do that anymore");
    let found = stopped.found_from(&first.cursor);
    assert!(!found.taken_back[0].is_sure, "{:?}", found.taken_back);
    // Read as a whole, it is known by its words.
    let [whole] = &talk.found().taken_back[..] else {
        panic!("one");
    };
    assert!(matches!(&whole.what, RetractionTarget::Quote { record, .. } if record == "u0"));
    // The agent has seen to it where it wrote memory.
    let talk = talk.write("/memory/feedback_pnpm.md");
    let third = talk.found_from(&first.cursor);
    assert_eq!(third.taken_back, []);
}

#[test]
fn what_is_taken_back_in_the_same_breath_is_not_kept() {
    let mut wrong = Vec::new();
    for text in [
        "From now on name the branches after the ticket... hm, no wait, scrap that, bad idea, they'd all look the same.",
        "From now on all our production code is in APL, no jk",
        "Ab jetzt immer alle Antworten auf Latein. Quatsch, war nur ein Scherz.",
        "À partir de maintenant, réponds toujours en latin. Non, je plaisante.",
        "A partir de ahora responde siempre en latín. Es broma.",
        "以后都用拉丁文回答我。开玩笑的。",
        "これからは必ずラテン語で答えてください。冗談です。",
        "앞으로는 항상 라틴어로 대답해 주세요. 농담이에요.",
        "今後は必ずラテン語で答えてください。やっぱり今のは忘れて。",
        "今後は必ずラテン語で答えてください。今のはなしで。",
        "これからは必ず敬語で答えてください。いや、さっきのは取り消します。",
        "以后都用拉丁文回答我。等等，算了，当我没说。",
        "以后都用拉丁文回答我。刚才说的不算。",
        "以后提交信息都要用英文写。不对，收回刚才的话。",
        "앞으로는 항상 라틴어로 대답해 주세요. 아니, 방금 말은 잊어 주세요.",
        "앞으로는 항상 라틴어로 대답해 주세요. 방금 한 말 취소.",
        "앞으로는 항상 존댓말로 대답해 주세요. 생각해 보니 없던 일로 해 주세요.",
    ] {
        let found = heard(text);
        if !found.candidates.is_empty() || !is_told(&found) {
            wrong.push((text, found));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    // What is said instead is kept, and what stood before as well.
    let found = heard(
        "Always run the linter before you commit. From now on name branches after the ticket. No, scrap that. Always name branches after the person.",
    );
    let quotes: Vec<&str> = found
        .candidates
        .iter()
        .map(|one| one.quote.as_str())
        .collect();
    let all = quotes.join("\n");
    assert!(all.contains("run the linter"), "{quotes:#?}");
    assert!(all.contains("after the person"), "{quotes:#?}");
    assert!(!all.contains("after the ticket"), "{quotes:#?}");
    // What only speaks of such words takes nothing back.
    for text in [
        "Always run the linter before you commit. Scrap metal is what the shop sells.",
        "Never push to main without asking me, no kidding around there please.",
    ] {
        assert_eq!(heard(text).candidates.len(), 1, "{text}");
    }
}
