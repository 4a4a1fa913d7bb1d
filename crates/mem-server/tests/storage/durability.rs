//! What was acknowledged is there, whatever ends the process.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};

use mem_server::storage::{Database, DatabaseAddress, OpenOptions};
use mem_sync::remote::StateQuery;
use mem_tests::postgres::Cluster;
use sqlx::Connection as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use tokio::task::JoinSet;

use super::fixture::{Fixture, body, key, put, repo, write};

const ROUNDS: u64 = 8;
const CHILD: &str = "MEM_STORAGE_TEST_CHILD";

/// Writes until it is killed, and says what was acknowledged. Run by the test below in a process of its own.
#[test]
#[ignore = "a part of the test below"]
#[expect(
    clippy::disallowed_methods,
    reason = "how the other process says what to do"
)]
fn child() {
    let Ok(told) = std::env::var(CHILD) else {
        return;
    };
    let (round, folder) = told.split_once(' ').unwrap();
    let round = round.to_owned();
    let place = DatabaseAddress::Directory(folder.into());
    tokio::runtime::Runtime::new()
        .unwrap()
        .block_on(async move {
            let database = Database::open(&place, &OpenOptions::default())
                .await
                .unwrap();
            let mut all = JoinSet::new();
            for writer in 0..6 {
                let (database, round) = (database.clone(), round.clone());
                all.spawn(async move {
                    for number in 0.. {
                        let name = format!("w{writer}/{}.md", number % 50);
                        let text = format!("{round} {number} {}", "x".repeat(number % 3000));
                        put(&database, body([(name.as_str(), text.as_str())])).await;
                        let mut out = std::io::stdout().lock();
                        writeln!(out, "acknowledged {name} {round} {number}").unwrap();
                        out.flush().unwrap();
                    }
                });
            }
            all.join_next().await;
        });
}

/// Lets a child write until so many writes were acknowledged, kills it, and says what those were.
fn killed_after(folder: &Path, round: u64, count: u64) -> Vec<(String, u64, usize)> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([
            "storage::durability::child",
            "--exact",
            "--ignored",
            "--nocapture",
        ])
        .env(CHILD, format!("{round} {}", folder.display()))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut acknowledged = Vec::new();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    while let Some(Ok(line)) = lines.next() {
        let words: Vec<&str> = line.split(' ').collect();
        if let ["acknowledged", name, round, number] = words[..] {
            let (Ok(round), Ok(number)) = (round.parse(), number.parse()) else {
                continue;
            };
            acknowledged.push((name.to_owned(), round, number));
        }
        // What it says after that counts as well.
        if acknowledged.len() as u64 == count {
            child.kill().unwrap();
        }
    }
    child.wait().unwrap();
    acknowledged
}

#[test]
fn a_killed_server_has_all_that_it_acknowledged() {
    let fixture = Fixture::sqlite();
    let data = fixture.folder().join("data");
    let mut newest = std::collections::BTreeMap::new();
    let mut random: u64 = 0x5EED;
    for round in 0..ROUNDS {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let count = 1 + (random >> 33) % 120;
        let acknowledged = killed_after(&data, round, count);
        assert!(
            acknowledged.len() as u64 >= count,
            "the child ended by itself"
        );
        for (name, round, number) in acknowledged {
            newest.insert(name, (round, number));
        }
        fixture.runtime.block_on(async {
            let file = data.join("mem.sqlite");
            let options = SqliteConnectOptions::new().filename(file);
            let mut raw = SqliteConnection::connect_with(&options).await.unwrap();
            let sound: String = sqlx::query_scalar("PRAGMA integrity_check")
                .fetch_one(&mut raw)
                .await
                .unwrap();
            assert_eq!(sound, "ok");
            raw.close().await.unwrap();
        });
        let database = fixture.open();
        let (_, found) = fixture
            .runtime
            .block_on(database.read(&repo(), &StateQuery::default()))
            .unwrap();
        for (name, (round, number)) in &newest {
            let text = found.entries[&key(name)].content.as_deref().unwrap();
            let stored: Vec<usize> = text
                .split(' ')
                .take(2)
                .map(|word| word.parse().unwrap())
                .collect();
            // A later one may be there that was not acknowledged any more.
            assert!(
                stored >= vec![*round as usize, *number],
                "`{name}` lost {round} {number}: {stored:?}"
            );
        }
        fixture.runtime.block_on(database.close());
    }
}

/// A cluster of its own: others would be surprised.
#[test]
fn postgres_that_crashes_under_load_costs_no_acknowledged_write() {
    if !mem_tests::postgres::is_wanted() {
        return;
    }
    let cluster = Arc::new(Cluster::start());
    let fixture = Fixture::on(Arc::clone(&cluster));
    let databases = fixture.open_two();
    let stop = Arc::new(AtomicBool::new(false));
    let (done, acknowledgements) = mpsc::channel();
    let mut all = JoinSet::new();
    for writer in 0..8 {
        let (database, stop) = (databases[writer % 2].clone(), Arc::clone(&stop));
        let work = write_on(database, writer, stop, done.clone());
        all.spawn_on(work, fixture.runtime.handle());
    }
    let some = || acknowledgements.iter().take(40).for_each(drop);
    for _ in 0..2 {
        some();
        cluster.crash();
    }
    some();
    stop.store(true, Ordering::Relaxed);
    let acknowledged: Vec<String> = fixture.runtime.block_on(all.join_all()).concat();
    let (_, found) = fixture
        .runtime
        .block_on(databases[0].read(&repo(), &StateQuery::default()))
        .unwrap();
    for name in &acknowledged {
        let entry = found.entries.get(&key(name));
        assert!(
            entry.is_some(),
            "`{name}` of {} is lost",
            acknowledged.len()
        );
    }
    fixture.runtime.block_on(databases[1].ready()).unwrap();
}

/// Writes new keys until it is told to stop; errors are errors, and it goes on.
async fn write_on(
    database: Database,
    writer: usize,
    stop: Arc<AtomicBool>,
    done: mpsc::Sender<()>,
) -> Vec<String> {
    let mut acknowledged = Vec::new();
    for number in 0.. {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let name = format!("w{writer}/{number}.md");
        let written = write(&database, body([(name.as_str(), "x")]), None);
        if written.await.is_ok() {
            acknowledged.push(name);
            done.send(()).unwrap();
        }
    }
    acknowledged
}
