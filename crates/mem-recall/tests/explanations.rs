//! Every number that decides has a name in the explanation, and can be turned off.

use std::collections::HashMap;

use mem_recall::encoder::Encoder;
use mem_recall::{
    Document, DocumentFacts, Facets, Hit, RankOptions, RankWeights, RecallIndex, RecallQuery,
    rank_documents,
};

const PROMPT: &str = "how do we deploy the billing cluster?";
const NOW: i64 = 100 * 86_400;

/// A document about which every weight has something to say, and one beside it.
fn documents() -> [Document; 2] {
    let facets = Facets {
        importance: Some(0.9),
        time: Some(NOW - 10 * 86_400),
        pinned: true,
        used: 2,
        tags: vec!["deploy".into()],
        ..Facets::default()
    };
    let note = Document {
        key: "note".into(),
        name: "Deploying billing".into(),
        description: "The cluster is deployed after the migrations".into(),
        body: "Billing is deployed by hand. Shipping it means a cluster of pods.".into(),
        facets,
        ..Document::default()
    };
    let other = Document {
        key: "other".into(),
        name: "Lunch".into(),
        description: "Where the team has lunch".into(),
        body: "At the corner, on most days, unless it rains and nobody wants to walk".into(),
        ..Document::default()
    };
    [note, other]
}

fn hit(weights: RankWeights) -> Hit {
    let documents = documents();
    let mut index = RecallIndex::new();
    index.add_documents(&documents);
    #[cfg(feature = "encoder")]
    index.encode_documents(
        &documents,
        Encoder::embedded().expect("the feature is on"),
        1,
    );
    let drifted = DocumentFacts {
        used: 1,
        unused: 6,
        drift: 0.5,
    };
    let options = RankOptions {
        min_score: 0.0,
        now: NOW,
        weights,
        beside: HashMap::from([("note".to_owned(), drifted)]),
        ..RankOptions::default()
    };
    let query = RecallQuery::new(&format!("{PROMPT} \u{90e8}"));
    #[cfg(feature = "encoder")]
    let query = query.with_encoding();
    let hits = rank_documents(&index, &query, &options).hits;
    let found = hits.into_iter().find(|hit| hit.key == "note");
    found.expect("the note")
}

fn names(hit: &Hit) -> Vec<&'static str> {
    hit.parts.iter().map(|part| part.weight).collect()
}

/// What is done to a weight.
type Change = fn(&mut RankWeights);

/// Weights that are parts of the sum, and how to turn each off.
const SUMMED: [(&str, Change); 10] = [
    ("lexical", |w| w.lexical = 0.0),
    ("coverage", |w| w.coverage = 0.0),
    ("statics", |w| w.statics = 0.0),
    ("sentence", |w| w.sentence = 0.0),
    ("freshness", |w| w.freshness = 0.0),
    ("importance", |w| w.importance = 0.0),
    ("pinned", |w| w.pinned = 0.0),
    ("used", |w| w.used = 0.0),
    ("unused", |w| w.unused = 0.0),
    ("drift", |w| w.drift = 0.0),
];

#[test]
fn each_part_is_named_and_they_make_the_score() {
    let hit = hit(RankWeights::default());
    assert_eq!(names(&hit), SUMMED.map(|(name, _)| name));
    let sum: f32 = hit.parts.iter().map(|part| part.value).sum();
    assert!((sum - hit.score).abs() < 1e-6, "{sum} {}", hit.score);
    let of = |name: &str| {
        let part = hit.parts.iter().find(|part| part.weight == name);
        part.expect("the part").value
    };
    assert!(of("pinned") > 0.0 && of("importance") > 0.0 && of("used") > 0.0);
    assert!(of("drift") < 0.0, "drift takes away");
    assert!(of("unused") < 0.0, "being recalled in vain takes away");
}

/// The parts of the best hit among texts that are all of one kind.
fn parts_among(texts: [&str; 3], description: &str) -> HashMap<&'static str, f32> {
    let documents = texts.map(|body| Document {
        key: body.to_owned(),
        description: description.into(),
        body: body.into(),
        ..Document::default()
    });
    let mut index = RecallIndex::new();
    index.add_documents(&documents);
    let options = RankOptions {
        min_score: 0.0,
        now: NOW,
        ..RankOptions::default()
    };
    let query = RecallQuery::new("who painted the sunrise?");
    let hits = rank_documents(&index, &query, &options).hits;
    let parts = hits[0].parts.iter();
    parts.map(|part| (part.weight, part.value)).collect()
}

#[test]
fn words_tell_more_where_nobody_said_what_prose_is_about() {
    let talk = [
        "I painted a sunrise over the lake last year",
        "We went swimming with the children",
        "The pottery class is on Fridays",
    ];
    let code = talk.map(|line| format!("    sunrise()\n    // {line}\n"));
    let (prose, described) = (parts_among(talk, ""), parts_among(talk, "Talk"));
    let code = parts_among(code.each_ref().map(String::as_str), "");
    assert!(
        prose["lexical"] > described["lexical"],
        "{prose:?} {described:?}"
    );
    assert!(
        prose["sentence"] < described["sentence"],
        "{prose:?} {described:?}"
    );
    assert!(prose["length"] < 0.0, "a short text says less: {prose:?}");
    for parts in [&described, &code] {
        assert!(!parts.contains_key("length"), "{parts:?}");
    }
}

#[test]
fn a_weight_of_zero_removes_its_part_alone() {
    let whole = hit(RankWeights::default());
    for (name, off) in SUMMED {
        let mut weights = RankWeights::default();
        off(&mut weights);
        let without = hit(weights);
        let wanted: Vec<&str> = names(&whole).into_iter().filter(|n| *n != name).collect();
        assert_eq!(names(&without), wanted);
        let part = whole.parts.iter().find(|part| part.weight == name);
        let value = part.expect("the part").value;
        assert!(
            (whole.score - value - without.score).abs() < 1e-5,
            "{name}: {} - {value} is not {}",
            whole.score,
            without.score
        );
        assert!(value != 0.0 && whole.score != without.score, "{name}");
        // What is known beside the text says nothing about the text.
        assert_eq!(whole.confidence, without.confidence, "{name}");
    }
}

#[test]
fn weights_within_a_part_change_it() {
    let within: [(&str, Change); 2] = [
        ("sentence", |w| w.latin = 0.0),
        ("freshness", |w| w.half_life_days = 3.0),
    ];
    let value = |weights: RankWeights, name: &str| {
        let hit = hit(weights);
        let part = hit.parts.iter().find(|part| part.weight == name);
        part.expect("the part").value
    };
    for (name, change) in within {
        let mut weights = RankWeights::default();
        change(&mut weights);
        let (changed, before) = (value(weights, name), value(RankWeights::default(), name));
        assert_ne!(changed, before, "{name}");
    }
}

#[test]
fn near_words_are_told_and_can_be_turned_off() {
    let note = Document {
        key: "note".into(),
        body: "The fast path".into(),
        ..Document::default()
    };
    let mut index = RecallIndex::new();
    index.add_documents([&note]);
    let matches = |soft: f32| {
        let options = RankOptions {
            min_score: 0.0,
            weights: RankWeights {
                soft,
                ..RankWeights::default()
            },
            ..RankOptions::default()
        };
        let mut hits = rank_documents(&index, &RecallQuery::new("quick path"), &options).hits;
        let hit = hits.pop().expect("the note");
        let matches = hit.matches.into_iter().map(|m| (m.asked, m.found));
        (matches.collect::<Vec<_>>(), hit.signals.coverage)
    };
    let pair = |asked: &str, found: &str| (asked.to_owned(), found.to_owned());
    let (soft, with) = matches(0.6);
    assert_eq!(soft, [pair("quick", "fast"), pair("path", "path")]);
    let (exact, without) = matches(0.0);
    assert_eq!(exact, [pair("path", "path")]);
    assert!(with > without, "{with} {without}");
}

/// The order of two documents that hold the words in different places.
fn order(weights: RankWeights, documents: &[Document; 2], prompt: &str) -> Vec<String> {
    let mut index = RecallIndex::new();
    index.add_documents(documents);
    let options = RankOptions {
        min_score: 0.0,
        weights: RankWeights {
            lexical: 1.0,
            coverage: 0.0,
            statics: 0.0,
            sentence: 0.0,
            length: 0.0,
            ..weights
        },
        ..RankOptions::default()
    };
    let hits = rank_documents(&index, &RecallQuery::new(prompt), &options).hits;
    hits.into_iter().map(|hit| hit.key).collect()
}

#[test]
fn weights_of_fields_and_length_decide_the_order() {
    let name = Document {
        key: "name".into(),
        name: "Webhooks".into(),
        body: "Something else entirely".into(),
        ..Document::default()
    };
    let body = Document {
        key: "body".into(),
        name: "Something".into(),
        body: "webhooks webhooks entirely".into(),
        ..Document::default()
    };
    let of = |weights| order(weights, &[name.clone(), body.clone()], "webhooks");
    assert_eq!(of(RankWeights::default()), ["name", "body"]);
    let flat = RankWeights {
        name: 1.0,
        ..RankWeights::default()
    };
    assert_eq!(of(flat), ["body", "name"]);
    let deaf = RankWeights {
        name: 0.0,
        ..RankWeights::default()
    };
    assert_eq!(of(deaf), ["body", "name"]);
    let short = Document {
        key: "short".into(),
        body: "webhooks".into(),
        ..Document::default()
    };
    let long = Document {
        key: "long".into(),
        body: format!("webhooks webhooks {}", "and many other words ".repeat(20)),
        ..Document::default()
    };
    let of = |b| {
        let weights = RankWeights {
            b,
            ..RankWeights::default()
        };
        order(weights, &[short.clone(), long.clone()], "webhooks")
    };
    assert_eq!(of(0.75), ["short", "long"]);
    assert_eq!(of(0.0), ["long", "short"]);
}
