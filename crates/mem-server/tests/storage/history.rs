//! The log, and that what was redacted is nowhere.

use std::fs;
use std::path::Path;

use mem_server::storage::{RedactionOutcome, StorageError};
use mem_sync::remote::LogQuery;
use mem_sync::wire::RedactBody;

use super::fixture::{Fixture, actor, body, key, now, put, repo};

#[test]
fn pages_stay_where_they_are_while_others_write() {
    for fixture in Fixture::all() {
        let database = fixture.open();
        fixture.runtime.block_on(async {
            for number in 0..25 {
                let name = format!("n{number}.md");
                put(&database, body([(name.as_str(), "x")])).await;
            }
            let mut query = LogQuery {
                limit: 10,
                ..LogQuery::default()
            };
            let mut seen = Vec::new();
            loop {
                let page = database.log(&repo(), &query).await.unwrap();
                seen.extend(page.changes.into_iter().map(|one| one.key.to_string()));
                put(
                    &database,
                    body([("between.md", seen.len().to_string().as_str())]),
                )
                .await;
                let Some(next) = page.next_page else { break };
                query.page = Some(next);
            }
            let want: Vec<String> = (0..25)
                .rev()
                .map(|number| format!("n{number}.md"))
                .collect();
            assert_eq!(seen, want);
            for page in ["", "x", "-1", "0", "1;", "99999999999999999999"] {
                query.page = Some(page.to_owned());
                let answer = database.log(&repo(), &query).await;
                assert!(matches!(answer, Err(StorageError::Page)), "{page:?}");
            }
        });
    }
}

#[test]
fn keys_that_changed_together_share_their_number() {
    for fixture in Fixture::all() {
        let database = fixture.open();
        fixture.runtime.block_on(async {
            let (_, answer) = put(&database, body([("a", "1"), ("b", "1"), ("c", "1")])).await;
            put(&database, body([("b", "2")])).await;
            let log = database.log(&repo(), &LogQuery::default()).await.unwrap();
            let numbers: Vec<u64> = log.changes.iter().map(|one| one.version).collect();
            assert_eq!(
                numbers,
                [
                    answer.version + 1,
                    answer.version,
                    answer.version,
                    answer.version
                ]
            );
            assert_eq!(log.changes[0].actor, "user_1");
        });
    }
}

/// Whether any file below a folder has these bytes.
fn is_anywhere(folder: &Path, bytes: &[u8]) -> bool {
    fs::read_dir(folder).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        if path.is_dir() {
            return is_anywhere(&path, bytes);
        }
        let found = fs::read(&path).unwrap();
        found.windows(bytes.len()).any(|window| window == bytes)
    })
}

/// Small contents stand in pages with others, large ones in pages of their own; both move about.
#[test]
fn what_was_redacted_is_in_no_file_and_no_backup() {
    let fixture = Fixture::sqlite();
    let database = fixture.open();
    let value = ["hunter", "-", "two-and-a-half"].concat();
    let large = format!("{value} {}", "x".repeat(60_000));
    fixture.runtime.block_on(async {
        for number in 0..120 {
            let name = format!("f{}.md", number % 6);
            let text = format!("{number} {}", "around it ".repeat(number % 40));
            put(&database, body([(name.as_str(), text.as_str())])).await;
            if number % 30 == 5 {
                put(
                    &database,
                    body([("leak.md", format!("{number} {value}").as_str())]),
                )
                .await;
                put(
                    &database,
                    body([("large.md", format!("{number} {large}").as_str())]),
                )
                .await;
            }
        }
        for number in 0..6 {
            // Rows that shrink make their neighbours move to other pages.
            let other = key(&format!("f{number}.md"));
            database
                .redact(&repo(), &RedactBody::for_contents(&other), &actor(), now())
                .await
                .unwrap();
        }
        assert!(is_anywhere(fixture.folder(), value.as_bytes()));
        put(&database, body([("leak.md", "clean")])).await;
        let mut delete = body([]);
        delete.delete.insert(key("large.md"));
        put(&database, delete).await;
        for name in ["leak.md", "large.md"] {
            let done = database
                .redact(
                    &repo(),
                    &RedactBody::for_contents(&key(name)),
                    &actor(),
                    now(),
                )
                .await;
            let RedactionOutcome::Done(done) = done.unwrap() else {
                panic!("`{name}` was not redacted");
            };
            assert_eq!((done.redacted, done.note.as_str()), (4, ""));
        }
        assert!(!is_anywhere(fixture.folder(), value.as_bytes()));
        database
            .backup(&fixture.folder().join("copy"))
            .await
            .unwrap();
        put(&database, body([("after.md", "x")])).await;
        assert!(!is_anywhere(fixture.folder(), value.as_bytes()));
    });
    fixture.runtime.block_on(database.close());
    assert!(!is_anywhere(fixture.folder(), value.as_bytes()));
}

/// A name stands in rows of versions, in that of the tombstone, and in indexes over both.
#[test]
fn a_redacted_name_is_in_no_file_and_no_backup() {
    let fixture = Fixture::sqlite();
    let database = fixture.open();
    let secret = ["hunter", "-", "three-and-a-half"].concat();
    let names = [format!("a/{secret}.md"), format!("{secret}/b.md")];
    fixture.runtime.block_on(async {
        for number in 0..200 {
            let name = format!("f{}.md", number % 90);
            put(&database, body([(name.as_str(), "around it")])).await;
            for name in names.iter().filter(|_| number % 40 == 7) {
                let text = format!("version {number}");
                put(&database, body([(name.as_str(), text.as_str())])).await;
            }
        }
        let redact = async |name: &str| {
            let what = RedactBody::for_name(&key(name));
            let done = database.redact(&repo(), &what, &actor(), now()).await;
            done.unwrap()
        };
        assert_eq!(redact(&names[0]).await, RedactionOutcome::Stands);
        for name in &names {
            let mut delete = body([]);
            delete.delete.insert(key(name));
            put(&database, delete).await;
            let etag = database.state(&repo()).await.unwrap();
            let RedactionOutcome::Done(done) = redact(name).await else {
                panic!("`{name}` was not redacted");
            };
            assert!(done.name && done.redacted == 5);
            assert_ne!(database.state(&repo()).await.unwrap(), etag);
            assert_eq!(redact(name).await, RedactionOutcome::NotFound);
        }
        assert!(!is_anywhere(fixture.folder(), secret.as_bytes()));
        database
            .backup(&fixture.folder().join("copy"))
            .await
            .unwrap();
        put(&database, body([("after.md", "x")])).await;
    });
    fixture.runtime.block_on(database.close());
    assert!(!is_anywhere(fixture.folder(), secret.as_bytes()));
}

#[test]
fn postgres_says_what_a_redaction_cannot_reach() {
    let Some(fixture) = Fixture::postgres() else {
        return;
    };
    let database = fixture.open();
    fixture.runtime.block_on(async {
        put(&database, body([("a", "1")])).await;
        put(&database, body([("a", "2")])).await;
        let done = database
            .redact(
                &repo(),
                &RedactBody::for_contents(&key("a")),
                &actor(),
                now(),
            )
            .await;
        let RedactionOutcome::Done(done) = done.unwrap() else {
            panic!("nothing was redacted");
        };
        assert!(done.note.contains("VACUUM FULL"), "{}", done.note);
        assert!(done.note.len() <= mem_sync::limits::LABEL_CHARS_MAX);
    });
}
