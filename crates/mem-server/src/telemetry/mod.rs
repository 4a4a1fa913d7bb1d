//! Traces and figures for a collector, by OTLP over HTTP with JSON.
//!
//! The encoding is written here: it is small and stable (OTLP 1.x, with the JSON mapping of its protocol buffers), and
//! the official exporter would bring a second set of metric types beside the one that `/metrics` is made of.
//! No request waits for it: spans that do not fit into the queue are dropped and counted.
//!
//! # Layout
//! - `trace`: a span for each request, and `traceparent`. `figures`: what `/metrics` says, as OTLP has it.
//! - `export`: the task that sends both.

mod export;
mod figures;
#[cfg(test)]
mod tests;
mod trace;

use std::collections::BTreeMap;

pub(crate) use export::TelemetryTask;
use mem_core::Diagnose;
use secrecy::SecretString;
use serde::Deserialize;
use serde_json::{Value, json};
pub(crate) use trace::Tracer;

/// `[telemetry]` of the server's settings.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TelemetrySettings {
    /// The base address of a collector, such as `http://127.0.0.1:4318`; `/v1/traces` and `/v1/metrics` are below it.
    pub endpoint: String,
    /// Headers that go along, such as a key.
    #[serde(default)]
    pub headers: BTreeMap<String, SecretString>,
    /// Whether requests are traced.
    #[serde(default = "yes")]
    pub traces: bool,
    /// Whether figures are sent.
    #[serde(default = "yes")]
    pub metrics: bool,
    /// How often figures are sent.
    #[serde(default = "a_minute")]
    pub metrics_seconds: u64,
}

fn yes() -> bool {
    true
}

fn a_minute() -> u64 {
    60
}

/// Traces and figures cannot be sent.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum TelemetryError {
    /// The address of the collector is none.
    #[error("`endpoint` of `[telemetry]` is no address of a collector, or holds a user name")]
    #[diagnose(
        Invalid,
        hint = "write its base address, such as `http://127.0.0.1:4318`, and a key into `headers`"
    )]
    Endpoint,
    /// A header is none.
    #[error("`{0}` of `[telemetry]` is no header")]
    #[diagnose(Invalid)]
    Header(String),
}

/// An attribute.
fn attribute(key: &str, value: &Value) -> Value {
    let value = match value {
        Value::Number(number) => json!({ "intValue": number.to_string() }),
        other => json!({ "stringValue": other }),
    };
    json!({ "key": key, "value": value })
}

/// Who tells.
fn resource() -> Value {
    json!({ "attributes": [
        attribute("service.name", &json!("mem")),
        attribute("service.version", &json!(env!("CARGO_PKG_VERSION"))),
    ] })
}

/// What of it tells.
fn scope() -> Value {
    json!({ "name": "mem-server", "version": env!("CARGO_PKG_VERSION") })
}
