//! Figures for Prometheus. No label has a repository, a key or a token in it.

use std::time::Duration;

use axum::http::Method;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

use crate::storage::{DeliveryOutcome, RequestCounts};

/// The upper bounds of the classes of durations, in seconds.
const SECONDS: [f64; 11] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0,
];

/// Of one answer.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Answered {
    method: &'static str,
    route: String,
    status: u16,
}

/// Of one delivery of an event.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Settled {
    outcome: &'static str,
}

/// Figures of events on their way to webhooks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Deliveries {
    settled: Family<Settled, Counter>,
    waiting: Gauge,
    dead: Gauge,
}

impl Deliveries {
    /// Every outcome is there from the start: a figure that appears later looks like no change.
    fn new() -> Self {
        let deliveries = Self::default();
        for outcome in ["delivered", "failed", "given-up", "disabled"] {
            drop(deliveries.settled.get_or_create(&Settled { outcome }));
        }
        deliveries
    }

    /// An attempt came to this.
    pub(crate) fn settled(&self, outcome: DeliveryOutcome) {
        let outcome = match outcome {
            DeliveryOutcome::Delivered => "delivered",
            DeliveryOutcome::Retry(_) => "failed",
            DeliveryOutcome::Dead => "given-up",
            DeliveryOutcome::Gone => "disabled",
        };
        self.settled.get_or_create(&Settled { outcome }).inc();
    }

    /// How many wait and how many were given up, on all replicas.
    pub(crate) fn depth(&self, waiting: u64, dead: u64) {
        let figure = |count| i64::try_from(count).unwrap_or(i64::MAX);
        self.waiting.set(figure(waiting));
        self.dead.set(figure(dead));
    }
}

/// Of one route.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Route {
    route: String,
}

type Durations = Family<Route, Histogram, fn() -> Histogram>;

/// All figures of one server.
pub(crate) struct Metrics {
    registry: Registry,
    answers: Family<Answered, Counter>,
    durations: Durations,
    requests: Gauge,
    /// Connections that are open.
    pub(crate) connections: Gauge,
    /// Requests without a token that counts.
    pub(crate) unauthenticated: Counter,
    /// Keys that were written or deleted.
    pub(crate) keys_changed: Counter,
    /// Events on their way.
    pub(crate) deliveries: Deliveries,
}

/// Counts something for as long as it is held.
pub(crate) struct UnderWay(Gauge);

impl UnderWay {
    /// One more.
    pub(crate) fn begin(gauge: &Gauge) -> Self {
        gauge.inc();
        Self(gauge.clone())
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl Metrics {
    /// All at nothing, with what the audit log, the tracer and the storage count.
    pub(crate) fn new(
        audit_lost: &Counter,
        spans_dropped: &Counter,
        requests: &RequestCounts,
    ) -> Self {
        let RequestCounts { standbys, objects } = requests;
        let mut registry = Registry::with_prefix("mem");
        let answers = Family::<Answered, Counter>::default();
        let durations: Durations = Family::new_with_constructor(|| Histogram::new(SECONDS));
        let (requests, connections): (Gauge, Gauge) = Default::default();
        let (unauthenticated, keys_changed): (Counter, Counter) = Default::default();
        registry.register("answers", "Answers by status", answers.clone());
        registry.register("answer_seconds", "Time to an answer", durations.clone());
        let help = "Requests being answered";
        registry.register("requests_under_way", help, requests.clone());
        registry.register("connections", "Open connections", connections.clone());
        let help = "Requests without a token that counts";
        registry.register("unauthenticated", help, unauthenticated.clone());
        let help = "Keys written or deleted";
        registry.register("keys_changed", help, keys_changed.clone());
        let deliveries = Deliveries::new();
        let help = "Attempts at delivering an event, by outcome";
        registry.register("event_deliveries", help, deliveries.settled.clone());
        let help = "Deliveries of events that wait, on all replicas";
        registry.register("event_deliveries_waiting", help, deliveries.waiting.clone());
        let help = "Deliveries of events that were given up, on all replicas";
        registry.register("event_deliveries_dead", help, deliveries.dead.clone());
        let help = "Lines of the audit log that were lost";
        registry.register("audit_lines_lost", help, audit_lost.clone());
        let help = "Spans of traces that were dropped";
        registry.register("spans_dropped", help, spans_dropped.clone());
        let help = "Reads that a standby of the database answered";
        registry.register("standby_reads", help, standbys.answered.clone());
        let help = "Reads for which a standby had not reached the state of the store";
        registry.register("standby_reads_behind", help, standbys.behind.clone());
        let help = "Reads for which a standby did not answer";
        registry.register("standby_reads_failed", help, standbys.failed.clone());
        let help = "Requests that object storage answered";
        registry.register("object_requests", help, objects.answered.clone());
        let help = "Requests that object storage did not answer";
        registry.register("object_requests_failed", help, objects.failed.clone());
        Self {
            registry,
            answers,
            durations,
            requests,
            connections,
            unauthenticated,
            keys_changed,
            deliveries,
        }
    }

    /// A request began; it is under way until this is dropped.
    pub(crate) fn enter(&self) -> UnderWay {
        UnderWay::begin(&self.requests)
    }

    /// A request was answered.
    pub(crate) fn answered(&self, method: &Method, route: &str, status: u16, took: Duration) {
        let labels = Answered {
            method: known(method),
            route: route.to_owned(),
            status,
        };
        self.answers.get_or_create(&labels).inc();
        let Answered { route, .. } = labels;
        let durations = self.durations.get_or_create(&Route { route });
        durations.observe(took.as_secs_f64());
    }

    /// The text format.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // A string takes everything.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

/// Methods are whatever a client says; labels are not.
pub(crate) fn known(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::PUT => "PUT",
        Method::POST => "POST",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        _ => "other",
    }
}
