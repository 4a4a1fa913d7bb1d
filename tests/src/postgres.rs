//! PostgreSQL in a throw-away cluster, from the binaries that are installed.
//!
//! It listens on a socket in its own folder only, syncs as it does in earnest, and is gone with the last
//! test that uses it. Where root runs the tests it runs as `postgres` or `nobody`: it refuses root.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::{env, fs};

use tempfile::TempDir;

/// Set to 1 by whoever wants to test without PostgreSQL.
pub const OPT_OUT: &str = "MEM_TESTS_NO_POSTGRES";

/// A running server.
#[derive(Debug)]
pub struct Cluster {
    binaries: PathBuf,
    folder: TempDir,
    user: Option<&'static str>,
    databases: AtomicU32,
}

/// The cluster that tests of one process share, started by the first of them. `None`, and a word about it,
/// where [`OPT_OUT`] is set.
///
/// # Panics
/// There is no PostgreSQL, or it does not start.
pub fn cluster() -> Option<Arc<Cluster>> {
    static SHARED: Mutex<Weak<Cluster>> = Mutex::new(Weak::new());
    if !is_wanted() {
        return None;
    }
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    let running = shared.upgrade().unwrap_or_else(|| {
        let started = Arc::new(Cluster::start());
        *shared = Arc::downgrade(&started);
        started
    });
    Some(running)
}

/// Whether PostgreSQL is to be tested; says so where it is not.
#[expect(clippy::print_stderr, reason = "what is not tested is said aloud")]
pub fn is_wanted() -> bool {
    let is_out = env::var_os(OPT_OUT).is_some_and(|set| set == "1");
    if is_out {
        eprintln!("NOT TESTED: PostgreSQL, because {OPT_OUT} is set");
    }
    !is_out
}

/// The newest installed PostgreSQL's folder of programs.
pub fn binaries() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let on_path = env::split_paths(&path).filter_map(|folder| {
        // What is on the path may be a link to one program of many.
        let real = fs::canonicalize(folder.join("postgres")).ok()?;
        Some(real.parent()?.to_owned())
    });
    let mut packaged: Vec<(u32, PathBuf)> = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let version = entry.file_name().to_str()?.parse().ok()?;
            Some((version, entry.path().join("bin")))
        })
        .collect();
    packaged.sort_unstable();
    let packaged = packaged.into_iter().rev().map(|(_, folder)| folder);
    let is_whole = |folder: &PathBuf| {
        let needed = ["postgres", "initdb", "pg_ctl", "psql"];
        needed.iter().all(|name| folder.join(name).is_file())
    };
    on_path.chain(packaged).find(is_whole)
}

impl Cluster {
    /// Makes and starts one.
    ///
    /// # Panics
    /// There is no PostgreSQL, or it does not start.
    pub fn start() -> Self {
        let binaries = binaries().unwrap_or_else(|| {
            panic!(
                "PostgreSQL is not installed: `cargo xtask test` installs it where it can, \
                 {OPT_OUT}=1 leaves its tests out"
            )
        });
        let folder = tempfile::Builder::new().prefix("pg-").tempdir();
        let folder = folder.expect("a temporary folder");
        let user = unprivileged();
        if let Some(user) = user {
            run(Command::new("chown").arg(user).arg(folder.path()));
        }
        let cluster = Self {
            binaries,
            folder,
            user,
            databases: AtomicU32::new(0),
        };
        let settings = [
            "--username=mem",
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
        ];
        let mut initialise = cluster.program("initdb");
        initialise.args(settings).arg("--no-sync");
        run(initialise.arg("--pgdata").arg(cluster.data()));
        cluster.control("start");
        cluster
    }

    /// A standby of this one, with every write on its disk before this one acknowledges it.
    ///
    /// # Panics
    /// It cannot be made, or does not follow.
    pub fn start_standby(&self) -> Self {
        let folder = tempfile::Builder::new().prefix("pg-").tempdir();
        let folder = folder.expect("a temporary folder");
        if let Some(user) = self.user {
            run(Command::new("chown").arg(user).arg(folder.path()));
        }
        let standby = Self {
            binaries: self.binaries.clone(),
            folder,
            user: self.user,
            databases: AtomicU32::new(0),
        };
        let mut copy = self.program("pg_basebackup");
        copy.args([
            "--username=mem",
            "--write-recovery-conf",
            "--checkpoint=fast",
        ]);
        copy.args(["--no-sync", "--host"]).arg(self.folder.path());
        run(copy.arg("--pgdata").arg(standby.data()));
        standby.control("start");
        // Not before there is one: a primary waits for ever for a standby that never comes.
        run(&mut self.query(
            "postgres",
            "ALTER SYSTEM SET synchronous_standby_names = '*'",
        ));
        run(&mut self.query("postgres", "SELECT pg_reload_conf()"));
        let state = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'";
        let follows = || {
            let said = self.query("postgres", state).output();
            said.is_ok_and(|said| said.stdout == b"1\n")
        };
        while !follows() {
            std::thread::yield_now();
        }
        standby
    }

    /// The address of a database that this one and another server have.
    pub fn url_with(&self, other: &Self, name: &str) -> String {
        format!("{},{}", self.url(name), other.folder.path().display())
    }

    /// Stops it as a power failure would, for good.
    ///
    /// # Panics
    /// It does not end.
    pub fn kill(&self) {
        let mut stop = self.program("pg_ctl");
        stop.args(["stop", "--silent", "--mode=immediate", "--pgdata"]);
        run(stop.arg(self.data()));
    }

    /// Stops all its processes in the middle of what they do, until the guard is dropped: connections stay, and nobody answers.
    ///
    /// # Panics
    /// It does not run.
    pub fn freeze(&self) -> ClusterFreeze<'_> {
        self.signal_all("-STOP");
        ClusterFreeze(self)
    }

    fn signal_all(&self, signal: &str) {
        let file = fs::read_to_string(self.data().join("postmaster.pid"));
        let file = file.expect("the file of a running server");
        let server = file.lines().next().unwrap_or_default();
        // It first: then there are no new ones.
        run(Command::new("kill").args([signal, server]));
        let children = Command::new("pgrep").args(["-P", server]).output();
        let children = children.expect("pgrep").stdout;
        let children = String::from_utf8_lossy(&children);
        run(Command::new("kill")
            .arg(signal)
            .args(children.split_whitespace()));
    }

    /// Starts it after [`Cluster::kill`].
    ///
    /// # Panics
    /// It does not come back.
    pub fn start_again(&self) {
        self.control("start");
    }

    /// Makes a standby the primary.
    ///
    /// # Panics
    /// It is none, or cannot be.
    pub fn promote(&self) {
        let mut promote = self.program("pg_ctl");
        promote.args(["promote", "--silent", "--wait", "--pgdata"]);
        run(promote.arg(self.data()));
    }

    /// The address of a new database of its own, which sorts texts as people do and not by bytes.
    ///
    /// # Panics
    /// It cannot be made.
    pub fn database(&self) -> String {
        let number = self.databases.fetch_add(1, Ordering::Relaxed);
        let name = format!("test{number}");
        let create = format!("CREATE DATABASE {name} TEMPLATE template0");
        let by_people = format!("{create} LOCALE_PROVIDER icu ICU_LOCALE 'en'");
        if !succeeds(&mut self.query("postgres", &by_people)) {
            // Built without ICU.
            run(&mut self.query("postgres", &create));
        }
        self.url(&name)
    }

    /// The address of a database.
    pub fn url(&self, name: &str) -> String {
        let folder = self.folder.path().display();
        format!("postgres://mem@localhost/{name}?host={folder}")
    }

    /// The folder of its socket.
    pub fn socket(&self) -> &Path {
        self.folder.path()
    }

    /// Stops it as a power failure would, without a word to anybody, and starts it again.
    ///
    /// # Panics
    /// It does not come back.
    pub fn crash(&self) {
        self.kill();
        self.start_again();
    }

    /// One of its programs, as the user that it runs as.
    pub fn program(&self, name: &str) -> Command {
        let path = self.binaries.join(name);
        let mut command = match self.user {
            Some(user) => {
                let mut command = Command::new("runuser");
                command.args(["-u", user, "--"]).arg(path);
                command
            }
            None => Command::new(path),
        };
        command.current_dir("/").stdin(Stdio::null());
        command
    }

    /// A statement, run by `psql`.
    pub fn query(&self, database: &str, sql: &str) -> Command {
        let mut command = self.program("psql");
        command.args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align"]);
        command.args(["--set=ON_ERROR_STOP=1", "--username=mem", "--host"]);
        command.arg(self.folder.path());
        command.args(["--dbname", database, "--command", sql]);
        command
    }

    fn control(&self, verb: &str) {
        let socket = self.folder.path().display();
        let mut options = format!("-c listen_addresses= -c unix_socket_directories={socket}");
        if self.version() >= 14 {
            // After a crash: one call instead of one for each of a thousand files.
            options.push_str(" -c recovery_init_sync_method=syncfs");
        }
        let mut command = self.program("pg_ctl");
        command.args([verb, "--wait", "--silent", "--options", &options]);
        command.arg("--log").arg(self.folder.path().join("log"));
        run(command.arg("--pgdata").arg(self.data()));
    }

    /// The major version.
    fn version(&self) -> u32 {
        let version = fs::read_to_string(self.data().join("PG_VERSION")).unwrap_or_default();
        version.trim().parse().unwrap_or_default()
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }
}

/// While this is held, a cluster is frozen.
pub struct ClusterFreeze<'c>(&'c Cluster);

impl Drop for ClusterFreeze<'_> {
    fn drop(&mut self) {
        self.0.signal_all("-CONT");
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let mut stop = self.program("pg_ctl");
        stop.args(["stop", "--silent", "--mode=immediate", "--pgdata"]);
        succeeds(stop.arg(self.data()));
    }
}

/// Whom to run it as, where root asks.
fn unprivileged() -> Option<&'static str> {
    let exists = |name: &&str| succeeds(Command::new("id").arg("-u").arg(name));
    #[cfg(unix)]
    let is_root = fs::metadata("/proc/self").is_ok_and(|own| {
        use std::os::unix::fs::MetadataExt as _;
        own.uid() == 0
    });
    #[cfg(not(unix))]
    let is_root = false;
    is_root.then(|| ["postgres", "nobody"].into_iter().find(exists))?
}

fn run(command: &mut Command) {
    // What a server inherits stays open for as long as it runs: no pipes.
    let errors = tempfile::tempfile().expect("a temporary file");
    let copy = errors.try_clone().expect("a second handle");
    let status = command.stdout(Stdio::null()).stderr(copy).status();
    let is_done = matches!(&status, Ok(status) if status.success());
    assert!(is_done, "{command:?}: {status:?}\n{}", said(errors));
}

fn said(mut errors: fs::File) -> String {
    use std::io::{Read as _, Seek as _};
    let mut text = String::new();
    let _ = errors.rewind();
    let _ = errors.read_to_string(&mut text);
    text
}

fn succeeds(command: &mut Command) -> bool {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cluster_crashes_comes_back_and_leaves_nothing() {
        if !is_wanted() {
            return;
        }
        let own = Cluster::start();
        let folder = own.folder.path().to_owned();
        own.database();
        run(&mut own.query("test0", "CREATE TABLE t (a INT); INSERT INTO t VALUES (7)"));
        own.crash();
        let said = own.query("test0", "SELECT a FROM t").output().unwrap();
        assert_eq!(said.stdout, b"7\n");
        drop(own);
        assert!(!folder.exists());
    }
}
