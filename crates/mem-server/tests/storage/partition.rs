//! A database behind a line that is cut, without a word: what is asked fails, and in time.

use std::io::{Read as _, Write as _};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use mem_server::storage::{Database, DatabaseAddress, OpenOptions, StorageError};
use mem_sync::remote::StateQuery;
use tempfile::TempDir;

use super::fixture::{Fixture, body, put, repo, write};

/// The name that PostgreSQL's socket has in its folder.
const SOCKET: &str = ".s.PGSQL.5432";
/// What a question may take here.
const DEADLINE: Duration = Duration::from_millis(500);
/// Long before anybody else would give up.
const IN_TIME: Duration = Duration::from_secs(15);

/// Hands on what comes, until it is cut: then it takes everything, and says nothing.
fn line(folder: &Path, to: PathBuf, cut: Arc<AtomicBool>) {
    let listener = UnixListener::bind(folder.join(SOCKET)).unwrap();
    thread::spawn(move || {
        for one in listener.incoming() {
            let (Ok(near), Ok(far)) = (one, UnixStream::connect(to.join(SOCKET))) else {
                return;
            };
            for (mut from, mut to) in [
                (near.try_clone().unwrap(), far.try_clone().unwrap()),
                (far, near),
            ] {
                let cut = Arc::clone(&cut);
                thread::spawn(move || {
                    let mut bytes = [0; 8192];
                    while let Ok(count @ 1..) = from.read(&mut bytes) {
                        let is_cut = cut.load(Ordering::SeqCst);
                        if !is_cut && to.write_all(&bytes[..count]).is_err() {
                            break;
                        }
                    }
                    let _ = to.shutdown(Shutdown::Both);
                });
            }
        }
    });
}

#[test]
fn a_database_that_says_nothing_costs_errors_in_time() {
    let Some(fixture) = Fixture::postgres() else {
        return;
    };
    let DatabaseAddress::Url(url) = &fixture.place else {
        return;
    };
    let url = secrecy::ExposeSecret::expose_secret(url);
    let (before, folder) = url.split_once("?host=").unwrap();
    let (own, cut) = (TempDir::new().unwrap(), Arc::new(AtomicBool::new(false)));
    line(own.path(), folder.into(), Arc::clone(&cut));
    let place = DatabaseAddress::Url(format!("{before}?host={}", own.path().display()).into());
    let options = OpenOptions {
        deadline: DEADLINE,
        acquire_timeout: DEADLINE,
        ..OpenOptions::default()
    };
    fixture.runtime.block_on(async {
        // Opening is given its time.
        let database = Database::open(&place, &options).await.unwrap();
        put(&database, body([("a", "1")])).await;
        cut.store(true, Ordering::SeqCst);
        let begun = Instant::now();
        let silent = |error: StorageError| {
            assert!(error.is_transient(), "{error}");
        };
        silent(
            database
                .read(&repo(), &StateQuery::default())
                .await
                .unwrap_err(),
        );
        silent(database.state(&repo()).await.unwrap_err());
        silent(
            write(&database, body([("a", "2")]), None)
                .await
                .unwrap_err(),
        );
        silent(database.ready().await.unwrap_err());
        assert!(begun.elapsed() < IN_TIME, "{:?}", begun.elapsed());
    });
}
