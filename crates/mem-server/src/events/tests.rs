//! Deliveries over real sockets, checked by the reference implementation of Standard Webhooks.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::post;
use jiff::Timestamp;
use mem_sync::EntryKey;
use mem_sync::wire::{ETag, PutBody, RedactBody};
use mem_tests::postgres;
use mem_vault::MasterKeys;
use prometheus_client::metrics::counter::Counter;
use secrecy::ExposeSecret as _;
use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::{EventSettings, EventType, Senders, deliver};
use crate::metrics::Metrics;
use crate::options::Clock;
use crate::storage::stores::{AccessScope, CreateStore, MemoryChange, Writing};
use crate::storage::{
    ActorKind, DEFAULT_WORKSPACE, Database, DatabaseAddress, DeliveryOutcome, MasterSource,
    NewWebhook, OpenOptions, RepositoryName, RequestCounts, StorageActor, Webhook,
};

/// For what has to come.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a receiver does with a delivery.
#[derive(Clone)]
enum Reaction {
    Status(u16),
    Redirect(String),
    Endless,
    Silent,
}

#[derive(Clone)]
struct ReceiverState {
    reactions: Arc<Mutex<VecDeque<Reaction>>>,
    told: mpsc::UnboundedSender<(HeaderMap, Bytes)>,
}

/// A server that webhooks lead to.
struct Receiver {
    url: String,
    reactions: Arc<Mutex<VecDeque<Reaction>>>,
    told: mpsc::UnboundedReceiver<(HeaderMap, Bytes)>,
}

async fn react(State(state): State<ReceiverState>, headers: HeaderMap, body: Bytes) -> Response {
    state.told.send((headers, body)).unwrap();
    let reaction = state.reactions.lock().unwrap().pop_front();
    let mut response = Response::new(Body::empty());
    match reaction {
        None => {}
        Some(Reaction::Status(status)) => {
            *response.status_mut() = StatusCode::from_u16(status).unwrap();
        }
        Some(Reaction::Redirect(to)) => {
            *response.status_mut() = StatusCode::TEMPORARY_REDIRECT;
            response
                .headers_mut()
                .insert("location", to.parse().unwrap());
        }
        Some(Reaction::Endless) => {
            let endless =
                futures_util::stream::repeat_with(|| Ok::<_, std::io::Error>("x".repeat(65_536)));
            *response.body_mut() = Body::from_stream(endless);
        }
        Some(Reaction::Silent) => std::future::pending().await,
    }
    response
}

impl Receiver {
    async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let reactions = Arc::<Mutex<VecDeque<Reaction>>>::default();
        let (sender, told) = mpsc::unbounded_channel();
        let state = ReceiverState {
            reactions: Arc::clone(&reactions),
            told: sender,
        };
        let routes = Router::new().route("/hook", post(react)).with_state(state);
        tokio::spawn(async { axum_serve(listener, routes).await });
        Self {
            url,
            reactions,
            told,
        }
    }

    fn will(&self, reaction: Reaction) {
        self.reactions.lock().unwrap().push_back(reaction);
    }

    async fn next(&mut self) -> (HeaderMap, Bytes) {
        let next = tokio::time::timeout(PATIENCE, self.told.recv()).await;
        next.expect("a delivery comes").unwrap()
    }

    async fn next_event(&mut self, secret: &str) -> Value {
        let (headers, body) = self.next().await;
        verify(secret, &headers, &body);
        serde_json::from_slice(&body).unwrap()
    }
}

/// One connection after the other, as hyper serves them.
async fn axum_serve(listener: tokio::net::TcpListener, routes: Router) {
    use hyper_util::rt::TokioIo;
    use hyper_util::service::TowerToHyperService;
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        let service = TowerToHyperService::new(routes.clone());
        let connection = hyper::server::conn::http1::Builder::new()
            .serve_connection(TokioIo::new(stream), service);
        tokio::spawn(connection);
    }
}

/// Holds a delivery to what the reference implementation would have signed; by any clock.
fn verify(secret: &str, headers: &HeaderMap, body: &[u8]) {
    let text = |name: &str| headers[name].to_str().unwrap().to_owned();
    let seconds = text("webhook-timestamp").parse().unwrap();
    let reference = standardwebhooks::Webhook::new(secret).unwrap();
    let signed = reference.sign(&text("webhook-id"), seconds, body).unwrap();
    let signatures = text("webhook-signature");
    assert!(
        signatures.split(' ').any(|one| one == signed),
        "{signatures} without {signed}"
    );
}

/// A server's database with a delivery task over it.
struct Fixture {
    database: Database,
    clock: Arc<AtomicI64>,
    _folder: Option<TempDir>,
}

impl Fixture {
    async fn sqlite() -> Self {
        let folder = TempDir::new().unwrap();
        let place = DatabaseAddress::Directory(folder.path().to_owned());
        Self {
            database: open(&place).await,
            clock: Arc::new(AtomicI64::new(1_800_000_000)),
            _folder: Some(folder),
        }
    }

    fn now(&self) -> Timestamp {
        Timestamp::from_second(self.clock.load(Ordering::SeqCst)).unwrap()
    }

    fn pass(&self, seconds: i64) {
        self.clock.fetch_add(seconds, Ordering::SeqCst);
        self.database.wake_delivery();
    }

    fn deliver(&self, settings: &EventSettings) -> JoinSet<()> {
        let clock = Arc::clone(&self.clock);
        let clock: Clock =
            Arc::new(move || Timestamp::from_second(clock.load(Ordering::SeqCst)).unwrap());
        let metrics = Metrics::new(
            &Counter::default(),
            &Counter::default(),
            &RequestCounts::default(),
        );
        let mut tasks = JoinSet::new();
        let deliveries = metrics.deliveries.clone();
        tasks.spawn(deliver(
            self.database.clone(),
            Senders::new(settings),
            deliveries,
            clock,
        ));
        tasks
    }

    /// A webhook, with its secret.
    async fn webhook(&self, url: &str, event_types: &[EventType]) -> (String, String) {
        let new = NewWebhook {
            workspace: DEFAULT_WORKSPACE.to_owned(),
            url: url.to_owned(),
            description: String::new(),
            event_types: event_types.to_vec(),
        };
        let (id, secret) = self
            .database
            .create_webhook(&new, self.now())
            .await
            .unwrap();
        (id, secret.expose_secret().to_owned())
    }

    async fn seen(&self) -> Webhook {
        self.database.webhooks(None).await.unwrap().remove(0)
    }

    /// Waits until a webhook is as wanted.
    async fn until(&self, is_so: impl Fn(&Webhook) -> bool) -> Webhook {
        let waiting = async {
            loop {
                let webhook = self.seen().await;
                if is_so(&webhook) {
                    return webhook;
                }
            }
        };
        tokio::time::timeout(PATIENCE, waiting)
            .await
            .expect("it comes to that")
    }

    async fn test(&self, webhook: &str) -> String {
        let actor = actor();
        let test = self
            .database
            .test_webhook(None, webhook, &actor, self.now());
        test.await.unwrap()
    }
}

async fn open(place: &DatabaseAddress) -> Database {
    Database::open(place, &OpenOptions::default())
        .await
        .unwrap()
}

fn actor() -> StorageActor {
    StorageActor::new(ActorKind::ApiKey, "apikey_1", "dana")
}

fn lax() -> EventSettings {
    EventSettings {
        allow_private: serde_json::from_value(serde_json::json!(["127.0.0.0/8"])).unwrap(),
        timeout_seconds: 1,
    }
}

fn scope() -> AccessScope {
    AccessScope::everything(DEFAULT_WORKSPACE)
}

fn put(entries: &[(&str, &str)]) -> PutBody {
    let entries = entries.iter();
    let entries = entries.map(|(key, text)| (EntryKey::parse(key).unwrap(), (*text).to_owned()));
    PutBody {
        entries: entries.collect(),
        ..PutBody::default()
    }
}

async fn write(database: &Database, repo: &RepositoryName, key: &str, now: Timestamp) {
    let (body, actor) = (put(&[(key, "1")]), actor());
    database.write(repo, body, None, &actor, now).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_happens_to_stores_and_memories_is_told_signed_and_without_contents() {
    let fixture = Fixture::sqlite().await;
    let mut receiver = Receiver::start().await;
    let (_, secret) = fixture.webhook(&receiver.url, &[]).await;
    let _delivery = fixture.deliver(&lax());
    let (database, now, scope) = (&fixture.database, fixture.now(), scope());
    let mut told = Vec::new();
    let new = CreateStore {
        name: "notes".to_owned(),
        ..CreateStore::default()
    };
    let store = database
        .create_store(&scope, &new, &actor(), now)
        .await
        .unwrap()
        .id;
    told.push(receiver.next_event(&secret).await);
    let writing = || Writing::new(&scope, &store, &actor(), now);
    let text = "the words of a memory".to_owned();
    let made = database
        .create_memory(writing(), "/a.md".to_owned(), text)
        .await
        .unwrap();
    told.push(receiver.next_event(&secret).await);
    let change = MemoryChange {
        content: Some("other words".to_owned()),
        ..MemoryChange::default()
    };
    database
        .update_memory(writing(), &made.id, change)
        .await
        .unwrap();
    told.push(receiver.next_event(&secret).await);
    database
        .redact_version(writing(), &made.version_id)
        .await
        .unwrap();
    told.push(receiver.next_event(&secret).await);
    database
        .delete_memory(writing(), &made.id, None)
        .await
        .unwrap();
    told.push(receiver.next_event(&secret).await);
    database
        .archive_store(&scope, &store, &actor(), now)
        .await
        .unwrap();
    told.push(receiver.next_event(&secret).await);
    database
        .delete_store(&scope, &store, &actor(), now)
        .await
        .unwrap();
    told.push(receiver.next_event(&secret).await);
    let types: Vec<&str> = told
        .iter()
        .map(|event| event["data"]["type"].as_str().unwrap())
        .collect();
    assert_eq!(
        types,
        [
            "memory_store.created",
            "memory.created",
            "memory.modified",
            "memory.redacted",
            "memory.deleted",
            "memory_store.archived",
            "memory_store.deleted",
        ]
    );
    let created = &told[1];
    let id = created["id"].as_str().unwrap();
    assert_eq!(
        *created,
        serde_json::json!({
            "type": "event",
            "id": id,
            "created_at": now.to_string(),
            "data": {
                "type": "memory.created",
                "id": made.id,
                "organization_id": "",
                "workspace_id": DEFAULT_WORKSPACE,
                "memory_store_id": store,
                "memory_version_id": made.version_id,
                "path": "/a.md",
                "actor": { "type": "api_key", "id": "apikey_1", "name": "dana" },
            },
        })
    );
    let all = serde_json::to_string(&told).unwrap();
    assert!(
        !all.contains("words") && !all.contains(&made.content_sha256.to_string()),
        "{all}"
    );
    assert_eq!(told[3]["data"]["path"], Value::Null);
    fixture.until(|webhook| webhook.pending == 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_team_is_told_of_its_writes_and_conflicts_by_what_each_webhook_asks_for() {
    let fixture = Fixture::sqlite().await;
    let mut receiver = Receiver::start().await;
    let conflicts = [EventType::TeamConflict, EventType::MemoryRedacted];
    let (_, secret) = fixture.webhook(&receiver.url, &conflicts).await;
    let _delivery = fixture.deliver(&lax());
    let (database, now) = (&fixture.database, fixture.now());
    let repo = RepositoryName::parse("acme/app").unwrap();
    let write = async |body: PutBody, tag: Option<&str>| {
        let tag = tag.map(|tag| ETag::parse(tag).unwrap());
        database
            .write(&repo, body, tag.as_ref(), &actor(), now)
            .await
            .unwrap()
    };
    write(put(&[("a.md", "1"), ("b.md", "1")]), None).await;
    write(put(&[("a.md", "2")]), None).await;
    write(put(&[("a.md", "3")]), Some("\"old-1\"")).await;
    let raced = receiver.next_event(&secret).await;
    assert_eq!(raced["data"]["type"], "team.conflict");
    assert_eq!(
        (
            raced["data"]["path"].as_str(),
            raced["data"]["reason"].as_str()
        ),
        (Some("/a.md"), Some("if-match"))
    );
    write(put(&[("A.md", "3")]), None).await;
    let twin = receiver.next_event(&secret).await;
    assert_eq!(
        (
            twin["data"]["path"].as_str(),
            twin["data"]["reason"].as_str()
        ),
        (Some("/A.md"), Some("twin"))
    );
    let what = RedactBody {
        key: EntryKey::parse("a.md").unwrap(),
        name: false,
    };
    database.redact(&repo, &what, &actor(), now).await.unwrap();
    let redacted = receiver.next_event(&secret).await;
    assert_eq!(redacted["data"]["type"], "memory.redacted");
    assert_eq!(redacted["data"]["path"], "/a.md");
    assert!(receiver.told.try_recv().is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn without_webhooks_nothing_is_written_and_what_is_redacted_or_erased_is_not_told() {
    let fixture = Fixture::sqlite().await;
    let (database, now) = (&fixture.database, fixture.now());
    let repo = RepositoryName::parse("acme/app").unwrap();
    let write = async |entries: &[(&str, &str)]| {
        database
            .write(&repo, put(entries), None, &actor(), now)
            .await
            .unwrap();
    };
    write(&[("a.md", "1")]).await;
    let (id, _) = fixture
        .webhook("https://hooks.example/", &[EventType::StoreDeleted])
        .await;
    write(&[("a.md", "2")]).await;
    assert_eq!(database.outbox_depth().await.unwrap(), (0, 0));
    database.delete_webhook(None, &id).await.unwrap();
    fixture.webhook("https://hooks.example/", &[]).await;
    write(&[("a.md", "3"), ("secret-name.md", "1")]).await;
    assert_eq!(database.outbox_depth().await.unwrap().0, 2);
    let delete = PutBody {
        delete: [EntryKey::parse("secret-name.md").unwrap()]
            .into_iter()
            .collect(),
        ..PutBody::default()
    };
    database
        .write(&repo, delete, None, &actor(), now)
        .await
        .unwrap();
    let what = RedactBody {
        key: EntryKey::parse("secret-name.md").unwrap(),
        name: true,
    };
    database.redact(&repo, &what, &actor(), now).await.unwrap();
    let webhook = fixture.seen().await.id;
    let claimed = database
        .claim_deliveries(&webhook, "one", now, 10)
        .await
        .unwrap();
    let paths: Vec<_> = claimed
        .iter()
        .filter_map(|one| one.event.path.clone())
        .collect();
    assert_eq!((claimed.len(), paths), (4, vec!["/a.md".to_owned()]));
    let store = claimed[0].event.store.clone();
    database.erase_store(&store).await.unwrap();
    database.end_leases().await.unwrap();
    let left = database
        .claim_deliveries(&webhook, "two", now, 10)
        .await
        .unwrap();
    assert!(left.is_empty(), "{left:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_that_fails_is_repeated_for_days_then_given_up_and_can_be_retried() {
    let fixture = Fixture::sqlite().await;
    let mut receiver = Receiver::start().await;
    let (id, secret) = fixture.webhook(&receiver.url, &[]).await;
    let _delivery = fixture.deliver(&lax());
    (0..10).for_each(|_| receiver.will(Reaction::Status(500)));
    let event = fixture.test(&id).await;
    let mut signatures = BTreeMap::new();
    for (attempt, pause) in [
        5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, 0,
    ]
    .iter()
    .enumerate()
    {
        let (headers, body) = receiver.next().await;
        verify(&secret, &headers, &body);
        assert_eq!(headers["webhook-id"], event.as_str());
        signatures.insert(
            headers["webhook-timestamp"].to_str().unwrap().to_owned(),
            body,
        );
        fixture
            .until(|webhook| {
                webhook.dead == u64::from(attempt == 9)
                    && webhook.last_attempt_at == Some(fixture.now())
            })
            .await;
        // Not a moment too early.
        fixture.pass(pause - 1);
        let due = fixture.database.due_webhooks(fixture.now()).await.unwrap();
        assert!(due.is_empty(), "attempt {attempt}: {due:?}");
        fixture.pass(1 + pause / 5 + 1);
    }
    assert_eq!(
        signatures.len(),
        10,
        "each attempt has a signature of its own"
    );
    let dead = fixture.database.dead_letters(None, &id).await.unwrap();
    assert_eq!((dead.len(), dead[0].attempts), (1, 10));
    assert_eq!(dead[0].last_outcome.as_deref(), Some("500"));
    assert_eq!(
        fixture
            .database
            .retry_dead_letters(None, &id, Some(&event), fixture.now())
            .await
            .unwrap(),
        1
    );
    assert_eq!(receiver.next_event(&secret).await["id"], event.as_str());
    fixture
        .until(|webhook| (webhook.pending, webhook.dead) == (0, 0))
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn receivers_that_misbehave_are_neither_followed_nor_waited_for() {
    let fixture = Fixture::sqlite().await;
    let mut receiver = Receiver::start().await;
    let mut elsewhere = Receiver::start().await;
    let (id, _) = fixture.webhook(&receiver.url, &[]).await;
    let _delivery = fixture.deliver(&lax());
    for (reaction, told) in [
        (
            Reaction::Redirect(elsewhere.url.clone()),
            "307: redirects are not followed",
        ),
        (Reaction::Silent, "no answer in time"),
        (Reaction::Endless, "200"),
    ] {
        receiver.will(reaction);
        fixture.pass(1000);
        fixture.test(&id).await;
        receiver.next().await;
        let is_so = |webhook: &Webhook| {
            let is_of_now = webhook.last_attempt_at == Some(fixture.now());
            is_of_now && webhook.last_outcome.as_deref() == Some(told)
        };
        fixture.until(is_so).await;
        let drained = fixture.database.webhooks(None).await.unwrap()[0].pending;
        // What failed waits; the next case begins with it delivered.
        if drained > 0 {
            fixture.pass(1000);
            receiver.next().await;
            fixture.until(|webhook| webhook.pending == 0).await;
        }
    }
    assert!(elsewhere.told.try_recv().is_err());
    receiver.will(Reaction::Status(410));
    fixture.test(&id).await;
    receiver.next().await;
    let gone = fixture.until(|webhook| webhook.disabled_at.is_some()).await;
    assert_eq!((gone.pending, gone.dead), (0, 1));
    // Nothing is written for it any more.
    let repo = RepositoryName::parse("acme/app").unwrap();
    write(&fixture.database, &repo, "a.md", fixture.now()).await;
    assert_eq!(fixture.seen().await.pending, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn private_addresses_are_not_asked_by_number_nor_by_name() {
    let fixture = Fixture::sqlite().await;
    let mut receiver = Receiver::start().await;
    let port = receiver.url.rsplit_once(':').unwrap().1.to_owned();
    let _delivery = fixture.deliver(&EventSettings::default());
    for (url, told) in [
        (
            format!("http://127.0.0.1:{port}"),
            "not on the public internet",
        ),
        (
            format!("https://127.0.0.1:{port}"),
            "not on the public internet",
        ),
        (
            format!("https://localhost:{port}"),
            "leads to no address that may be asked",
        ),
        (
            format!("http://localhost:{port}"),
            "is not an `https://` address",
        ),
    ] {
        let (id, _) = fixture.webhook(&url, &[]).await;
        fixture.test(&id).await;
        let seen = fixture
            .until(|webhook| webhook.last_outcome.is_some())
            .await;
        assert!(
            seen.last_outcome.as_ref().unwrap().contains(told),
            "{seen:?}"
        );
        fixture.database.delete_webhook(None, &id).await.unwrap();
    }
    assert!(receiver.told.try_recv().is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_reference_implementation_verifies_a_delivery_and_no_other() {
    let fixture = Fixture::sqlite().await;
    #[expect(
        clippy::disallowed_methods,
        reason = "the reference implementation reads the clock"
    )]
    let now = Timestamp::now().as_second();
    fixture.clock.store(now, Ordering::SeqCst);
    let mut receiver = Receiver::start().await;
    let (id, secret) = fixture.webhook(&receiver.url, &[]).await;
    let _delivery = fixture.deliver(&lax());
    fixture.test(&id).await;
    let (headers, body) = receiver.next().await;
    let reference = standardwebhooks::Webhook::new(&secret).unwrap();
    reference.verify(&body, &headers).unwrap();
    assert!(reference.verify(b"{}", &headers).is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_rotation_both_secrets_verify_for_a_day() {
    let fixture = Fixture::sqlite().await;
    let mut receiver = Receiver::start().await;
    let (id, first) = fixture.webhook(&receiver.url, &[]).await;
    let _delivery = fixture.deliver(&lax());
    let second = fixture
        .database
        .rotate_webhook(None, &id, fixture.now())
        .await
        .unwrap();
    let second = second.expose_secret().to_owned();
    fixture.test(&id).await;
    let (headers, body) = receiver.next().await;
    verify(&first, &headers, &body);
    verify(&second, &headers, &body);
    fixture.pass(24 * 3600 + 1);
    fixture.test(&id).await;
    let (headers, body) = receiver.next().await;
    verify(&second, &headers, &body);
    assert!(!headers["webhook-signature"].to_str().unwrap().contains(' '));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_server_had_committed_or_begun_is_delivered_after_its_restart() {
    let folder = TempDir::new().unwrap();
    let place = DatabaseAddress::Directory(folder.path().to_owned());
    let mut receiver = Receiver::start().await;
    let mut fixture = Fixture {
        database: open(&place).await,
        clock: Arc::new(AtomicI64::new(1_800_000_000)),
        _folder: None,
    };
    let (id, secret) = fixture.webhook(&receiver.url, &[]).await;
    let repo = RepositoryName::parse("acme/app").unwrap();
    write(&fixture.database, &repo, "a.md", fixture.now()).await;
    // One of the two was on its way.
    let begun = fixture
        .database
        .claim_deliveries(&id, "killed", fixture.now(), 1)
        .await
        .unwrap();
    assert_eq!(begun.len(), 1);
    fixture.database.close().await;
    fixture.database = open(&place).await;
    let _delivery = fixture.deliver(&lax());
    let mut types = [
        receiver.next_event(&secret).await,
        receiver.next_event(&secret).await,
    ]
    .map(|event| event["data"]["type"].as_str().unwrap().to_owned());
    types.sort_unstable();
    assert_eq!(types, ["memory.created", "memory_store.created"]);
}

#[tokio::test]
async fn an_attempt_that_fails_after_the_webhook_was_disabled_is_the_last() {
    let fixture = Fixture::sqlite().await;
    let (id, _) = fixture.webhook("https://example.com/", &[]).await;
    fixture.test(&id).await;
    fixture.test(&id).await;
    let (owner, now) = ("one", fixture.now());
    let claimed = fixture.database.claim_deliveries(&id, owner, now, 2).await;
    let again = Timestamp::from_second(now.as_second() + 1).unwrap();
    for (delivery, outcome) in claimed
        .unwrap()
        .iter()
        .zip([DeliveryOutcome::Gone, DeliveryOutcome::Retry(again)])
    {
        let told = ("410", now);
        let settled = fixture
            .database
            .settle_delivery(&id, owner, delivery, outcome, told);
        settled.await.unwrap();
    }
    let webhook = fixture.seen().await;
    assert_eq!((webhook.pending, webhook.dead), (0, 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_replicas_deliver_each_event_once() {
    let Some(cluster) = postgres::cluster() else {
        return;
    };
    let place = DatabaseAddress::Url(cluster.database().into());
    let clock = Arc::new(AtomicI64::new(1_800_000_000));
    let fixture = |database| Fixture {
        database,
        clock: Arc::clone(&clock),
        _folder: None,
    };
    let beds = [fixture(open(&place).await), fixture(open(&place).await)];
    let mut receiver = Receiver::start().await;
    let (_, secret) = beds[0]
        .webhook(&receiver.url, &[EventType::MemoryCreated])
        .await;
    let _deliveries = beds.each_ref().map(|fixture| fixture.deliver(&lax()));
    let repo = RepositoryName::parse("acme/app").unwrap();
    for number in 0..60 {
        let key = format!("{number}.md");
        let database = &beds[number % 2].database;
        write(database, &repo, &key, beds[0].now()).await;
    }
    let mut paths = BTreeMap::<String, u32>::new();
    while paths.len() < 60 {
        let event = receiver.next_event(&secret).await;
        *paths
            .entry(event["data"]["path"].as_str().unwrap().to_owned())
            .or_default() += 1;
    }
    beds[0].until(|webhook| webhook.pending == 0).await;
    assert!(receiver.told.try_recv().is_err());
    assert!(paths.values().all(|count| *count == 1), "{paths:?}");
}

/// Where a master key comes from.
fn master(byte: &str) -> MasterSource {
    let line = byte.repeat(32);
    MasterSource::new(move || MasterKeys::parse_keys(&line))
}

#[tokio::test(flavor = "multi_thread")]
async fn secrets_are_sealed_and_opened_with_the_contents_and_sign_all_the_while() {
    let folder = TempDir::new().unwrap();
    let place = DatabaseAddress::Directory(folder.path().to_owned());
    let options = OpenOptions {
        master: master("1f"),
        ..OpenOptions::default()
    };
    let fixture = Fixture {
        database: Database::open(&place, &options).await.unwrap(),
        clock: Arc::new(AtomicI64::new(1_800_000_000)),
        _folder: None,
    };
    let mut receiver = Receiver::start().await;
    let (id, secret) = fixture.webhook(&receiver.url, &[]).await;
    let _delivery = fixture.deliver(&lax());
    for step in 0..4 {
        match step {
            1 => drop(fixture.database.encrypt().await.unwrap()),
            2 => drop(fixture.database.rotate().await.unwrap()),
            3 => drop(fixture.database.decrypt().await.unwrap()),
            _ => {}
        }
        let is_sealed = (1..3).contains(&step);
        let masters = fixture.database.encryption().await.unwrap().masters;
        assert_eq!(masters.len(), usize::from(is_sealed), "step {step}");
        fixture.test(&id).await;
        let (headers, body) = receiver.next().await;
        verify(&secret, &headers, &body);
    }
}
