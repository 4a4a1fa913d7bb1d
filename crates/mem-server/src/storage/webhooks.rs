//! Webhooks: where a workspace's events go, what they are signed with, and what could not be delivered.
//!
//! A signature needs the secret itself, not a checksum of it. Where contents are encrypted it is sealed under a data key
//! of its own, which the master key wraps; else it lies in the database as contents do.

use jiff::{SignedDuration, Timestamp};
use mem_core::Diagnose;
use mem_vault::{AssociatedData, DataKey, MasterKeys};
use secrecy::SecretString;
use serde::Serialize;

use super::sealing::MasterSource;
use super::sql::{Engine, Transaction, from_columns, sql};
use super::{Database, StorageActor, StorageError, id, outbox};
use crate::events::{Event, EventType, SigningSecret};

/// Webhooks of one workspace.
const WEBHOOKS_MAX: u64 = 20;
/// How long the former secret signs too after a rotation.
const OVERLAP: SignedDuration = SignedDuration::from_hours(24);
/// Dead letters that are listed at once.
const DEAD_LISTED_MAX: i64 = 100;
/// What errors call one.
const SECRET: &str = "the secret of a webhook";

/// A webhook that is to be made.
#[derive(Clone, Debug)]
pub struct NewWebhook {
    /// Whose, by its id.
    pub workspace: String,
    /// Where to.
    pub url: String,
    /// For people; may be empty.
    pub description: String,
    /// What it asks for; none: everything.
    pub event_types: Vec<EventType>,
}

impl NewWebhook {
    /// What it asks for, by name; `*` is everything.
    pub fn event_names(&self) -> Vec<&'static str> {
        match self.event_types.as_slice() {
            [] => vec!["*"],
            some => some.iter().map(|one| one.as_str()).collect(),
        }
    }
}

/// A webhook, without its secrets. Clients see it so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Webhook {
    /// `webhook_…`.
    pub id: String,
    /// Whose, by its id.
    pub workspace: String,
    /// Where to.
    pub url: String,
    /// For people; may be empty.
    pub description: String,
    /// What it asks for, by name; `*` is everything.
    pub event_types: Vec<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// Since when nothing is sent, because the receiver answered 410.
    pub disabled_at: Option<Timestamp>,
    /// The last attempt.
    pub last_attempt_at: Option<Timestamp>,
    /// What came of it.
    pub last_outcome: Option<String>,
    /// Deliveries that wait.
    pub pending: u64,
    /// Deliveries that were given up.
    pub dead: u64,
}

from_columns!(Webhook: id, workspace, url, description, event_types, created_at, disabled_at, last_attempt_at,
    last_outcome, pending, dead);

/// A delivery that was given up. Clients see it so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeadLetter {
    /// The event, `event_…`.
    pub event_id: String,
    /// What happened.
    #[serde(rename = "type")]
    pub event_type: String,
    /// What it happened to.
    pub subject: String,
    /// When it happened.
    pub created_at: Timestamp,
    /// When it was given up.
    pub dead_at: Timestamp,
    /// How often it was tried.
    pub attempts: u64,
    /// What came of the last attempt.
    pub last_outcome: Option<String>,
}

from_columns!(DeadLetter: event_id, event_type, subject, created_at, dead_at, attempts, last_outcome);

/// A webhook was not made, or is none.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum WebhookError {
    /// A workspace has a bounded number.
    #[error("the workspace has {WEBHOOKS_MAX} webhooks already")]
    #[diagnose(Refused, hint = "delete one that is not needed")]
    TooMany,
    /// There is none of this id in reach.
    #[error("there is no webhook of this id")]
    #[diagnose(NotFound, hint = "`mem server webhook list` has the ids")]
    Unknown,
    /// Its receiver is gone.
    #[error("the webhook is disabled: its receiver answered 410")]
    #[diagnose(
        Refused,
        hint = "`mem server webhook retry ID` enables it and delivers what could not be delivered"
    )]
    Disabled,
    /// There is no dead letter of this event.
    #[error("the webhook has no dead letter of this event")]
    #[diagnose(NotFound, hint = "`mem server webhook dead ID` lists them")]
    NoDeadLetter,
    /// The database.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

const COLUMNS: &str = "h.id, h.workspace_id, h.url, h.description, h.event_types, h.created_at, h.disabled_at, \
    h.last_attempt_at, h.last_outcome, \
    (SELECT count(*) FROM event_delivery d WHERE d.webhook_id = h.id AND d.dead_at IS NULL), \
    (SELECT count(*) FROM event_delivery d WHERE d.webhook_id = h.id AND d.dead_at IS NOT NULL)";

/// In every method a `workspace` that is `None` stands for all of them: for administrators.
impl Database {
    /// Makes a webhook, and says its id and the secret that deliveries are signed with.
    ///
    /// # Errors
    /// See [`WebhookError`].
    pub async fn create_webhook(
        &self,
        new: &NewWebhook,
        now: Timestamp,
    ) -> Result<(String, SecretString), WebhookError> {
        self.transact(async |within| {
            let secret = SigningSecret::generate()?;
            let id = id::random(id::WEBHOOK)?;
            // Whoever makes one holds the row of its workspace meanwhile, so that their number is bounded.
            let hold = "UPDATE workspace SET name = name WHERE id = $1";
            within.run(sql!(hold; &new.workspace)).await?;
            let count = "SELECT count(*) FROM webhook WHERE workspace_id = $1";
            let count = within.read_one(sql!(count; &new.workspace)).await?;
            if count.unwrap_or(0) >= WEBHOOKS_MAX {
                return Err(WebhookError::TooMany);
            }
            let insert = "INSERT INTO webhook (id, workspace_id, url, description, event_types, created_at) \
                          VALUES ($1, $2, $3, $4, $5, $6)";
            let insert = sql!(insert; &id, &new.workspace, &new.url, &new.description,
                new.event_names().join(" "), now);
            within.run(insert).await?;
            add_secret(within, &id, &secret, now).await?;
            Ok((id, secret.shown()))
        })
        .await
    }

    /// Webhooks, the oldest first.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn webhooks(&self, workspace: Option<&str>) -> Result<Vec<Webhook>, StorageError> {
        let list = format!(
            "SELECT {COLUMNS} FROM webhook h WHERE coalesce($1, h.workspace_id) = h.workspace_id \
             ORDER BY h.created_at, h.id"
        );
        let list = || sql!(list.clone(); workspace);
        self.reading(|| self.engine().read_all(list())).await
    }

    /// Deletes a webhook with what waits for it.
    ///
    /// # Errors
    /// [`WebhookError::Unknown`]; the database.
    pub async fn delete_webhook(
        &self,
        workspace: Option<&str>,
        id: &str,
    ) -> Result<(), WebhookError> {
        let delete =
            "DELETE FROM webhook WHERE id = $1 AND coalesce($2, workspace_id) = workspace_id";
        match self.run_alone(sql!(delete; id, workspace)).await? {
            0 => Err(WebhookError::Unknown),
            _ => Ok(()),
        }
    }

    /// Makes another secret, which signs from now on. The former one signs too for 24 hours, any other ends.
    ///
    /// # Errors
    /// [`WebhookError::Unknown`]; the database.
    pub async fn rotate_webhook(
        &self,
        workspace: Option<&str>,
        id: &str,
        now: Timestamp,
    ) -> Result<SecretString, WebhookError> {
        self.transact(async |within| {
            let secret = SigningSecret::generate()?;
            lock_webhook(within, workspace, id).await?;
            let end = "DELETE FROM webhook_secret WHERE webhook_id = $1 AND expires_at IS NOT NULL";
            within.run(sql!(end; id)).await?;
            let ends_at = now.checked_add(OVERLAP).unwrap_or(now);
            let expire = "UPDATE webhook_secret SET expires_at = $1 WHERE webhook_id = $2";
            within.run(sql!(expire; ends_at, id)).await?;
            add_secret(within, id, &secret, now).await?;
            Ok(secret.shown())
        })
        .await
    }

    /// Writes an event of the type `webhook.test` for a webhook, and says the event's id.
    ///
    /// # Errors
    /// [`WebhookError::Unknown`]; the database.
    pub async fn test_webhook(
        &self,
        workspace: Option<&str>,
        id: &str,
        actor: &StorageActor,
        now: Timestamp,
    ) -> Result<String, WebhookError> {
        self.transact_with_events(async |within| {
            let (workspace, disabled_at) = lock_webhook(within, workspace, id).await?;
            if disabled_at.is_some() {
                return Err(WebhookError::Disabled);
            }
            let event = Event {
                subject: id.to_owned(),
                ..Event::of_store(EventType::WebhookTest, &workspace, "", actor, now)
            };
            Ok(outbox::write_for(within, id, &event).await?)
        })
        .await
    }

    /// What could not be delivered to a webhook, the newest first, 100 at most.
    ///
    /// # Errors
    /// [`WebhookError::Unknown`]; the database.
    pub async fn dead_letters(
        &self,
        workspace: Option<&str>,
        id: &str,
    ) -> Result<Vec<DeadLetter>, WebhookError> {
        let there =
            "SELECT id FROM webhook WHERE id = $1 AND coalesce($2, workspace_id) = workspace_id";
        let list = "SELECT event_id, event_type, subject_id, created_at, dead_at, attempts, last_outcome \
                    FROM event_delivery WHERE webhook_id = $1 AND dead_at IS NOT NULL ORDER BY dead_at DESC, id LIMIT $2";
        self.in_time(async {
            let there = self.engine().one(sql!(there; id, workspace)).await?;
            there.ok_or(WebhookError::Unknown)?;
            let list = sql!(list; id, DEAD_LISTED_MAX);
            Ok(self.engine().read_all(list).await?)
        })
        .await
    }

    /// Delivers dead letters of a webhook again, one or all, and enables the webhook where it was disabled. Says how
    /// many there were.
    ///
    /// # Errors
    /// [`WebhookError::Unknown`]; the database.
    pub async fn retry_dead_letters(
        &self,
        workspace: Option<&str>,
        id: &str,
        event: Option<&str>,
        now: Timestamp,
    ) -> Result<u64, WebhookError> {
        self.transact_with_events(async |within| {
            lock_webhook(within, workspace, id).await?;
            let enable = "UPDATE webhook SET disabled_at = NULL WHERE id = $1";
            within.run(sql!(enable; id)).await?;
            let retry = "UPDATE event_delivery SET dead_at = NULL, due_at = $1, attempts = 0, lease_ends_at = 0 \
                         WHERE webhook_id = $2 AND dead_at IS NOT NULL AND coalesce($3, event_id) = event_id";
            let retry = sql!(retry; now, id, event);
            let retried = within.run(retry).await?;
            if retried == 0 && event.is_some() {
                return Err(WebhookError::NoDeadLetter);
            }
            Ok(retried)
        })
        .await
    }

    /// Where a webhook leads, and what deliveries to it are signed with, the newest secret first.
    pub(crate) async fn webhook_target(
        &self,
        id: &str,
        now: Timestamp,
    ) -> Result<Option<(String, Vec<SigningSecret>)>, StorageError> {
        let target = "SELECT h.url, k.secret, k.master_id, k.wrapped FROM webhook h \
                      JOIN webhook_secret k ON k.webhook_id = h.id AND (k.expires_at IS NULL OR k.expires_at > $2) \
                      WHERE h.id = $1 AND h.disabled_at IS NULL ORDER BY k.created_at DESC, k.id";
        self.in_time(async {
            let (mut url, mut secrets) = (None, Vec::new());
            for (place, stored) in self.engine().read_all(sql!(target; id, now)).await? {
                url = Some(place);
                secrets.push(open_secret(self.engine().seals.master(), id, stored).await?);
            }
            Ok(url.map(|url| (url, secrets)))
        })
        .await
    }
}

/// Locks a webhook, and says its workspace, and since when it is disabled.
async fn lock_webhook(
    within: &mut Transaction,
    workspace: Option<&str>,
    id: &str,
) -> Result<(String, Option<Timestamp>), WebhookError> {
    let end = within.dialect().for_update();
    let hold = format!(
        "SELECT workspace_id, disabled_at FROM webhook WHERE id = $1 AND coalesce($2, workspace_id) = workspace_id{end}"
    );
    let webhook = within.read_one(sql!(hold; id, workspace)).await?;
    webhook.ok_or(WebhookError::Unknown)
}

/// How a secret is stored: its bytes or what seals them, the name of the master key, the wrapped key.
type StoredSecret = (Vec<u8>, Option<String>, Option<Vec<u8>>);

fn seal_secret(
    masters: Option<&MasterKeys>,
    webhook: &str,
    secret: &SigningSecret,
) -> Result<StoredSecret, StorageError> {
    let Some(masters) = masters else {
        return Ok((secret.bytes().to_vec(), None, None));
    };
    let (master, key) = (masters.first_key()?, DataKey::generate()?);
    let sealed = key.seal_content(secret.bytes(), &of_webhook(webhook))?;
    let wrapped = master.wrap_key(&key, &of_webhook(webhook))?;
    Ok((sealed, Some(master.id().to_string()), Some(wrapped)))
}

/// The reverse of [`seal_secret`].
async fn open_secret(
    master: &MasterSource,
    webhook: &str,
    (bytes, master_id, wrapped): StoredSecret,
) -> Result<SigningSecret, StorageError> {
    let (Some(master_id), Some(wrapped)) = (master_id, wrapped) else {
        return Ok(SigningSecret::from_bytes(bytes));
    };
    let masters = master.keys_for(&master_id).await?;
    let key = masters.unwrap_key(&wrapped, &of_webhook(webhook))?;
    let plain = key.open_content(&bytes, &of_webhook(webhook), SECRET)?;
    Ok(SigningSecret::from_bytes(plain))
}

fn of_webhook(id: &str) -> AssociatedData {
    AssociatedData::from_words(&["webhook_secret", id])
}

/// The master keys where contents are encrypted.
async fn current_masters(within: &mut Transaction) -> Result<Option<MasterKeys>, StorageError> {
    let is_on = sql!("SELECT 1 FROM encryption WHERE id = 1 AND is_on");
    match within.one(is_on).await? {
        Some(_) => Ok(Some(within.seals.master().fresh().await?)),
        None => Ok(None),
    }
}

async fn add_secret(
    within: &mut Transaction,
    webhook: &str,
    secret: &SigningSecret,
    now: Timestamp,
) -> Result<(), StorageError> {
    let masters = current_masters(within).await?;
    let (bytes, master_id, wrapped) = seal_secret(masters.as_ref(), webhook, secret)?;
    let insert = "INSERT INTO webhook_secret (id, webhook_id, secret, master_id, wrapped, created_at) \
                  VALUES ($1, $2, $3, $4, $5, $6)";
    let insert = sql!(insert; id::random(id::WEBHOOK)?, webhook, bytes, master_id, wrapped, now);
    within.run(insert).await.map(drop)
}

/// Seals the secrets anew with the first master key, or opens them, as contents are.
pub(super) async fn reseal(engine: &Engine) -> Result<(), StorageError> {
    let mut within = engine.begin().await?;
    let masters = current_masters(&mut within).await?;
    let all = "SELECT id, webhook_id, secret, master_id, wrapped FROM webhook_secret ORDER BY id";
    let all: Vec<(String, String, StoredSecret)> = within.read_all(sql!(all)).await?;
    for (id, webhook, stored) in all {
        let secret = open_secret(engine.seals.master(), &webhook, stored).await?;
        let (bytes, master_id, wrapped) = seal_secret(masters.as_ref(), &webhook, &secret)?;
        let update =
            "UPDATE webhook_secret SET secret = $1, master_id = $2, wrapped = $3 WHERE id = $4";
        let update = sql!(update; bytes, master_id, wrapped, id);
        within.run(update).await?;
    }
    within.commit().await
}
