//! A server from its first to its last moment.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use mem_core::Diagnose;
use tokio::net::TcpListener;

use crate::access::UseExchange;
use crate::app::App;
use crate::audit::{AuditError, AuditLog, AuditTask};
use crate::events::DeliveryTask;
use crate::identity::Identity;
use crate::identity::settings::IdentityError;
use crate::listener::Connections;
use crate::options::{BoundServer, ServeOptions, ServerAccess};
use crate::pruning::PruningTask;
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
    #[diagnose(transparent)]
    Audit(#[from] AuditError),
    /// Traces and figures.
    #[error(transparent)]
    #[diagnose(transparent)]
    Telemetry(#[from] TelemetryError),
    /// The settings about people.
    #[error(transparent)]
    #[diagnose(transparent)]
    Identity(IdentityError),
    /// The database.
    #[error(transparent)]
    #[diagnose(transparent)]
    Storage(#[from] StorageError),
}

/// Serves until a signal. What is under way then is finished, within [`crate::ServerLimits::drain`]; a second
/// signal ends it at once.
///
/// # Errors
/// See [`ServeError`].
pub fn serve(options: ServeOptions) -> Result<(), ServeError> {
    if options.access == ServerAccess::Open && !options.is_local() {
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
    if let Some(settings) = &options.settings.audit {
        AuditLog::check(settings)?;
    }
    let cannot_listen = |error| ServeError::Listen(options.listen, error);
    let listener = TcpListener::bind(options.listen)
        .await
        .map_err(cannot_listen)?;
    let database = Database::open(&options.place, &options.storage).await?;
    let address = listener.local_addr().map_err(cannot_listen)?;
    let is_locked = options.access == ServerAccess::Tokens
        && options.settings.identity.is_none()
        && database.tokens().await?.is_empty();
    let mut app = App::new(database.clone(), address, &options);
    app.identity = Identity::open(&options.settings, &database, &app.now).await?;
    let app = Arc::new(app);
    let exchange = UseExchange::start(&app)?;
    if let Some(settings) = &options.settings.audit {
        app.audit.open(settings)?;
    }
    let telemetry = options.settings.telemetry.as_ref();
    let telemetry = telemetry.map(|settings| TelemetryTask::start(&app, settings));
    let telemetry = telemetry.transpose()?;
    let audit = app.audit.is_open().then(|| AuditTask::start(&app));
    let delivery = DeliveryTask::start(
        &database,
        &options.settings.events,
        &app.metrics,
        &options.now,
    );
    let mut connections = Connections::new(&app, options.pages);
    let pruning = PruningTask::start(&database, options.retention, &options.now, Some(&app));
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
    // Who ends it at once does not wait for this either.
    let _ = tokio::time::timeout(CLOSING_MAX, exchange.finish()).await;
    if let Some(telemetry) = telemetry {
        telemetry.finish().await;
    }
    app.audit.finish().await;
    drop((app, pruning, delivery, audit, exchange));
    // A database that hangs would keep the server for as long. What is acknowledged is committed.
    let closed = tokio::time::timeout(CLOSING_MAX, database.close()).await;
    if closed.is_err() {
        tracing::warn!("the database did not close in time");
    }
    Ok(())
}
