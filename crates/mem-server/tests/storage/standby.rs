//! A primary that dies and a standby that takes over, as real processes.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use mem_server::storage::{Database, DatabaseAddress, OpenOptions};
use mem_sync::remote::StateQuery;
use mem_sync::wire::StateAnswer;
use mem_tests::postgres::{self, Cluster};
use tokio::runtime::{Handle, Runtime};
use tokio::task::JoinSet;

use super::fixture::{body, key, put, repo, write};

const WRITERS: usize = 200;

/// A database with a standby, and the address of both.
struct StandbyPair {
    primary: Cluster,
    standby: Cluster,
    place: DatabaseAddress,
    runtime: Runtime,
}

impl StandbyPair {
    /// `None` where PostgreSQL is not to be tested.
    fn start() -> Option<Self> {
        if !postgres::is_wanted() {
            return None;
        }
        let primary = Cluster::start();
        primary.database();
        let standby = primary.start_standby();
        let place = DatabaseAddress::Url(primary.url_with(&standby, "test0").into());
        Some(Self {
            primary,
            standby,
            place,
            runtime: Runtime::new().unwrap(),
        })
    }

    /// Whether the standby takes over what the primary sent it: `pause`, `resume`.
    fn replay(&self, what: &str) {
        let sql = format!("SELECT pg_wal_replay_{what}()");
        assert!(
            self.standby
                .query("test0", &sql)
                .status()
                .unwrap()
                .success()
        );
    }

    /// With the primary for writes, and the standby of this address for reads.
    fn open_reading(&self, standby: String) -> Database {
        let options = OpenOptions {
            standbys: Some(standby.into()),
            ..OpenOptions::default()
        };
        // The primary alone takes writes; an address of both would do as well.
        let place = DatabaseAddress::Url(self.primary.url("test0").into());
        let opened = Database::open(&place, &options);
        self.runtime.block_on(opened).unwrap()
    }

    fn open(&self) -> Database {
        let options = OpenOptions::default();
        let opened = Database::open(&self.place, &options);
        self.runtime.block_on(opened).unwrap()
    }
}

/// Writes new keys until it is told to stop, and says so of each. Errors are errors, and it goes on.
async fn write_on(
    database: Database,
    writer: usize,
    stop: Arc<AtomicBool>,
    done: mpsc::Sender<usize>,
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
            // The test may have seen enough.
            let _ = done.send(writer);
        }
    }
    acknowledged
}

fn read(handle: &Handle, replica: &Database) -> StateAnswer {
    let (repo, all) = (repo(), StateQuery::default());
    handle.block_on(replica.read(&repo, &all)).unwrap().1
}

#[test]
fn a_promoted_standby_has_every_acknowledged_write() {
    let Some(pair) = StandbyPair::start() else {
        return;
    };
    let replicas = [pair.open(), pair.open()];
    let handle = pair.runtime.handle();
    let before = handle.block_on(replicas[0].state(&repo())).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let (done, acknowledgements) = mpsc::channel();
    let mut all = JoinSet::new();
    for writer in 0..WRITERS {
        let (database, stop) = (replicas[writer % 2].clone(), Arc::clone(&stop));
        all.spawn_on(write_on(database, writer, stop, done.clone()), handle);
    }
    let everybody = || {
        let mut waiting: HashSet<usize> = (0..WRITERS).collect();
        while !waiting.is_empty() {
            waiting.remove(&acknowledgements.recv().unwrap());
        }
    };
    everybody();
    pair.primary.kill();
    pair.standby.promote();
    while acknowledgements.try_recv().is_ok() {}
    everybody();
    stop.store(true, Ordering::Relaxed);
    let acknowledged = handle.block_on(all.join_all()).concat();
    for replica in &replicas {
        let found = read(handle, replica);
        let lost = |name: &&String| !found.entries.contains_key(&key(name));
        let lost: Vec<&String> = acknowledged.iter().filter(lost).collect();
        assert!(lost.is_empty(), "of {}: {lost:?}", acknowledged.len());
    }
    let after = handle.block_on(replicas[1].state(&repo())).unwrap();
    assert_ne!(before, after);
}

#[test]
fn a_state_of_before_the_promotion_has_no_name_any_more() {
    let Some(pair) = StandbyPair::start() else {
        return;
    };
    let database = pair.open();
    let handle = pair.runtime.handle();
    let (before, _) = handle.block_on(put(&database, body([("a.md", "one")])));
    assert_eq!(handle.block_on(database.state(&repo())).unwrap(), before);
    pair.primary.kill();
    pair.standby.promote();
    // The number is the same: only the epoch tells that the history may be another one.
    let after = handle.block_on(database.state(&repo())).unwrap();
    assert_ne!(after, before);
    // Another replica follows and renews nothing.
    let other = pair.open();
    assert_eq!(handle.block_on(other.state(&repo())).unwrap(), after);
}

#[test]
fn an_old_primary_that_comes_back_is_not_asked() {
    let Some(pair) = StandbyPair::start() else {
        return;
    };
    let handle = pair.runtime.handle();
    let database = pair.open();
    handle.block_on(put(&database, body([("a.md", "one")])));
    pair.primary.kill();
    pair.standby.promote();
    handle.block_on(put(&database, body([("a.md", "two")])));
    // It takes writes, as far as it knows.
    pair.primary.start_again();
    for replica in [database, pair.open()] {
        let found = read(handle, &replica);
        assert_eq!(found.entries[&key("a.md")].content.as_deref(), Some("two"));
    }
}

#[test]
fn a_standby_answers_only_what_it_has_reached() {
    let Some(pair) = StandbyPair::start() else {
        return;
    };
    let database = pair.open_reading(pair.standby.url("test0"));
    let handle = pair.runtime.handle();
    let reads = database.request_counts().standbys;
    let counts = || (reads.answered.get(), reads.behind.get());
    let text = || {
        read(handle, &database).entries[&key("a.md")]
            .content
            .clone()
    };
    handle.block_on(put(&database, body([("a.md", "one")])));
    pair.replay("resume");
    while counts().0 == 0 {
        assert_eq!(text().as_deref(), Some("one"));
    }
    pair.replay("pause");
    let (answered, behind) = counts();
    handle.block_on(put(&database, body([("a.md", "two")])));
    assert_eq!(text().as_deref(), Some("two"));
    assert_eq!(counts(), (answered, behind + 1));
    pair.replay("resume");
    while counts().0 == answered {
        assert_eq!(text().as_deref(), Some("two"));
    }
    pair.standby.kill();
    // Without a standby the primary acknowledges nothing any more, and is read still.
    assert_eq!(text().as_deref(), Some("two"));
    assert!(reads.failed.get() > 0);
}

#[test]
fn a_standby_that_hangs_is_asked_once_and_left_alone() {
    let Some(pair) = StandbyPair::start() else {
        return;
    };
    let database = pair.open_reading(pair.standby.url("test0"));
    let handle = pair.runtime.handle();
    let reads = database.request_counts().standbys;
    handle.block_on(put(&database, body([("a.md", "one")])));
    while reads.answered.get() == 0 {
        read(handle, &database);
    }
    let (answered, failed) = (reads.answered.get(), reads.failed.get());
    let frozen = pair.standby.freeze();
    for _ in 0..10 {
        let found = read(handle, &database);
        assert_eq!(found.entries[&key("a.md")].content.as_deref(), Some("one"));
    }
    assert_eq!(
        (reads.answered.get(), reads.failed.get()),
        (answered, failed + 1)
    );
    drop(frozen);
}

#[test]
fn a_request_that_is_given_up_leaves_no_open_transaction() {
    if !postgres::is_wanted() {
        return;
    }
    let cluster = Cluster::start();
    let place = DatabaseAddress::Url(cluster.database().into());
    let runtime = Runtime::new().unwrap();
    let options = OpenOptions::default();
    let opened = Database::open(&place, &options);
    let database = runtime.block_on(opened).unwrap();
    let handle = runtime.handle();
    handle.block_on(put(&database, body([("a.md", "one")])));
    read(handle, &database);
    let frozen = cluster.freeze();
    handle.block_on(async {
        let (repo, all) = (repo(), StateQuery::default());
        let given_up = async {
            tokio::join!(
                database.read(&repo, &all),
                write(&database, body([("a.md", "two")]), None)
            )
        };
        let moment = Duration::from_millis(200);
        assert!(tokio::time::timeout(moment, given_up).await.is_err());
    });
    drop(frozen);
    let open = "SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'";
    let thawed = Instant::now();
    while cluster.query("test0", open).output().unwrap().stdout != b"0\n" {
        // The database itself would end them after twenty seconds.
        assert!(thawed.elapsed() < Duration::from_secs(10));
    }
}

#[test]
fn a_server_that_is_no_standby_answers_nothing() {
    let Some(pair) = StandbyPair::start() else {
        return;
    };
    let database = pair.open_reading(pair.primary.url("test0"));
    let handle = pair.runtime.handle();
    handle.block_on(put(&database, body([("a.md", "one")])));
    let found = read(handle, &database);
    assert_eq!(found.entries[&key("a.md")].content.as_deref(), Some("one"));
    let reads = database.request_counts().standbys;
    assert_eq!((reads.answered.get(), reads.failed.get()), (0, 1));
}
