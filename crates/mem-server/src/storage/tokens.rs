//! The tokens of the server: kept as the hash of their secret.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::sql::{Engine, Query, Row, Value, keyed};
use super::together::LookUp;
use super::token::{Grant, NewToken, Token, Verb};
use super::{StorageError, time};

const COLUMNS: &str = "k.id, k.name, k.secret_sha256, k.created_at, k.expires_at, k.revoked_at, \
    g.resource, g.verb, k.workspace_id";
const GRANTS: &str = "LEFT JOIN api_key_grant g ON g.api_key_id = k.id";

pub(super) async fn create(
    engine: &Engine,
    token: &NewToken,
    now: Timestamp,
) -> Result<(), StorageError> {
    let mut within = engine.begin().await?;
    let insert = Query::new(
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

fn insert_grant(id: &str, grant: &Grant) -> Query {
    let insert = Query::new(
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
    let found = within.run(Query::new(sql).bind(id)).await?;
    if found == 1 {
        for grant in grants {
            within.run(insert_grant(id, grant)).await?;
        }
    }
    within.commit().await?;
    Ok(found == 1)
}

/// Looks tokens up by the hashes of their secrets: what every request with a token costs.
#[derive(Clone, Debug)]
pub(super) struct Tokens(pub(super) Engine);

impl LookUp for Tokens {
    type Kind = ();
    type Key = [u8; 32];
    type Found = Option<Token>;

    async fn look_up(
        &self,
        (): &(),
        keys: &[[u8; 32]],
    ) -> Result<Vec<Option<Token>>, StorageError> {
        let (list, rows) = keyed(keys.len(), 1);
        let hashes = keys.iter().map(|hash| hash.to_vec().into());
        let nothing = std::iter::repeat_n(Value::Bytes(None), rows - keys.len());
        // `CROSS JOIN` has SQLite begin with what is asked for.
        let sql = format!(
            "SELECT {COLUMNS} FROM (VALUES {list}) AS r CROSS JOIN api_key k {GRANTS} \
             WHERE k.secret_sha256 = r.column2"
        );
        let query = Query::built(sql, true).bind_all(hashes).bind_all(nothing);
        let found = read(&self.0.all(query).await?)?;
        let of_key = |key: &[u8; 32]| found.iter().find(|token| token.sha256 == *key).cloned();
        Ok(keys.iter().map(of_key).collect())
    }
}

/// All, those that ended too, the oldest first.
pub(super) async fn list(engine: &Engine) -> Result<Vec<Token>, StorageError> {
    let sql = format!("SELECT {COLUMNS} FROM api_key k {GRANTS}");
    let mut tokens = read(&engine.all(Query::built(sql, true)).await?)?;
    tokens.sort_by(|a, b| (a.created_at, &a.id).cmp(&(b.created_at, &b.id)));
    Ok(tokens)
}

/// Says `false` where there is none of this id that had not ended.
pub(super) async fn revoke(
    engine: &Engine,
    id: &str,
    now: Timestamp,
) -> Result<bool, StorageError> {
    let mut within = engine.begin().await?;
    let sql = "UPDATE api_key SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL";
    let revoke = Query::new(sql).bind(now.as_microsecond()).bind(id);
    let revoked = within.run(revoke).await?;
    within.commit().await?;
    Ok(revoked == 1)
}

fn read(rows: &[Row]) -> Result<Vec<Token>, StorageError> {
    let mut tokens: BTreeMap<String, Token> = BTreeMap::new();
    for row in rows {
        let id: String = row.get(0)?;
        let token = match tokens.remove(&id) {
            Some(token) => token,
            None => without_grants(row, id.clone())?,
        };
        tokens.insert(id, with_grant(row, token)?);
    }
    let mut tokens: Vec<Token> = tokens.into_values().collect();
    tokens.iter_mut().for_each(|token| token.grants.sort());
    Ok(tokens)
}

fn without_grants(row: &Row, id: String) -> Result<Token, StorageError> {
    Ok(Token {
        id,
        workspace: row.get(8)?,
        name: row.get(1)?,
        sha256: *row.sha256(2)?.as_bytes(),
        grants: Vec::new(),
        created_at: time::from_stored(row.get(3)?)?,
        expires_at: time::from_optional(row.get(4)?)?,
        revoked_at: time::from_optional(row.get(5)?)?,
    })
}

fn with_grant(row: &Row, mut token: Token) -> Result<Token, StorageError> {
    let resource: Option<String> = row.get(6)?;
    let verb: Option<String> = row.get(7)?;
    let verb = verb.as_deref().and_then(Verb::from_stored);
    if let (Some(resource), Some(verb)) = (resource, verb) {
        token.grants.push(Grant { resource, verb });
    }
    Ok(token)
}
