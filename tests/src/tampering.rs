//! Contents of a server's database that somebody changed behind its back.

use std::process::Command;

use crate::env::TestEnv;

/// SQL for a sealed content with other bytes at its end.
const CHANGED: &str = "substr(content, 1, length(content) - 4) || x'00000000'";

/// Changes every version at a path of the SQLite database in `data`, as SQL `LIKE` has it. Says how many these are.
pub fn change(env: &TestEnv, path: &str) -> usize {
    put(env, CHANGED, path)
}

/// Puts something in the place of these contents, in SQL.
///
/// # Panics
/// There is no python3, or no such database.
pub fn put(env: &TestEnv, to: &str, path: &str) -> usize {
    let script = "import sqlite3, sys\n\
                  db = sqlite3.connect(sys.argv[1], timeout=30)\n\
                  sql = 'UPDATE memory_version SET content = ' + sys.argv[2] + ' WHERE content IS NOT NULL AND path LIKE ?'\n\
                  done = db.execute(sql, (sys.argv[3],)).rowcount\n\
                  db.commit()\n\
                  print(done)";
    let file = env.root().join("data/mem.sqlite");
    let mut python = Command::new("python3");
    python.args(["-c", script]).arg(file).args([to, path]);
    let done = python.output().expect("python3 runs");
    assert!(done.status.success(), "{done:?}");
    let done = String::from_utf8(done.stdout).expect("a number is text");
    done.trim().parse().expect("a number of rows")
}
