//! The most that a store holds.

use mem_server::storage::stores::{MemoryQuery, StoreRefusal};
use mem_sync::limits::ENTRIES_MAX;
use tokio::task::JoinSet;

use super::super::fixture::Fixture;
use super::{all, content, create, listed, refusal, store, update};

#[test]
fn a_full_store_takes_changes_but_nothing_new() {
    for fixture in Fixture::all() {
        let databases = fixture.open_two();
        fixture.runtime.block_on(async {
            let id = store(&databases[0], "full").await.id;
            let mut all_at_once = JoinSet::new();
            // A few more than fit, from both replicas.
            for number in 0..ENTRIES_MAX + 5 {
                let (database, id) = (databases[number % 2].clone(), id.clone());
                all_at_once.spawn(async move {
                    create(&database, &id, &format!("/d{}/{number}", number % 100), "x").await
                });
            }
            let done = all_at_once.join_all().await;
            let (made, refused): (Vec<_>, Vec<_>) = done.into_iter().partition(Result::is_ok);
            let refused: Vec<StoreRefusal> = refused.into_iter().map(refusal).collect();
            assert_eq!(refused, vec![StoreRefusal::Full; 5]);
            let some = made.into_iter().find_map(Result::ok).unwrap();
            assert_eq!(
                refusal(create(&databases[1], &id, "/new", "x").await),
                StoreRefusal::Full
            );
            update(&databases[0], &id, &some.id, content("y"))
                .await
                .unwrap();
            assert_eq!(
                databases[1].count_memories(&all(), &id).await.unwrap(),
                ENTRIES_MAX as u64
            );
            let folders = MemoryQuery {
                roll_up: true,
                limit: 100,
                ..MemoryQuery::default()
            };
            assert_eq!(listed(&databases[1], &id, &folders).await.len(), 100);
        });
    }
}
