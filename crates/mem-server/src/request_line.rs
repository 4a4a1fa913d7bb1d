//! The line about a request. A busy server says thousands of them a second, and the subscriber that all other lines go
//! through takes longer for one than the answer that it is about; so they are put together here, and look the same.

use std::fmt::Write as _;
use std::sync::OnceLock;

use axum::http::Method;

use crate::log_buffer;
use crate::logging::{Lines, LogFormat};
use crate::options::Clock;

/// Where they go; nowhere before that is said.
static OUT: OnceLock<LineOutcome> = OnceLock::new();

struct LineOutcome {
    format: LogFormat,
    lines: Lines,
    now: Clock,
}

/// Has them go out, once.
pub(crate) fn install(format: LogFormat, lines: Lines, now: Clock) {
    // Whoever came first has the subscriber as well.
    let _ = OUT.set(LineOutcome { format, lines, now });
}

/// A request that was answered.
pub(crate) struct RequestLine<'r> {
    /// Its name.
    pub(crate) id: &'r str,
    pub(crate) method: &'r Method,
    /// The route, not the address.
    pub(crate) route: &'r str,
    pub(crate) status: u16,
    /// How long it took.
    pub(crate) micros: u64,
    /// The id of the token; empty where nobody showed one.
    pub(crate) token: &'r str,
}

impl RequestLine<'_> {
    /// Says it, now or soon.
    pub(crate) fn say(&self) {
        if let Some(out) = OUT.get() {
            self.say_to(out);
        }
    }

    fn say_to(&self, out: &LineOutcome) {
        let now = (out.now)();
        let mut line = String::with_capacity(256);
        // Writing into a string cannot fail.
        let _ = match out.format {
            LogFormat::Text => {
                let _ = write!(line, "{now:.3}  INFO request id=");
                self.text(&mut line)
            }
            LogFormat::Json => {
                let _ = write!(
                    line,
                    "{{\"timestamp\":\"{now:.3}\",\"level\":\"INFO\",\"message\":\"request\",\"id\":"
                );
                self.json(&mut line)
            }
        };
        log_buffer::say(&out.lines, &line, false);
    }

    /// What stands behind the word for its name.
    fn text(&self, line: &mut String) -> std::fmt::Result {
        let (method, status, micros) = (self.method.as_str(), self.status, self.micros);
        let debugged = |text: &str| format!("{text:?}");
        quoted(self.id, line, debugged);
        write!(line, " method={method} route=")?;
        quoted(self.route, line, debugged);
        write!(line, " status={status} micros={micros} token=")?;
        quoted(self.token, line, debugged);
        Ok(())
    }

    /// The same of an object.
    fn json(&self, line: &mut String) -> std::fmt::Result {
        let (status, micros) = (self.status, self.micros);
        let escaped = |text: &str| serde_json::to_string(text).unwrap_or_default();
        quoted(self.id, line, escaped);
        line.push_str(",\"method\":");
        quoted(self.method.as_str(), line, escaped);
        line.push_str(",\"route\":");
        quoted(self.route, line, escaped);
        write!(line, ",\"status\":{status},\"micros\":{micros},\"token\":")?;
        quoted(self.token, line, escaped);
        line.push('}');
        Ok(())
    }
}

/// A text between quotes; `otherwise` makes those of one that is not as plain as nearly all are.
fn quoted(text: &str, line: &mut String, otherwise: impl Fn(&str) -> String) {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\';
    if !text.bytes().all(is_plain) {
        line.push_str(&otherwise(text));
        return;
    }
    line.push('"');
    line.push_str(text);
    line.push('"');
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use jiff::Timestamp;

    use super::*;
    use crate::logging;

    /// What the subscriber makes of the same, and what is made of it here.
    fn both(format: LogFormat, line: &RequestLine<'_>) -> (String, String) {
        let heard = Arc::<Mutex<Vec<String>>>::default();
        let ear = Arc::clone(&heard);
        let lines: Lines = Arc::new(move |text: &str| ear.lock().unwrap().push(text.to_owned()));
        let now: Clock = Arc::new(|| Timestamp::from_millisecond(1_770_000_000_050).unwrap());
        let RequestLine {
            id,
            method,
            route,
            status,
            micros,
            token,
        } = *line;
        let subscriber = logging::subscriber(format, Arc::clone(&lines), Arc::clone(&now));
        tracing::dispatcher::with_default(&subscriber, || {
            tracing::info!(id, %method, route, status, micros, token, "request");
        });
        line.say_to(&LineOutcome { format, lines, now });
        let heard = heard.lock().unwrap();
        (heard[0].clone(), heard[1].clone())
    }

    #[test]
    fn a_line_is_as_the_subscriber_would_have_it() {
        let odd = Method::from_bytes(b"PRO^P").unwrap();
        let line = |method, token| RequestLine {
            id: "req_1",
            method,
            route: "/a/{b}",
            status: 304,
            micros: 12,
            token,
        };
        for (method, token) in [
            (&Method::GET, "apikey_1"),
            (&odd, ""),
            (&Method::PUT, "a\"b\\ü\n\t\u{7f}\u{0}'é\u{301}"),
        ] {
            for format in [LogFormat::Text, LogFormat::Json] {
                let (theirs, ours) = both(format, &line(method, token));
                assert_eq!(theirs, ours);
                assert!(ours.contains("304") && !ours.contains('\n'), "{ours}");
            }
        }
    }
}
