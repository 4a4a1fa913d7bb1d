//! The thread that writes the audit log: disks and syslogs may hang, and no request waits for them by itself.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use jiff::Timestamp;
use prometheus_client::metrics::counter::Counter;
use tokio::sync::oneshot;

use super::place::{OpenPlace, PlaceAddress};
use super::{AuditError, AuditSettings};

/// Lines that a required log keeps until they can be written.
const KEPT_MAX: usize = 10_000;

/// What the thread has to do.
pub(super) enum Job {
    /// To write a line, after those that are kept; and to say whether it is there.
    Line(Option<(Timestamp, Vec<u8>)>, Option<oneshot::Sender<bool>>),
    /// To open the file again, and connect again.
    Reopen,
}

/// Where lines go. Each place has what it could not take yet, so that one that is down keeps nothing from the others and
/// gets nothing twice.
struct AuditPlace {
    /// What it is called in the log.
    name: String,
    address: PlaceAddress,
    open: Option<OpenPlace>,
    kept: VecDeque<(Timestamp, Arc<[u8]>)>,
    /// Whether its failure was logged.
    is_logged: bool,
}

/// All places of a log.
pub(super) struct AuditSink(Vec<AuditPlace>);

impl AuditSink {
    /// Opens the file; a syslog may come later.
    pub(super) fn open(settings: &AuditSettings) -> Result<Self, AuditError> {
        let place = |name, address, open| AuditPlace {
            name,
            address,
            open,
            kept: VecDeque::new(),
            is_logged: false,
        };
        let mut places = Vec::new();
        if let Some(path) = &settings.file {
            if !path.is_absolute() {
                return Err(AuditError::Relative(path.clone()));
            }
            let address = PlaceAddress::File(path.clone());
            let failed = |source| AuditError::File(path.clone(), source);
            let open = address.open().map_err(failed)?;
            places.push(place(path.display().to_string(), address, Some(open)));
        }
        if let Some(text) = &settings.syslog {
            let invalid = || AuditError::Syslog(text.clone());
            let address = PlaceAddress::parse_syslog(text).ok_or_else(invalid)?;
            if settings.required && matches!(address, PlaceAddress::Udp(_)) {
                return Err(AuditError::Unconfirmed(text.clone()));
            }
            places.push(place(text.clone(), address, None));
        }
        match places.is_empty() {
            true => Err(AuditError::Nowhere),
            false => Ok(Self(places)),
        }
    }

    /// Writes a line, after those that are kept, everywhere. Whether nothing is left.
    fn write(&mut self, line: Option<(Timestamp, Vec<u8>)>) -> bool {
        let line = line.map(|(time, line)| (time, Arc::<[u8]>::from(line)));
        let mut is_written = true;
        for place in &mut self.0 {
            place.kept.extend(line.clone());
            is_written &= place.write_kept();
        }
        is_written
    }

    /// Drops what is beyond a number of lines in each place; returns how many.
    fn drop_beyond(&mut self, most: usize) -> u64 {
        let beyond = self.0.iter_mut().map(|place| {
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
        let written = self.try_write_kept();
        if let Err(error) = &written
            && !self.is_logged
        {
            tracing::error!(place = self.name, %error, "the audit log cannot be written");
        }
        self.is_logged = written.is_err();
        written.is_ok()
    }

    fn try_write_kept(&mut self) -> io::Result<()> {
        if self.open.is_none() {
            self.open = Some(self.address.open()?);
        }
        while let Some((time, line)) = self.kept.front().cloned() {
            // Over a connection that broke meanwhile once more.
            if self.write_line(time, &line).is_err() {
                self.write_line(time, &line)?;
            }
            self.kept.pop_front();
        }
        Ok(())
    }

    fn write_line(&mut self, time: Timestamp, line: &[u8]) -> io::Result<()> {
        let mut open = match self.open.take() {
            Some(open) if open.is_at(&self.address) => open,
            _ => self.address.open()?,
        };
        open.write(time, line)?;
        self.open = Some(open);
        Ok(())
    }
}

/// Writes until nobody can hand in a line any more.
pub(super) fn run(mut sink: AuditSink, jobs: &Receiver<Job>, is_required: bool, lost: &Counter) {
    // One that is not required goes on without what it could not write.
    let most = if is_required { KEPT_MAX } else { 0 };
    while let Ok(job) = jobs.recv() {
        let (line, reply) = match job {
            Job::Reopen => {
                sink.0.iter_mut().for_each(|place| place.open = None);
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
