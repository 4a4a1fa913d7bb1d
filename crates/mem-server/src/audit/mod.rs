//! The audit log: who did what, when, and whether it was allowed. One JSON object a line; never a content, nor a token.
//!
//! A line is written after the request was answered, by a thread of its own, to a file, to syslog or to both. A disk that
//! is full and a syslog that is gone fail no request: lines that are lost are counted, and the first one is logged. Where
//! the log is `required`, a request is answered once its line is written; while lines cannot be written, changes are
//! refused before they are made.
//!
//! # Layout
//! - `writer`: the thread. `place`: where lines go.
//! - `administration`: what administrators do beside a server, which a server writes into its log; and SIGHUP.

mod administration;
mod place;
mod writer;

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::time::Duration;

pub(crate) use administration::start as write_notes;
use jiff::Timestamp;
use mem_core::Diagnose;
use prometheus_client::metrics::counter::Counter;
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;
use writer::{AuditSink, Job};

/// Lines that wait for the disk; more are lost and counted.
const WAITING_MAX: usize = 10_000;
/// For what waits when the server ends.
const LAST: Duration = Duration::from_secs(1);

/// `[audit]` of the server's settings.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditSettings {
    /// A file that lines are appended to; made where there is none, for its owner alone.
    pub file: Option<PathBuf>,
    /// `udp://HOST:PORT`, `tcp://HOST:PORT` or `unix:///dev/log`.
    pub syslog: Option<String>,
    /// Whether a request fails whose line cannot be written.
    #[serde(default)]
    pub required: bool,
}

/// The audit log cannot be written.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum AuditError {
    /// Its file.
    #[error("cannot write the audit log `{}`: {}", .0.display(), .1)]
    #[diagnose(
        Io,
        hint = "make its folder, writable for the user that the server runs as"
    )]
    File(PathBuf, #[source] io::Error),
    /// The address of a syslog is none.
    #[error("`{0}` is not the address of a syslog")]
    #[diagnose(
        Invalid,
        hint = "write `udp://HOST:PORT`, `tcp://HOST:PORT` or `unix:///dev/log` as `syslog` of `[audit]`"
    )]
    Syslog(String),
    /// Nobody would notice that lines are lost.
    #[error(
        "`required` of `[audit]` cannot hold for `{0}`: UDP does not say whether a line arrives"
    )]
    #[diagnose(Invalid, hint = "use `tcp://HOST:PORT`, `unix:///dev/log` or `file`")]
    Unconfirmed(String),
    /// A file whose folder depends on where the server was started.
    #[error("`file` of `[audit]` is `{}`, which is no absolute path", .0.display())]
    #[diagnose(Invalid)]
    Relative(PathBuf),
    /// The section names nothing to write to.
    #[error("`[audit]` names neither `file` nor `syslog`")]
    #[diagnose(Invalid)]
    Nowhere,
    /// The system has no thread to give.
    #[error("cannot start the audit log: {0}")]
    #[diagnose(Io)]
    Thread(#[source] io::Error),
}

/// One line.
#[derive(Debug, Default, Serialize)]
pub(crate) struct AuditEntry<'e> {
    pub(crate) time: Timestamp,
    /// The method and the route, or what an administrator or the server itself did.
    pub(crate) action: &'e str,
    /// What it was done to.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) resource: &'e str,
    /// `allowed`, `refused` or `failed`.
    pub(crate) outcome: &'e str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<u16>,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) request_id: &'e str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) workspace: &'e str,
    /// The public id of a token, or what somebody calls themselves at a server without tokens.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) actor_id: &'e str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) actor_name: &'e str,
}

impl<'e> AuditEntry<'e> {
    /// What the server did by itself.
    pub(crate) fn of_server(action: &'e str, resource: &'e str, time: Timestamp) -> Self {
        Self {
            time,
            action,
            resource,
            outcome: "allowed",
            actor_id: "server",
            ..Self::default()
        }
    }
}

/// A line that has to be there is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AuditUnwritten;

/// The audit log of a server; one without settings takes everything and keeps nothing.
#[derive(Debug, Default)]
pub(crate) struct AuditLog {
    open: Option<OpenLog>,
    /// Lines that were lost.
    pub(crate) lost: Counter,
}

#[derive(Debug)]
struct OpenLog {
    jobs: SyncSender<Job>,
    is_required: bool,
    /// Whether the last line could not be written, or none was yet.
    is_down: AtomicBool,
}

impl AuditLog {
    /// Opens it, and starts what writes it.
    ///
    /// # Errors
    /// See [`AuditError`].
    pub(crate) fn open(settings: Option<&AuditSettings>) -> Result<Self, AuditError> {
        let Some(settings) = settings else {
            return Ok(Self::default());
        };
        let sink = AuditSink::open(settings)?;
        let (jobs, waiting) = sync_channel(WAITING_MAX);
        let (is_required, lost) = (settings.required, Counter::default());
        let counted = lost.clone();
        std::thread::Builder::new()
            .name("audit".to_owned())
            .spawn(move || writer::run(sink, &waiting, is_required, &counted))
            .map_err(AuditError::Thread)?;
        let open = OpenLog {
            jobs,
            is_required,
            // Until it was tried.
            is_down: AtomicBool::new(true),
        };
        let open = Some(open);
        Ok(Self { open, lost })
    }

    /// Whether there is one.
    pub(crate) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Refuses a change while its line could not be written.
    ///
    /// # Errors
    /// The log is required, and cannot be written.
    pub(crate) async fn admit_change(&self) -> Result<(), AuditUnwritten> {
        match &self.open {
            Some(log) if log.is_required && log.is_down.load(Ordering::Relaxed) => {
                self.write(log, None).await
            }
            _ => Ok(()),
        }
    }

    /// Writes a line.
    ///
    /// # Errors
    /// The log is required, and the line is not there.
    pub(crate) async fn record(&self, entry: &AuditEntry<'_>) -> Result<(), AuditUnwritten> {
        let Some(log) = &self.open else {
            return Ok(());
        };
        let Ok(line) = serde_json::to_vec(entry) else {
            return Ok(());
        };
        let line = (entry.time, line);
        if log.is_required {
            return self.write(log, Some(line)).await;
        }
        let job = Job::Line(Some(line), None);
        if let Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) = log.jobs.try_send(job) {
            self.lost.inc();
        }
        Ok(())
    }

    /// Writes a line, or only those that could not be written before, and waits for that.
    async fn write(
        &self,
        log: &OpenLog,
        line: Option<(Timestamp, Vec<u8>)>,
    ) -> Result<(), AuditUnwritten> {
        let (reply, written) = oneshot::channel();
        let sent = log.jobs.try_send(Job::Line(line, Some(reply)));
        let is_written = sent.is_ok() && written.await.is_ok_and(|is_written| is_written);
        log.is_down.store(!is_written, Ordering::Relaxed);
        match is_written {
            true => Ok(()),
            false => Err(AuditUnwritten),
        }
    }

    /// Waits until what was recorded is written, for a moment.
    pub(crate) async fn finish(&self) {
        if let Some(log) = &self.open {
            // Behind all that waits.
            let _ = tokio::time::timeout(LAST, self.write(log, None)).await;
        }
    }

    /// Opens the file again, after it was moved away.
    pub(crate) fn reopen(&self) {
        if let Some(log) = &self.open {
            // One that is too busy for this looks at the file before each line anyhow.
            let _ = log.jobs.try_send(Job::Reopen);
        }
    }
}

#[cfg(test)]
mod tests;
