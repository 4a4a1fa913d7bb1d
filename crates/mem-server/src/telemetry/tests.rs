//! Telemetry as a collector reads it that is made of the official messages of OTLP.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::HOST;
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use jiff::Timestamp;
use mem_tests::clients;
use serde_json::Value;

use super::{TelemetryError, TelemetrySettings, TelemetryTask};
use crate::app::{App, Shared, routes};
use crate::audit::AuditLog;
use crate::options::{ServeOptions, ServerAccess, ServerLimits};
use crate::settings::ServerSettings;
use crate::storage::{Database, DatabaseAddress, OpenOptions, VersionRetention};

/// A collector in Python, ended with this.
struct Collector {
    child: Child,
    lines: BufReader<ChildStdout>,
    port: String,
}

impl Collector {
    fn start() -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../tests/clients/python/otlp_collector.py");
        let mut child = Command::new(clients::python_with("otlp"))
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let mut port = String::new();
        lines.read_line(&mut port).unwrap();
        Self {
            child,
            lines,
            port: port.trim().to_owned(),
        }
    }

    fn next(&mut self) -> Value {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        let told: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(told["error"], Value::Null, "{told}");
        assert_eq!(told["key"], "k");
        told
    }
}

impl Drop for Collector {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

async fn app(folder: &Path) -> Shared {
    let options = ServeOptions {
        listen: SocketAddr::from(([127, 0, 0, 1], 0)),
        place: DatabaseAddress::Directory(folder.to_owned()),
        storage: OpenOptions::default(),
        access: ServerAccess::Open,
        limits: ServerLimits::default(),
        retention: VersionRetention::default(),
        settings: ServerSettings::default(),
        now: Arc::new(|| Timestamp::from_second(1_800_000_000).unwrap()),
        pages: None,
        on_listening: Box::new(|_| {}),
    };
    let database = Database::open(&options.place, &options.storage)
        .await
        .unwrap();
    Arc::new(App::new(
        database,
        AuditLog::default(),
        options.listen,
        &options,
    ))
}

fn settings(endpoint: &str) -> TelemetrySettings {
    toml_edit::de::from_str(&format!(
        "endpoint = \"{endpoint}\"\nheaders = {{ x-key = \"k\" }}\n"
    ))
    .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_reads_requests_as_spans_and_the_figures_of_metrics() {
    let folder = tempfile::TempDir::new().unwrap();
    let app = app(folder.path()).await;
    let mut collector = Collector::start();
    let endpoint = format!("http://127.0.0.1:{}/", collector.port);
    let telemetry = TelemetryTask::start(&app, &settings(&endpoint)).unwrap();
    let service = TowerToHyperService::new(routes(&app, None));
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    for parent in [
        Some(format!("00-{trace}-00f067aa0ba902b7-01")),
        Some(format!("00-{trace}-00f067aa0ba902b7-00")),
        None,
    ] {
        let mut request = Request::get("/healthz?secret=1").header(HOST, "localhost");
        if let Some(parent) = parent {
            request = request.header("traceparent", parent);
        }
        service
            .call(request.body(Body::empty()).unwrap())
            .await
            .unwrap();
    }
    telemetry.finish().await;
    let told = collector.next();
    assert_eq!(told["resource"]["service.name"], "mem");
    let spans = told["spans"].as_array().unwrap();
    // The caller of the second one wanted no trace of it.
    assert_eq!(spans.len(), 2, "{spans:?}");
    assert_eq!(
        (spans[0]["trace"].as_str(), spans[0]["parent"].as_str()),
        (Some(trace), Some("00f067aa0ba902b7"))
    );
    assert_eq!(
        (spans[0]["name"].as_str(), spans[0]["kind"].as_u64()),
        (Some("GET /healthz"), Some(2))
    );
    assert_eq!(spans[0]["attributes"]["http.response.status_code"], 200);
    assert!(spans[0]["nanos"].as_i64().unwrap() > 0);
    assert!(spans[1]["trace"] != trace && spans[1]["parent"] == "");
    let figures = collector.next();
    let figures = figures["metrics"].as_object().unwrap();
    let text = app.metrics.text();
    let names: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next())
        .collect();
    assert!(
        names.len() > 8 && names.iter().all(|name| figures.contains_key(*name)),
        "{names:?}"
    );
    let answers = &figures["mem_answers"];
    assert_eq!(answers["kind"], "sum");
    assert_eq!(answers["points"][0]["value"], 3.0);
    assert_eq!(answers["points"][0]["attributes"]["route"], "/healthz");
    let durations = &figures["mem_answer_seconds"];
    assert_eq!(
        (
            durations["kind"].as_str(),
            durations["points"][0]["count"].as_u64()
        ),
        (Some("histogram"), Some(3))
    );
    assert_eq!(figures["mem_requests_under_way"]["kind"], "gauge");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_is_gone_costs_no_request_and_is_counted() {
    let folder = tempfile::TempDir::new().unwrap();
    let app = app(folder.path()).await;
    // Nothing takes what is put in.
    let _spans = app.tracer.open();
    let service = TowerToHyperService::new(routes(&app, None));
    for _ in 0..super::trace::WAITING_MAX + 7 {
        let request = Request::get("/healthz").header(HOST, "localhost");
        let answer = service
            .call(request.body(Body::empty()).unwrap())
            .await
            .unwrap();
        assert_eq!(answer.status(), 200);
    }
    assert_eq!(app.tracer.dropped.get(), 7);
    assert!(matches!(
        TelemetryTask::start(&app, &settings("collector:4318")),
        Err(TelemetryError::Endpoint)
    ));
}
