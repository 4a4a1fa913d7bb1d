//! A repository's store through both of its doors.

use mem_server::storage::stores::{StoreQuery, StoreRefusal, VersionOperation, Writing};
use mem_server::storage::{Database, GroupWrite, RedactionOutcome, RepositoryName};
use mem_sync::limits::ENTRIES_MAX;
use mem_sync::remote::{LogQuery, StateQuery};
use mem_sync::wire::{PutBody, RedactBody};

use super::super::fixture::{Fixture, actor, body, key, now, put, repo, write};
use super::{all, content, create, operations, refusal, rename, update, versions};

/// The id of the repository's store.
async fn of_repository(database: &Database, repo: &RepositoryName) -> String {
    let query = StoreQuery {
        limit: 100,
        ..StoreQuery::default()
    };
    let stores = database.stores(&all(), &query).await.unwrap().items;
    let handle = format!("team:{repo}");
    let found = stores
        .into_iter()
        .find(|one| one.handle.as_deref() == Some(&handle));
    found.unwrap().id
}

async fn pulled(database: &Database) -> (Vec<(String, String)>, Vec<String>) {
    let (etag, answer) = database
        .read(&repo(), &StateQuery::default())
        .await
        .unwrap();
    assert_eq!(database.state(&repo()).await.unwrap(), etag);
    let entries = answer.entries.iter();
    let entries = entries.map(|(key, entry)| (key.to_string(), entry.content.clone().unwrap()));
    (
        entries.collect(),
        answer.deleted.keys().map(ToString::to_string).collect(),
    )
}

fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter()
        .map(|(key, text)| ((*key).to_owned(), (*text).to_owned()))
        .collect()
}

#[test]
fn a_put_shows_as_versions_and_a_change_shows_in_the_pull() {
    for fixture in Fixture::all() {
        let databases = fixture.open_two();
        let [one, two] = &databases;
        fixture.runtime.block_on(async {
            put(one, body([("a.md", "1"), ("b/c.md", "2")])).await;
            let id = of_repository(two, &repo()).await;
            assert_eq!(
                operations(&versions(two, &id).await),
                [VersionOperation::Created; 2]
            );
            let (seen, _) = two.read(&repo(), &StateQuery::default()).await.unwrap();
            let made = create(two, &id, "/d.md", "3").await.unwrap();
            assert_ne!(
                one.state(&repo()).await.unwrap(),
                seen,
                "its state has another name"
            );
            let raced = write(one, body([("a.md", "x")]), Some(&seen))
                .await
                .unwrap();
            assert!(matches!(raced, GroupWrite::Raced { .. }));
            update(one, &id, &made.id, content("4")).await.unwrap();
            assert_eq!(
                pulled(two).await,
                (
                    pairs(&[("a.md", "1"), ("b/c.md", "2"), ("d.md", "4")]),
                    vec![]
                )
            );
            let moved = update(two, &id, &made.id, rename("/e.md")).await.unwrap();
            assert_eq!(moved.id, made.id);
            let (entries, deleted) = pulled(one).await;
            assert_eq!(
                entries,
                pairs(&[("a.md", "1"), ("b/c.md", "2"), ("e.md", "4")])
            );
            assert_eq!(
                deleted,
                ["d.md"],
                "colleagues have to be told that it is not there any more"
            );
            // An old client does not bring it back; somebody who wants it there may.
            let (_, answer) = put(one, body([("d.md", "4")])).await;
            assert_eq!(answer.rejected.len(), 1);
            two.delete_memory(Writing::new(&all(), &id, &actor(), now()), &made.id, None)
                .await
                .unwrap();
            assert_eq!(pulled(one).await.1, ["d.md", "e.md"]);
            create(two, &id, "/d.md", "4").await.unwrap();
            assert_eq!(
                pulled(one).await,
                (
                    pairs(&[("a.md", "1"), ("b/c.md", "2"), ("d.md", "4")]),
                    vec!["e.md".to_owned()]
                )
            );
            let log = one
                .log(&repo(), &LogQuery::default())
                .await
                .unwrap()
                .changes;
            assert_eq!(log.len(), versions(two, &id).await.len());
        });
    }
}

#[test]
fn its_rules_hold_at_the_other_door() {
    for fixture in Fixture::all() {
        let database = fixture.open();
        fixture.runtime.block_on(async {
            put(&database, body([("notes/a.md", "1")])).await;
            let id = of_repository(&database, &repo()).await;
            for path in ["/con.md", "/.git/config", "/a\\b", "/dir /x"] {
                let refused = refusal(create(&database, &id, path, "x").await);
                assert!(
                    matches!(refused, StoreRefusal::TeamPath(_)),
                    "{path}: {refused:?}"
                );
            }
            for path in ["/Notes/A.md", "/NOTES", "/notes/a.md/x", "/notes/A.MD/x"] {
                let refused = refusal(create(&database, &id, path, "x").await);
                let StoreRefusal::PathConflict { path: other, .. } = refused else {
                    panic!("{path}: {refused:?}")
                };
                assert_eq!(other, "/notes/a.md");
            }
            let made = create(&database, &id, "/b.md", "x").await.unwrap();
            let refused = refusal(update(&database, &id, &made.id, rename("/B.md")).await);
            assert!(matches!(refused, StoreRefusal::TeamPath(_)), "{refused:?}");
            assert_eq!(pulled(&database).await.0.len(), 2);
            database
                .archive_store(&all(), &id, &actor(), now())
                .await
                .unwrap();
            let refused = write(&database, body([("c.md", "1")]), None).await.unwrap();
            assert_eq!(refused, GroupWrite::Archived);
            database
                .delete_store(&all(), &id, &actor(), now())
                .await
                .unwrap();
            assert_eq!(pulled(&database).await, (vec![], vec![]));
        });
    }
}

#[test]
fn a_redaction_through_either_door_shows_in_the_other() {
    for fixture in Fixture::all() {
        let database = fixture.open();
        fixture.runtime.block_on(async {
            for text in ["1", "2", "3"] {
                put(&database, body([("a.md", text)])).await;
            }
            let id = of_repository(&database, &repo()).await;
            let before = versions(&database, &id).await;
            let refused = database
                .redact_version(Writing::new(&all(), &id, &actor(), now()), &before[0].id)
                .await;
            assert_eq!(refusal(refused), StoreRefusal::Head);
            let done = database
                .redact_version(Writing::new(&all(), &id, &actor(), now()), &before[1].id)
                .await
                .unwrap();
            assert_eq!(
                (&done.path, &done.content_sha256, &done.content_size),
                (&None, &None, &None)
            );
            assert_eq!(
                (done.redacted_at, done.redacted_by.clone()),
                (Some(now()), Some(actor()))
            );
            assert_eq!(done.created_by, before[1].created_by);
            let found = database.version(&all(), &id, &done.id, true).await.unwrap();
            assert_eq!(found, done);
            let again = database
                .redact_version(Writing::new(&all(), &id, &actor(), now()), &done.id)
                .await
                .unwrap();
            assert_eq!(again, done);
            let log = database
                .log(&repo(), &LogQuery::default())
                .await
                .unwrap()
                .changes;
            let said: Vec<_> = log
                .iter()
                .map(|one| {
                    (
                        one.key.as_str(),
                        one.sha256.is_some(),
                        one.redacted_at.is_some(),
                    )
                })
                .collect();
            let whole = ("a.md", true, false);
            assert_eq!(
                said,
                [whole, ("a.md", false, true), whole],
                "who and when stay in the team's log"
            );
            let of_key = LogQuery {
                key: Some(key("a.md")),
                ..LogQuery::default()
            };
            assert_eq!(database.log(&repo(), &of_key).await.unwrap().changes, log);
            let other = database
                .redact(
                    &repo(),
                    &RedactBody::for_contents(&key("a.md")),
                    &actor(),
                    now(),
                )
                .await
                .unwrap();
            assert!(matches!(other, RedactionOutcome::Done(done) if done.redacted == 1));
            let last = versions(&database, &id).await.pop().unwrap();
            assert_eq!(
                (last.path, last.content, last.redacted_at),
                (None, None, Some(now()))
            );
            assert_eq!(pulled(&database).await.0, pairs(&[("a.md", "3")]));
        });
    }
}

/// The log of a key, or of all: key, number, and whether it was redacted.
async fn logged(database: &Database, name: Option<&str>, limit: u32) -> Vec<(String, u64, bool)> {
    let (mut all, mut page) = (Vec::new(), None);
    loop {
        let query = LogQuery {
            key: name.map(key),
            limit,
            page,
        };
        let found = database.log(&repo(), &query).await.unwrap();
        assert!(found.changes.len() <= limit as usize);
        let changes = found.changes.into_iter();
        all.extend(
            changes.map(|one| (one.key.to_string(), one.version, one.redacted_at.is_some())),
        );
        match found.next_page {
            Some(next) => page = Some(next),
            None => return all,
        }
    }
}

#[test]
fn what_lost_its_path_is_logged_under_the_one_that_the_memory_had_or_has() {
    for fixture in Fixture::all() {
        let database = fixture.open();
        fixture.runtime.block_on(async {
            put(&database, body([("a.md", "1"), ("other.md", "x")])).await;
            let id = of_repository(&database, &repo()).await;
            let memory = versions(&database, &id).await.into_iter();
            let memory = memory
                .filter(|one| one.path.as_deref() == Some("/a.md"))
                .map(|one| one.memory_id)
                .next()
                .unwrap();
            update(&database, &id, &memory, content("2")).await.unwrap();
            update(&database, &id, &memory, rename("/b.md"))
                .await
                .unwrap();
            update(&database, &id, &memory, content("3")).await.unwrap();
            update(&database, &id, &memory, rename("/c.md"))
                .await
                .unwrap();
            let before = logged(&database, None, 100).await;
            let numbers: Vec<u64> = before.iter().map(|one| one.1).collect();
            let of_memory = versions(&database, &id).await.into_iter();
            let of_memory: Vec<_> = of_memory.filter(|one| one.memory_id == memory).collect();
            // All but the newest, one after the other: in the end only the memory itself knows a path.
            for version in &of_memory[1..] {
                database
                    .redact_version(Writing::new(&all(), &id, &actor(), now()), &version.id)
                    .await
                    .unwrap();
                let log = logged(&database, None, 2).await;
                let now: Vec<u64> = log.iter().map(|one| one.1).collect();
                assert_eq!(now, numbers, "no change is gone from the log");
                let by_key = ["a.md", "b.md", "c.md", "other.md"].map(|name| {
                    let found = log.iter().filter(|one| one.0 == name).cloned();
                    (name, found.collect::<Vec<_>>())
                });
                for (name, expected) in by_key {
                    assert_eq!(logged(&database, Some(name), 1).await, expected, "{name}");
                }
            }
            let log = logged(&database, None, 100).await;
            let redacted = log.iter().filter(|one| one.2);
            assert!(redacted.clone().all(|one| one.0 == "c.md"), "{log:?}");
            assert_eq!(redacted.count(), of_memory.len() - 1);
        });
    }
}

#[test]
fn tombstones_are_bounded_and_the_oldest_are_forgotten() {
    for fixture in Fixture::all() {
        let database = fixture.open();
        fixture.runtime.block_on(async {
            let half = ENTRIES_MAX / 2;
            for part in 0..3 {
                let names: Vec<String> = (0..half).map(|n| format!("p{part}/{n}")).collect();
                put(
                    &database,
                    body(names.iter().map(|name| (name.as_str(), "x"))),
                )
                .await;
                let delete = names.iter().map(|name| key(name)).collect();
                put(
                    &database,
                    PutBody {
                        delete,
                        ..PutBody::default()
                    },
                )
                .await;
            }
            let query = StateQuery {
                hashes: true,
                ..StateQuery::default()
            };
            let (_, answer) = database.read(&repo(), &query).await.unwrap();
            assert_eq!(answer.deleted.len(), ENTRIES_MAX);
            assert!(
                answer
                    .deleted
                    .keys()
                    .all(|key| !key.as_str().starts_with("p0/"))
            );
        });
    }
}
