//! Random operations: the database agrees with a map after every one of them, on both replicas.

use std::collections::BTreeMap;

use super::Outcome;
use mem_core::history::Sha256;
use mem_server::storage::Database;
use mem_server::storage::stores::{
    ListedMemory, MemoryChange, MemoryQuery, MemoryRecord, StoresError, WriteCondition, Writing,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};

use super::super::fixture::{Fixture, actor, now};
use super::reference_model::{Model, No, Version, no};
use super::{all, create, listed, store, versions};

const PATHS: [&str; 8] = [
    "/a", "/a/b", "/a/b/c", "/a-b", "/A", "/d.md", "/d.md/x", "/é/ü",
];
const TEXTS: [&str; 4] = ["", "one", "two", "é\u{0}\n"];

/// Numbers name a path, a text, or one of those that were ever made.
#[derive(Clone, Debug)]
enum Step {
    Create(usize, usize),
    Upsert(usize, usize, bool),
    Update(usize, Option<usize>, Option<usize>, Option<Condition>),
    Delete(usize, Option<usize>),
    Redact(usize),
}

#[derive(Clone, Copy, Debug)]
enum Condition {
    NotExists,
    Content(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let (path, text) = (0..PATHS.len(), 0..TEXTS.len());
    let condition = prop_oneof![
        Just(Condition::NotExists),
        text.clone().prop_map(Condition::Content)
    ];
    prop_oneof![
        4 => (path.clone(), text.clone()).prop_map(|(path, text)| Step::Create(path, text)),
        2 => (path.clone(), text.clone(), any::<bool>()).prop_map(|(path, text, only)| Step::Upsert(path, text, only)),
        6 => (any::<usize>(), proptest::option::of(text.clone()), proptest::option::of(path), proptest::option::of(condition))
            .prop_map(|(one, text, path, condition)| Step::Update(one, text, path, condition)),
        2 => (any::<usize>(), proptest::option::of(text)).prop_map(|(one, text)| Step::Delete(one, text)),
        1 => any::<usize>().prop_map(Step::Redact),
    ]
}

/// One store, and what it should be.
struct Case {
    databases: [Database; 2],
    store: String,
    model: Model,
    /// Ids by the numbers of the model.
    ids: Vec<String>,
    turn: usize,
}

impl Case {
    fn database(&mut self) -> Database {
        self.turn += 1;
        self.databases[self.turn % 2].clone()
    }

    /// What the model says, and what the database says; `None` where there is nothing to ask about.
    async fn ask(&mut self, step: &Step) -> Option<(No, Outcome<Option<MemoryRecord>>)> {
        let database = self.database();
        let made = self.model.made;
        Some(match step {
            Step::Create(path, text) => {
                let wanted = self.model.create(PATHS[*path], TEXTS[*text]);
                let found = create(&database, &self.store, PATHS[*path], TEXTS[*text]).await;
                (wanted, found.map(Some))
            }
            Step::Upsert(path, text, only) => {
                let wanted = self.model.upsert(PATHS[*path], TEXTS[*text], *only);
                let (path, text) = (PATHS[*path].to_owned(), TEXTS[*text].to_owned());
                let (scope, who) = (all(), actor());
                let found = database
                    .upsert_memory(
                        Writing::new(&scope, &self.store, &who, now()),
                        path,
                        text,
                        *only,
                    )
                    .await;
                (wanted, found.map(Some))
            }
            Step::Update(one, text, path, condition) if made > 0 => {
                let one = one % made;
                let (text, path) = (text.map(|text| TEXTS[text]), path.map(|path| PATHS[path]));
                let precondition = condition.map(|condition| match condition {
                    Condition::NotExists => WriteCondition::NotExists,
                    Condition::Content(text) => {
                        WriteCondition::ContentSha256(Sha256::digest(TEXTS[text].as_bytes()))
                    }
                });
                let wanted = self.model.update(one, text, path, precondition);
                let change = MemoryChange {
                    content: text.map(str::to_owned),
                    path: path.map(str::to_owned),
                    precondition,
                };
                let found = super::update(&database, &self.store, &self.ids[one], change).await;
                (wanted, found.map(Some))
            }
            Step::Delete(one, text) if made > 0 => {
                let (one, expected) = (
                    one % made,
                    text.map(|text| Sha256::digest(TEXTS[text].as_bytes())),
                );
                let wanted = self.model.delete(one, expected);
                let found = database
                    .delete_memory(
                        Writing::new(&all(), &self.store, &actor(), now()),
                        &self.ids[one],
                        expected,
                    )
                    .await;
                (wanted, found.map(|()| None))
            }
            Step::Redact(one) if !self.model.versions.is_empty() => {
                let one = one % self.model.versions.len();
                let mut stored = versions(&database, &self.store).await;
                stored.reverse();
                let wanted = self.model.redact(one);
                let found = database
                    .redact_version(
                        Writing::new(&all(), &self.store, &actor(), now()),
                        &stored[one].id,
                    )
                    .await;
                (wanted, found.map(|_| None))
            }
            Step::Update(..) | Step::Delete(..) | Step::Redact(_) => return None,
        })
    }

    async fn take(&mut self, step: &Step) -> Result<(), TestCaseError> {
        let made = self.model.made;
        let Some((wanted, found)) = self.ask(step).await else {
            return Ok(());
        };
        let found = match found {
            Ok(Some(memory)) => {
                if self.model.made > made {
                    self.ids.push(memory.id.clone());
                }
                let (one, text) = &self.model.live[&memory.path];
                prop_assert_eq!(&self.ids[*one], &memory.id);
                prop_assert_eq!(Some(text), memory.content.as_ref());
                None
            }
            Ok(None) => None,
            Err(StoresError::Refused(refusal)) => no(&refusal),
            Err(StoresError::Storage(error)) => panic!("{error}"),
        };
        prop_assert_eq!(wanted, found);
        self.compare().await
    }

    async fn compare(&mut self) -> Result<(), TestCaseError> {
        let database = self.database();
        let query = MemoryQuery {
            content: true,
            limit: 3,
            ..MemoryQuery::default()
        };
        let found = listed(&database, &self.store, &query).await;
        let found: BTreeMap<String, (usize, String)> = found
            .into_iter()
            .map(|one| match one {
                ListedMemory::Memory(memory) => {
                    let id = self.ids.iter().position(|id| *id == memory.id).unwrap();
                    (memory.path, (id, memory.content.unwrap()))
                }
                ListedMemory::Prefix(folder) => panic!("{folder}"),
            })
            .collect();
        prop_assert_eq!(&found, &self.model.live);
        let count = database.count_memories(&all(), &self.store).await.unwrap();
        prop_assert_eq!(count, found.len() as u64);
        let found = versions(&database, &self.store).await.into_iter().rev();
        let found: Vec<Version> = found
            .map(|one| Version {
                memory: self.ids.iter().position(|id| *id == one.memory_id).unwrap(),
                operation: one.operation,
                path: one.path,
                content: one.content,
            })
            .collect();
        prop_assert_eq!(&found, &self.model.versions);
        Ok(())
    }
}

#[test]
fn a_database_agrees_with_a_map() {
    for fixture in Fixture::all() {
        let databases = fixture.open_two();
        let config = Config {
            cases: 24,
            failure_persistence: None,
            max_shrink_iters: 200,
            ..Config::default()
        };
        let steps = proptest::collection::vec(step(), 1..24);
        let outcome = TestRunner::new(config).run(&steps, |steps| {
            fixture.runtime.block_on(async {
                let store = store(&databases[0], "case").await.id;
                let mut case = Case {
                    databases: databases.clone(),
                    store,
                    model: Model::default(),
                    ids: Vec::new(),
                    turn: 0,
                };
                for step in &steps {
                    case.take(step).await?;
                }
                Ok(())
            })
        });
        outcome.unwrap();
    }
}
