//! The task that delivers events: on every replica, for as long as a server runs.
//!
//! ```text
//!  outbox: due webhooks --> one round each, side by side --> claim some (lease) --> POST --> settle
//!             ^  woken by this replica's own changes, looked at every second for those of others
//! ```
//!
//! Webhooks do not wait for each other: a receiver that is slow or gone costs its own round only. No order is promised,
//! since a delivery that failed is sent again after later ones.
//! Nothing of an answer is read but its status; a receiver that answers without end is hung up on.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use jiff::{SignedDuration, Timestamp};
use mem_http::{client_builder, random_fraction};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER, USER_AGENT};
use reqwest::{Client, Response, Url};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::EventSettings;
use super::address::AddressPolicy;
use super::signing::{SigningSecret, signatures};
use crate::metrics::Deliveries;
use crate::options::Clock;
use crate::storage::{Database, Delivery, DeliveryOutcome, StorageError, new_replica_id};

/// Pauses before each further attempt: the example of Standard Webhooks, in seconds. Three and a half days in all.
const PAUSES_SECONDS: [i64; 9] = [
    5,
    5 * 60,
    30 * 60,
    2 * 3600,
    5 * 3600,
    10 * 3600,
    14 * 3600,
    20 * 3600,
    24 * 3600,
];
/// A receiver that asks for more time gets this at most.
const PAUSE_SECONDS_MAX: i64 = 24 * 3600;
/// For the connection of one.
const CONNECT: Duration = Duration::from_secs(5);
/// Attempts at one webhook, and at all of them, at a time.
const OF_WEBHOOK_MAX: usize = 8;
const IN_FLIGHT_MAX: usize = 64;
/// How often the outbox is looked at for what other replicas wrote, and for what is due again.
const LOOK: Duration = Duration::from_secs(1);
/// How long a webhook is left alone after an error that is not its receiver's.
const AFTER_ERROR: Duration = Duration::from_secs(15);
/// How often what waits is counted.
const COUNT: Duration = Duration::from_secs(15);
/// How often dead letters end, and notes that nobody wrote down, that are older than this.
const PRUNE: SignedDuration = SignedDuration::from_hours(1);
const DEAD_LETTERS: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Delivers for as long as it is not dropped. What is under way then is delivered again by the replica that finds its lease
/// ended.
pub(crate) async fn deliver(database: Database, senders: Senders, metrics: Deliveries, now: Clock) {
    let state = Arc::new(DeliveryState {
        database,
        senders,
        metrics,
        now,
        slots: Semaphore::new(IN_FLIGHT_MAX),
    });
    let (mut rounds, mut busy) = (JoinSet::new(), HashSet::new());
    let (mut counted, mut pruned) = (None, None);
    if let Err(error) = state.database.end_leases().await {
        tracing::warn!(error = %error, "the outbox could not be opened");
    }
    loop {
        let now = (state.now)();
        match state.database.due_webhooks(now).await {
            Ok(due) => {
                for webhook in due {
                    if busy.insert(webhook.clone()) {
                        let state = Arc::clone(&state);
                        rounds.spawn(async move {
                            state.deliver_round(&webhook).await;
                            webhook
                        });
                    }
                }
            }
            Err(error) => tracing::warn!(error = %error, "the outbox could not be read"),
        }
        if counted.is_none_or(|last: Instant| last.elapsed() >= COUNT) {
            state.count_outcome().await;
            counted = Some(Instant::now());
        }
        if pruned.is_none_or(|last| now.duration_since(last) >= PRUNE) {
            state.prune_delivered(now).await;
            pruned = Some(now);
        }
        tokio::select! {
            Some(done) = rounds.join_next(), if !rounds.is_empty() => {
                match done {
                    Ok(webhook) => drop(busy.remove(&webhook)),
                    // One that panicked does not say whose it was.
                    Err(_) if rounds.is_empty() => busy.clear(),
                    Err(_) => {}
                }
            }
            () = state.database.wait_for_events(LOOK) => {}
        }
    }
}

/// What all rounds share.
struct DeliveryState {
    database: Database,
    senders: Senders,
    metrics: Deliveries,
    now: Clock,
    slots: Semaphore,
}

impl DeliveryState {
    /// Counts what waits.
    async fn count_outcome(&self) {
        match self.database.outbox_depth().await {
            Ok((waiting, dead)) => self.metrics.depth(waiting, dead),
            Err(error) => tracing::warn!(error = %error, "the outbox could not be counted"),
        }
    }

    /// Ends what is old.
    async fn prune_delivered(&self, now: Timestamp) {
        let before = now.checked_sub(DEAD_LETTERS).unwrap_or(now);
        let pruned = async {
            self.database.prune_administration(before).await?;
            self.database.prune_dead_letters(before).await
        };
        if let Err(error) = pruned.await {
            tracing::warn!(error = %error, "the outbox could not be pruned");
        }
    }

    /// Sends what is due to one webhook, until nothing is.
    async fn deliver_round(&self, webhook: &str) {
        loop {
            match self.send_some(webhook).await {
                Ok(0) => return,
                Ok(_) => {}
                Err(error) => {
                    tracing::warn!(webhook, error = %error, "events could not be delivered");
                    // A database that is away, or a key that is lost, is not asked for every second.
                    tokio::time::sleep(AFTER_ERROR).await;
                    return;
                }
            }
        }
    }

    /// Claims some and sends them side by side; says how many these were.
    async fn send_some(&self, webhook: &str) -> Result<usize, StorageError> {
        let Ok(_slots) = self.slots.acquire_many(OF_WEBHOOK_MAX as u32).await else {
            return Ok(0);
        };
        let owner = new_replica_id()?;
        let now = (self.now)();
        let database = &self.database;
        let Some((url, secrets)) = database.webhook_target(webhook, now).await? else {
            return Ok(0);
        };
        let claimed = database
            .claim_deliveries(webhook, &owner, now, OF_WEBHOOK_MAX)
            .await?;
        let attempts = claimed.iter().map(|delivery| async {
            let (senders, now) = (&self.senders, (self.now)());
            let sent = senders.send_delivery(&url, &secrets, delivery, now).await;
            let now = (self.now)();
            let (outcome, told) = attempt_outcome(sent, delivery.attempts, now);
            let told = told.as_str();
            self.metrics.settled(outcome);
            let settled = database.settle_delivery(webhook, &owner, delivery, outcome, (told, now));
            if outcome == DeliveryOutcome::Dead || outcome == DeliveryOutcome::Gone {
                let event = &delivery.event_id;
                tracing::warn!(webhook, event, told, "an event was given up");
            }
            settled.await
        });
        for settled in join_all(attempts).await {
            settled?;
        }
        Ok(claimed.len())
    }
}

/// What came of an attempt, and for people the status, or what went wrong. Never the address.
fn attempt_outcome(
    sent: Result<Response, String>,
    attempts: u64,
    now: Timestamp,
) -> (DeliveryOutcome, String) {
    let (told, retry_after) = match sent {
        Ok(answer) => {
            let status = answer.status().as_u16();
            let told = match status {
                200..=299 => return (DeliveryOutcome::Delivered, status.to_string()),
                410 => return (DeliveryOutcome::Gone, status.to_string()),
                300..=399 => format!("{status}: redirects are not followed"),
                _ => status.to_string(),
            };
            let after = answer.headers().get(RETRY_AFTER);
            let after = after.and_then(|value| value.to_str().ok()?.trim().parse().ok());
            (told, after)
        }
        Err(why) => (why, None),
    };
    let Some(pause) = PAUSES_SECONDS.get(attempts as usize) else {
        return (DeliveryOutcome::Dead, told);
    };
    // Up to a fifth more, so that what failed together does not come back together.
    let jitter = (*pause as f64 * 0.2 * random_fraction()) as i64;
    let wanted: i64 = retry_after.unwrap_or(0);
    let pause = (pause + jitter).max(wanted.min(PAUSE_SECONDS_MAX));
    let due = now.checked_add(SignedDuration::from_secs(pause));
    (DeliveryOutcome::Retry(due.unwrap_or(now)), told)
}

/// One client for TLS and one without, each with a resolver of its own.
pub(crate) struct Senders {
    policy: AddressPolicy,
    tls: Option<Client>,
    plain: Option<Client>,
}

impl Senders {
    pub(crate) fn new(settings: &EventSettings) -> Self {
        let policy = settings.allow_private.clone();
        let attempt = Duration::from_secs(settings.timeout_seconds.into());
        let client = |has_tls| {
            let nowhere = Url::parse("https://localhost/").ok()?;
            // A proxy would be told the name in our place, and resolve it to whatever it likes.
            let client = client_builder(&nowhere, HeaderMap::new(), CONNECT).no_proxy();
            let client = client.dns_resolver(policy.resolver(has_tls));
            client.timeout(attempt).build().ok()
        };
        Self {
            tls: client(true),
            plain: client(false),
            policy,
        }
    }

    async fn send_delivery(
        &self,
        url: &str,
        secrets: &[SigningSecret],
        delivery: &Delivery,
        now: Timestamp,
    ) -> Result<Response, String> {
        // Again before each attempt: the settings may have changed since it was made.
        let url = self.policy.parse(url).map_err(|error| error.to_string())?;
        let client = match url.scheme() {
            "https" => &self.tls,
            _ => &self.plain,
        };
        let client = client.as_ref().ok_or("this server has no TLS")?;
        let (id, seconds) = (&delivery.event_id, now.as_second());
        let body = delivery.event.to_json(id);
        let signature = signatures(secrets, id, seconds, &body);
        let request = client
            .post(url)
            .header(CONTENT_TYPE, HeaderValue::from_static("application/json"))
            .header(USER_AGENT, concat!("mem/", env!("CARGO_PKG_VERSION")))
            .header("webhook-id", id)
            .header("webhook-timestamp", seconds)
            .header("webhook-signature", signature)
            .body(body);
        request.send().await.map_err(failure_cause)
    }
}

/// Why there is no answer, in few words. An error of the client quotes the address, which may hold a key of its own.
fn failure_cause(error: reqwest::Error) -> String {
    if error.is_timeout() {
        return "no answer in time".to_owned();
    }
    let error = error.without_url();
    let mut last: &dyn std::error::Error = &error;
    while let Some(source) = last.source() {
        last = source;
    }
    let told: String = last.to_string().chars().take(200).collect();
    match error.is_connect() {
        true => format!("no connection: {told}"),
        false => format!("no answer: {told}"),
    }
}
