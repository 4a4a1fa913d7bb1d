//! The stores themselves: made, changed, archived, listed, removed.

use std::collections::BTreeMap;

use jiff::SignedDuration;
use mem_server::storage::stores::{CreateStore, StoreQuery, StoreRefusal, UpdateStore, Writing};

use super::super::fixture::{Fixture, actor, now};
use super::{all, content, create, refusal, store, update, versions};

#[test]
fn a_store_is_made_changed_archived_and_removed() {
    for fixture in Fixture::all() {
        let database = fixture.open();
        fixture.runtime.block_on(async {
            let new = CreateStore {
                name: "notes".to_owned(),
                description: "of one".to_owned(),
                metadata: BTreeMap::from([("a".to_owned(), "1".to_owned())]),
            };
            let made = database
                .create_store(&all(), &new, &actor(), now())
                .await
                .unwrap();
            assert!(made.id.starts_with("memstore_") && made.handle.is_none());
            assert_eq!(database.store(&all(), &made.id).await.unwrap(), made);
            let later = now() + SignedDuration::from_secs(5);
            let metadata = [("a", None), ("b", Some("2")), ("c", Some("3"))];
            let change = UpdateStore {
                description: Some(String::new()),
                metadata: metadata
                    .map(|(key, value)| (key.to_owned(), value.map(str::to_owned)))
                    .into(),
                ..UpdateStore::default()
            };
            let changed = database
                .update_store(&all(), &made.id, &change, later)
                .await;
            let changed = changed.unwrap();
            assert_eq!(
                (changed.name.as_str(), changed.description.as_str()),
                ("notes", "")
            );
            let keys: Vec<&str> = changed.metadata.keys().map(String::as_str).collect();
            assert_eq!((keys, changed.updated_at), (vec!["b", "c"], later));
            let last = later + SignedDuration::from_secs(5);
            let same = database.update_store(&all(), &made.id, &change, last).await;
            assert_eq!(same.unwrap(), changed, "what changes nothing is no change");
            let archived = database
                .archive_store(&all(), &made.id, &actor(), last)
                .await
                .unwrap();
            assert_eq!(
                (archived.archived_at, archived.updated_at),
                (Some(last), last)
            );
            let again = database
                .archive_store(
                    &all(),
                    &made.id,
                    &actor(),
                    last + SignedDuration::from_secs(1),
                )
                .await;
            assert_eq!(again.unwrap(), archived);
            let refused = database
                .update_store(&all(), &made.id, &UpdateStore::default(), last)
                .await;
            assert_eq!(refusal(refused), StoreRefusal::Archived);
            database
                .delete_store(&all(), &made.id, &actor(), now())
                .await
                .unwrap();
            assert_eq!(
                refusal(database.store(&all(), &made.id).await),
                StoreRefusal::NoStore
            );
            assert_eq!(
                refusal(
                    database
                        .delete_store(&all(), &made.id, &actor(), now())
                        .await
                ),
                StoreRefusal::NoStore
            );
        });
    }
}

#[test]
fn an_archived_store_is_read_and_emptied_but_not_written() {
    for fixture in Fixture::all() {
        let database = fixture.open();
        fixture.runtime.block_on(async {
            let id = store(&database, "old").await.id;
            let one = create(&database, &id, "/a", "1").await.unwrap();
            update(&database, &id, &one.id, content("2")).await.unwrap();
            database
                .archive_store(&all(), &id, &actor(), now())
                .await
                .unwrap();
            assert_eq!(
                refusal(create(&database, &id, "/b", "1").await),
                StoreRefusal::Archived
            );
            assert_eq!(
                refusal(update(&database, &id, &one.id, content("3")).await),
                StoreRefusal::Archived
            );
            let upsert = database
                .upsert_memory(
                    Writing::new(&all(), &id, &actor(), now()),
                    "/a".to_owned(),
                    "3".to_owned(),
                    true,
                )
                .await;
            assert_eq!(refusal(upsert), StoreRefusal::Archived);
            let first = versions(&database, &id).await.pop().unwrap();
            database
                .redact_version(Writing::new(&all(), &id, &actor(), now()), &first.id)
                .await
                .unwrap();
            database
                .delete_memory(Writing::new(&all(), &id, &actor(), now()), &one.id, None)
                .await
                .unwrap();
            assert_eq!(database.count_memories(&all(), &id).await.unwrap(), 0);
            assert_eq!(versions(&database, &id).await.len(), 3);
            database
                .delete_store(&all(), &id, &actor(), now())
                .await
                .unwrap();
        });
    }
}

#[test]
fn metadata_have_a_cap_that_is_decided_with_what_is_there() {
    let pairs = |from: usize, to: usize| {
        (from..to)
            .map(|n| (format!("k{n}"), "v".to_owned()))
            .collect::<BTreeMap<_, _>>()
    };
    for fixture in Fixture::all() {
        let database = fixture.open();
        fixture.runtime.block_on(async {
            let mut new = CreateStore {
                name: "m".to_owned(),
                metadata: pairs(0, 17),
                ..CreateStore::default()
            };
            assert_eq!(
                refusal(database.create_store(&all(), &new, &actor(), now()).await),
                StoreRefusal::TooMuchMetadata
            );
            new.metadata = pairs(0, 16);
            let id = database
                .create_store(&all(), &new, &actor(), now())
                .await
                .unwrap()
                .id;
            let mut change = UpdateStore {
                metadata: [("k16".to_owned(), Some("v".to_owned()))].into(),
                ..UpdateStore::default()
            };
            let refused = database.update_store(&all(), &id, &change, now()).await;
            assert_eq!(refusal(refused), StoreRefusal::TooMuchMetadata);
            change.metadata.insert("k0".to_owned(), None);
            let changed = database
                .update_store(&all(), &id, &change, now())
                .await
                .unwrap();
            assert_eq!(changed.metadata, pairs(1, 17));
        });
    }
}

#[test]
fn stores_are_listed_newest_first_in_pages_that_stay() {
    for fixture in Fixture::all() {
        let database = fixture.open();
        fixture.runtime.block_on(async {
            let mut ids = Vec::new();
            for number in 0..9 {
                let new = CreateStore {
                    name: format!("s{number}"),
                    ..CreateStore::default()
                };
                // Three at a time are of one age.
                let at = now() + SignedDuration::from_secs(number / 3);
                ids.push((
                    at,
                    database
                        .create_store(&all(), &new, &actor(), at)
                        .await
                        .unwrap()
                        .id,
                ));
            }
            ids.sort();
            ids.reverse();
            database
                .archive_store(&all(), &ids[4].1, &actor(), now())
                .await
                .unwrap();
            let seen = |query: StoreQuery| {
                let database = &database;
                async move {
                    let mut query = StoreQuery { limit: 2, ..query };
                    let mut seen = Vec::new();
                    loop {
                        let page = database.stores(&all(), &query).await.unwrap();
                        seen.extend(page.items.into_iter().map(|one| (one.created_at, one.id)));
                        store(database, "between").await;
                        let Some(next) = page.next else { return seen };
                        query.after = Some(next);
                    }
                }
            };
            let later = now() + SignedDuration::from_secs(1);
            let every = StoreQuery {
                include_archived: true,
                created_from: Some(later),
                ..StoreQuery::default()
            };
            let want: Vec<_> = ids.iter().filter(|(at, _)| *at >= later).cloned().collect();
            assert_eq!(seen(every.clone()).await, want);
            let bounded = StoreQuery {
                created_to: Some(later),
                ..every
            };
            let want: Vec<_> = want.into_iter().filter(|(at, _)| *at <= later).collect();
            assert_eq!(seen(bounded.clone()).await, want);
            let want: Vec<_> = want.into_iter().filter(|one| *one != ids[4]).collect();
            assert_eq!(
                seen(StoreQuery {
                    include_archived: false,
                    ..bounded
                })
                .await,
                want
            );
        });
    }
}
