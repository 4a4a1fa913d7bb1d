//! Keys change while several write and read: nobody fails, and nothing is left under an old key.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use mem_server::storage::Database;
use mem_sync::remote::StateQuery;
use tokio::task::JoinSet;

use super::super::fixture::{Fixture, body, put, repo};
use super::{Keys, open};

/// Writes and reads until it is told to end, and says how often.
async fn work(database: Database, writer: usize, ends: Arc<AtomicBool>) -> usize {
    let mut rounds = 0;
    while !ends.load(Ordering::Relaxed) || rounds == 0 {
        let (key, text) = (format!("w{writer}.md"), format!("round {rounds}"));
        put(&database, body([(key.as_str(), text.as_str())])).await;
        let (_, answer) = database
            .read(&repo(), &StateQuery::default())
            .await
            .unwrap();
        let mine = answer
            .entries
            .into_iter()
            .find(|(name, _)| name.to_string() == key);
        assert_eq!(mine.unwrap().1.content.as_deref(), Some(text.as_str()));
        rounds += 1;
    }
    rounds
}

#[test]
fn keys_change_under_readers_and_writers_on_every_replica() {
    for fixture in Fixture::all() {
        let keys = Keys::one();
        let one = open(&fixture, &keys).unwrap();
        let two = match &fixture.place {
            mem_server::storage::DatabaseAddress::Directory(_) => one.clone(),
            mem_server::storage::DatabaseAddress::Url(_) => open(&fixture, &keys).unwrap(),
        };
        fixture.runtime.block_on(async {
            put(&one, body([("first.md", "first")])).await;
            let ends = Arc::new(AtomicBool::new(false));
            let mut working = JoinSet::new();
            for writer in 0..4 {
                let database = [&one, &two][writer % 2].clone();
                working.spawn(work(database, writer, Arc::clone(&ends)));
            }
            two.encrypt().await.unwrap();
            for _ in 0..4 {
                keys.renew();
                one.rotate().await.unwrap();
            }
            let status = two.encryption().await.unwrap();
            assert_eq!((status.sealed, status.masters.len()), (status.versions, 1));
            two.decrypt().await.unwrap();
            ends.store(true, Ordering::Relaxed);
            assert!(
                working
                    .join_all()
                    .await
                    .into_iter()
                    .all(|rounds| rounds > 0)
            );
            let status = one.encryption().await.unwrap();
            assert!(!status.is_on && status.sealed == 0);
        });
    }
}

#[test]
fn what_was_interrupted_is_finished_by_the_next_run() {
    let fixture = Fixture::sqlite();
    let database = open(&fixture, &Keys::one()).unwrap();
    fixture.runtime.block_on(async {
        for number in 0..300 {
            let (key, text) = (format!("n{}.md", number % 40), format!("text {number}"));
            put(&database, body([(key.as_str(), text.as_str())])).await;
        }
        let read = async || {
            database
                .read(&repo(), &StateQuery::default())
                .await
                .unwrap()
                .1
        };
        let before = read().await;
        // Cut off later each time, until it is done.
        for step in 0..3 {
            let mut cut = 0_u32;
            loop {
                let limit = Duration::from_millis(1 << cut);
                let run = async {
                    match step {
                        0 => database.encrypt().await,
                        1 => database.rotate().await,
                        _ => database.decrypt().await,
                    }
                };
                if let Ok(done) = tokio::time::timeout(limit, run).await {
                    done.unwrap();
                    break;
                }
                cut += 1;
                assert_eq!(read().await.entries, before.entries, "after {cut} cuts");
            }
            assert!(cut > 0, "it is never done at once");
            let status = database.encryption().await.unwrap();
            let sealed = if step == 2 { 0 } else { 300 };
            assert_eq!((status.sealed, status.versions), (sealed, 300));
        }
    });
}
