//! Many at once, on two replicas: one winner a round, one line of versions, no lost update.

use mem_server::storage::stores::{
    MemoryChange, StoreRefusal, StoresError, VersionOperation, WriteCondition,
};
use tokio::task::JoinSet;

use super::super::fixture::Fixture;
use super::{all, content, create, store, versions};

const AT_ONCE: usize = 1000;
const ROUNDS: usize = 3;

#[test]
fn a_thousand_conditional_updates_have_one_winner_a_round() {
    for fixture in Fixture::all() {
        let databases = fixture.open_two();
        fixture.runtime.block_on(async {
            let id = store(&databases[0], "race").await.id;
            let made = create(&databases[0], &id, "/one", "start").await.unwrap();
            let mut seen = made.clone();
            let mut won = vec!["start".to_owned()];
            for round in 0..ROUNDS {
                let mut tasks = JoinSet::new();
                for writer in 0..AT_ONCE {
                    let (database, store) = (databases[writer % 2].clone(), id.clone());
                    let (memory, condition) = (made.id.clone(), seen.content_sha256);
                    tasks.spawn(async move {
                        let change = MemoryChange {
                            precondition: Some(WriteCondition::ContentSha256(condition)),
                            ..content(&format!("round {round}, writer {writer}"))
                        };
                        super::update(&database, &store, &memory, change).await
                    });
                }
                let outcomes = tasks.join_all().await;
                let mut winners = outcomes.iter().filter_map(|one| one.as_ref().ok());
                let winner = winners.next().unwrap();
                assert!(winners.next().is_none(), "two winners in round {round}");
                for one in outcomes.iter().filter_map(|one| one.as_ref().err()) {
                    assert!(
                        matches!(one, StoresError::Refused(StoreRefusal::Precondition)),
                        "{one}"
                    );
                }
                let stored = databases[1]
                    .memory(&all(), &id, &made.id, true)
                    .await
                    .unwrap();
                assert_eq!(stored, *winner);
                won.push(stored.content.clone().unwrap());
                seen = stored;
            }
            let chain = versions(&databases[1], &id).await;
            let numbers: Vec<u64> = chain.iter().rev().map(|one| one.sequence).collect();
            assert_eq!(numbers, (1..=ROUNDS as u64 + 1).collect::<Vec<_>>());
            let texts: Vec<String> = chain
                .iter()
                .rev()
                .filter_map(|one| one.content.clone())
                .collect();
            assert_eq!(texts, won, "an update was lost");
            assert_eq!(chain[0].operation, VersionOperation::Modified);
            assert_eq!(chain[0].id, seen.version_id);
        });
    }
}

/// Everybody wants one path, some from elsewhere.
#[test]
fn one_path_is_one_memory_whoever_comes_first() {
    for fixture in Fixture::all() {
        let databases = fixture.open_two();
        fixture.runtime.block_on(async {
            let id = store(&databases[0], "race").await.id;
            let mut others = Vec::new();
            for number in 0..40 {
                others.push(create(&databases[0], &id, &format!("/other/{number}"), "x").await.unwrap().id);
            }
            let mut tasks = JoinSet::new();
            for (number, other) in others.into_iter().enumerate() {
                let (database, store) = (databases[number % 2].clone(), id.clone());
                tasks.spawn(async move {
                    match number % 4 {
                        0 => super::update(&database, &store, &other, super::rename("/the/one")).await,
                        1 => create(&database, &store, "/the/one", "x").await,
                        2 => create(&database, &store, "/the", "x").await,
                        _ => create(&database, &store, "/the/one/below", "x").await,
                    }
                });
            }
            let outcomes = tasks.join_all().await;
            assert_eq!(outcomes.iter().filter(|one| one.is_ok()).count(), 1);
            for one in outcomes.iter().filter_map(|one| one.as_ref().err()) {
                let is_conflict = matches!(one, StoresError::Refused(StoreRefusal::PathConflict { memory_id, .. }) if memory_id.starts_with("mem_"));
                assert!(is_conflict, "{one}");
            }
        });
    }
}

/// Writers of several stores in groups with PUTs, on two replicas: nobody waits for ever, nothing is lost.
#[test]
fn writers_of_many_stores_do_not_stop_each_other() {
    use mem_server::storage::RepositoryName;

    use super::super::fixture::{actor, body, now};
    for fixture in Fixture::all() {
        let databases = fixture.open_two();
        fixture.runtime.block_on(async {
            let mut stores = Vec::new();
            for number in 0..4 {
                stores.push(store(&databases[0], &format!("s{number}")).await.id);
            }
            let mut tasks = JoinSet::new();
            for number in 0..240 {
                let (database, store) = (databases[number % 2].clone(), stores[number % 4].clone());
                tasks.spawn(async move {
                    if number % 3 == 0 {
                        let repo = RepositoryName::parse(&format!("acme/r{}", number % 5)).unwrap();
                        let name = format!("n{number}.md");
                        let written = database
                            .write(&repo, body([(name.as_str(), "x")]), None, &actor(), now())
                            .await;
                        written.map(drop).unwrap();
                    } else {
                        create(&database, &store, &format!("/{number}"), "x")
                            .await
                            .unwrap();
                    }
                });
            }
            tasks.join_all().await;
            let mut total = 0;
            for store in &stores {
                total += databases[1].count_memories(&all(), store).await.unwrap();
            }
            assert_eq!(total, 160);
        });
    }
}
