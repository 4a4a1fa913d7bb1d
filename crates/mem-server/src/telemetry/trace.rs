//! One span for each request, as a part of the trace that its `traceparent` names (W3C Trace Context), or of a new one.
//!
//! A span names the route, never the address: what is behind the `?` is nobody's business.

use std::sync::OnceLock;
use std::time::Duration;

use axum::http::{HeaderMap, Method};
use jiff::Timestamp;
use prometheus_client::metrics::counter::Counter;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::{attribute, resource, scope};
use crate::hex;

/// The header of a trace that a request is a part of.
const TRACEPARENT: &str = "traceparent";
/// Spans that wait to be sent; more are dropped.
pub(super) const WAITING_MAX: usize = 8192;
/// A server's answer to a request, in OTLP.
const KIND_SERVER: u8 = 2;
const STATUS_ERROR: u8 = 2;

/// What requests are traced with; one that was never opened traces nothing.
#[derive(Debug, Default)]
pub(crate) struct Tracer {
    spans: OnceLock<mpsc::Sender<FinishedSpan>>,
    /// Spans that were dropped.
    pub(crate) dropped: Counter,
}

/// A request under way.
#[derive(Debug)]
pub(crate) struct OpenSpan {
    trace: String,
    parent: Option<String>,
    start: Timestamp,
}

/// A request that was answered.
#[derive(Debug)]
pub(super) struct FinishedSpan {
    open: OpenSpan,
    id: String,
    method: String,
    route: String,
    status: u16,
    request_id: String,
    elapsed: Duration,
}

impl Tracer {
    /// Traces from here on; the spans come out at the other end.
    pub(super) fn open(&self) -> mpsc::Receiver<FinishedSpan> {
        let (sender, receiver) = mpsc::channel(WAITING_MAX);
        let _ = self.spans.set(sender);
        receiver
    }

    /// A request begins. `None` where nothing is traced, or the caller wants no trace of it.
    pub(crate) fn begin(
        &self,
        headers: &HeaderMap,
        now: impl FnOnce() -> Timestamp,
    ) -> Option<OpenSpan> {
        self.spans.get()?;
        let parent = headers.get(TRACEPARENT);
        let parent = parent.and_then(|value| value.to_str().ok());
        let (trace, parent) = match parent.and_then(read_traceparent) {
            Some((_, _, false)) => return None,
            Some((trace, parent, true)) => (trace.to_owned(), Some(parent.to_owned())),
            None => (hex::random::<16>("").ok()?, None),
        };
        Some(OpenSpan {
            trace,
            parent,
            start: now(),
        })
    }

    /// It was answered.
    pub(crate) fn end(
        &self,
        open: Option<OpenSpan>,
        (method, route): (&Method, &str),
        status: u16,
        request_id: &str,
        elapsed: Duration,
    ) {
        let (Some(open), Some(spans)) = (open, self.spans.get()) else {
            return;
        };
        let Ok(id) = hex::random::<8>("") else {
            return;
        };
        let span = FinishedSpan {
            open,
            id,
            method: method.to_string(),
            route: route.to_owned(),
            status,
            request_id: request_id.to_owned(),
            elapsed,
        };
        if spans.try_send(span).is_err() {
            self.dropped.inc();
        }
    }
}

/// Trace, parent, and whether it is sampled. Later versions begin as this one does.
fn read_traceparent(text: &str) -> Option<(&str, &str, bool)> {
    let mut parts = text.trim().splitn(5, '-');
    let (version, trace) = (parts.next()?, parts.next()?);
    let (parent, flags) = (parts.next()?, parts.next()?);
    let is_hex = |text: &str, length: usize| {
        let is_digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        text.len() == length && text.bytes().all(is_digit)
    };
    let is_id = |text: &str, length| is_hex(text, length) && text.bytes().any(|b| b != b'0');
    let is_whole = version != "00" || parts.next().is_none();
    let is_valid = is_hex(version, 2) && version != "ff" && is_hex(flags, 2) && is_whole;
    if !is_valid || !is_id(trace, 32) || !is_id(parent, 16) {
        return None;
    }
    let flags = u8::from_str_radix(flags, 16).ok()?;
    Some((trace, parent, flags & 1 == 1))
}

/// Nanoseconds, as OTLP writes them.
pub(super) fn nanos(time: Timestamp) -> String {
    time.as_nanosecond().to_string()
}

/// The body of `/v1/traces`.
pub(super) fn to_json(spans: &[FinishedSpan]) -> Value {
    let spans: Vec<Value> = spans.iter().map(span_json).collect();
    json!({ "resourceSpans": [{
        "resource": resource(),
        "scopeSpans": [{ "scope": scope(), "spans": spans }],
    }] })
}

fn span_json(span: &FinishedSpan) -> Value {
    let start = span.open.start;
    let end = start.checked_add(span.elapsed).unwrap_or(start);
    let mut json = json!({
        "traceId": span.open.trace,
        "spanId": span.id,
        "name": format!("{} {}", span.method, span.route),
        "kind": KIND_SERVER,
        "startTimeUnixNano": nanos(start),
        "endTimeUnixNano": nanos(end),
        "attributes": [
            attribute("http.request.method", &json!(span.method)),
            attribute("http.route", &json!(span.route)),
            attribute("http.response.status_code", &json!(span.status)),
            attribute("mem.request_id", &json!(span.request_id)),
        ],
        "status": if span.status >= 500 { json!({ "code": STATUS_ERROR }) } else { json!({}) },
    });
    if let Some(parent) = &span.open.parent {
        json["parentSpanId"] = json!(parent);
    }
    json
}

#[cfg(test)]
mod tests {
    use super::read_traceparent;

    #[test]
    fn a_traceparent_is_read_as_the_standard_has_it() {
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        let good = format!("00-{trace}-00f067aa0ba902b7-01");
        assert_eq!(
            read_traceparent(&good),
            Some((trace, "00f067aa0ba902b7", true))
        );
        let unsampled = format!("00-{trace}-00f067aa0ba902b7-00");
        assert_eq!(read_traceparent(&unsampled).map(|read| read.2), Some(false));
        assert!(read_traceparent(&format!("01-{trace}-00f067aa0ba902b7-01-more")).is_some());
        for bad in [
            String::new(),
            format!("{good}-more"),
            format!("ff-{trace}-00f067aa0ba902b7-01"),
            format!("00-{}-00f067aa0ba902b7-01", "0".repeat(32)),
            format!("00-{trace}-{}-01", "0".repeat(16)),
            good.to_uppercase(),
        ] {
            assert_eq!(read_traceparent(&bad), None, "{bad}");
        }
    }
}
