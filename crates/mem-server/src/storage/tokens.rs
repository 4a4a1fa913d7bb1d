//! The tokens of the server: what is known of them, never the secret itself.

use jiff::Timestamp;

use super::sql::{Engine, SqlQuery, SqlRow};
use super::{StorageError, time};

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

const COLUMNS: &str = "k.id, k.name, k.secret_sha256, k.created_at, k.expires_at, k.revoked_at, \
    g.resource, g.verb, k.workspace_id";
const GRANTS: &str = "LEFT JOIN api_key_grant g ON g.api_key_id = k.id";

pub(super) async fn create(
    engine: &Engine,
    token: &NewToken,
    now: Timestamp,
) -> Result<(), StorageError> {
    let mut within = engine.begin().await?;
    let insert = SqlQuery::new(
        "INSERT INTO api_key (id, workspace_id, name, secret_sha256, created_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, $6)",
    );
    let insert = insert
        .bind(token.id.as_str())
        .bind(token.workspace.as_str());
    let insert = insert.bind(token.name.as_str()).bind(token.sha256.to_vec());
    let expires_at = token.expires_at.map(Timestamp::as_microsecond);
    let insert = insert.bind(now.as_microsecond()).bind(expires_at);
    within.run(insert).await?;
    for grant in &token.grants {
        within.run(insert_grant(&token.id, grant)).await?;
    }
    Ok(within.commit().await?)
}

fn insert_grant(id: &str, grant: &Grant) -> SqlQuery {
    let insert = SqlQuery::new(
        "INSERT INTO api_key_grant (api_key_id, resource, verb) VALUES ($1, $2, $3) \
         ON CONFLICT (api_key_id, resource, verb) DO NOTHING",
    );
    let insert = insert.bind(id).bind(grant.resource.as_str());
    insert.bind(grant.verb.as_str())
}

/// Says `false` where there is none of this id that had not ended.
pub(super) async fn grant(
    engine: &Engine,
    id: &str,
    grants: &[Grant],
) -> Result<bool, StorageError> {
    let mut within = engine.begin().await?;
    // An update, so that a revocation at the same time comes before this or waits for it.
    let sql = "UPDATE api_key SET name = name WHERE id = $1 AND revoked_at IS NULL";
    let found = within.run(SqlQuery::new(sql).bind(id)).await?;
    if found == 1 {
        for grant in grants {
            within.run(insert_grant(id, grant)).await?;
        }
    }
    within.commit().await?;
    Ok(found == 1)
}

/// The token whose secret has this hash.
pub(super) async fn by_hash(
    engine: &Engine,
    sha256: &[u8; 32],
) -> Result<Option<Token>, StorageError> {
    let sql = format!("SELECT {COLUMNS} FROM api_key k {GRANTS} WHERE k.secret_sha256 = $1");
    let query = SqlQuery::built(sql, true).bind(sha256.to_vec());
    Ok(read(&engine.all(query).await?)?.pop())
}

/// All, those that ended too, the oldest first.
pub(super) async fn list(engine: &Engine) -> Result<Vec<Token>, StorageError> {
    let sql = format!("SELECT {COLUMNS} FROM api_key k {GRANTS} ORDER BY k.created_at, k.id");
    read(&engine.all(SqlQuery::built(sql, true)).await?)
}

/// Says `false` where there is none of this id that had not ended.
pub(super) async fn revoke(
    engine: &Engine,
    id: &str,
    now: Timestamp,
) -> Result<bool, StorageError> {
    let mut within = engine.begin().await?;
    let sql = "UPDATE api_key SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL";
    let revoke = SqlQuery::new(sql).bind(now.as_microsecond()).bind(id);
    let revoked = within.run(revoke).await?;
    within.commit().await?;
    Ok(revoked == 1)
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
        created_at: time::from_stored(row.get(3)?)?,
        expires_at: time::from_optional(row.get(4)?)?,
        revoked_at: time::from_optional(row.get(5)?)?,
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
