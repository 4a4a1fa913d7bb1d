//! What the replicas of one database sign with.

use super::StorageError;
use super::sql::{Engine, SqlQuery};

/// The key; made by whoever asks first.
pub(super) async fn get(engine: &Engine) -> Result<[u8; 32], StorageError> {
    if let Some(key) = stored(engine).await? {
        return Ok(key);
    }
    let mut fresh = [0; 32];
    getrandom::fill(&mut fresh).map_err(|_| StorageError::Corrupt("no random bytes"))?;
    let insert = SqlQuery::new(
        "INSERT INTO signing_key (id, secret) VALUES (1, $1) ON CONFLICT (id) DO NOTHING",
    );
    let mut within = engine.begin().await?;
    within.run(insert.bind(fresh.to_vec())).await?;
    within.commit().await?;
    let key = stored(engine).await?;
    key.ok_or(StorageError::Corrupt("no key to sign with"))
}

async fn stored(engine: &Engine) -> Result<Option<[u8; 32]>, StorageError> {
    let rows = engine
        .all(SqlQuery::new("SELECT secret FROM signing_key WHERE id = 1"))
        .await?;
    // As long as a checksum.
    rows.first()
        .map(|row| row.sha256(0).map(|key| *key.as_bytes()))
        .transpose()
}
