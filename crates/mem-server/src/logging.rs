//! What a server says of itself while it runs: a line an event, as text or as JSON, handed to the caller.

use std::io;
use std::sync::Arc;

use tracing::dispatcher::{self, Dispatch};
use tracing::{Level, Metadata};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;

use crate::options::Clock;
use crate::{log_buffer, request_line};

/// How a line looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// One JSON object.
    Json,
    /// For people.
    Text,
}

/// Takes lines, without the end of the last.
pub type Lines = Arc<dyn Fn(&str) + Send + Sync>;

/// Hands everything that is logged in this process to `lines`, from here on. A second call changes nothing.
pub fn install(format: LogFormat, lines: Lines, now: Clock) {
    let all = subscriber(format, Arc::clone(&lines), Arc::clone(&now));
    if dispatcher::set_global_default(all).is_ok() {
        request_line::install(format, lines, now);
    }
}

/// What makes lines of events.
pub(crate) fn subscriber(format: LogFormat, lines: Lines, now: Clock) -> Dispatch {
    let base = tracing_subscriber::fmt()
        .with_max_level(Level::INFO)
        .with_timer(Time(now))
        .with_ansi(false)
        .with_target(false)
        .with_writer(Sink(lines));
    match format {
        LogFormat::Json => {
            let json = base.json().flatten_event(true).with_current_span(false);
            Dispatch::new(json.finish())
        }
        LogFormat::Text => Dispatch::new(base.finish()),
    }
}

/// The caller's clock.
struct Time(Clock);

impl FormatTime for Time {
    fn format_time(&self, writer: &mut Writer<'_>) -> std::fmt::Result {
        write!(writer, "{:.3}", (self.0)())
    }
}

/// Where lines go.
struct Sink(Lines);

/// One line, until it is whole.
struct LogLine {
    lines: Lines,
    bytes: Vec<u8>,
    is_urgent: bool,
}

impl<'a> MakeWriter<'a> for Sink {
    type Writer = LogLine;

    fn make_writer(&'a self) -> LogLine {
        LogLine {
            lines: Arc::clone(&self.0),
            bytes: Vec::new(),
            is_urgent: true,
        }
    }

    fn make_writer_for(&'a self, meta: &Metadata<'_>) -> LogLine {
        let mut line = self.make_writer();
        line.is_urgent = *meta.level() < Level::INFO;
        line
    }
}

impl io::Write for LogLine {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for LogLine {
    fn drop(&mut self) {
        let line = String::from_utf8_lossy(&self.bytes);
        log_buffer::say(&self.lines, line.trim_end(), self.is_urgent);
    }
}
