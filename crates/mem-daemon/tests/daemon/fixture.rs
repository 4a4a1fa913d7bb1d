//! A daemon that runs in a thread, and the end of its work that a test holds.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use mem_daemon::client::DaemonClient;
use mem_daemon::event_loop::{DaemonOptions, DaemonTasks, RunError, Synced, Watched, run};
use mem_daemon::place::DaemonFiles;
use mem_daemon::protocol::{DaemonRequest, DaemonStatus};
use mem_daemon::state_machine::{DaemonTimings, ExitReason, Remotes, SyncOutcome, WatchedScope};
use serde_json::Value;
use tempfile::TempDir;

/// Longer than anything takes on the slowest machine; a test that waits so long has failed.
pub(super) const LONG: Duration = Duration::from_secs(60);

/// Something the daemon did.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Did {
    Maintain,
    Sync,
    Log(String),
}

/// What a synchronisation writes, before it says so.
type Writes = Box<dyn FnMut() -> Vec<PathBuf> + Send>;

struct Counting {
    did: Sender<Did>,
    writes: Mutex<Writes>,
    maintenances: fn(&Path),
    repository: PathBuf,
}

impl DaemonTasks for Counting {
    fn remotes(&self) -> Remotes {
        Remotes {
            own: false,
            team: true,
        }
    }

    fn is_gone(&self) -> bool {
        !self.repository.exists()
    }

    fn maintain(&self) -> Result<(), String> {
        (self.maintenances)(&self.repository);
        let _ = self.did.send(Did::Maintain);
        Ok(())
    }

    fn sync(&self, _: WatchedScope) -> Synced {
        let written = (self.writes.lock().unwrap())();
        let _ = self.did.send(Did::Sync);
        Synced {
            outcome: SyncOutcome::Done {
                has_written: !written.is_empty(),
            },
            written,
            trouble: None,
        }
    }

    fn answer(&self, name: &str, input: Value) -> Result<Value, String> {
        match name {
            "echo" => Ok(input),
            "panic" => panic!("as asked"),
            _ => Err(format!("nobody knows `{name}`")),
        }
    }

    fn now(&self) -> String {
        "2000-01-01T00:00:00Z".to_owned()
    }

    fn log(&self, line: &str) {
        let _ = self.did.send(Did::Log(line.to_owned()));
    }
}

/// A daemon, its directories, and what it did.
pub(super) struct DaemonFixture {
    pub(super) folder: TempDir,
    pub(super) place: DaemonFiles,
    pub(super) did: Receiver<Did>,
    thread: Option<JoinHandle<Result<ExitReason, RunError>>>,
}

/// Patience of a test: everything at once.
pub(super) fn quick() -> DaemonTimings {
    DaemonTimings {
        team_quiet: Duration::from_millis(50),
        team_longest: Duration::from_millis(500),
        maintenance_quiet: Duration::from_millis(10),
        maintenance_longest: Duration::from_millis(100),
        poll: Duration::from_secs(3600),
        ..DaemonTimings::default()
    }
}

impl DaemonFixture {
    pub(super) fn new() -> Self {
        Self::writing(Box::new(Vec::new))
    }

    /// A daemon whose synchronisations write.
    pub(super) fn writing(writes: Writes) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("memory/team")).unwrap();
        Self::at(folder, writes, true)
    }

    /// In a directory that is prepared; ready at once, or not.
    pub(super) fn at(folder: TempDir, writes: Writes, is_started: bool) -> Self {
        let mut fixture = Self::maintaining(folder, writes, |_| {});
        if is_started {
            fixture.wait_until_idle();
        }
        fixture
    }

    /// A daemon that does so with its repository whenever it looks after the memories.
    pub(super) fn maintaining(folder: TempDir, writes: Writes, maintenances: fn(&Path)) -> Self {
        std::fs::create_dir_all(folder.path().join("repository")).unwrap();
        let place = place(folder.path());
        let (sender, did) = channel();
        let (ready, is_ready) = channel();
        let work = Arc::new(Counting {
            did: sender,
            writes: Mutex::new(writes),
            maintenances,
            repository: folder.path().join("repository"),
        });
        let options = options(folder.path());
        let thread = std::thread::spawn(move || run(options, work, || ready.send(()).unwrap()));
        is_ready.recv_timeout(LONG).unwrap();
        Self {
            folder,
            place,
            did,
            thread: Some(thread),
        }
    }

    /// Waits for what a start brings: one look at the files, one at the remote.
    fn wait_until_idle(&mut self) {
        let mut first = [self.next(), self.next()];
        first.sort_by_key(|did| *did == Did::Sync);
        assert_eq!(first, [Did::Maintain, Did::Sync]);
    }

    pub(super) fn memory(&self) -> PathBuf {
        self.folder.path().join("memory")
    }

    /// The next thing that it does.
    pub(super) fn next(&self) -> Did {
        self.did.recv_timeout(LONG).expect("nothing happens")
    }

    /// Waits for a thing, whatever comes before.
    pub(super) fn wait_for(&self, what: &Did) {
        while self.next() != *what {}
    }

    pub(super) fn client(&self) -> DaemonClient {
        DaemonClient::connect(&self.place, LONG).unwrap()
    }

    pub(super) fn status(&self) -> DaemonStatus {
        let answer = self.client().ask(DaemonRequest::Status).unwrap();
        serde_json::from_value(answer).unwrap()
    }

    /// Tells it to end, and says how it did.
    pub(super) fn stop(mut self) -> Result<ExitReason, RunError> {
        self.client().ask(DaemonRequest::Stop).unwrap();
        self.thread.take().unwrap().join().unwrap()
    }

    /// Waits until it has ended by itself.
    pub(super) fn ended(mut self) -> Result<ExitReason, RunError> {
        self.thread.take().unwrap().join().unwrap()
    }
}

pub(super) fn place(folder: &Path) -> DaemonFiles {
    DaemonFiles::new(folder.join("run"), "d")
}

pub(super) fn options(folder: &Path) -> DaemonOptions {
    let memory = folder.join("memory");
    let team = memory.join("team");
    let watched = [(memory, WatchedScope::Own), (team, WatchedScope::Team)];
    DaemonOptions {
        place: place(folder),
        watched: watched.map(|(path, tier)| Watched { path, tier }).to_vec(),
        settings: quick(),
        version: "1.2.3".to_owned(),
        root: folder.display().to_string(),
        seed: 1,
    }
}

/// Writes as an editor does.
pub(super) fn write(path: &Path, text: &str) {
    mem_core::atomic::replace_file(path, text.as_bytes()).unwrap();
}

/// A daemon for a directory, that is not to begin.
pub(super) fn refused(folder: &Path) -> RunError {
    let (did, _keep) = channel();
    let work = Counting {
        did,
        writes: Mutex::new(Box::new(Vec::new)),
        maintenances: |_| {},
        repository: folder.to_owned(),
    };
    let ended = run(options(folder), Arc::new(work), || panic!("it begins"));
    ended.expect_err("it runs")
}
