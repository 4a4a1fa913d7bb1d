//! How a daemon looks: in one line for people, and for programs.

use mem_core::location::ProjectContext as Memory;
use mem_daemon::place::DaemonFiles;
use mem_daemon::protocol::PROTOCOL;
use serde_json::{Value, json};

use crate::context::Context;
use crate::sanitize::one_line;
use mem_daemon::ask::{self, DaemonInfo, IMPATIENCE};
use mem_daemon::autostart::is_wanted;

const BYTES_PER_MB: f64 = 1e6;

/// What is seen of a daemon.
#[derive(Clone, Debug)]
pub(crate) struct DaemonView {
    /// Its process; `None` where none runs.
    pub pid: Option<u32>,
    seen: Option<DaemonInfo>,
}

/// Looks whether one runs.
pub(crate) fn look_at_daemon(place: &DaemonFiles) -> DaemonView {
    let pid = ask::place_holder(place);
    // More patience where there is something to wait for; a socket without a daemon is passed over.
    let seen = pid.and_then(|_| {
        let first = ask::daemon_info(place, IMPATIENCE);
        first
            .or_else(|_| ask::daemon_info(place, ask::PATIENCE))
            .ok()
    });
    DaemonView { pid, seen }
}

impl DaemonView {
    /// Whether a status speaks of it: one runs, or one is wanted.
    pub(crate) fn is_told(&self, place: &Memory) -> bool {
        self.pid.is_some() || is_wanted(place)
    }

    /// What stands in its way.
    pub(crate) fn trouble_text(&self) -> Option<&str> {
        self.seen.as_ref()?.status.as_ref()?.trouble.as_deref()
    }
}

/// The stable shape.
pub(crate) fn daemon_json(look: &DaemonView) -> Value {
    let status = look.seen.as_ref().and_then(|seen| seen.status.as_ref());
    json!({
        "running": look.pid.is_some(),
        "pid": look.pid,
        "protocol": look.seen.as_ref().map_or(PROTOCOL, |seen| seen.protocol),
        "state": status.map(|status| &status.state),
        "started_at": status.map(|status| &status.started_at),
        "last_sync": status.and_then(|status| status.last_sync.as_ref()),
        "pending": status.is_some_and(|status| status.pending),
        "pss_bytes": look.pid.and_then(ask::pss_bytes),
        "version": look.seen.as_ref().map(|seen| &seen.version),
        "root": status.map(|status| &status.root),
        "trouble": look.trouble_text(),
    })
}

/// One line for people.
pub(crate) fn daemon_line(look: &DaemonView, context: &Context) -> String {
    let Some(pid) = look.pid else {
        return "no daemon runs".to_owned();
    };
    let size = ask::pss_bytes(pid).map_or_else(String::new, |bytes| {
        format!(", {:.1} MB", bytes as f64 / BYTES_PER_MB)
    });
    let Some(status) = look.seen.as_ref().and_then(|seen| seen.status.as_ref()) else {
        return format!("process {pid}{size}: it does not answer");
    };
    let since = time_of_day(&status.started_at, context);
    let synced = status.last_sync.as_ref().map_or_else(String::new, |at| {
        format!(
            ", in step with the remote since {}",
            time_of_day(at, context)
        )
    });
    let pending = if status.pending {
        ", something waits to be sent"
    } else {
        ""
    };
    let trouble = look
        .trouble_text()
        .map_or_else(String::new, |trouble| format!(": {}", one_line(trouble)));
    format!(
        "{} since {since} (process {pid}{size}){synced}{pending}{trouble}",
        one_line(&status.state)
    )
}

/// A time as people say it: today without its day.
fn time_of_day(text: &str, context: &Context) -> String {
    let Ok(time) = text.parse::<jiff::Timestamp>() else {
        return one_line(text);
    };
    let zone = jiff::tz::TimeZone::system();
    let (time, now) = (
        time.to_zoned(zone.clone()),
        context.current_time().0.to_zoned(zone),
    );
    let form = match time.date() == now.date() {
        true => "%H:%M",
        false => "%Y-%m-%d %H:%M",
    };
    time.strftime(form).to_string()
}
