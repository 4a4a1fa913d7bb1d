//! A quarter of logs, made up: facts that are planted, said again, changed and denied, between what only
//! mattered that day. Every night is distilled, as a machine would.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests fail as loudly as tests do"
)]

use std::collections::{BTreeMap, BTreeSet};

use jiff::ToSpan as _;
use jiff::civil::Date;
use mem_agent::dream::{self, Bullet, Given, Keeping};
use mem_core::history::{Actor, Author};
use mem_core::memory::{Memory, Note};
use mem_core::notes::INDEX_FILE;
use mem_core::store::{OpenGate, Order};
use mem_core::{MemoryPath, Now, Scope, index};
use mem_recall::{Document, Index, Options, Query, rank};

use crate::bed::dirs;

const DAYS: i64 = 90;
const SERVICES: [&str; 12] = [
    "payments",
    "orders",
    "billing",
    "search",
    "catalog",
    "auth",
    "gateway",
    "notifications",
    "inventory",
    "shipping",
    "reports",
    "media",
];
const PEOPLE: [&str; 8] = [
    "Alice", "Bob", "Kim", "Noor", "Jonas", "Priya", "Tomas", "Mei",
];
const DATABASES: [&str; 5] = ["Postgres", "MySQL", "MongoDB", "Redis", "DynamoDB"];
const REGIONS: [&str; 4] = ["eu-west-1", "us-east-2", "ap-south-1", "eu-north-1"];
const WEEKDAYS: [&str; 5] = ["Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays"];
const PROJECTS: [&str; 6] = ["Atlas", "Borealis", "Cygnus", "Draco", "Electra", "Fornax"];

/// A thing of which there is one truth at a time.
struct Fact {
    /// What somebody would ask.
    question: String,
    /// What is true, the newest last: the words for it, and what has to be in the answer.
    truths: Vec<(Date, String, String)>,
}

impl Fact {
    fn current(&self, on: Date) -> Option<&(Date, String, String)> {
        self.truths.iter().rfind(|(since, ..)| *since <= on)
    }
}

/// Numbers that look drawn, the same in every run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, many: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % many
    }

    fn of<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        &all[self.below(all.len())]
    }
}

/// How something is said first, and how once it has changed.
type Wordings = (
    &'static [&'static str],
    &'static [&'static str],
    &'static str,
);

const OWNER: Wordings = (
    &[
        "The {s} service owner is {v}",
        "{v} owns the {s} service",
        "Owner of the {s} service is {v}",
    ],
    &[
        "The {s} service owner is now {v}",
        "Update: {v} owns the {s} service",
        "Owner of the {s} service changed from {o} to {v}",
    ],
    "who is the owner of the {s} service?",
);
const TIMEOUT: Wordings = (
    &[
        "The {s} request timeout is {v} seconds",
        "Request timeout of {s}: {v} seconds",
    ],
    &[
        "The {s} request timeout is now {v} seconds",
        "Raised the {s} request timeout from {o} to {v} seconds",
        "Request timeout of {s}: {v} seconds",
    ],
    "what is the request timeout of {s}?",
);
const DATABASE: Wordings = (
    &["The {s} database is {v}", "We use {v} for the {s} database"],
    &[
        "The {s} database is {v} now",
        "We switched the {s} database from {o} to {v}",
    ],
    "which database does {s} use?",
);
const WINDOW: Wordings = (
    &[
        "Deploy window for {s}: {v}",
        "The {s} deploy window is on {v}",
    ],
    &[
        "The {s} deploy window moved to {v}",
        "Deploy window for {s}: {v}",
    ],
    "when is the deploy window of {s}?",
);
const REGION: Wordings = (
    &[
        "The {s} cluster runs in {v}",
        "Region of the {s} cluster is {v}",
    ],
    &[
        "Region of the {s} cluster is {v}",
        "The {s} cluster moved to {v}",
    ],
    "in which region is the {s} cluster?",
);
const DEADLINE: Wordings = (
    &[
        "Deadline for the {s} release is {v}",
        "The {s} release deadline is {v}",
    ],
    &[
        "The {s} release deadline moved to {v}",
        "Deadline for the {s} release slipped from {o} to {v}",
        "Correction: the {s} release deadline is {v}",
    ],
    "when is the {s} release deadline?",
);

fn filled(wording: &str, subject: &str, value: &str, old: &str) -> String {
    let text = wording.replace("{s}", subject).replace("{v}", value);
    text.replace("{o}", old)
}

/// A fact with up to four truths over the quarter.
fn fact(
    draw: &mut Draw,
    wordings: &Wordings,
    subject: &str,
    values: &[String],
    first: Date,
) -> Fact {
    let (new, changed, question) = *wordings;
    let mut at = draw.below(25) as i64;
    let mut value = draw.of(values).clone();
    let text = filled(draw.of::<&str>(new), subject, &value, "");
    let mut truths = vec![(first + at.days(), text, value.clone())];
    for _ in 0..draw.below(4) {
        at += 5 + draw.below(25) as i64;
        let next = draw.of(values).clone();
        if at >= DAYS || next == value {
            break;
        }
        let text = filled(draw.of::<&str>(changed), subject, &next, &value);
        truths.push((first + at.days(), text, next.clone()));
        value = next;
    }
    let question = filled(question, subject, "", "");
    Fact { question, truths }
}

fn owned(values: &[&str]) -> Vec<String> {
    values.iter().map(|&value| value.to_owned()).collect()
}

fn planted(draw: &mut Draw, first: Date) -> Vec<Fact> {
    let mut facts = Vec::new();
    let seconds: Vec<String> = (1..12).map(|n| (n * 5).to_string()).collect();
    let dates: Vec<String> = (40..80)
        .map(|n| (first + (n * 3).days()).to_string())
        .collect();
    for service in SERVICES {
        facts.push(fact(draw, &OWNER, service, &owned(&PEOPLE), first));
        facts.push(fact(draw, &TIMEOUT, service, &seconds, first));
        facts.push(fact(draw, &DATABASE, service, &owned(&DATABASES), first));
        facts.push(fact(draw, &WINDOW, service, &owned(&WEEKDAYS), first));
        facts.push(fact(draw, &REGION, service, &owned(&REGIONS), first));
    }
    for project in PROJECTS {
        facts.push(fact(draw, &DEADLINE, project, &dates, first));
    }
    // Rules, and what was said against them later.
    for (question, rules) in [
        (
            "tabs or spaces?",
            &[
                ("Prefer tabs over spaces for indentation", "tabs over"),
                ("Prefer spaces over tabs for indentation", "spaces over"),
            ][..],
        ),
        (
            "squash commits before merging?",
            &[
                ("Always squash commits before merging", "Always squash"),
                ("Never squash commits before merging", "Never squash"),
            ],
        ),
        (
            "which package manager for installs?",
            &[
                ("Use npm for installs", "npm"),
                ("Use bun instead of npm for installs", "Use bun"),
            ],
        ),
        (
            "mocks in database tests?",
            &[
                ("Use mocks in database tests", "Use mocks"),
                (
                    "Don't use mocks in database tests, the last migration slipped through",
                    "Don't use mocks",
                ),
            ],
        ),
        (
            "redis for sessions?",
            &[
                ("We use Redis for sessions", "use Redis"),
                ("We no longer use Redis for sessions", "no longer"),
            ],
        ),
        (
            "answers short or long?",
            &[(
                "User prefers short answers without a summary",
                "short answers",
            )],
        ),
        (
            "push on fridays?",
            &[(
                "Never push to main on a Friday afternoon",
                "Friday afternoon",
            )],
        ),
        (
            "where are incidents tracked?",
            &[(
                "Incidents are tracked at https://tracker.example.org/INC",
                "tracker.example.org",
            )],
        ),
    ] {
        let start = draw.below(20) as i64;
        let step = 20 + draw.below(20) as i64;
        let truths = rules.iter().zip(0_i64..).map(|((text, mark), at)| {
            let since = first + (start + at * step).days();
            (since, (*text).to_owned(), (*mark).to_owned())
        });
        facts.push(Fact {
            question: question.to_owned(),
            truths: truths.collect(),
        });
    }
    facts
}

/// What only mattered that day.
fn noise(draw: &mut Draw) -> String {
    let number = draw.below(900) + 100;
    let service = *draw.of(&SERVICES);
    match draw.below(9) {
        0 => format!("Fixed a flaky test in {service}"),
        1 => format!("Reviewed PR {number} for {service}"),
        2 => "Ran the linter, all green".to_owned(),
        3 => "Lunch".to_owned(),
        4 => format!("Looked into slow query {number} of {service}"),
        5 => format!("Merged {service} dependency bumps"),
        6 => "Standup".to_owned(),
        7 => format!("CI took {} minutes for {service} at noon", number / 20),
        _ => format!("Paired with {} on {service}", draw.of(&PEOPLE)),
    }
}

/// A day's log: what became true, what is said again, and noise; some lines are no bullets.
fn log(draw: &mut Draw, facts: &[Fact], day: Date) -> String {
    let mut lines = Vec::new();
    for fact in facts {
        if let Some((since, text, _)) = fact.current(day) {
            let is_said_again = *since < day && draw.below(40) == 0;
            if *since == day || is_said_again {
                lines.push(format!("- 10:{:02} {text}", draw.below(60)));
            }
        }
    }
    for _ in 0..draw.below(12) {
        let line = noise(draw);
        lines.insert(
            draw.below(lines.len() + 1),
            format!("- 11:{:02} {line}", draw.below(60)),
        );
    }
    format!("# {day}\n\n{}\nnot a bullet at all\n", lines.join("\n"))
}

fn notes(memory: &Memory) -> Vec<Note> {
    memory.list(&[Scope::Private]).unwrap().notes
}

/// One night: the new bullets of the day, planned, checked and carried out.
fn night(memory: &Memory, bullets: &[Bullet], day: Date) -> Vec<Bullet> {
    let now = jiff::tz::TimeZone::UTC
        .to_timestamp(day.at(23, 0, 0, 0))
        .unwrap();
    let notes = notes(memory);
    let (broken, choices) = (BTreeMap::new(), BTreeMap::new());
    let given = Given {
        notes: &notes,
        bullets,
        told: &[],
        broken: &broken,
        code: &|_| false,
        pinned: &BTreeSet::new(),
        choices: &choices,
        max_share: 0.25,
        today: day,
        now,
    };
    let plan = dream::plan(&given);
    dream::check(&plan, &given).unwrap();
    let order = Order::new("dream", Author::of(Actor::Agent), Now(now));
    let store = memory.store(Scope::Private);
    dream::apply(&plan, store, &order, &OpenGate, Keeping::Log).unwrap();
    let done: BTreeSet<&String> = plan.handled.iter().collect();
    let waiting = bullets.iter().filter(|one| !done.contains(&one.mark()));
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
    let memory = Memory::at(&top.join("memory"), &dirs(&top));
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
fn judge(memory: &Memory, facts: &[Fact], last: Date, bullets: usize) {
    let notes = notes(memory);
    let documents: Vec<Document> = notes.iter().map(document).collect();
    let mut index = Index::new();
    index.extend(&documents);
    let mut missed = Vec::new();
    for fact in facts {
        let Some((_, text, value)) = fact.current(last) else {
            continue;
        };
        let options = Options {
            limit: 5,
            min_score: 0.0,
            ..Options::default()
        };
        let hits = rank(&index, &Query::new(&fact.question), &options).hits;
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
