//! Lists: order, prefixes, folders, pages; and the filters of versions.

use jiff::SignedDuration;
use mem_core::history::Sha256;
use mem_server::storage::stores::{
    ListedMemory, MemoryQuery, StoreRefusal, VersionOperation, VersionQuery, Writing,
};
use mem_server::storage::{ActorKind, Database, StorageActor};

use super::super::fixture::{Fixture, now};
use super::{all, content, create, listed, refusal, rename, store, update};

const PATHS: [&str; 9] = [
    "/a.md",
    "/a/b/c.md",
    "/a/b/d.md",
    "/a/e.md",
    "/a0",
    "/notes-archive/x",
    "/notes/1",
    "/notes/2",
    "/é/ü",
];

fn shown(items: &[ListedMemory]) -> Vec<String> {
    items
        .iter()
        .map(|one| match one {
            ListedMemory::Memory(memory) => memory.path.clone(),
            ListedMemory::Prefix(folder) => format!("[{folder}]"),
        })
        .collect()
}

#[test]
fn lists_are_in_byte_order_whatever_the_size_of_a_page() {
    for fixture in Fixture::all() {
        let database = fixture.open();
        fixture.runtime.block_on(async {
            let id = store(&database, "lists").await.id;
            for path in PATHS.iter().rev() {
                create(&database, &id, path, path).await.unwrap();
            }
            let cases: [(&str, bool, &[&str]); 9] = [
                ("", false, &PATHS),
                (
                    "",
                    true,
                    &[
                        "/a.md",
                        "[/a/]",
                        "/a0",
                        "[/notes-archive/]",
                        "[/notes/]",
                        "[/é/]",
                    ],
                ),
                (
                    "/",
                    true,
                    &[
                        "/a.md",
                        "[/a/]",
                        "/a0",
                        "[/notes-archive/]",
                        "[/notes/]",
                        "[/é/]",
                    ],
                ),
                ("/a/", true, &["[/a/b/]", "/a/e.md"]),
                ("/a/", false, &["/a/b/c.md", "/a/b/d.md", "/a/e.md"]),
                ("/notes/", false, &["/notes/1", "/notes/2"]),
                (
                    "/notes",
                    false,
                    &["/notes-archive/x", "/notes/1", "/notes/2"],
                ),
                ("/notes", true, &["[/notes-archive/]", "[/notes/]"]),
                ("/nothing/", true, &[]),
            ];
            for (prefix, roll_up, want) in cases {
                for limit in [1, 2, 3, 100] {
                    let query = MemoryQuery {
                        prefix: prefix.to_owned(),
                        roll_up,
                        limit,
                        ..MemoryQuery::default()
                    };
                    let found = shown(&listed(&database, &id, &query).await);
                    assert_eq!(found, want, "{prefix:?} {roll_up} {limit}");
                }
            }
            each_is_as_it_is_alone(&database, &id).await;
        });
    }
}

async fn each_is_as_it_is_alone(database: &Database, id: &str) {
    let query = MemoryQuery {
        content: true,
        limit: 100,
        ..MemoryQuery::default()
    };
    for one in listed(database, id, &query).await {
        let ListedMemory::Memory(one) = one else {
            panic!("a folder")
        };
        assert_eq!(one.content.as_deref(), Some(one.path.as_str()));
        assert_eq!(one.content_sha256, Sha256::digest(one.path.as_bytes()));
        assert_eq!(one.content_size, one.path.len() as u64);
        let alone = database.memory(&all(), id, &one.id, true).await.unwrap();
        assert_eq!(alone, *one);
    }
}

/// A page is behind what was read, not at a count.
#[test]
fn pages_stay_while_others_write() {
    for fixture in Fixture::all() {
        let database = fixture.open();
        fixture.runtime.block_on(async {
            let id = store(&database, "pages").await.id;
            let mut made = Vec::new();
            for number in 10..20 {
                made.push(
                    create(&database, &id, &format!("/{number}/x"), "x")
                        .await
                        .unwrap(),
                );
            }
            for roll_up in [false, true] {
                let mut query = MemoryQuery {
                    roll_up,
                    limit: 3,
                    ..MemoryQuery::default()
                };
                let first = database.memories(&all(), &id, &query).await.unwrap();
                let before = made.remove(0);
                update(
                    &database,
                    &id,
                    &before.id,
                    rename(&format!("{}y", before.path)),
                )
                .await
                .unwrap();
                create(&database, &id, &format!("/0{roll_up}/x"), "x")
                    .await
                    .unwrap();
                query.after = first.next.clone();
                let second = database.memories(&all(), &id, &query).await.unwrap();
                let (first, second) = (shown(&first.items), shown(&second.items));
                assert!(
                    first.iter().all(|one| !second.contains(one)),
                    "{first:?} {second:?}"
                );
                assert!(first.last() < second.first());
            }
        });
    }
}

#[test]
fn versions_are_found_by_who_what_and_when() {
    for fixture in Fixture::all() {
        let database = fixture.open();
        fixture.runtime.block_on(async {
            let id = store(&database, "audit").await.id;
            let people = [
                StorageActor::new(ActorKind::ApiKey, "apikey_1", "one"),
                StorageActor::new(ActorKind::Session, "sesn_1", ""),
                StorageActor::new(ActorKind::ServiceAccount, "svac_1", ""),
                StorageActor::new(ActorKind::User, "user_1", ""),
            ];
            let mut last = None;
            for (number, person) in (0..).zip(&people) {
                let at = now() + SignedDuration::from_secs(number);
                let path = format!("/{number}");
                let made = database
                    .create_memory(Writing::new(&all(), &id, person, at), path, "x".to_owned())
                    .await
                    .unwrap();
                last = Some(made.id);
            }
            let last = last.unwrap();
            update(&database, &id, &last, content("y")).await.unwrap();
            let base = VersionQuery {
                limit: 100,
                ..VersionQuery::default()
            };
            let count = |query: VersionQuery| {
                let (database, id) = (&database, &id);
                async move {
                    database
                        .versions(&all(), id, &query)
                        .await
                        .unwrap()
                        .items
                        .len()
                }
            };
            assert_eq!(count(base.clone()).await, 5);
            let by = |text: &str| Some(text.to_owned());
            assert_eq!(
                count(VersionQuery {
                    api_key_id: by("apikey_1"),
                    ..base.clone()
                })
                .await,
                1
            );
            assert_eq!(
                count(VersionQuery {
                    session_id: by("sesn_1"),
                    ..base.clone()
                })
                .await,
                1
            );
            assert_eq!(
                count(VersionQuery {
                    service_account_id: by("svac_1"),
                    ..base.clone()
                })
                .await,
                1
            );
            assert_eq!(
                count(VersionQuery {
                    session_id: by("apikey_1"),
                    ..base.clone()
                })
                .await,
                0
            );
            assert_eq!(
                count(VersionQuery {
                    api_key_id: by("apikey_1"),
                    session_id: by("sesn_1"),
                    ..base.clone()
                })
                .await,
                0
            );
            assert_eq!(
                count(VersionQuery {
                    memory_id: by(&last),
                    ..base.clone()
                })
                .await,
                2
            );
            assert_eq!(
                count(VersionQuery {
                    operation: Some(VersionOperation::Modified),
                    ..base.clone()
                })
                .await,
                1
            );
            let second = Some(now() + SignedDuration::from_secs(1));
            assert_eq!(
                count(VersionQuery {
                    created_from: second,
                    ..base.clone()
                })
                .await,
                3
            );
            assert_eq!(
                count(VersionQuery {
                    created_to: second,
                    ..base.clone()
                })
                .await,
                3
            );
            let found = database.versions(&all(), &id, &base).await.unwrap().items;
            assert_eq!(found[4].created_by, people[0]);
            assert!(
                found
                    .iter()
                    .all(|one| one.content.is_none() && one.content_sha256.is_some())
            );
            let missing = database.versions(&all(), "memstore_x", &base).await;
            assert_eq!(refusal(missing), StoreRefusal::NoStore);
            assert_eq!(
                refusal(database.version(&all(), &id, "memver_x", true).await),
                StoreRefusal::NoVersion
            );
            assert_eq!(
                refusal(database.memory(&all(), &id, "mem_x", true).await),
                StoreRefusal::NoMemory
            );
        });
    }
}
