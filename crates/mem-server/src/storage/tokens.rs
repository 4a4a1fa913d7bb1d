//! The tokens of the server: what is known of them, never the secret itself.

use jiff::Timestamp;

use super::sql::{SqlRow, Transaction, sql};
use super::{Database, StorageError};

/// What a token may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verb {
    /// Read.
    Read,
    /// Read and write.
    Write,
}

impl Verb {
    /// As it is stored.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }

    /// From what is stored.
    pub(crate) fn from_stored(text: &str) -> Option<Self> {
        match text {
            "read" => Some(Self::Read),
            "write" => Some(Self::Write),
            _ => None,
        }
    }
}

/// On what a token may do it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Grant {
    /// `*`, `team:OWNER/REPO`, `team:OWNER/*`, `store:*` or `store:memstore_…`.
    pub resource: String,
    /// What.
    pub verb: Verb,
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
}

impl Token {
    /// Whether it counts at this moment.
    pub fn is_valid(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }
}

const TOKENS: &str = "SELECT k.id, k.name, k.secret_sha256, k.created_at, k.expires_at, k.revoked_at, \
    g.resource, g.verb, k.workspace_id FROM api_key k LEFT JOIN api_key_grant g ON g.api_key_id = k.id";

impl Database {
    /// Adds a token.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn create_token(&self, token: &NewToken, now: Timestamp) -> Result<(), StorageError> {
        self.in_time(async {
            let mut within = self.engine().begin().await?;
            let NewToken { id, workspace, name, sha256, .. } = token;
            let insert = "INSERT INTO api_key (id, workspace_id, name, secret_sha256, created_at, expires_at) \
                          VALUES ($1, $2, $3, $4, $5, $6)";
            let insert = sql!(insert; id, workspace, name, sha256.to_vec(), now, token.expires_at);
            within.run(insert).await?;
            add_grants(&mut within, id, &token.grants).await?;
            Ok(within.commit().await?)
        })
        .await
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
                    Ok(read(&engine.all(sql!(sql; sha256.to_vec())).await?)?.pop())
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
        self.reading(|| async {
            let sql = format!("{TOKENS} ORDER BY k.created_at, k.id");
            read(&self.engine().all(sql!(sql)).await?)
        })
        .await
    }

    /// Adds grants to a token. `false` where there is none of this id that had not ended.
    /// # Errors
    /// See [`StorageError`].
    pub async fn grant(&self, id: &str, grants: &[Grant]) -> Result<bool, StorageError> {
        self.in_time(async {
            let mut within = self.engine().begin().await?;
            // An update, so that a revocation at the same time comes before this or waits for it.
            let hold = "UPDATE api_key SET name = name WHERE id = $1 AND revoked_at IS NULL";
            let found = within.run(sql!(hold; id)).await? == 1;
            if found {
                add_grants(&mut within, id, grants).await?;
            }
            within.commit().await?;
            Ok(found)
        })
        .await
    }

    /// Ends a token. `false` where there is none of this id that had not ended.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn revoke_token(&self, id: &str, now: Timestamp) -> Result<bool, StorageError> {
        let sql = "UPDATE api_key SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL";
        self.in_time(async { Ok(self.engine().run(sql!(sql; now, id)).await? == 1) })
            .await
    }
}

async fn add_grants(
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

/// The rows of one token follow each other, one for each of its grants.
fn read(rows: &[SqlRow]) -> Result<Vec<Token>, StorageError> {
    let mut tokens: Vec<Token> = Vec::new();
    for row in rows {
        let mut token = match tokens.pop() {
            Some(token) if token.id == row.text(0)? => token,
            before => {
                tokens.extend(before);
                without_grants(row)?
            }
        };
        token.grants.extend(grant_of(row)?);
        tokens.push(token);
    }
    tokens
        .iter_mut()
        .for_each(|token| token.grants.sort_unstable());
    Ok(tokens)
}

fn without_grants(row: &SqlRow) -> Result<Token, StorageError> {
    Ok(Token {
        id: row.get(0)?,
        workspace: row.get(8)?,
        name: row.get(1)?,
        sha256: *row.sha256(2)?.as_bytes(),
        grants: Vec::new(),
        created_at: row.time(3)?,
        expires_at: row.time_or_none(4)?,
        revoked_at: row.time_or_none(5)?,
    })
}

/// The grant of a row; none of a token that has no grants.
fn grant_of(row: &SqlRow) -> Result<Option<Grant>, StorageError> {
    let resource: Option<String> = row.get(6)?;
    let verb: Option<String> = row.get(7)?;
    let verb = verb.as_deref().and_then(Verb::from_stored);
    Ok(resource
        .zip(verb)
        .map(|(resource, verb)| Grant { resource, verb }))
}
