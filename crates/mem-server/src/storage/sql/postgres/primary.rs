//! Which of several servers takes writes, and what happens when another one does.
//!
//! ```text
//!  watch   ask the primary -- it answers --> wait
//!             |
//!             +- it does not, or is a standby --> ask all --> none takes writes: wait, ask again
//!                                                    |
//!                                                    +-----> the one furthest on: its pool replaces the old one
//! ```
//!
//! **Invariant:** of several servers that take writes, the one with the highest timeline is chosen: an old primary that
//! comes back does not know that a standby was promoted. A primary that answers is never left.
//! **Cost:** one statement of no row each second, on a connection of its own, and none where the address names one
//! server.
//!
//! Nothing promotes a standby here: that is the work of an operator, or of Patroni and its like.
//!
//! Test: `storage::standby::a_promoted_standby_has_every_acknowledged_write`.

use std::sync::Weak;
use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, PgConnection};

use super::{Servers, host_label, timeline};

/// How often the primary is asked.
const WATCH: Duration = Duration::from_millis(1000);
/// How often all servers are asked while none takes writes.
const SEARCH: Duration = Duration::from_millis(200);
/// A server that says nothing for so long is passed over.
const SILENCE: Duration = Duration::from_secs(2);

/// The place of the server that takes writes, as soon as there is one.
///
/// # Errors
/// None does, for all this time.
pub(super) async fn find_primary(
    hosts: &[PgConnectOptions],
    patience: Duration,
) -> Result<usize, sqlx::Error> {
    let begun = Instant::now();
    loop {
        match search_primary(hosts).await {
            Ok(host) => return Ok(host),
            Err(error) if begun.elapsed() >= patience => return Err(error),
            Err(_) => tokio::time::sleep(SEARCH).await,
        }
    }
}

/// Asks every server once, all at a time: one that is silent does not delay the others.
async fn search_primary(hosts: &[PgConnectOptions]) -> Result<usize, sqlx::Error> {
    let asked = hosts.iter().map(|host| async {
        let mut connection = connect_host(host).await?;
        let timeline = ask_timeline(&mut connection).await?;
        // It said what it was asked.
        let _ = connection.close().await;
        Ok(timeline)
    });
    let answers = futures_util::future::join_all(asked).await;
    let mut furthest: Result<(u32, usize), sqlx::Error> = Err(sqlx::Error::PoolTimedOut);
    for (host, answer) in answers.into_iter().enumerate() {
        furthest = match (furthest, answer) {
            (Ok(best), Ok(timeline)) if best.0 >= timeline => Ok(best),
            (_, Ok(timeline)) => Ok((timeline, host)),
            (Ok(best), Err(_)) => Ok(best),
            (Err(_), Err(error)) => Err(error),
        };
    }
    furthest.map(|(_, host)| host)
}

/// Watches the primary for as long as somebody uses the database.
pub(super) async fn watch_primary(servers: Weak<Servers>) {
    let mut line: Option<PgConnection> = None;
    loop {
        tokio::time::sleep(WATCH).await;
        let Some(servers) = servers.upgrade() else {
            return;
        };
        let current = servers.current_pool().host;
        if is_primary(&servers, current, &mut line).await {
            continue;
        }
        line = None;
        tracing::warn!("the database does not take writes: looking for another server of it");
        // Until one does: requests wait for it, within their time.
        if let Ok(next) = find_primary(&servers.hosts, Duration::MAX).await
            && next != current
        {
            servers.change_to(next);
            tracing::warn!(
                server = servers.hosts.get(next).map(host_label),
                "another server of the database takes writes"
            );
        }
    }
}

/// Asks over the connection of last time, or a new one: a connection may break where the server does not.
async fn is_primary(servers: &Servers, host: usize, line: &mut Option<PgConnection>) -> bool {
    if let Some(connection) = line
        && ask_timeline(connection).await.is_ok()
    {
        return true;
    }
    let Some(options) = servers.hosts.get(host) else {
        return false;
    };
    match connect_host(options).await {
        Ok(mut connection) => {
            let answers = ask_timeline(&mut connection).await.is_ok();
            *line = Some(connection);
            answers
        }
        Err(_) => false,
    }
}

async fn connect_host(host: &PgConnectOptions) -> Result<PgConnection, sqlx::Error> {
    let connected = tokio::time::timeout(SILENCE, host.connect()).await;
    connected.unwrap_or(Err(sqlx::Error::PoolTimedOut))
}

async fn ask_timeline(connection: &mut PgConnection) -> Result<u32, sqlx::Error> {
    let answer = tokio::time::timeout(SILENCE, timeline::of_primary(connection)).await;
    answer.unwrap_or(Err(sqlx::Error::PoolTimedOut))
}
