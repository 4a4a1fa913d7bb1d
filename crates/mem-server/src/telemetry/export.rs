//! The task that sends traces and figures to a collector.

use std::sync::Arc;
use std::time::Duration;

use mem_http::{client_builder, random_fraction};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Url};
use secrecy::ExposeSecret as _;
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::trace::FinishedSpan;
use super::{TelemetryError, TelemetrySettings, figures, trace};
use crate::app::Shared;

/// Spans of one request to the collector.
const SPANS_AT_ONCE: usize = 512;
/// How often it is looked whether there is something to send.
const GATHER: Duration = Duration::from_secs(1);
/// For one request to the collector.
const SEND: Duration = Duration::from_secs(10);
/// For its connection.
const CONNECT: Duration = Duration::from_secs(5);
/// How often one is sent that the collector has no time for.
const TRIES: u32 = 3;
/// What is left when the server ends is sent within this time.
const LAST: Duration = Duration::from_secs(1);

/// The task.
pub(crate) struct TelemetryTask {
    running: tokio::task::JoinHandle<()>,
    end: oneshot::Sender<()>,
}

/// A collector.
struct Collector {
    client: Client,
    traces: Url,
    metrics: Url,
}

impl TelemetryTask {
    /// Begins.
    ///
    /// # Errors
    /// See [`TelemetryError`].
    pub(crate) fn start(
        app: &Shared,
        settings: &TelemetrySettings,
    ) -> Result<Self, TelemetryError> {
        let collector = Collector::new(settings)?;
        let spans = match settings.traces {
            true => app.tracer.open(),
            // One that nothing is ever put into.
            false => mpsc::channel(1).1,
        };
        let every = Duration::from_secs(settings.metrics_seconds.max(1));
        let every = settings.metrics.then_some(every);
        let (end, ended) = oneshot::channel();
        let app = Arc::clone(app);
        let running = tokio::spawn(run(app, collector, spans, every, ended));
        Ok(Self { running, end })
    }

    /// Sends what is left, for a moment.
    pub(crate) async fn finish(mut self) {
        let _ = self.end.send(());
        if tokio::time::timeout(LAST, &mut self.running).await.is_err() {
            self.running.abort();
        }
    }
}

async fn run(
    app: Shared,
    collector: Collector,
    mut spans: mpsc::Receiver<FinishedSpan>,
    every: Option<Duration>,
    mut ended: oneshot::Receiver<()>,
) {
    let since = (app.now)();
    let mut due = every.map(|every| Instant::now() + every);
    loop {
        let is_end = tokio::time::timeout(GATHER, &mut ended).await.is_ok();
        let batch = std::iter::from_fn(|| spans.try_recv().ok());
        let batch: Vec<FinishedSpan> = batch.collect();
        for some in batch.chunks(SPANS_AT_ONCE) {
            let body = trace::to_json(some);
            if !collector.send_body(&collector.traces, &body).await {
                app.tracer.dropped.inc_by(some.len() as u64);
            }
        }
        let is_due = due.is_some_and(|due| due <= Instant::now() || is_end);
        if let (Some(every), true) = (every, is_due) {
            let body = figures::to_json(&app.metrics.text(), since, (app.now)());
            collector.send_body(&collector.metrics, &body).await;
            due = Some(Instant::now() + every);
        }
        if is_end {
            return;
        }
    }
}

impl Collector {
    fn new(settings: &TelemetrySettings) -> Result<Self, TelemetryError> {
        let at = |path: &str| {
            let text = format!("{}{path}", settings.endpoint.trim_end_matches('/'));
            let url = Url::parse(&text).ok();
            let url = url.filter(|url| {
                let is_http = ["http", "https"].contains(&url.scheme()) && url.has_host();
                is_http && url.username().is_empty() && url.password().is_none()
            });
            url.ok_or(TelemetryError::Endpoint)
        };
        let mut headers = HeaderMap::new();
        for (name, value) in &settings.headers {
            let parsed = HeaderName::from_bytes(name.as_bytes()).ok();
            let value = HeaderValue::from_str(value.expose_secret()).ok();
            let (Some(parsed), Some(mut value)) = (parsed, value) else {
                let name = mem_core::memory_path::printable(name);
                return Err(TelemetryError::Header(name));
            };
            value.set_sensitive(true);
            headers.insert(parsed, value);
        }
        let traces = at("/v1/traces")?;
        let client = client_builder(&traces, headers, CONNECT).timeout(SEND);
        Ok(Self {
            client: client.build().map_err(|_| TelemetryError::Endpoint)?,
            metrics: at("/v1/metrics")?,
            traces,
        })
    }

    /// Sends a body, again where the collector has no time for it; says whether it has it.
    async fn send_body(&self, to: &Url, body: &Value) -> bool {
        let mut tries = 1;
        loop {
            let request = self.client.post(to.clone());
            let request = request.header(CONTENT_TYPE, "application/json");
            let sent = request.body(body.to_string()).send().await;
            let status = sent.as_ref().map(|answer| answer.status().as_u16());
            let may_help = match status {
                Ok(200..=299) => return true,
                Ok(status) => [429, 502, 503, 504].contains(&status),
                Err(_) => true,
            };
            if !may_help || tries == TRIES {
                let status = status.unwrap_or_default();
                let collector = to.host_str().unwrap_or_default();
                tracing::warn!(collector, status, "the collector takes no telemetry");
                return false;
            }
            let pause = f64::from(1 << tries) * (0.5 + random_fraction());
            tokio::time::sleep(Duration::from_secs_f64(pause)).await;
            tries += 1;
        }
    }
}
