//! Public sets, by the path where a reader has put them, ranked beside words and sentence vectors alone.
//!
//! | set | documents | asked of | gold |
//! |---|---|---|---|
//! | LoCoMo, turns | a turn with its speaker | its conversation | evidence turns |
//! | LoCoMo, sessions | the turns of a session | all conversations | sessions of the evidence |
//! | BEAM | a message with its role | its conversation | `source_chat_ids` |
//! | LongMemEval | the turns of a session | the sessions of its question | `answer_session_ids` |
//! | CoSQA | a distinct function | all functions | those with label 1 |
//!
//! Questions that nothing answers are left out: category 5 of LoCoMo, `abstention` of BEAM, `_abs` of LongMemEval.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::Path;

use mem_recall::encoder::Encoder;
use mem_recall::{Document, RankWeights};
use serde::Deserialize;
use serde_json::Value;

use crate::measure::{Case, Corpus, Figures};

type Failure = Box<dyn Error>;

/// Documents with the questions that are asked of them.
pub(crate) struct Pool {
    documents: Vec<Document>,
    cases: Vec<Case>,
}

/// What names a set on the command line.
pub(crate) const FLAGS: [&str; 5] = [
    "--locomo",
    "--locomo-sessions",
    "--beam",
    "--longmemeval",
    "--cosqa",
];

/// The set of a flag, read from a path.
///
/// # Errors
/// It cannot be read, or is none.
pub(crate) fn read_set(flag: &str, path: &str, key: Option<&str>) -> Result<Vec<Pool>, Failure> {
    match flag {
        "--locomo" => Ok(LoCoMo::read(path, key)?.turn_pools()),
        "--locomo-sessions" => Ok(vec![LoCoMo::read(path, key)?.session_pool()]),
        "--beam" => beam(Path::new(path)),
        "--longmemeval" => longmemeval(path),
        _ => Ok(vec![cosqa(path)?]),
    }
}

/// Indexes each pool.
pub(crate) fn index_pools(pools: Vec<Pool>, encoder: Option<&'static Encoder>) -> Vec<Corpus> {
    let pools = pools.into_iter();
    let corpora = pools.map(|pool| Corpus::new(&pool.documents, pool.cases, encoder));
    corpora.collect()
}

/// Prints the figures of `mem` by kind, and over all those of words and of sentence vectors alone.
pub(crate) fn report(corpora: Vec<Corpus>) {
    let engines = [
        ("mem", RankWeights::default()),
        ("BM25", RankWeights::words_alone()),
        ("MiniLM", RankWeights::sentences_alone()),
    ];
    let mut figures = engines.map(|_| Figures::default());
    let documents: usize = corpora.iter().map(|corpus| corpus.index.len()).sum();
    println!("{documents} documents in {} pools", corpora.len());
    for mut corpus in corpora {
        for ((_, weights), figures) in engines.iter().zip(&mut figures) {
            corpus.weights = *weights;
            corpus
                .cases
                .iter()
                .for_each(|case| figures.add_case(&corpus, case));
        }
    }
    let [own, others @ ..] = figures;
    own.print();
    for ((name, _), figures) in engines[1..].iter().zip(others) {
        figures.print_all(name);
    }
}

/// `locomo10.json`, and what the audit of its key corrects (`errors.json`: `question_id`, `correct_evidence`).
struct LoCoMo {
    samples: Vec<Value>,
    corrected: BTreeMap<String, Vec<String>>,
}

impl LoCoMo {
    fn read(path: &str, key: Option<&str>) -> Result<Self, Failure> {
        #[derive(Deserialize)]
        struct Correction {
            question_id: String,
            correct_evidence: Vec<String>,
        }
        let corrections: Vec<Correction> = match key {
            Some(key) => serde_json::from_str(&fs::read_to_string(key)?)?,
            None => Vec::new(),
        };
        let corrections = corrections.into_iter();
        Ok(Self {
            samples: serde_json::from_str(&fs::read_to_string(path)?)?,
            corrected: corrections
                .map(|one| (one.question_id, one.correct_evidence))
                .collect(),
        })
    }

    /// The turns of a conversation, by their session, each with its id and what was said.
    fn turns(sample: &Value) -> impl Iterator<Item = (&str, String)> {
        let sessions = sample["conversation"].as_object().into_iter().flatten();
        let turns = sessions.filter_map(|(_, session)| session.as_array());
        turns.flatten().map(|turn| {
            let text = |field: &str| turn[field].as_str().unwrap_or_default();
            let caption = text("blip_caption");
            (
                text("dia_id"),
                format!("{}: {} {caption}", text("speaker"), text("text")),
            )
        })
    }

    /// The questions that have evidence, each with the turns.
    fn questions(&self, number: usize) -> Vec<(String, String, Vec<String>)> {
        let questions = self.samples[number]["qa"].as_array().into_iter().flatten();
        let questions = questions.enumerate();
        let questions = questions.filter(|(_, question)| question["category"] != 5);
        let with_evidence = questions.map(|(at, question)| {
            let id = format!("locomo_{number}_qa{at}");
            let evidence = self.corrected.get(&id).cloned().unwrap_or_else(|| {
                let ids = question["evidence"].as_array().into_iter().flatten();
                ids.filter_map(Value::as_str).map(str::to_owned).collect()
            });
            let ids = evidence.iter().flat_map(|ids| ids.split([';', ',', ' ']));
            (
                question["question"].as_str().unwrap_or_default().to_owned(),
                format!("category {}", question["category"]),
                ids.map(str::to_owned).collect(),
            )
        });
        with_evidence.collect()
    }

    fn turn_pools(&self) -> Vec<Pool> {
        let pool = |(number, sample)| {
            let turns: Vec<_> = Self::turns(sample).collect();
            let known: BTreeSet<&str> = turns.iter().map(|(id, _)| *id).collect();
            let questions = self.questions(number).into_iter();
            let cases = questions.filter_map(|(prompt, kind, evidence)| {
                let gold: BTreeSet<String> = evidence
                    .into_iter()
                    .filter(|id| known.contains(&**id))
                    .collect();
                case(prompt, kind, gold)
            });
            Pool {
                cases: cases.collect(),
                documents: turns
                    .into_iter()
                    .map(|(id, body)| document(id, body))
                    .collect(),
            }
        };
        self.samples.iter().enumerate().map(pool).collect()
    }

    fn session_pool(&self) -> Pool {
        let mut sessions: BTreeMap<String, String> = BTreeMap::new();
        let mut cases = Vec::new();
        for (number, sample) in self.samples.iter().enumerate() {
            let session = |id: &str| format!("{number}/{}", id.split(':').next().unwrap_or(id));
            for (id, text) in Self::turns(sample) {
                let body = sessions.entry(session(id)).or_insert_with(|| {
                    let name = id.split(':').next().unwrap_or(id).replace('D', "session_");
                    let time = &sample["conversation"][format!("{name}_date_time")];
                    format!("{}\n", time.as_str().unwrap_or_default())
                });
                body.push_str(&text);
                body.push('\n');
            }
            for (prompt, kind, evidence) in self.questions(number) {
                let gold = evidence.iter().map(|id| session(id));
                let gold = gold.filter(|key| sessions.contains_key(key)).collect();
                cases.extend(case(prompt, kind, gold));
            }
        }
        let documents = sessions.into_iter();
        let documents = documents.map(|(key, body)| document(&key, body)).collect();
        Pool { documents, cases }
    }
}

/// BEAM: a folder of conversations (`chats/100K`), each with `chat.json` and its probing questions.
fn beam(folder: &Path) -> Result<Vec<Pool>, Failure> {
    let mut pools = Vec::new();
    for entry in fs::read_dir(folder)? {
        let conversation = entry?.path();
        let Ok(chat) = fs::read_to_string(conversation.join("chat.json")) else {
            continue;
        };
        let chat: Vec<Value> = serde_json::from_str(&chat)?;
        let turns = chat.iter().flat_map(|batch| batch["turns"].as_array());
        let messages = turns.flatten().filter_map(Value::as_array).flatten();
        let documents = messages.map(|message| {
            let text = |field: &str| message[field].as_str().unwrap_or_default();
            // A message of the user ends with its place in the plan.
            let content = text("content");
            let content = content.split(" ->-> ").next().unwrap_or(content);
            document(
                &message["id"].to_string(),
                format!("{}: {content}", text("role")),
            )
        });
        let questions = conversation.join("probing_questions/probing_questions.json");
        let questions: BTreeMap<String, Vec<Value>> =
            serde_json::from_str(&fs::read_to_string(questions)?)?;
        let cases = questions.iter().flat_map(|(kind, questions)| {
            questions.iter().filter_map(move |question| {
                let mut gold = BTreeSet::new();
                add_numbers(&question["source_chat_ids"], &mut gold);
                let prompt = question["question"].as_str()?.to_owned();
                case(prompt, kind.clone(), gold)
            })
        });
        pools.push(Pool {
            documents: documents.collect(),
            cases: cases.collect(),
        });
    }
    Ok(pools)
}

/// The ids in a list, or in the lists of an object.
fn add_numbers(value: &Value, ids: &mut BTreeSet<String>) {
    match value {
        Value::Number(id) => {
            ids.insert(id.to_string());
        }
        Value::Array(list) => list.iter().for_each(|one| add_numbers(one, ids)),
        Value::Object(map) => map.values().for_each(|one| add_numbers(one, ids)),
        _ => {}
    }
}

/// LongMemEval (`longmemeval_s_cleaned.json` and its like): each question has a haystack of sessions of its own.
fn longmemeval(path: &str) -> Result<Vec<Pool>, Failure> {
    #[derive(Deserialize)]
    struct Turn {
        role: String,
        content: String,
    }
    #[derive(Deserialize)]
    struct Question {
        question_id: String,
        question_type: String,
        question: String,
        haystack_session_ids: Vec<String>,
        haystack_sessions: Vec<Vec<Turn>>,
        answer_session_ids: BTreeSet<String>,
    }
    let questions: Vec<Question> = serde_json::from_str(&fs::read_to_string(path)?)?;
    let questions = questions.into_iter();
    let questions = questions.filter(|one| !one.question_id.ends_with("_abs"));
    let pool = |one: Question| {
        let sessions = one.haystack_session_ids.iter().zip(one.haystack_sessions);
        let documents = sessions.map(|(id, turns)| {
            let turns = turns.iter();
            let body = turns.map(|turn| format!("{}: {}\n", turn.role, turn.content));
            document(id, body.collect())
        });
        Pool {
            documents: documents.collect(),
            cases: case(one.question, one.question_type, one.answer_session_ids)
                .into_iter()
                .collect(),
        }
    };
    Ok(questions.map(pool).collect())
}

/// CoSQA as JSON lines of `query`, `code` and `label`.
fn cosqa(path: &str) -> Result<Pool, Failure> {
    #[derive(Deserialize)]
    struct Pair {
        query: String,
        code: String,
        /// Whether the code answers the query.
        label: u8,
    }
    let mut codes: BTreeMap<String, String> = BTreeMap::new();
    let mut golds: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in fs::read_to_string(path)?.lines() {
        let pair: Pair = serde_json::from_str(line)?;
        let next = format!("{:06}", codes.len());
        let key = codes.entry(pair.code).or_insert(next).clone();
        if pair.label == 1 {
            golds.entry(pair.query).or_default().insert(key);
        }
    }
    let codes = codes.into_iter();
    let golds = golds.into_iter();
    Ok(Pool {
        documents: codes.map(|(body, key)| document(&key, body)).collect(),
        cases: golds
            .filter_map(|(query, gold)| case(query, "cosqa".into(), gold))
            .collect(),
    })
}

fn document(key: &str, body: String) -> Document {
    Document {
        key: key.to_owned(),
        body,
        ..Document::default()
    }
}

/// A question with what answers it; `None` where nothing does.
fn case(prompt: String, kind: String, gold: BTreeSet<String>) -> Option<Case> {
    (!gold.is_empty()).then(|| Case {
        prompt,
        gold: gold.into_iter().collect(),
        kind,
        half: String::new(),
    })
}
