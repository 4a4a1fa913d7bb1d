//! The thread that writes the audit log: disks and syslogs may hang, and no request waits for them by itself.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use jiff::Timestamp;
use prometheus_client::metrics::counter::Counter;
use tokio::sync::oneshot;

use super::file::AuditFile;
use super::syslog::Syslog;
use super::{AuditError, AuditSettings};

/// Lines that a required log keeps until they can be written.
const KEPT_MAX: usize = 10_000;

/// What the thread has to do.
pub(super) enum Job {
    /// To write a line, after those that are kept; and to say whether it is there.
    Line(Option<(Timestamp, Vec<u8>)>, Option<oneshot::Sender<bool>>),
    /// To open the file again.
    Reopen,
}

/// Where lines go. Each place has what it could not take yet, so that one that is down keeps nothing from the others and
/// gets nothing twice.
pub(super) struct AuditSink {
    places: Vec<AuditPlace>,
}

struct AuditPlace {
    /// What it is called in the log.
    name: String,
    kind: PlaceKind,
    kept: VecDeque<(Timestamp, Arc<[u8]>)>,
    /// Whether its failure was logged.
    is_told: bool,
}

enum PlaceKind {
    File(AuditFile),
    Syslog(Syslog),
}

impl AuditSink {
    /// Opens the file; a syslog may come later.
    pub(super) fn open(settings: &AuditSettings) -> Result<Self, AuditError> {
        let mut places = Vec::new();
        let mut add = |name: String, kind| {
            places.push(AuditPlace {
                name,
                kind,
                kept: VecDeque::new(),
                is_told: false,
            });
        };
        if let Some(path) = &settings.file {
            if !path.is_absolute() {
                return Err(AuditError::Relative(path.clone()));
            }
            let file = AuditFile::open(path).map_err(|source| AuditError::File {
                path: path.clone(),
                source,
            })?;
            add(path.display().to_string(), PlaceKind::File(file));
        }
        if let Some(address) = &settings.syslog {
            let invalid = || AuditError::Syslog(address.clone());
            let syslog = Syslog::parse(address).ok_or_else(invalid)?;
            if settings.required && !syslog.confirms() {
                return Err(AuditError::Unconfirmed(address.clone()));
            }
            add(address.clone(), PlaceKind::Syslog(syslog));
        }
        match places.is_empty() {
            true => Err(AuditError::Nowhere),
            false => Ok(Self { places }),
        }
    }

    /// The file is opened again with the next line.
    fn reopen(&mut self) {
        for place in &mut self.places {
            if let PlaceKind::File(file) = &mut place.kind {
                file.close();
            }
        }
    }

    /// Writes a line, after those that are kept, everywhere. Whether nothing is left.
    fn write(&mut self, line: Option<(Timestamp, Vec<u8>)>) -> bool {
        let line = line.map(|(time, line)| (time, Arc::<[u8]>::from(line)));
        let mut is_written = true;
        for place in &mut self.places {
            place.kept.extend(line.clone());
            is_written &= place.write_kept();
        }
        is_written
    }

    /// Drops what is beyond a number of lines in each place; returns how many.
    fn drop_beyond(&mut self, most: usize) -> u64 {
        let beyond = self.places.iter_mut().map(|place| {
            let over = place.kept.len().saturating_sub(most);
            place.kept.drain(..over);
            over as u64
        });
        beyond.max().unwrap_or(0)
    }
}

impl AuditPlace {
    /// Whether nothing is kept any more, and the next line could be written.
    fn write_kept(&mut self) -> bool {
        let mut outcome = self.kind.connect();
        while outcome.is_ok()
            && let Some((time, line)) = self.kept.front()
        {
            outcome = self.kind.write(*time, line);
            if outcome.is_ok() {
                self.kept.pop_front();
            }
        }
        match outcome {
            Ok(()) => {
                self.is_told = false;
                true
            }
            Err(error) => {
                if !self.is_told {
                    let place = &self.name;
                    tracing::error!(place, %error, "the audit log cannot be written");
                    self.is_told = true;
                }
                false
            }
        }
    }
}

impl PlaceKind {
    fn connect(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.connect(),
            Self::Syslog(syslog) => syslog.connect(),
        }
    }

    fn write(&mut self, time: Timestamp, line: &[u8]) -> io::Result<()> {
        match self {
            Self::File(file) => file.write(line),
            Self::Syslog(syslog) => syslog.write(time, line),
        }
    }
}

/// Writes until nobody can hand in a line any more.
pub(super) fn run(mut sink: AuditSink, jobs: &Receiver<Job>, is_required: bool, lost: &Counter) {
    // One that is not required goes on without what it could not write.
    let most = if is_required { KEPT_MAX } else { 0 };
    while let Ok(job) = jobs.recv() {
        let (line, reply) = match job {
            Job::Reopen => {
                sink.reopen();
                continue;
            }
            Job::Line(line, reply) => (line, reply),
        };
        let is_written = sink.write(line);
        lost.inc_by(sink.drop_beyond(most));
        if let Some(reply) = reply {
            // The request may be gone.
            let _ = reply.send(is_written);
        }
    }
}
