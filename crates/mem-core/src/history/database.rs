//! The database itself: where it is, its tables, how it is opened.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension as _};

use super::error::HistoryError;
use super::staging::{beside, put_in_place, remove_tree};
use crate::sealing::StateCipher;

/// The name of the database in its folder.
pub(super) const FILE: &str = "history.db";
/// Its log, and the memory by which processes find their way in that.
const LOG: &str = "history.db-wal";
const SHARED: &str = "history.db-shm";
/// `memh`, in the header of the file.
const APPLICATION_ID: i64 = 0x6d65_6d68;
/// Another format than this one is not read.
const FORMAT: &str = "1";
/// How long a reader waits for a checkpoint. Writers are kept apart by the lock of the store.
const PATIENCE: Duration = Duration::from_secs(30);
/// A log of more bytes is moved into the database: the first process that opens the database reads the whole log.
const LOG_BYTES_MAX: u64 = 1024 * 1024;

/// The header of the file, by <https://www.sqlite.org/fileformat.html>: the number of pages, and one of our own.
const HEADER_BYTES: usize = 100;
const PAGES_AT: usize = 28;
const USER_VERSION_AT: usize = 60;
/// A smaller history is not looked at: 8 MiB.
const GROWTH_PAGES_MIN: u64 = 2048;

/// `files.before` is the digest of what stood there, for a recovery to know whether the change was made to
/// a file already; a rewrite of the history leaves it out.
const SCHEMA: &str = "
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE changes (
    sequence INTEGER PRIMARY KEY,
    lineage INTEGER NOT NULL,
    id TEXT NOT NULL UNIQUE,
    is_pending INTEGER NOT NULL,
    record BLOB NOT NULL
);
CREATE INDEX changes_of_lineage ON changes (lineage, sequence);
CREATE INDEX changes_pending ON changes (sequence) WHERE is_pending;
CREATE TABLE contents (id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, bytes BLOB NOT NULL);
CREATE TABLE files (
    path TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    before BLOB,
    content INTEGER,
    PRIMARY KEY (path, sequence)
) WITHOUT ROWID;
CREATE INDEX files_of_change ON files (sequence);
CREATE TABLE notes (
    note TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    PRIMARY KEY (note, sequence)
) WITHOUT ROWID;
";

/// The place of a change among all changes of its history; a redaction leaves it as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChangeSequence(pub(super) i64);

/// The state of a history: its newest change, and which writing of it this is. What was made of a history
/// of another head is out of date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// A random number, drawn for each rewrite of the whole history.
    epoch: u64,
    /// The newest change of the directory itself.
    pub(crate) sequence: ChangeSequence,
}

impl std::fmt::Display for Head {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}.{}", self.epoch, self.sequence.0)
    }
}

impl std::str::FromStr for Head {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (epoch, sequence) = text.split_once('.').unwrap_or((text, ""));
        Ok(Self {
            epoch: u64::from_str_radix(epoch, 16)?,
            sequence: ChangeSequence(sequence.parse()?),
        })
    }
}

/// The lineage of the directory itself.
pub(super) const OWN: i64 = 0;

/// A memory directory's history.
pub struct History {
    pub(super) db: Connection,
    path: PathBuf,
    pub(super) seal: StateCipher,
    epoch: u64,
}

impl std::fmt::Debug for History {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("History").field("path", &self.path).finish()
    }
}

impl History {
    /// Opens an existing history; `None` where there is none. What is sealed in it is opened by `seal`, and so is
    /// sealed what a sealed history gains, or one that begins.
    ///
    /// # Errors
    /// What stands at `path` is no history, is of a later format, or cannot be read.
    pub fn open(path: &Path, seal: &StateCipher) -> Result<Option<Self>, HistoryError> {
        let file = path.join(FILE);
        match file.symlink_metadata() {
            Ok(meta) if meta.is_file() => {}
            Ok(_) => return Err(HistoryError::NotAHistory(path.to_owned())),
            Err(error) if is_absence(&error) => return Ok(None),
            Err(error) => return Err(HistoryError::io("open", file)(error)),
        }
        if [LOG, SHARED].iter().any(|name| is_odd(&path.join(name))) {
            return Err(HistoryError::NotAHistory(path.to_owned()));
        }
        let history = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE, seal)
            .or_else(|error| Self::connect_unwritable(path, seal, error))?;
        Ok(Some(history))
    }

    /// Opens the history, making an empty one first where there is none.
    ///
    /// # Errors
    /// The place cannot be written, or something else stands there.
    pub fn open_or_init(path: &Path, seal: &StateCipher) -> Result<Self, HistoryError> {
        if let Some(history) = Self::open(path, seal)? {
            return Ok(history);
        }
        if path.symlink_metadata().is_ok() {
            return Err(HistoryError::NotAHistory(path.to_owned()));
        }
        let beside = beside(path);
        Self::init(&beside, seal)?.close()?;
        put_in_place(&beside, path)?;
        Self::open(path, seal)?.ok_or_else(|| HistoryError::Gone(path.to_owned()))
    }

    /// Removes what a killed rewrite left: half of the new history, or all of the old one.
    pub(crate) fn sweep(path: &Path) -> Result<(), HistoryError> {
        remove_tree(&beside(path))
    }

    /// Makes an empty history in a new folder, readable by its owner alone.
    pub(super) fn init(folder: &Path, seal: &StateCipher) -> Result<Self, HistoryError> {
        std::fs::create_dir(folder).map_err(HistoryError::io("create", folder))?;
        crate::platform::make_private(folder).map_err(HistoryError::io("protect", folder))?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let db = connection(&folder.join(FILE), flags)?;
        db.execute_batch("BEGIN")?;
        db.execute_batch(SCHEMA)?;
        db.pragma_update(None, "application_id", APPLICATION_ID)?;
        // A number that no other writing of a history has.
        let random: i64 = db.query_row("SELECT random()", (), |row| row.get(0))?;
        let epoch = u64::from_ne_bytes(random.to_ne_bytes());
        let facts = [
            ("format", FORMAT.to_owned()),
            ("epoch", format!("{epoch:016x}")),
        ];
        for (name, value) in facts {
            db.execute("INSERT INTO facts VALUES (?, ?)", (name, value))?;
        }
        db.execute_batch("COMMIT")?;
        Ok(Self {
            db,
            path: folder.to_owned(),
            seal: seal.clone(),
            epoch,
        })
    }

    fn connect(path: &Path, flags: OpenFlags, seal: &StateCipher) -> Result<Self, HistoryError> {
        Self::from_connection(connection(&path.join(FILE), flags)?, path, seal)
    }

    /// A folder that cannot be written to has no room for the index of the log either.
    fn connect_unwritable(
        path: &Path,
        seal: &StateCipher,
        error: HistoryError,
    ) -> Result<Self, HistoryError> {
        let HistoryError::Database(rusqlite::Error::SqliteFailure(code, _)) = &error else {
            return Err(error);
        };
        let log = path.join(LOG).metadata().map_or(0, |meta| meta.len());
        // Without the log it would be an old state, told as if it were the newest.
        if !matches!(code.code, ErrorCode::CannotOpen | ErrorCode::ReadOnly) || log > 0 {
            return Err(error);
        }
        let file = path.join(FILE).display().to_string();
        let file = file
            .replace('%', "%25")
            .replace('?', "%3f")
            .replace('#', "%23");
        let uri = PathBuf::from(format!("file:{file}?immutable=1"));
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        Self::from_connection(connection(&uri, flags).map_err(|_| error)?, path, seal)
    }

    fn from_connection(
        db: Connection,
        path: &Path,
        seal: &StateCipher,
    ) -> Result<Self, HistoryError> {
        let application: i64 = db.pragma_query_value(None, "application_id", |row| row.get(0))?;
        if application != APPLICATION_ID {
            return Err(HistoryError::NotAHistory(path.to_owned()));
        }
        let fact = |name: &str| {
            let query = "SELECT value FROM facts WHERE name = ?";
            let found = db.query_row(query, [name], |row| row.get::<_, String>(0));
            found.optional()
        };
        match fact("format")?.as_deref() {
            Some(FORMAT) => {}
            Some(_) => return Err(HistoryError::Later(path.to_owned())),
            None => return Err(HistoryError::NotAHistory(path.to_owned())),
        }
        let epoch = fact("epoch")?.and_then(|hex| u64::from_str_radix(&hex, 16).ok());
        let epoch = epoch.ok_or_else(|| HistoryError::NotAHistory(path.to_owned()))?;
        Ok(Self {
            db,
            path: path.to_owned(),
            seal: seal.clone(),
            epoch,
        })
    }

    /// Puts everything of the log into the database, which nobody else may have open, and closes it.
    pub(super) fn close(self) -> Result<(), HistoryError> {
        self.db
            .execute_batch("PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)")?;
        self.db.close().map_err(|(_, error)| error)?;
        Ok(())
    }

    /// Moves a long log into the database and truncates it. SQLite's automatic checkpoint does not truncate the log,
    /// and a process that opens the database next does not know that it was checkpointed: where each process commits
    /// once, the log would grow for ever.
    pub(super) fn shorten_log(&self) {
        let log = self.path.join(LOG).metadata().map_or(0, |meta| meta.len());
        if log <= LOG_BYTES_MAX {
            return;
        }
        // Nobody is waited for who reads, and a full disk is the next commit's to tell: nothing is lost with a long
        // log, and the next change tries again.
        let _ = self.db.busy_timeout(Duration::ZERO);
        let _ = self.db.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)");
        let _ = self.db.busy_timeout(PATIENCE);
    }

    /// The folder of the database.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The newest change of the directory itself, `None` before the first one.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn head(&self) -> Result<Option<Head>, HistoryError> {
        let newest = self.newest(OWN, i64::MAX)?;
        Ok(newest.map(|sequence| self.head_at(sequence)))
    }

    pub(crate) fn head_at(&self, sequence: ChangeSequence) -> Head {
        let epoch = self.epoch;
        Head { epoch, sequence }
    }

    /// Whether another state is a later one of this very writing of the history.
    pub(crate) fn is_behind(&self, other: Option<Head>) -> Result<bool, HistoryError> {
        let newest = self.head()?.map(|head| head.sequence);
        Ok(other.is_some_and(|other| other.epoch == self.epoch && Some(other.sequence) > newest))
    }

    /// What an earlier format had as its newest commit when it was taken over.
    pub(super) fn taken_head(&self) -> Result<Option<String>, HistoryError> {
        let query = "SELECT value FROM facts WHERE name = 'git_head'";
        Ok(self.db.query_row(query, (), |row| row.get(0)).optional()?)
    }

    pub(super) fn note_taken_head(&self, head: &str) -> Result<(), HistoryError> {
        let insert = "INSERT OR REPLACE INTO facts VALUES ('git_head', ?)";
        self.db.execute(insert, [head])?;
        Ok(())
    }

    /// The newest change of a lineage before another one.
    pub(super) fn newest(
        &self,
        lineage: i64,
        before: i64,
    ) -> Result<Option<ChangeSequence>, HistoryError> {
        let mut query = self.db.prepare_cached(
            "SELECT sequence FROM changes WHERE lineage = ? AND sequence < ?
             ORDER BY sequence DESC LIMIT 1",
        )?;
        let found = query.query_row([lineage, before], |row| row.get(0));
        Ok(found.optional()?.map(ChangeSequence))
    }

    /// Whether to apply the retention: the database has more than doubled since the last rewrite. Reads the first
    /// bytes of the file and opens nothing: cheap enough for every write.
    pub fn is_due_for_cleanup(path: &Path) -> bool {
        let mut header = [0; HEADER_BYTES];
        let read = crate::regular_file::open(&path.join(FILE))
            .and_then(|mut file| std::io::Read::read_exact(&mut file, &mut header));
        let number = |at: usize| {
            let bytes = header.get(at..at + 4)?.try_into().ok()?;
            Some(u64::from(u32::from_be_bytes(bytes)))
        };
        let (pages, after_rewrite) = (number(PAGES_AT), number(USER_VERSION_AT));
        match (read, pages, after_rewrite) {
            (Ok(()), Some(pages), Some(before)) => pages > 2 * before + GROWTH_PAGES_MIN,
            _ => false,
        }
    }

    /// Notes in the header how many pages there are, for [`History::is_due_for_cleanup`].
    pub(super) fn note_pages(&self) -> Result<(), HistoryError> {
        let pages: i64 = self
            .db
            .pragma_query_value(None, "page_count", |row| row.get(0))?;
        Ok(self.db.pragma_update(None, "user_version", pages)?)
    }

    /// The bytes that it takes on the disk.
    ///
    /// # Errors
    /// Its folder cannot be listed.
    pub fn size_bytes(&self) -> Result<u64, HistoryError> {
        let fail = || HistoryError::io("read", &self.path);
        let mut bytes = 0;
        for entry in std::fs::read_dir(&self.path).map_err(fail())? {
            bytes += entry
                .and_then(|entry| entry.metadata())
                .map_err(fail())?
                .len();
        }
        Ok(bytes)
    }
}

/// Whether nothing is there, or a file where the folder would be.
fn is_absence(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory)
}

/// Whether something is there that is no file.
fn is_odd(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|meta| !meta.is_file())
}

/// Removes from a history that was set aside what keeps it from being opened, and holds nothing of it.
pub(crate) fn remove_odd(folder: &Path) {
    for path in [LOG, SHARED].map(|name| folder.join(name)) {
        if is_odd(&path) {
            // A folder that is not empty stays, and nothing can be read then.
            let _ = std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir(&path));
        }
    }
}

/// A connection, set up but not looked at: what is no database shows with the first question.
fn connection(file: &Path, flags: OpenFlags) -> Result<Connection, HistoryError> {
    let db = Connection::open_with_flags(file, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    db.busy_timeout(PATIENCE)?;
    // One command opens, writes once and closes: without this each of them would pay for a checkpoint.
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    // What stands in the file is data: it runs nothing.
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    db.set_prepared_statement_cache_capacity(32);
    if flags.contains(OpenFlags::SQLITE_OPEN_READ_WRITE) {
        let folder = file.parent().unwrap_or(file);
        let mode = match crate::platform::is_network(folder) {
            // The log needs memory that all processes share, which no network has.
            true => "DELETE",
            false => "WAL",
        };
        db.execute_batch(&format!(
            "PRAGMA journal_mode = {mode}; PRAGMA wal_autocheckpoint = 0; PRAGMA secure_delete = ON"
        ))?;
    }
    Ok(db)
}
