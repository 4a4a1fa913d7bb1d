//! What was redacted is in none of the files, whatever the sizes and whatever else happened.

use std::fs;
use std::path::Path;

use jiff::SignedDuration;
use mem_server::storage::Retention;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::super::bed::{Bed, actor, now};
use super::{all, content, create, store, versions};

/// Whether any file of a folder has this text.
fn is_anywhere(folder: &Path, text: &str) -> bool {
    fs::read_dir(folder).unwrap().any(|entry| {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        let mut windows = bytes.windows(text.len());
        windows.any(|window| window == text.as_bytes())
    })
}

#[derive(Clone, Debug)]
enum Step {
    /// A version of a memory, with so many bytes.
    Write(usize, usize),
    /// The end of a memory.
    Delete(usize),
    /// All that is old ends.
    Prune,
}

fn step() -> impl Strategy<Value = Step> {
    let size = prop_oneof![0..300usize, 300..5000usize, 5000..40_000usize];
    prop_oneof![
        12 => (0..12usize, size).prop_map(|(one, size)| Step::Write(one, size)),
        2 => (0..12usize).prop_map(Step::Delete),
        1 => Just(Step::Prune),
    ]
}

/// Different in every version, at every place.
fn text(number: usize, size: usize) -> String {
    let mark = mark(number);
    format!("{mark}{}", mark.repeat(size / mark.len()))
}

fn mark(number: usize) -> String {
    format!(
        "<value {:08x}>",
        number.wrapping_mul(0x9E37_79B9) & 0xFFFF_FFFF
    )
}

#[test]
fn no_byte_of_what_was_redacted_is_left_in_any_file() {
    let config = Config {
        cases: 12,
        failure_persistence: None,
        max_shrink_iters: 60,
        ..Config::default()
    };
    let steps = proptest::collection::vec(step(), 30..120);
    let outcome =
        TestRunner::new(config).run(&(steps, any::<prop::sample::Index>()), |(steps, chosen)| {
            let bed = Bed::sqlite();
            let database = bed.open();
            let files = bed.folder().join("data");
            bed.runtime.block_on(async {
                let id = store(&database, "leaks").await.id;
                let scope = all();
                let keep_two = Retention {
                    days: 0,
                    versions: 2,
                    ..Retention::default()
                };
                for (number, step) in steps.iter().enumerate() {
                    let path =
                        |one: usize| format!("/{}/{}", "p".repeat(one * 20), mark(1000 + one));
                    match step {
                        Step::Write(one, size) => {
                            let text = text(number, *size);
                            database
                                .upsert_memory(
                                    &scope,
                                    &id,
                                    path(*one),
                                    text,
                                    false,
                                    &actor(),
                                    now(),
                                )
                                .await
                                .unwrap();
                        }
                        Step::Delete(one) => {
                            let prefix = path(*one);
                            let query = mem_server::storage::stores::MemoryQuery {
                                prefix,
                                limit: 1,
                                ..Default::default()
                            };
                            for found in database.memories(&scope, &id, &query).await.unwrap().items
                            {
                                if let mem_server::storage::stores::Listed::Memory(memory) = found {
                                    database
                                        .delete_memory(
                                            &scope,
                                            &id,
                                            &memory.id,
                                            None,
                                            &actor(),
                                            now(),
                                        )
                                        .await
                                        .unwrap();
                                }
                            }
                        }
                        Step::Prune => {
                            database
                                .prune(&keep_two, now() + SignedDuration::from_secs(1))
                                .await
                                .unwrap();
                        }
                    }
                }
                // Some are redacted, the others stay whole.
                let all_of_them = versions(&database, &id).await;
                let mut redacted = Vec::new();
                for version in all_of_them.iter().skip(chosen.index(3)).step_by(2) {
                    let done = database
                        .redact_version(&scope, &id, &version.id, &actor(), now())
                        .await;
                    if let (Ok(_), Some(text)) = (done, &version.content) {
                        redacted.push(text[..mark(0).len().min(text.len())].to_owned());
                    }
                }
                for text in &redacted {
                    prop_assert!(
                        !is_anywhere(&files, text),
                        "`{text}` of {} is still there",
                        redacted.len()
                    );
                }
                for version in versions(&database, &id).await {
                    let before = all_of_them.iter().find(|one| one.id == version.id).unwrap();
                    prop_assert!(
                        version.redacted_at.is_some() || version.content == before.content
                    );
                }
                let sound = sound(&files).await;
                prop_assert_eq!(sound, "ok");
                Ok(())
            })
        });
    outcome.unwrap();
}

async fn sound(files: &Path) -> String {
    use sqlx::Connection as _;
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(files.join("mem.sqlite"));
    let mut raw = sqlx::SqliteConnection::connect_with(&options)
        .await
        .unwrap();
    let sound: String = sqlx::query_scalar("PRAGMA integrity_check")
        .fetch_one(&mut raw)
        .await
        .unwrap();
    raw.close().await.unwrap();
    sound
}

/// Writers go on while a redaction looks for what is left: no page that they write is damaged.
#[test]
fn a_redaction_and_writers_do_not_get_in_each_others_way() {
    let bed = Bed::sqlite();
    let database = bed.open();
    bed.runtime.block_on(async {
        let id = store(&database, "busy").await.id;
        let memory = create(&database, &id, "/leak", "0").await.unwrap().id;
        let mut writers = tokio::task::JoinSet::new();
        for writer in 0..8 {
            let (database, id) = (database.clone(), id.clone());
            writers.spawn(async move {
                for number in 0..40 {
                    let text = "y".repeat(number * 97 % 6000);
                    create(&database, &id, &format!("/{writer}/{number}"), &text)
                        .await
                        .unwrap();
                }
            });
        }
        for number in 1..12 {
            super::update(&database, &id, &memory, content(&text(number, 500)))
                .await
                .unwrap();
            let query = mem_server::storage::stores::VersionQuery {
                memory_id: Some(memory.clone()),
                limit: 2,
                ..Default::default()
            };
            let before = database
                .versions(&all(), &id, &query)
                .await
                .unwrap()
                .items
                .remove(1);
            database
                .redact_version(&all(), &id, &before.id, &actor(), now())
                .await
                .unwrap();
            assert!(!is_anywhere(&bed.folder().join("data"), &mark(number - 1)) || number == 1);
        }
        writers.join_all().await;
        assert_eq!(database.count_memories(&all(), &id).await.unwrap(), 321);
        assert_eq!(sound(&bed.folder().join("data")).await, "ok");
    });
}
