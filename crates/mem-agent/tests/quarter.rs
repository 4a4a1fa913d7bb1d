//! A quarter of logs, made up: facts that are planted, said again, changed and denied, between what only
//! mattered that day. Every night is distilled, as a machine would.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests fail as loudly as tests do"
)]

mod planted_facts;

use std::collections::{BTreeMap, BTreeSet};

use jiff::ToSpan as _;
use jiff::civil::Date;
use mem_agent::dream::{self, Bullet, DistillInput};
use mem_core::config::MemoryMode;
use mem_core::history::{Author, AuthorKind};
use mem_core::memory::{Note, ProjectMemory};
use mem_core::notes::INDEX_FILE;
use mem_core::store::{ChangeMetadata, OpenGate};
use mem_core::{MemoryPath, Now, Scope, index};
use mem_recall::{Document, RankOptions, RecallIndex, RecallQuery, rank_documents};

use crate::fixture::dirs;
use planted_facts::{DAYS, Draw, Fact, PROJECTS, SERVICES, log, planted};

fn notes(memory: &ProjectMemory) -> Vec<Note> {
    memory.list(&[Scope::Private]).unwrap().notes
}

/// One night: the new bullets of the day, planned, checked and carried out.
fn night(memory: &ProjectMemory, bullets: &[Bullet], day: Date) -> Vec<Bullet> {
    let now = jiff::tz::TimeZone::UTC
        .to_timestamp(day.at(23, 0, 0, 0))
        .unwrap();
    let notes = notes(memory);
    let (broken, choices) = (BTreeMap::new(), BTreeMap::new());
    let given = DistillInput {
        notes: &notes,
        bullets,
        instructions: &[],
        broken: &broken,
        code: &|_| false,
        pinned: &BTreeSet::new(),
        choices: &choices,
        max_share: 0.25,
        today: day,
        now,
    };
    let plan = dream::plan_distillation(&given);
    dream::check_plan(&plan, &given).unwrap();
    let order = ChangeMetadata::new("dream", Author::from_actor(AuthorKind::Agent), Now(now));
    let store = memory.store(Scope::Private);
    dream::apply_plan(&plan, store, &order, &OpenGate, MemoryMode::Log).unwrap();
    let done: BTreeSet<&String> = plan.handled.iter().collect();
    let waiting = bullets
        .iter()
        .filter(|one| !done.contains(&one.content_digest()));
    waiting.cloned().collect()
}

fn document(note: &Note) -> Document {
    Document {
        key: note.file.clone(),
        name: note.title().to_owned(),
        description: note.topic.description.clone().unwrap_or_default(),
        body: note.topic.text(&note.bytes).into_owned(),
        ..Document::default()
    }
}

/// The words that hold, without what they replaced.
fn holds(note: &Note) -> String {
    let body = note.topic.text(&note.bytes).into_owned();
    let lines = body.lines().filter(|line| !line.starts_with("  Before:"));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_quarter_of_logs_keeps_what_holds_and_lets_go_of_what_does_not() {
    quarter(7);
}

#[test]
fn another_quarter_does_so_too() {
    quarter(13);
}

fn quarter(seed: u64) {
    let temp = tempfile::tempdir().unwrap();
    let top = temp.path().canonicalize().unwrap();
    let memory = ProjectMemory::at(&top.join("memory"), &dirs(&top));
    let first: Date = "2026-01-05".parse().unwrap();
    let mut draw = Draw(seed);
    let facts = planted(&mut draw, first);
    let mut waiting: Vec<Bullet> = Vec::new();
    let (mut lost, mut bullets_read) = (Vec::new(), 0);
    for day in (0..DAYS).map(|at| first + at.days()) {
        let text = log(&mut draw, &facts, day);
        let found = dream::of_log(&text, day, &format!("logs/{day}.md"));
        assert_eq!(found.strange, Some((text.lines().count(), 1)));
        bullets_read += found.bullets.len();
        waiting.extend(found.bullets);
        waiting = night(&memory, &waiting, day);
        assert!(waiting.is_empty(), "{day}: {waiting:?}");
        let index = memory
            .store(Scope::Private)
            .read(&MemoryPath::parse(INDEX_FILE).unwrap());
        let size = index::size(&index.unwrap().unwrap_or_default());
        assert!(!size.is_over(), "{day}: {size:?}");
        let all = notes(&memory)
            .iter()
            .map(holds)
            .collect::<Vec<_>>()
            .join("\n");
        for fact in &facts {
            if let Some((since, text, _)) = fact.current(day) {
                let is_there = all.contains(text.trim_start_matches("Update: "));
                if !is_there && !says(&all, fact, day) {
                    lost.push(format!("{day}: {text} (since {since})"));
                }
            }
        }
    }
    lost.sort_by_key(|line| line[12..].to_owned());
    lost.dedup_by_key(|line| line[12..].to_owned());
    assert!(lost.is_empty(), "lost:\n{}", lost.join("\n"));
    judge(&memory, &facts, first + (DAYS - 1).days(), bullets_read);
}

/// Whether some line says the truth of a day in other words: its value with what it is about.
fn says(all: &str, fact: &Fact, day: Date) -> bool {
    let Some((_, text, value)) = fact.current(day) else {
        return true;
    };
    let names = SERVICES.iter().chain(&PROJECTS);
    let about: Vec<&&str> = names.filter(|name| text.contains(**name)).collect();
    let kind = [
        "owner", "owns", "timeout", "database", "window", "cluster", "deadline",
    ];
    let kinds: Vec<&&str> = kind.iter().filter(|word| text.contains(**word)).collect();
    all.lines().any(|line| {
        let has_kind = kinds.iter().any(|kind| line.contains(**kind))
            || (kinds.iter().any(|kind| kind.starts_with("own")) && line.contains("own"));
        line.contains(value.as_str())
            && about.iter().all(|name| line.contains(**name))
            && (has_kind || kinds.is_empty())
    })
}

/// At the end: what holds is found by who asks, what does not is gone from the index.
fn judge(memory: &ProjectMemory, facts: &[Fact], last: Date, bullets: usize) {
    let notes = notes(memory);
    let documents: Vec<Document> = notes.iter().map(document).collect();
    let mut index = RecallIndex::new();
    index.add_documents(&documents);
    let mut missed = Vec::new();
    for fact in facts {
        let Some((_, text, value)) = fact.current(last) else {
            continue;
        };
        let options = RankOptions {
            limit: 5,
            min_score: 0.0,
            ..RankOptions::default()
        };
        let hits = rank_documents(&index, &RecallQuery::new(&fact.question), &options).hits;
        let is_found = hits.iter().any(|hit| {
            let note = notes.iter().find(|note| note.file == hit.key);
            note.is_some_and(|note| holds(note).contains(value.as_str()))
        });
        if !is_found {
            missed.push(format!("{}: {text}", fact.question));
        }
    }
    assert!(missed.is_empty(), "not found:\n{}", missed.join("\n"));
    let path = MemoryPath::parse(INDEX_FILE).unwrap();
    let index = memory
        .store(Scope::Private)
        .read(&path)
        .unwrap()
        .unwrap_or_default();
    let index = String::from_utf8(index).unwrap();
    let mut retired = 0;
    let mut still = Vec::new();
    for fact in facts {
        for (at, (_, text, _)) in fact.truths.iter().enumerate() {
            let is_past = fact
                .truths
                .get(at + 1)
                .is_some_and(|(since, ..)| *since <= last);
            let is_back = fact.truths[at + 1..]
                .iter()
                .any(|(_, later, _)| later == text);
            if is_past && !is_back {
                retired += 1;
                if index.contains(text.as_str()) {
                    still.push(text.clone());
                }
            }
        }
    }
    assert!(bullets > 500, "only {bullets} bullets");
    assert!(retired > 50, "only {retired} were retired");
    let gone = 1.0 - still.len() as f64 / retired as f64;
    assert!(
        gone >= 0.9,
        "{gone:.2} of {retired} gone:\n{}",
        still.join("\n")
    );
}
