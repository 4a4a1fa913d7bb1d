//! What every remote has to do, over both databases and with two replicas.

use mem_server::storage::RepositoryName;
use mem_sync::remote::{StateQuery, conformance};
use mem_sync::wire::{PutBody, RejectionCode};

use super::fixture::{Fixture, body, key, now, put, repo};

#[test]
fn both_databases_conform_with_two_replicas() {
    for fixture in Fixture::all() {
        let [one, two] = fixture.open_two();
        conformance::check_remote(&mut fixture.end(&one, "a"), &mut fixture.end(&two, "b"))
            .unwrap();
    }
}

#[test]
fn repositories_are_apart() {
    for fixture in Fixture::all() {
        let database = fixture.open();
        fixture.runtime.block_on(async {
            put(&database, body([("a.md", "one")])).await;
            let other = RepositoryName::parse("acme/other").unwrap();
            let none = database.state(&other).await.unwrap();
            assert_ne!(database.state(&repo()).await.unwrap(), none);
            let (etag, answer) = database.read(&other, &StateQuery::default()).await.unwrap();
            assert_eq!((etag, answer.entries.len()), (none, 0));
            let log = database.log(&other, &Default::default()).await.unwrap();
            assert!(log.changes.is_empty());
            let same = RepositoryName::parse("ACME/App").unwrap();
            assert_eq!(same, repo());
        });
    }
}

/// Keys sort by their bytes, whatever the database thinks of letters.
#[test]
fn clashes_are_found_whatever_stands_between() {
    for fixture in Fixture::all() {
        let database = fixture.open();
        fixture.runtime.block_on(async {
            let folder = [
                "d/a.md",
                "d/Z/ü.md",
                "d/é.md",
                "D2/x.md",
                "d-1.md",
                "É/x",
                "ß.md",
            ];
            put(&database, body(folder.map(|name| (name, "x")))).await;
            let clashes = [
                ("d", RejectionCode::PathConflict),
                ("D/Z", RejectionCode::PathConflict),
                ("d/z/Ü.md", RejectionCode::Twin),
                ("d2/X.md/y", RejectionCode::PathConflict),
                ("é", RejectionCode::PathConflict),
                ("SS.md", RejectionCode::Twin),
            ];
            for (name, code) in clashes {
                let (_, answer) = put(&database, body([(name, "x")])).await;
                let found = answer.rejected.get(name).map(|why| why.code);
                assert_eq!(found, Some(code), "{name}");
            }
            let fine = ["d0/x", "d.md", "e"];
            let (_, answer) = put(&database, body(fine.map(|name| (name, "x")))).await;
            assert_eq!(answer.written.len(), 3, "{:?}", answer.rejected);
        });
    }
}

/// What is deleted in a body makes room for what is written in it.
#[test]
fn a_folder_can_become_an_entry_at_once() {
    for fixture in Fixture::all() {
        let database = fixture.open();
        fixture.runtime.block_on(async {
            put(&database, body([("d/a", "x"), ("d/b", "x")])).await;
            let mut change = body([("d", "now an entry")]);
            change.delete.insert(key("d/a"));
            let (_, answer) = put(&database, change.clone()).await;
            assert_eq!(answer.rejected["d"].code, RejectionCode::PathConflict);
            change.delete = [key("d/b")].into();
            let (_, answer) = put(&database, change).await;
            assert!(answer.rejected.is_empty());
            let (_, found) = database
                .read(&repo(), &StateQuery::default())
                .await
                .unwrap();
            assert_eq!((found.entries.len(), found.deleted.len()), (1, 2));
        });
    }
}

#[test]
fn a_full_store_takes_changes_but_nothing_new() {
    for fixture in Fixture::all() {
        let database = fixture.open();
        fixture.runtime.block_on(async {
            for part in 0..5 {
                let mut body = PutBody::default();
                for n in 0..2000 {
                    let key = key(&format!("folder{part}/note-{n}.md"));
                    body.entries.insert(key, format!("{part} {n}"));
                }
                assert_eq!(put(&database, body).await.1.written.len(), 2000);
            }
            let (etag, all) = database
                .read(&repo(), &StateQuery::default())
                .await
                .unwrap();
            assert_eq!(all.entries.len(), 10_000);
            assert_eq!(
                all.entries[&key("folder4/note-7.md")].content.as_deref(),
                Some("4 7")
            );
            let change = body([("folder0/note-0.md", "other"), ("new.md", "x")]);
            let (_, answer) = put(&database, change).await;
            assert_eq!(answer.rejected["new.md"].code, RejectionCode::StoreFull);
            assert!(answer.written.contains_key(&key("folder0/note-0.md")));
            let mut change = body([("new.md", "x")]);
            change.delete.insert(key("folder0/note-1.md"));
            let (after, answer) = put(&database, change).await;
            assert!(answer.rejected.is_empty());
            assert_ne!(after, etag);
            let some = StateQuery {
                hashes: true,
                keys: (0..100)
                    .map(|n| key(&format!("folder1/note-{n}.md")))
                    .collect(),
            };
            let (_, some) = database.read(&repo(), &some).await.unwrap();
            assert_eq!(some.entries.len(), 100);
            assert_eq!(
                some.entries[&key("folder1/note-1.md")].updated_at,
                now().to_string()
            );
        });
    }
}
