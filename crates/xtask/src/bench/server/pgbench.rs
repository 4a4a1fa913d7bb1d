//! What the server is measured beside over PostgreSQL: pgbench, with statements like those of the server, prepared.

use std::process::Stdio;
use std::time::{Duration, Instant};

use mem_tests::postgres::Cluster;

use crate::run::{output_for, run};

/// Connections, as many as those who ask the server have.
const AT_ONCE: usize = 64;
/// The database that transactions write to.
const DATABASE: &str = "beside";
/// One row added, one changed: what a write of one entry is at the least.
const TRANSACTION: &str = "BEGIN;\n\
    INSERT INTO t (a) VALUES (repeat('x', 500));\n\
    UPDATE t SET a = 'y' WHERE id = :client_id + 1;\n\
    COMMIT;\n";

/// Makes what transactions work on.
pub(super) fn prepare(cluster: &Cluster) -> anyhow::Result<()> {
    run(&mut cluster.query("postgres", &format!("CREATE DATABASE {DATABASE}")))?;
    let table = "CREATE TABLE t (id BIGSERIAL PRIMARY KEY, a TEXT)";
    let rows = format!("INSERT INTO t (a) SELECT 'y' FROM generate_series(1, {AT_ONCE})");
    run(&mut cluster.query(DATABASE, &format!("{table}; {rows}")))
}

/// How long so many transactions take, connecting included.
pub(super) fn write(cluster: &Cluster, transactions: usize) -> anyhow::Result<Duration> {
    timed(cluster, DATABASE, TRANSACTION, transactions)
}

/// How long it takes to look the state of a repository's store up so many times in the server's own database,
/// connecting included.
pub(super) fn look(
    cluster: &Cluster,
    database: &str,
    repository: &str,
    times: usize,
) -> anyhow::Result<Duration> {
    // A colon would begin a variable of pgbench's.
    let select = format!(
        "SELECT id, epoch, sequence, live_memories, handle, workspace_id, archived_at FROM memory_store \
         WHERE workspace_id = 'wrkspc_default' AND handle = 'team' || chr(58) || '{repository}';\n"
    );
    timed(cluster, database, &select, times)
}

fn timed(
    cluster: &Cluster,
    database: &str,
    script: &str,
    transactions: usize,
) -> anyhow::Result<Duration> {
    let mut pgbench = cluster.program("pgbench");
    pgbench.args(["--no-vacuum", "--username=mem", "--jobs=2", "--file=-"]);
    pgbench.args(["--protocol=prepared", "--client", &AT_ONCE.to_string()]);
    pgbench.args(["--transactions", &(transactions / AT_ONCE).to_string()]);
    pgbench.arg("--host").arg(cluster.socket()).arg(database);
    let start = Instant::now();
    output_for(pgbench.stderr(Stdio::null()), script)?;
    Ok(start.elapsed())
}
