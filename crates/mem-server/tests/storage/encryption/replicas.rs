//! Keys change while several write and read: nobody fails, and nothing is left under an old key.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mem_server::storage::Database;
use mem_sync::remote::Query;
use tokio::task::JoinSet;

use super::super::bed::{Bed, body, put, repo};
use super::{Keys, open};

/// Writes and reads until it is told to end, and says how often.
async fn work(database: Database, writer: usize, ends: Arc<AtomicBool>) -> usize {
    let mut rounds = 0;
    while !ends.load(Ordering::Relaxed) || rounds == 0 {
        let (key, text) = (format!("w{writer}.md"), format!("round {rounds}"));
        put(&database, body([(key.as_str(), text.as_str())])).await;
        let (_, answer) = database.read(&repo(), &Query::default()).await.unwrap();
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
    for bed in Bed::all() {
        let keys = Keys::one();
        let one = open(&bed, &keys).unwrap();
        let two = match &bed.place {
            mem_server::storage::Place::Directory(_) => one.clone(),
            mem_server::storage::Place::Url(_) => open(&bed, &keys).unwrap(),
        };
        bed.runtime.block_on(async {
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
