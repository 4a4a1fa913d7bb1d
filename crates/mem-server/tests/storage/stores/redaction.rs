//! What was redacted is in none of the files, whatever the sizes and whatever else happened: neither content nor
//! path nor checksum.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use jiff::SignedDuration;
use mem_server::storage::stores::{
    ListedMemory, MemoryQuery, MemoryRecord, VersionQuery, VersionRecord, Writing,
};
use mem_server::storage::{Database, OpenOptions, VersionRetention};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};

use super::super::fixture::{Fixture, actor, now};
use super::{all, content, create, rename, store, versions};

/// As long as a mark; no checksum is shorter.
const HEAD: usize = 16;

/// Which of these any file of a folder has.
fn found_in(folder: &Path, wanted: &BTreeMap<Vec<u8>, String>) -> Vec<String> {
    let heads: BTreeMap<&[u8], &[u8]> = wanted
        .keys()
        .map(|bytes| (&bytes[..HEAD], bytes.as_slice()))
        .collect();
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        for (at, head) in bytes.windows(HEAD).enumerate() {
            if let Some(whole) = heads.get(head)
                && bytes[at..].starts_with(whole)
            {
                found.push(wanted[*whole].clone());
            }
        }
    }
    found
}

/// Whether any file of a folder has this text.
fn is_anywhere(folder: &Path, text: &str) -> bool {
    let wanted = BTreeMap::from([(text.as_bytes().to_vec(), String::new())]);
    !found_in(folder, &wanted).is_empty()
}

#[derive(Clone, Debug)]
enum Step {
    /// A version of a memory, with so many bytes.
    Write(usize, usize),
    /// Another path, that nothing had before.
    Move(usize),
    /// The end of a memory.
    Delete(usize),
    /// All that is old ends.
    Prune,
}

fn step() -> impl Strategy<Value = Step> {
    let size = prop_oneof![0..300usize, 300..5000usize, 5000..40_000usize];
    prop_oneof![
        12 => (0..12usize, size).prop_map(|(one, size)| Step::Write(one, size)),
        3 => (0..12usize).prop_map(Step::Move),
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

/// Where a memory stands; a path of its own begins with the same folder.
fn path(one: usize, number: usize) -> String {
    format!("/{}{one}/{}", "p".repeat(one * 20), mark(number))
}

/// The memories of a folder that have no other one below it.
async fn of_folder(database: &Database, id: &str, one: usize) -> Vec<MemoryRecord> {
    let query = MemoryQuery {
        prefix: format!("/{}{one}/", "p".repeat(one * 20)),
        limit: 100,
        ..MemoryQuery::default()
    };
    let found = database.memories(&all(), id, &query).await.unwrap().items;
    let memories = found.into_iter().filter_map(|one| match one {
        ListedMemory::Memory(memory) => Some(*memory),
        ListedMemory::Prefix(_) => None,
    });
    memories.collect()
}

async fn take(database: &Database, id: &str, number: usize, step: &Step) {
    let scope = all();
    match step {
        Step::Write(one, size) => {
            let (path, text) = (path(*one, 1000 + one), text(number, *size));
            database
                .upsert_memory(Writing::new(&scope, id, &actor(), now()), path, text, false)
                .await
                .unwrap();
        }
        Step::Move(one) => {
            if let Some(memory) = of_folder(database, id, *one).await.first() {
                let to = rename(&path(*one, 2000 + number));
                super::update(database, id, &memory.id, to).await.unwrap();
            }
        }
        Step::Delete(one) => {
            if let Some(memory) = of_folder(database, id, *one).await.first() {
                database
                    .delete_memory(Writing::new(&scope, id, &actor(), now()), &memory.id, None)
                    .await
                    .unwrap();
            }
        }
        Step::Prune => {
            let keep_two = VersionRetention {
                days: 0,
                versions: 2,
                ..VersionRetention::default()
            };
            database
                .prune(&keep_two, now() + SignedDuration::from_secs(1))
                .await
                .unwrap();
        }
    }
}

/// What of a version can be found in a file, each with a word for it.
fn traces(version: &VersionRecord) -> impl Iterator<Item = (Vec<u8>, String)> {
    let text = version.content.as_ref().map(|text| &text[..HEAD]);
    let text = text.map(|text| (text.as_bytes().to_vec(), format!("the content {text}")));
    let path = version.path.as_ref().map(|path| {
        let name = path.rsplit('/').next().unwrap();
        (name.as_bytes().to_vec(), format!("the path {path}"))
    });
    let sha256 = version.content_sha256;
    let sha256 = sha256.map(|it| (it.as_bytes().to_vec(), format!("the checksum {it}")));
    let hex = version.content_sha256.map(|it| it.to_string());
    let hex = hex.map(|hex| {
        (
            hex.as_bytes().to_vec(),
            format!("the checksum {hex}, in hex"),
        )
    });
    [text, path, sha256, hex].into_iter().flatten()
}

/// Redacts every second version, and looks for all of them.
async fn check(fixture: &Fixture, steps: &[Step], first: usize) -> Result<(), TestCaseError> {
    let options = OpenOptions::default();
    let database = Database::open(&fixture.place, &options).await.unwrap();
    let files = fixture.folder().join("data");
    let id = store(&database, "leaks").await.id;
    for (number, step) in steps.iter().enumerate() {
        take(&database, &id, number, step).await;
    }
    let before = versions(&database, &id).await;
    let mut redacted = BTreeMap::new();
    for version in before.iter().skip(first).step_by(2) {
        let done = database
            .redact_version(Writing::new(&all(), &id, &actor(), now()), &version.id)
            .await;
        if done.is_ok() {
            redacted.extend(traces(version));
        }
    }
    // The others are whole, and what they have in common with those is theirs.
    for version in versions(&database, &id).await {
        let earlier = before.iter().find(|one| one.id == version.id).unwrap();
        prop_assert!(version.redacted_at.is_some() || version.content == earlier.content);
        for (trace, _) in traces(&version) {
            redacted.remove(&trace);
        }
    }
    prop_assert_eq!(found_in(&files, &redacted), Vec::<String>::new());
    prop_assert_eq!(sound(&files).await, "ok");
    let backups = fixture.folder().join("backups");
    fs::create_dir(&backups).unwrap();
    database.backup(&backups.join("mem.sqlite")).await.unwrap();
    prop_assert_eq!(found_in(&backups, &redacted), Vec::<String>::new());
    prop_assert_eq!(found_in(&files, &redacted), Vec::<String>::new());
    Ok(())
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
    let outcome = TestRunner::new(config).run(&(steps, 0..3usize), |(steps, first)| {
        let fixture = Fixture::sqlite();
        fixture.runtime.block_on(check(&fixture, &steps, first))
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
    let fixture = Fixture::sqlite();
    let database = fixture.open();
    fixture.runtime.block_on(async {
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
            let query = VersionQuery {
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
                .redact_version(Writing::new(&all(), &id, &actor(), now()), &before.id)
                .await
                .unwrap();
            assert!(!is_anywhere(&fixture.folder().join("data"), &mark(number - 1)) || number == 1);
        }
        writers.join_all().await;
        assert_eq!(database.count_memories(&all(), &id).await.unwrap(), 321);
        assert_eq!(sound(&fixture.folder().join("data")).await, "ok");
    });
}
