//! The tokens of the server: what is known of them, never the secret itself.

use std::fmt;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize, Serializer};

use super::sql::{FromColumns, RowColumns, Transaction, from_columns, sql, stored_words};
use super::{Database, StorageError};

/// What a token may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verb {
    /// Read.
    Read,
    /// Read and write.
    Write,
}

stored_words!(Verb { Read => "read", Write => "write" });

/// On what a token may do it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct Grant {
    /// `*`, `team:OWNER/REPO`, `team:OWNER/*`, `store:*` or `store:memstore_…`.
    pub resource: String,
    /// What.
    pub verb: Verb,
}

/// As people write it.
impl fmt::Display for Grant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.resource, self.verb.as_str())
    }
}

impl Serialize for Grant {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// A token that is to be made.
#[derive(Clone, Debug)]
pub struct NewToken {
    /// Public, `apikey_…`.
    pub id: String,
    /// The workspace that it is for.
    pub workspace: String,
    /// For people; may be empty.
    pub name: String,
    /// Of the secret.
    pub sha256: [u8; 32],
    /// What it may do.
    pub grants: Vec<Grant>,
    /// When it ends by itself.
    pub expires_at: Option<Timestamp>,
}

/// A token that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Public, `apikey_…`.
    pub id: String,
    /// The workspace that it is for.
    pub workspace: String,
    /// For people; may be empty.
    pub name: String,
    /// Of the secret.
    pub sha256: [u8; 32],
    /// What it may do, sorted.
    pub grants: Vec<Grant>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends by itself.
    pub expires_at: Option<Timestamp>,
    /// When it was ended.
    pub revoked_at: Option<Timestamp>,
    /// When it was used last, to within an hour.
    pub last_used_at: Option<Timestamp>,
    /// The token that this one replaces.
    pub rotated_from: Option<String>,
    /// The signed-in user that it belongs to and ends with.
    pub user_id: Option<String>,
    /// Whether that user may use it; true without one.
    pub is_user_active: bool,
    /// What makes it a session of a person.
    pub session: Option<TokenSession>,
}

/// A token that a person got by signing in with an identity provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenSession {
    /// Where they signed in.
    pub kind: SessionKind,
    /// Until when it can be renewed with the provider's refresh token; `None` without one.
    pub renew_until: Option<Timestamp>,
    /// What the forge calls its user.
    pub forge_login: Option<String>,
}

/// Where a person signed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionKind {
    /// In the console.
    Console,
    /// With `mem login`.
    Device,
}

stored_words!(SessionKind { Console => "console", Device => "device" });

impl Token {
    /// Whether it counts at this moment.
    pub fn is_valid(&self, now: Timestamp) -> bool {
        self.is_usable() && self.expires_at.is_none_or(|end| now < end)
    }

    /// Whether its last use is worth writing down.
    pub(crate) fn is_use_stale(&self, now: Timestamp) -> bool {
        self.last_used_at
            .is_none_or(|last| now.duration_since(last) > USE_PRECISION)
    }

    /// Whether neither it nor its user was ended; it may have expired.
    pub fn is_usable(&self) -> bool {
        self.revoked_at.is_none() && self.is_user_active
    }
}

const TOKENS: &str = "SELECT k.id, k.workspace_id, k.name, k.secret_sha256, k.created_at, k.expires_at, k.revoked_at, \
    k.last_used_at, k.rotated_from, k.user_id, (k.user_id IS NULL OR coalesce(u.active, FALSE)), \
    k.kind, k.renew_until, k.forge_login, g.resource, g.verb \
    FROM api_key k LEFT JOIN api_key_grant g ON g.api_key_id = k.id \
    LEFT JOIN identity_user u ON u.id = k.user_id";

/// How precisely the last use of a token is known, so that a request costs no write.
const USE_PRECISION: SignedDuration = SignedDuration::from_hours(1);

impl Database {
    /// Adds a token.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn create_token(&self, token: &NewToken, now: Timestamp) -> Result<(), StorageError> {
        self.create_token_of(token, None, now).await
    }

    /// Adds a token that a signed-in user made: it ends with that user.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn create_token_of(
        &self,
        token: &NewToken,
        user_id: Option<&str>,
        now: Timestamp,
    ) -> Result<(), StorageError> {
        self.transact(async |within| insert_token(within, token, user_id, now).await)
            .await
    }

    /// Adds a token that does what `old` does, and ends `old` at `overlap_end` at the latest. `false` where `old` had
    /// ended, and where it is a session. The new one belongs to `user_id`, else to whom the old one belongs.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn rotate_token(
        &self,
        old: &str,
        new: &NewToken,
        user_id: Option<&str>,
        overlap_end: Timestamp,
        now: Timestamp,
    ) -> Result<bool, StorageError> {
        self.transact(async |within| {
            let shorten = "UPDATE api_key SET expires_at = $1 WHERE id = $2 \
                           AND (expires_at IS NULL OR expires_at > $1)";
            let hold = "UPDATE api_key SET name = name WHERE id = $1 AND kind IS NULL AND revoked_at IS NULL \
                        AND (expires_at IS NULL OR expires_at > $2)";
            if within.run(sql!(hold; old, now)).await? != 1 {
                return Ok(false);
            }
            within.run(sql!(shorten; overlap_end, old)).await?;
            insert_token(within, new, user_id, now).await?;
            let link = "UPDATE api_key SET rotated_from = $1, \
                        user_id = coalesce(user_id, (SELECT o.user_id FROM api_key o WHERE o.id = $1)) WHERE id = $2";
            within.run(sql!(link; old, &new.id)).await?;
            Ok(true)
        })
        .await
    }

    /// Notes that a token is used now, at most once in `USE_PRECISION`.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn note_token_use(&self, id: &str, now: Timestamp) -> Result<(), StorageError> {
        let sql = "UPDATE api_key SET last_used_at = $1 WHERE id = $2 \
                   AND (last_used_at IS NULL OR last_used_at < $3)";
        let noted = sql!(sql; now, id, now - USE_PRECISION);
        self.run_alone(noted).await.map(drop)
    }

    /// The token whose secret has this hash, whether it is still valid or not.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn token_by_hash(&self, sha256: &[u8; 32]) -> Result<Option<Token>, StorageError> {
        let find = || {
            let engine = self.engine().clone();
            self.0.tokens.find(*sha256, move |sha256| {
                let engine = engine.clone();
                async move {
                    let sql = format!("{TOKENS} WHERE k.secret_sha256 = $1");
                    let rows = engine.read_all(sql!(sql; sha256.to_vec())).await?;
                    Ok(join_grants(rows).pop())
                }
            })
        };
        self.reading(find).await
    }

    /// Every token, those that ended too, the oldest first.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn tokens(&self) -> Result<Vec<Token>, StorageError> {
        let all = || sql!(format!("{TOKENS} ORDER BY k.created_at, k.id"));
        let rows = self.reading(|| self.engine().read_all(all())).await?;
        Ok(join_grants(rows))
    }

    /// Adds grants to a token. `false` where there is none of this id that had not ended.
    /// # Errors
    /// See [`StorageError`].
    pub async fn grant(&self, id: &str, grants: &[Grant]) -> Result<bool, StorageError> {
        self.transact(async |within| {
            // An update, so that a revocation at the same time comes before this or waits for it.
            let hold = "UPDATE api_key SET name = name WHERE id = $1 AND revoked_at IS NULL";
            let found = within.run(sql!(hold; id)).await? == 1;
            if found {
                add_grants(within, id, grants).await?;
            }
            Ok(found)
        })
        .await
    }

    /// Ends a token. `false` where there is none of this id that had not ended.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn revoke_token(&self, id: &str, now: Timestamp) -> Result<bool, StorageError> {
        let sql = "UPDATE api_key SET revoked_at = $1, refresh = NULL WHERE id = $2 AND revoked_at IS NULL";
        Ok(self.run_alone(sql!(sql; now, id)).await? == 1)
    }
}

/// Adds a token with its grants.
pub(super) async fn insert_token(
    within: &mut Transaction,
    token: &NewToken,
    user_id: Option<&str>,
    now: Timestamp,
) -> Result<(), StorageError> {
    let insert = "INSERT INTO api_key (id, workspace_id, name, secret_sha256, created_at, expires_at, user_id) \
                  VALUES ($1, $2, $3, $4, $5, $6, $7)";
    let insert = sql!(insert; &token.id, &token.workspace, &token.name, token.sha256.to_vec(), now, token.expires_at,
        user_id);
    within.run(insert).await?;
    add_grants(within, &token.id, &token.grants).await
}

/// Adds what a token does not have yet.
pub(super) async fn add_grants(
    within: &mut Transaction,
    id: &str,
    grants: &[Grant],
) -> Result<(), StorageError> {
    for grant in grants {
        let insert = "INSERT INTO api_key_grant (api_key_id, resource, verb) VALUES ($1, $2, $3) \
                      ON CONFLICT (api_key_id, resource, verb) DO NOTHING";
        let change = sql!(insert; id, &grant.resource, grant.verb.as_str());
        within.run(change).await?;
    }
    Ok(())
}

from_columns!(Token: id, workspace, name, sha256, created_at, expires_at, revoked_at, last_used_at, rotated_from,
    user_id, is_user_active, session, grants);

impl FromColumns for Option<TokenSession> {
    fn from_columns(columns: &mut RowColumns<'_>) -> Result<Self, StorageError> {
        let (kind, renew_until, forge_login) = columns.read_next()?;
        let kind: Option<SessionKind> = kind;
        Ok(kind.map(|kind| TokenSession {
            kind,
            renew_until,
            forge_login,
        }))
    }
}

/// Of one row: none of a token that has no grants.
impl FromColumns for Vec<Grant> {
    fn from_columns(columns: &mut RowColumns<'_>) -> Result<Self, StorageError> {
        let (resource, verb): (Option<String>, Option<Verb>) = columns.read_next()?;
        let grant = resource.zip(verb);
        Ok(grant
            .map(|(resource, verb)| Grant { resource, verb })
            .into_iter()
            .collect())
    }
}

/// The rows of one token follow each other, one for each of its grants.
fn join_grants(rows: Vec<Token>) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    for row in rows {
        match tokens.last_mut() {
            Some(token) if token.id == row.id => token.grants.extend(row.grants),
            _ => tokens.push(row),
        }
    }
    for token in &mut tokens {
        token.grants.sort_unstable();
    }
    tokens
}
