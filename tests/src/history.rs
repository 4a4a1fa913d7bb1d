//! Looking into the database of a history with SQLite alone, for searches that do not trust our own code.

#![expect(
    clippy::unwrap_used,
    reason = "a history that cannot be read is a failed test"
)]

use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::TestEnv;

/// The folders of all histories of an environment.
pub fn folders(env: &TestEnv) -> Vec<PathBuf> {
    let stores = env.home().join(".local/state/mem/stores");
    let stores = std::fs::read_dir(stores).into_iter().flatten().flatten();
    let folders = stores.map(|store| store.path().join("history"));
    folders.filter(|folder| folder.exists()).collect()
}

/// The database in the folder of a history.
pub fn database(folder: &Path) -> Connection {
    Connection::open(folder.join("history.db")).unwrap()
}

/// Every content and record, each in one piece: on the pages of the file they may lie in several.
pub fn contents(folder: &Path) -> Vec<u8> {
    let db = database(folder);
    let query = "SELECT bytes FROM contents UNION ALL SELECT record FROM changes
                 UNION ALL SELECT CAST(path AS BLOB) FROM files";
    let mut query = db.prepare(query).unwrap();
    let rows = query.query_map((), |row| row.get::<_, Vec<u8>>(0)).unwrap();
    rows.collect::<Result<Vec<_>, _>>().unwrap().join(&b'\n')
}
