//! One connection: requests one after the other, until the client or the server has had enough.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::sync::watch;

use crate::app::Routes;
use crate::client_stream::{self, ClientStream};
use crate::connection_limit::ConnectionActivity;
use crate::http::request_log::PeerAddress;
use crate::options::ServerLimits;

/// A head with a hundred keys in it has some 12 KiB.
const HEAD_BYTES_MAX: usize = 32 * 1024;
/// For the last words on a connection that is to be closed.
const LAST_WORDS_MAX: Duration = Duration::from_secs(1);

/// Serves it to its end. After `stop` the request under way is finished, and no other is taken.
pub(crate) async fn drive(
    stream: TcpStream,
    routes: Routes,
    limits: ServerLimits,
    activity: &Arc<ConnectionActivity>,
    mut stop: watch::Receiver<bool>,
) {
    // Small answers would wait for an acknowledgement.
    let _ = stream.set_nodelay(true);
    let peer = stream.peer_addr().ok();
    let peer = peer.map(|peer| PeerAddress(peer.ip().to_canonical()));
    let stream = ClientStream::new(stream, limits.write, Arc::clone(activity));
    let io = TokioIo::new(stream);
    let service = TowerToHyperService::new(routes);
    let service = service_fn(|mut request: Request<Incoming>| {
        if let Some(peer) = peer {
            request.extensions_mut().insert(peer);
        }
        let under_way = activity.begin_request();
        let answering = service.call(request);
        async move {
            let answered = answering.await;
            drop(under_way);
            answered
        }
    });
    let mut connection = http1::Builder::new()
        .timer(TokioTimer::new())
        // For the whole head: a client that sends a byte a minute would hold a connection for ever (slowloris).
        .header_read_timeout(limits.head)
        .max_buf_size(HEAD_BYTES_MAX)
        // Who has said all, and only listens, gets an answer.
        .half_close(true)
        .serve_connection(io, service);
    let mut stopping = false;
    let outcome = loop {
        tokio::select! {
            // Each request comes through here: to draw lots for who is asked first costs more than it is worth.
            biased;
            outcome = &mut connection => break outcome,
            _ = stop.wait_for(|stop| *stop), if !stopping => {
                stopping = true;
                Pin::new(&mut connection).graceful_shutdown();
            }
            () = activity.evicted(), if !stopping => {
                if activity.is_cuttable() {
                    return;
                }
                stopping = true;
                Pin::new(&mut connection).graceful_shutdown();
            }
        }
    };
    if outcome.is_err_and(|error| error.is_timeout()) {
        let parts = connection.into_parts();
        if !parts.read_buf.is_empty() {
            let last = say_too_slow(parts.io.into_inner());
            let _ = tokio::time::timeout(LAST_WORDS_MAX, last).await;
        }
    }
}

/// Answers a request whose head did not come in time.
async fn say_too_slow(mut stream: ClientStream<TcpStream>) {
    let status = StatusCode::REQUEST_TIMEOUT;
    let answer = client_stream::answer(status, "the head did not come in time");
    let _ = stream.write_all(&answer).await;
    let _ = stream.shutdown().await;
}
