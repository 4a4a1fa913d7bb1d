//! Sets that are not in the repository, by path.

use std::collections::{BTreeMap, BTreeSet};

use mem_recall::{Document, Facets, RankWeights};
use serde::Deserialize;
use serde_json::Value;

use crate::measure::{Case, Corpus, report};

/// LoCoMo (`locomo10.json`): every turn is a document, the evidence turns of a question are its
/// gold. Questions without evidence and of category 5 (nothing fits) are left out.
pub(crate) fn locomo(path: &str, encoder: bool) -> Result<(), Box<dyn std::error::Error>> {
    let file: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    let (mut documents, mut cases) = (Vec::new(), Vec::new());
    for (number, sample) in file.iter().enumerate() {
        let mut keys = BTreeSet::new();
        let turns = sample["conversation"].as_object().into_iter().flatten();
        for turn in turns
            .filter_map(|(_, session)| session.as_array())
            .flatten()
        {
            let text = |field: &str| turn[field].as_str().unwrap_or_default();
            let key = format!("{number}/{}", text("dia_id"));
            keys.insert(key.clone());
            let body = format!(
                "{}: {} {}",
                text("speaker"),
                text("text"),
                text("blip_caption")
            );
            documents.push(Document {
                key,
                body,
                facets: scope(number),
                ..Document::default()
            });
        }
        for question in sample["qa"].as_array().into_iter().flatten() {
            let evidence = question["evidence"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str);
            let gold: BTreeSet<String> = evidence
                .flat_map(|ids| ids.split([';', ',', ' ']))
                .map(|id| format!("{number}/{id}"))
                .filter(|key| keys.contains(key))
                .collect();
            if !gold.is_empty() && question["category"] != 5 {
                let prompt = question["question"].as_str().unwrap_or_default().to_owned();
                let kind = format!("category {}", question["category"]);
                cases.push(Case {
                    prompt,
                    gold: gold.into_iter().collect(),
                    kind,
                    half: number.to_string(),
                });
            }
        }
    }
    by_conversation(&documents, cases, encoder);
    Ok(())
}

fn scope(number: usize) -> Facets {
    Facets {
        scope: number.to_string(),
        ..Facets::default()
    }
}

/// Each question is asked of its own conversation.
fn by_conversation(documents: &[Document], cases: Vec<Case>, encoder: bool) {
    let mut groups: BTreeMap<String, Vec<Case>> = BTreeMap::new();
    for case in cases {
        groups.entry(case.half.clone()).or_default().push(case);
    }
    for (number, cases) in groups {
        let own: Vec<Document> = documents
            .iter()
            .filter(|d| d.facets.scope == number)
            .cloned()
            .collect();
        let mut corpus = Corpus::new(&own, cases, encoder);
        corpus.weights = RankWeights::for_turns();
        println!("\nconversation {number}, {} turns", own.len());
        report(&corpus, &corpus.cases.iter().collect::<Vec<_>>());
    }
}

#[derive(Deserialize)]
struct Pair {
    query: String,
    /// The name of the function, where it is given.
    #[serde(default)]
    name: String,
    code: String,
    /// Whether the code answers the query.
    label: u8,
}

/// CoSQA as JSON lines of `query`, `code`, `label` and perhaps `name`: every distinct piece of code
/// is a document, the queries with label 1 are asked.
pub(crate) fn cosqa(path: &str, encoder: bool) -> Result<Corpus, Box<dyn std::error::Error>> {
    let mut codes: BTreeMap<String, String> = BTreeMap::new();
    let mut golds: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in std::fs::read_to_string(path)?.lines() {
        let pair: Pair = serde_json::from_str(line)?;
        let next = format!("{:06}", codes.len());
        let key = codes.entry(pair.code).or_insert(next).clone();
        if pair.label == 1 {
            golds.entry(pair.query).or_default().push(key);
        }
        let _ = pair.name;
    }
    let documents: Vec<Document> = codes
        .into_iter()
        .map(|(body, key)| Document {
            key,
            body,
            ..Document::default()
        })
        .collect();
    let case = |(prompt, gold)| Case {
        prompt,
        gold,
        kind: "cosqa".into(),
        half: String::new(),
    };
    let cases = golds.into_iter().map(case).collect();
    Ok(Corpus::new(&documents, cases, encoder))
}
