//! How a daemon looks, in one line for people.

use mem_daemon::ask;
use mem_daemon::daemon_view::DaemonView;

use crate::context::Context;
use crate::sanitize::one_line;

const BYTES_PER_MB: f64 = 1e6;

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
