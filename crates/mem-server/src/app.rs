//! What all requests share, and the way of each: named, read to its end, timed, checked, routed.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use jiff::Timestamp;
use mem_sync::wire::PATH;
use tokio::sync::Semaphore;
use tower_http::CompressionLevel;
use tower_http::compression::Compression;

use crate::access::{LoopbackHosts, RateLimit, TokenUses};
use crate::audit::AuditLog;
use crate::concurrency_limit::{KeyedPermits, StorePermits};
use crate::events::address::AddressPolicy;
use crate::http::middleware;
use crate::http::problem::HttpProblem;
use crate::identity::{self, Identity};
use crate::metrics::Metrics;
use crate::options::{Clock, ServeOptions, ServerAccess, ServerLimits, ServerPages};
use crate::quota::DayCounts;
use crate::search::SearchIndexes;
use crate::settings::ServerSettings;
use crate::storage::Database;
use crate::stores::{self, Cursors};
use crate::telemetry::Tracer;
use crate::{events, health, mcp, quota, records, team, tokens};

/// Answers about parts of stores that are in memory at a time; each may be some 10 MB.
const PARTS_MAX: usize = 32;

/// What all requests share.
pub(crate) struct App {
    pub(crate) database: Database,
    pub(crate) access: ServerAccess,
    pub(crate) limits: ServerLimits,
    pub(crate) now: Clock,
    pub(crate) pace: RateLimit,
    pub(crate) settings: ServerSettings,
    pub(crate) day_counts: DayCounts,
    pub(crate) metrics: Metrics,
    pub(crate) loopback: LoopbackHosts,
    /// People who sign in, where the settings have a provider.
    pub(crate) identity: Option<Arc<Identity>>,
    /// When tokens were used last.
    pub(crate) uses: TokenUses,
    /// The names of pages.
    pub(crate) cursors: Cursors,
    /// Where webhooks may lead.
    pub(crate) webhook_addresses: AddressPolicy,
    /// Who did what.
    pub(crate) audit: AuditLog,
    /// What requests are traced with.
    pub(crate) tracer: Tracer,
    /// What finds memories by their words.
    pub(crate) searches: SearchIndexes,
    /// Taken by whoever reads the contents of a whole store.
    pub(crate) whole_stores: StorePermits,
    /// Taken by whoever reads a part of one.
    pub(crate) parts: Arc<Semaphore>,
    /// Taken by whoever writes records, for the store that has them.
    pub(crate) writers: KeyedPermits,
}

/// As it is handed around.
pub(crate) type Shared = Arc<App>;

impl App {
    /// A server that listens at `address`.
    pub(crate) fn new(
        database: Database,
        audit: AuditLog,
        address: SocketAddr,
        options: &ServeOptions,
    ) -> Self {
        let tracer = Tracer::default();
        let metrics = Metrics::new(&audit.lost, &tracer.dropped, &database.request_counts());
        Self {
            database,
            access: options.access,
            limits: options.limits,
            now: as_stored(&options.now),
            pace: RateLimit::new(options.limits.rate, "token"),
            settings: options.settings.clone(),
            day_counts: DayCounts::new(options.settings.quota.clone()),
            metrics,
            loopback: LoopbackHosts::for_address(address),
            identity: None,
            uses: TokenUses::default(),
            cursors: Cursors::default(),
            webhook_addresses: options.settings.events.allow_private.clone(),
            audit,
            tracer,
            searches: SearchIndexes::new(),
            whole_stores: StorePermits::default(),
            parts: Arc::new(Semaphore::new(PARTS_MAX)),
            writers: KeyedPermits::new(1),
        }
    }
}

/// The present as precisely as databases keep it, so that what is told of a write is what is read later.
fn as_stored(clock: &Clock) -> Clock {
    let clock = Arc::clone(clock);
    Arc::new(move || {
        let now = clock();
        Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now)
    })
}

/// What answers a connection: the routes, whose answers are packed with gzip for whoever asks for that. Around the
/// router and not within it, where each small answer would pay for it.
pub(crate) type Routes = Compression<Router>;

/// Every route, and what each request goes through before it gets there. What `pages` ask goes the same way.
pub(crate) fn routes(app: &Shared, pages: Option<ServerPages>) -> Routes {
    let api = Router::new()
        .route(PATH, get(team::get).put(team::put))
        .route(&format!("{PATH}/log"), get(team::log))
        .route(&format!("{PATH}/redact"), post(team::redact))
        .route(&format!("{PATH}/refused"), post(team::report_secret))
        .route(mcp::PATH, post(mcp::answer))
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .route("/metrics", get(health::metrics))
        .route("/openapi.json", get(health::description))
        .merge(stores::routes(app))
        .merge(records::routes())
        .merge(quota::routes())
        .merge(tokens::routes())
        .merge(events::routes())
        .merge(identity::routes())
        .merge(identity::scim_routes())
        .fallback(nothing_here)
        .method_not_allowed_fallback(not_so)
        .with_state(Arc::clone(app));
    let routes = match pages {
        Some(pages) => api.clone().merge(pages(layered(api, app))),
        None => api,
    };
    // What a team has to say is text, and packs well enough in the shortest time.
    Compression::new(layered(routes, app)).quality(CompressionLevel::Fastest)
}

/// What each request goes through.
fn layered(routes: Router, app: &Shared) -> Router {
    routes.layer(from_fn_with_state(
        Arc::clone(app),
        middleware::handle_request,
    ))
}

async fn nothing_here() -> HttpProblem {
    HttpProblem::new(StatusCode::NOT_FOUND, "there is nothing at this address")
}

async fn not_so() -> HttpProblem {
    HttpProblem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "this address does not take that method",
    )
}

#[cfg(test)]
pub(crate) mod tests {
    use std::future::pending;
    use std::time::Duration;

    use axum::body::Body;
    use axum::extract::Request;
    use axum::http::header::HOST;
    use http_body_util::BodyExt as _;
    use hyper::service::Service as _;
    use hyper_util::service::TowerToHyperService;
    use mem_sync::wire::WireEnvelope;

    use super::*;
    use crate::http::request_log::{PeerAddress, peer_address};
    use crate::storage::{DatabaseAddress, OpenOptions, VersionRetention};

    /// A server over SQLite.
    pub(crate) async fn app(folder: &std::path::Path) -> Shared {
        let (database, options) = opened(folder, ServerSettings::default()).await;
        let audit = AuditLog::default();
        Arc::new(App::new(database, audit, options.listen, &options))
    }

    /// What a server over SQLite is made of.
    pub(crate) async fn opened(
        folder: &std::path::Path,
        settings: ServerSettings,
    ) -> (Database, ServeOptions) {
        let options = ServeOptions {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            place: DatabaseAddress::Directory(folder.to_owned()),
            storage: OpenOptions::default(),
            access: ServerAccess::Open,
            limits: ServerLimits {
                request: Duration::from_millis(20),
                ..ServerLimits::default()
            },
            retention: VersionRetention::default(),
            settings,
            now: Arc::new(|| Timestamp::UNIX_EPOCH),
            pages: None,
            on_listening: Box::new(|_| {}),
        };
        let database = Database::open(&options.place, &options.storage).await;
        (database.unwrap(), options)
    }

    async fn bug() -> StatusCode {
        panic!("with somebody's words in it")
    }

    #[tokio::test]
    async fn a_panic_or_a_hang_costs_one_request_and_is_told_in_the_envelope() {
        let folder = tempfile::tempdir().unwrap();
        let app = app(folder.path()).await;
        let routes = Router::new()
            .route("/panic", get(bug))
            .route("/hang", get(pending::<()>));
        let service = TowerToHyperService::new(layered(routes, &app));
        for (path, status, kind) in [
            ("/panic", 500, "api_error"),
            ("/hang", 504, "timeout_error"),
        ] {
            let request = Request::get(path).header(HOST, "localhost");
            let answer = service
                .call(request.body(Body::empty()).unwrap())
                .await
                .unwrap();
            assert_eq!(answer.status(), status);
            let id = answer.headers()["request-id"].to_str().unwrap().to_owned();
            let body = answer.into_body().collect().await.unwrap().to_bytes();
            let envelope: WireEnvelope = serde_json::from_slice(&body).unwrap();
            assert_eq!(
                (envelope.error.kind.as_str(), envelope.request_id),
                (kind, id)
            );
            assert!(!envelope.error.message.contains("words"));
        }
        assert!(app.metrics.text().contains("mem_requests_under_way 0\n"));
    }

    async fn told_peer() -> String {
        peer_address().map_or_else(String::new, PeerAddress::network)
    }

    #[tokio::test]
    async fn a_request_counts_for_the_network_it_comes_from_also_by_way_of_a_page() {
        let folder = tempfile::tempdir().unwrap();
        let app = app(folder.path()).await;
        let inner = layered(Router::new().route("/peer", get(told_peer)), &app);
        // A page asks by requests of its own, as those of the console do.
        let page = move || async move {
            let request = Request::get("/peer").header(HOST, "localhost");
            let request = request.body(Body::empty()).unwrap();
            let answer = TowerToHyperService::new(inner).call(request).await.unwrap();
            String::from_utf8(
                answer
                    .into_body()
                    .collect()
                    .await
                    .unwrap()
                    .to_bytes()
                    .into(),
            )
            .unwrap()
        };
        let routes = layered(Router::new().route("/page", get(page)), &app);
        let service = TowerToHyperService::new(routes);
        for (from, network) in [
            ("192.0.2.7", "192.0.2.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ] {
            let request = Request::get("/page").header(HOST, "localhost");
            let mut request = request.body(Body::empty()).unwrap();
            let peer = PeerAddress(from.parse().unwrap());
            request.extensions_mut().insert(peer);
            let answer = service.call(request).await.unwrap();
            let told = answer.into_body().collect().await.unwrap().to_bytes();
            assert_eq!(told, network);
        }
    }
}
