//! Taking connections, and all of them to their end.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::app::{self, Routes, Shared};
use crate::connection;
use crate::connection_limit::{ConnectionLimit, ConnectionPlace};
use crate::metrics::UnderWay;
use crate::options::ServerPages;

/// The system may be short of files for a moment; to ask it without a pause would not help.
const PAUSE: Duration = Duration::from_millis(50);

/// A listener and the connections it has taken.
pub(crate) struct Connections {
    app: Shared,
    routes: Routes,
    limit: Arc<ConnectionLimit>,
    open: JoinSet<()>,
    stop: watch::Sender<bool>,
}

impl Connections {
    /// None yet.
    pub(crate) fn new(app: &Shared, pages: Option<ServerPages>) -> Self {
        Self {
            app: Arc::clone(app),
            routes: app::routes(app, pages),
            limit: ConnectionLimit::new(app.limits.connections),
            open: JoinSet::new(),
            stop: watch::Sender::new(false),
        }
    }

    /// Takes connections; does not return by itself.
    pub(crate) async fn take(&mut self, listener: &TcpListener) {
        loop {
            match listener.accept().await {
                // One at a time waits for a place; further clients wait in the system's queue, where they take none of our
                // memory and no descriptor.
                Ok((stream, _)) => {
                    let place = self.limit.take_place().await;
                    self.begin(stream, place);
                }
                Err(error) if is_of_one(&error) => {}
                Err(error) => {
                    tracing::warn!(%error, "cannot take a connection");
                    tokio::time::sleep(PAUSE).await;
                }
            }
            while self.open.try_join_next().is_some() {}
        }
    }

    /// Lets what is under way end, for as long as it is given.
    pub(crate) async fn finish(mut self) {
        // Without connections nobody listens.
        let _ = self.stop.send(true);
        let all = async { while self.open.join_next().await.is_some() {} };
        if tokio::time::timeout(self.app.limits.drain, all)
            .await
            .is_err()
        {
            tracing::warn!("some connections did not end in time");
        }
    }

    fn begin(&mut self, stream: TcpStream, place: ConnectionPlace) {
        let routes = self.routes.clone();
        let limits = self.app.limits;
        let stop = self.stop.subscribe();
        let counted = UnderWay::begin(&self.app.metrics.connections);
        self.open.spawn(async move {
            let _held = counted;
            connection::drive(stream, routes, limits, &place.activity, stop).await;
        });
    }
}

/// Whether only this one connection is concerned.
fn is_of_one(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionReset
    )
}
