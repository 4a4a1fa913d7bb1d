//! Many at once: one winner a round, one line of versions.

use std::collections::BTreeSet;

use mem_server::storage::{Database, GroupWrite};
use mem_sync::remote::{LogQuery, StateQuery};
use mem_sync::wire::LogOperation;
use tokio::task::JoinSet;

use super::fixture::{Fixture, body, key, put, repo, write};

/// Everybody writes on the state that everybody has seen.
async fn round(databases: &[Database; 2], number: usize, writers: usize) {
    let seen = databases[0].state(&repo()).await.unwrap();
    let mut all = JoinSet::new();
    for writer in 0..writers {
        let database = databases[writer % 2].clone();
        let seen = seen.clone();
        all.spawn(async move {
            let text = format!("round {number}, writer {writer}");
            let body = body([("one.md", text.as_str())]);
            let written = write(&database, body, Some(&seen));
            written.await.unwrap()
        });
    }
    let outcomes = all.join_all().await;
    let mut won = outcomes.iter().filter_map(|written| match written {
        GroupWrite::Done { etag, .. } => Some(etag),
        GroupWrite::Raced { .. } | GroupWrite::Archived => None,
    });
    let winner = won.next().unwrap();
    assert_eq!(won.next(), None, "two winners in round {number}");
    assert_ne!(*winner, seen);
    for written in &outcomes {
        if let GroupWrite::Raced { etag } = written {
            assert_eq!(etag, winner, "a loser was told another state");
        }
    }
}

#[test]
fn conditional_writes_have_one_winner_a_round() {
    const ROUNDS: usize = 20;
    for fixture in Fixture::all() {
        let databases = fixture.open_two();
        fixture.runtime.block_on(async {
            for number in 0..ROUNDS {
                round(&databases, number, 24).await;
            }
            let log = databases[1].log(&repo(), &LogQuery::default()).await;
            let changes = log.unwrap().changes;
            let numbers: Vec<u64> = changes.iter().rev().map(|one| one.version).collect();
            let want: Vec<u64> = (1..=ROUNDS as u64).collect();
            assert_eq!(numbers, want, "the chain has gaps or branches");
            let operations: BTreeSet<&str> =
                changes.iter().map(|one| one.operation.as_str()).collect();
            assert_eq!(operations, BTreeSet::from(["created", "modified"]));
            assert_eq!(changes[ROUNDS - 1].operation, LogOperation::Created);
        });
    }
}

#[test]
fn unconditional_writes_are_all_stored() {
    const WRITERS: usize = 60;
    for fixture in Fixture::all() {
        let databases = fixture.open_two();
        fixture.runtime.block_on(async {
            let mut all = JoinSet::new();
            for writer in 0..WRITERS {
                let database = databases[writer % 2].clone();
                all.spawn(async move {
                    let (own, text) = (format!("own-{writer}.md"), format!("text {writer}"));
                    let entries = [(own.as_str(), text.as_str()), ("shared.md", text.as_str())];
                    put(&database, body(entries)).await.0.to_string()
                });
            }
            let states: BTreeSet<String> = all.join_all().await.into_iter().collect();
            assert_eq!(states.len(), WRITERS, "two writes name one state");
            let (etag, found) = databases[0]
                .read(&repo(), &StateQuery::default())
                .await
                .unwrap();
            assert_eq!(found.entries.len(), WRITERS + 1);
            assert_eq!(found.version, 2 * WRITERS as u64);
            assert!(states.contains(etag.as_str()));
            assert_eq!(databases[1].state(&repo()).await.unwrap(), etag);
            let own = found.entries[&key("own-7.md")].content.as_deref();
            assert_eq!(own, Some("text 7"));
        });
    }
}

/// An answer is one state, never parts of two.
#[test]
fn a_read_sees_one_state() {
    for fixture in Fixture::all() {
        let [writing, reading] = fixture.open_two();
        fixture.runtime.block_on(async {
            let writer = tokio::spawn(async move {
                for number in 0..60 {
                    let text = number.to_string();
                    put(
                        &writing,
                        body(["a", "b", "c", "d"].map(|name| (name, text.as_str()))),
                    )
                    .await;
                }
            });
            while !writer.is_finished() {
                let (_, found) = reading.read(&repo(), &StateQuery::default()).await.unwrap();
                let texts: BTreeSet<_> = found.entries.values().map(|one| &one.content).collect();
                assert!(texts.len() <= 1, "{texts:?}");
            }
            writer.await.unwrap();
        });
    }
}
