//! Asking the daemon of a repository how it is, or to do something.

use std::time::Duration;

use crate::client::{AskError, DaemonClient};
use crate::place::DaemonFiles;
use crate::protocol::{DaemonReply, DaemonRequest, DaemonStatus, PROTOCOL};

use crate::instance::{self, DaemonInstance};
use mem_core::RunContext;
use mem_core::regular_file;

/// How long a person waits for an answer.
pub const PATIENCE: Duration = Duration::from_secs(2);
/// How long somebody waits who can do without.
pub const IMPATIENCE: Duration = Duration::from_millis(30);

/// A daemon, as it says.
#[derive(Clone, Debug)]
pub struct DaemonInfo {
    /// The newest protocol that it speaks.
    pub protocol: u32,
    /// Of its program.
    pub version: String,
    /// How it is; `None` where it speaks another protocol.
    pub status: Option<DaemonStatus>,
}

impl DaemonInfo {
    /// Whether it is of this very program.
    pub fn is_ours(&self) -> bool {
        self.protocol == PROTOCOL && self.version == crate::VERSION && self.status.is_some()
    }

    /// Whether it has nothing under way.
    pub fn is_free(&self) -> bool {
        let status = self.status.as_ref();
        status.is_none_or(|status| !status.pending && status.state != "busy")
    }
}

/// Asks how it is.
///
/// # Errors
/// No daemon answers.
pub fn daemon_info(place: &DaemonFiles, patience: Duration) -> Result<DaemonInfo, AskError> {
    let DaemonReply {
        protocol,
        version,
        answer,
        ..
    } = DaemonClient::connect(place, patience)?.reply(DaemonRequest::Status)?;
    let status = answer.and_then(|answer| serde_json::from_value(answer).ok());
    Ok(DaemonInfo {
        protocol,
        version,
        status,
    })
}

/// Tells the daemon of the place that one stands in that settings are new, where one runs.
pub fn reload_daemon(run: &RunContext) {
    let Ok(dirs) = run.dirs() else { return };
    let place = mem_core::location::open(&run.cwd, dirs, &run.env, &[]);
    let Some(instance) = place
        .ok()
        .and_then(|place| DaemonInstance::for_memory(&place, run).ok())
    else {
        return;
    };
    // It reads the settings anew with every job; this only makes it look at once.
    let _ = DaemonClient::connect(&instance.place, IMPATIENCE)
        .and_then(|mut client| client.ask(DaemonRequest::Reload));
}

/// The number of the process that has a place: as its files say, which are true while they are locked.
pub fn place_holder(place: &DaemonFiles) -> Option<u32> {
    let found = place.is_taken().then(|| instance::daemon_at(place.clone()));
    found.and_then(|found| found.pid)
}

/// The memory of a process that is its own share, in bytes; `None` where the system does not say.
pub fn pss_bytes(pid: u32) -> Option<u64> {
    let text = regular_file::read_text(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}
