//! A server from its first to its last moment.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use mem_core::Diagnose;
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use crate::access::UseExchange;
use crate::app::App;
use crate::audit::{self, AuditError, AuditLog};
use crate::events::{self, Senders};
use crate::identity::Identity;
use crate::identity::settings::IdentityError;
use crate::listener::Connections;
use crate::options::{BoundServer, ServeOptions, ServerAccess, is_loopback};
use crate::pruning::prune;
use crate::signals::Signals;
use crate::storage::{Database, StorageError};
use crate::telemetry::{TelemetryError, TelemetryTask};

/// For the database, after everything else has ended.
const CLOSING_MAX: Duration = Duration::from_secs(1);

/// A server cannot start, or cannot go on.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum ServeError {
    /// Everybody would get everything.
    #[error("without tokens a server listens on a loopback address only, not on `{0}`")]
    #[diagnose(Refused, hint = "create a token with `mem server token create`")]
    Exposed(SocketAddr),
    /// The address is taken, or is not one of this machine.
    #[error("cannot listen on `{0}`: {1}")]
    #[diagnose(Io, hint = "choose another with `--listen ADDR:PORT`")]
    Listen(SocketAddr, #[source] io::Error),
    /// The system has no threads or signals to give.
    #[error("cannot start the server: {0}")]
    #[diagnose(Io)]
    System(#[source] io::Error),
    /// The audit log.
    #[error(transparent)]
    Audit(#[from] AuditError),
    /// Traces and figures.
    #[error(transparent)]
    Telemetry(#[from] TelemetryError),
    /// The settings about people.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// The database.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Serves until a signal. What is under way then is finished, within [`crate::ServerLimits::drain`]; a second
/// signal ends it at once.
///
/// # Errors
/// See [`ServeError`].
pub fn serve(options: ServeOptions) -> Result<(), ServeError> {
    if options.access == ServerAccess::Open && !is_loopback(options.listen.ip()) {
        return Err(ServeError::Exposed(options.listen));
    }
    allow_files();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(ServeError::System)?;
    let served = runtime.block_on(run(options));
    // What does not end by itself is not waited for.
    runtime.shutdown_background();
    served
}

/// Allows this process as many open files as the system lets it have: each connection is one, and the usual limit of 1,024
/// was made for `select`.
fn allow_files() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = limit.maximum;
        // It serves with fewer, too.
        let _ = setrlimit(Resource::Nofile, limit);
    }
}

async fn run(options: ServeOptions) -> Result<(), ServeError> {
    let mut signals = Signals::new().map_err(ServeError::System)?;
    // What can be wrong with the settings and the address is found before the database is migrated.
    let audit = AuditLog::open(options.settings.audit.as_ref())?;
    let cannot_listen = |error| ServeError::Listen(options.listen, error);
    let listener = TcpListener::bind(options.listen)
        .await
        .map_err(cannot_listen)?;
    let database = Database::open(&options.place, &options.storage).await?;
    let address = listener.local_addr().map_err(cannot_listen)?;
    let is_locked = options.access == ServerAccess::Tokens
        && options.settings.identity.is_none()
        && database.tokens().await?.is_empty();
    for section in database.unknown_owners(&options.settings.quota).await? {
        let hint = "`mem server workspace list` and `mem server token list` have the ids";
        tracing::warn!(
            section,
            hint,
            "the settings limit a workspace or user that is not there"
        );
    }
    let mut app = App::new(database.clone(), audit, address, &options);
    app.identity = Identity::open(&options.settings, &database, &app.now).await?;
    let app = Arc::new(app);
    // Aborted when it is dropped.
    let mut tasks = JoinSet::new();
    let exchange = UseExchange::open(&app)?;
    if let Some(exchange) = exchange.clone() {
        exchange.load_counts().await?;
        tasks.spawn(exchange.repeat());
    }
    if app.audit.is_open() {
        audit::write_notes(&app, &mut tasks);
    }
    let telemetry = options.settings.telemetry.as_ref();
    let telemetry = telemetry.map(|settings| TelemetryTask::start(&app, settings));
    let telemetry = telemetry.transpose()?;
    let senders = Senders::new(&options.settings.events);
    let deliveries = app.metrics.deliveries.clone();
    let delivery = events::deliver(database.clone(), senders, deliveries, options.now);
    tasks.spawn(delivery);
    tasks.spawn(prune(Arc::clone(&app), options.retention));
    let mut connections = Connections::new(&app, options.pages);
    (options.on_listening)(&BoundServer { address, is_locked });
    tokio::select! {
        () = connections.take(&listener) => {}
        () = signals.next() => {}
    }
    drop(listener);
    tracing::info!("ending");
    tokio::select! {
        () = connections.finish() => {}
        () = signals.next() => tracing::warn!("ending at once"),
    }
    tasks.abort_all();
    if let Some(exchange) = exchange {
        // Who ends it at once does not wait for this either.
        let _ = tokio::time::timeout(CLOSING_MAX, exchange.exchange_counts()).await;
    }
    if let Some(telemetry) = telemetry {
        telemetry.finish().await;
    }
    app.audit.finish().await;
    drop((app, tasks));
    // A database that hangs would keep the server for as long. What is acknowledged is committed.
    let closed = tokio::time::timeout(CLOSING_MAX, database.close()).await;
    if closed.is_err() {
        tracing::warn!("the database did not close in time");
    }
    Ok(())
}
