//! The thread that writes the audit log: disks and syslogs may hang, and no request waits for them by itself.

use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::Receiver;

use jiff::Timestamp;
use prometheus_client::metrics::counter::Counter;
use tokio::sync::oneshot;

use super::file::AuditFile;
use super::syslog::Syslog;
use super::{AuditError, AuditSettings};

/// Lines that a required log keeps until they can be written.
const KEPT_MAX: usize = 10_000;

/// What the thread is told to do.
pub(super) enum Job {
    /// To write a line, after those that are kept; and to say whether it is there.
    Line(Option<(Timestamp, Vec<u8>)>, Option<oneshot::Sender<bool>>),
    /// To open the file again.
    Reopen,
}

/// Where lines go.
#[derive(Debug)]
pub(super) struct AuditSink {
    file: Option<AuditFile>,
    syslog: Option<Syslog>,
}

impl AuditSink {
    /// Opens the file; a syslog may come later.
    pub(super) fn open(settings: &AuditSettings) -> Result<Self, AuditError> {
        let file = settings.file.as_ref().map(|path| {
            AuditFile::open(path).map_err(|source| AuditError::File {
                path: path.clone(),
                source,
            })
        });
        let syslog = settings.syslog.as_ref().map(|address| {
            Syslog::parse(address).ok_or_else(|| AuditError::Syslog(address.clone()))
        });
        let sink = Self {
            file: file.transpose()?,
            syslog: syslog.transpose()?,
        };
        match (&sink.file, &sink.syslog) {
            (None, None) => Err(AuditError::Nowhere),
            _ => Ok(sink),
        }
    }

    /// To both, also where one fails.
    fn write(&mut self, time: Timestamp, line: &[u8]) -> io::Result<()> {
        let file = self.file.as_mut().map_or(Ok(()), |file| file.write(line));
        let syslog = self.syslog.as_mut();
        let syslog = syslog.map_or(Ok(()), |syslog| syslog.write(time, line));
        file.and(syslog)
    }
}

/// Writes until nobody can hand in a line any more.
pub(super) fn run(mut sink: AuditSink, jobs: &Receiver<Job>, is_required: bool, lost: &Counter) {
    let mut kept: VecDeque<(Timestamp, Vec<u8>)> = VecDeque::new();
    let mut is_told = false;
    while let Ok(job) = jobs.recv() {
        let (line, reply) = match job {
            Job::Reopen => {
                if let Some(file) = &mut sink.file {
                    file.close();
                }
                continue;
            }
            Job::Line(line, reply) => (line, reply),
        };
        kept.extend(line);
        let mut is_written = true;
        while let Some((time, line)) = kept.front() {
            if let Err(error) = sink.write(*time, line) {
                is_written = false;
                if !is_told {
                    tracing::error!(error = %error, "the audit log cannot be written");
                    is_told = true;
                }
                break;
            }
            kept.pop_front();
            is_told = false;
        }
        // One that is not required goes on without what it could not write.
        let most = if is_required { KEPT_MAX } else { 0 };
        let over = kept.len().saturating_sub(most);
        kept.drain(..over);
        lost.inc_by(over as u64);
        if let Some(reply) = reply {
            // Whoever asked may be gone.
            let _ = reply.send(is_written);
        }
    }
}
