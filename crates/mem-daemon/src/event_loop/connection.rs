//! One connection: a line in, a line out, until the other end goes, says nothing for long, or says
//! something that is too long.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::UnixStream;
use tokio::sync::{Semaphore, mpsc};

use super::DaemonTasks;
use super::repository_status::RepositoryStatus;
use crate::protocol::{
    DaemonReply, DaemonRequest, FailureCode, LINE_BYTES_MAX, PROTOCOL, ProtocolQuestion,
    RequestFailure, line,
};
use crate::state_machine::{DaemonEvent, WatchedScope};

/// Who says nothing for so long is let go.
const SILENCE_MAX: Duration = Duration::from_secs(60);
/// Read at once; a thousand connections have one each.
const BUFFER_BYTES: usize = 1024;
/// So many pieces of work are done at once.
pub(super) const WORK_MAX: usize = 4;

/// What all connections share.
pub(super) struct ConnectionContext {
    pub(super) work: Arc<dyn DaemonTasks>,
    pub(super) repository_status: Arc<RepositoryStatus>,
    pub(super) events: mpsc::Sender<DaemonEvent>,
    pub(super) version: String,
    /// One for each piece of work that may be done at once.
    pub(super) seats: Semaphore,
}

/// Serves one connection to its end.
pub(super) async fn serve(stream: UnixStream, context: Arc<ConnectionContext>) {
    let is_mine = stream
        .peer_cred()
        .is_ok_and(|peer| peer.uid() == rustix::process::geteuid().as_raw());
    if !is_mine {
        return context.work.log("a connection of another user was refused");
    }
    let mut stream = BufReader::with_capacity(BUFFER_BYTES, stream);
    while let Some(question) = next(&mut stream).await {
        let reply = line(&context.reply(&question).await);
        if stream.get_mut().write_all(&reply).await.is_err() {
            return;
        }
    }
}

/// The next line; `None` at the end, after a long silence, and where it is too long.
async fn next(stream: &mut BufReader<UnixStream>) -> Option<Vec<u8>> {
    let mut question = Vec::new();
    let mut limited = stream.take(LINE_BYTES_MAX as u64);
    let read = limited.read_until(b'\n', &mut question);
    match tokio::time::timeout(SILENCE_MAX, read).await {
        Ok(Ok(_)) if question.ends_with(b"\n") => Some(question),
        _ => None,
    }
}

impl ConnectionContext {
    async fn reply(&self, question: &[u8]) -> DaemonReply {
        let answer = match ProtocolQuestion::read(question) {
            Ok(question) => self.answer(question.request).await,
            Err(failure) => Err(failure),
        };
        let (answer, error) = match answer {
            Ok(answer) => (Some(answer), None),
            Err(failure) => (None, Some(failure)),
        };
        DaemonReply {
            protocol: PROTOCOL,
            version: self.version.clone(),
            answer,
            error,
        }
    }

    async fn answer(&self, request: DaemonRequest) -> Result<Value, RequestFailure> {
        let event = match request {
            DaemonRequest::Status => return Ok(self.status()),
            DaemonRequest::Work { name, input } => return self.work(name, input).await,
            DaemonRequest::Sync => DaemonEvent::SyncAsked,
            DaemonRequest::Stop => DaemonEvent::Stop,
            DaemonRequest::Wrote { team: true } => DaemonEvent::Changed(WatchedScope::Team),
            DaemonRequest::Wrote { team: false } => DaemonEvent::Changed(WatchedScope::Own),
            DaemonRequest::Reload => DaemonEvent::Configured(self.work.remotes()),
        };
        let sent = self.events.send(event).await;
        sent.map_err(|_| unavailable())?;
        Ok(self.status())
    }

    fn status(&self) -> Value {
        serde_json::to_value(self.repository_status.status()).unwrap_or_default()
    }

    async fn work(&self, name: String, input: Value) -> Result<Value, RequestFailure> {
        // A semaphore and not the size of the thread pool: jobs share the pool, and questions must not keep them out.
        let _seat = self.seats.acquire().await.map_err(|_| unavailable())?;
        // That it is of use keeps it from ending.
        let _ = self.events.try_send(DaemonEvent::Asked);
        let work = Arc::clone(&self.work);
        let done = tokio::task::spawn_blocking(move || work.answer(&name, input)).await;
        let failed = |message| RequestFailure {
            code: FailureCode::Failed,
            message,
        };
        done.unwrap_or_else(|_| Err("it ended before it was done".to_owned()))
            .map_err(failed)
    }
}

fn unavailable() -> RequestFailure {
    RequestFailure {
        code: FailureCode::Unavailable,
        message: "the daemon is ending".to_owned(),
    }
}
