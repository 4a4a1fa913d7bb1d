//! What a server says of itself while it runs: a line an event, as text or as JSON, handed to the caller.

use std::io;
use std::sync::Arc;

use tracing::Level;
use tracing::dispatcher::{self, Dispatch};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;

use crate::options::Clock;

/// How a line looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// One JSON object.
    Json,
    /// For people.
    Text,
}

/// Takes a line, without its end.
pub type Lines = Arc<dyn Fn(&str) + Send + Sync>;

/// Hands everything that is logged in this process to `lines`, from here on. A second call changes nothing.
pub fn install(format: LogFormat, lines: Lines, now: Clock) {
    let base = tracing_subscriber::fmt()
        .with_max_level(Level::INFO)
        .with_timer(Time(now))
        .with_ansi(false)
        .with_target(false)
        .with_writer(move || LogWriter(Arc::clone(&lines)));
    let all = match format {
        LogFormat::Json => {
            let json = base.json().flatten_event(true).with_current_span(false);
            Dispatch::new(json.finish())
        }
        LogFormat::Text => Dispatch::new(base.finish()),
    };
    let _ = dispatcher::set_global_default(all);
}

/// The caller's clock.
struct Time(Clock);

impl FormatTime for Time {
    fn format_time(&self, writer: &mut Writer<'_>) -> std::fmt::Result {
        write!(writer, "{:.3}", (self.0)())
    }
}

/// Where lines go. The subscriber writes each of them at once.
struct LogWriter(Lines);

impl io::Write for LogWriter {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        (self.0)(String::from_utf8_lossy(line).trim_end());
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
