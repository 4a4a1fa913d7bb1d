//! Takes one version's content, checksum, size and path out of the database.

use super::{Refusal, StoresError, VersionRecord, Writing, history};
use crate::storage::scrub;
use crate::storage::sql::{Engine, Query};

/// Redacts a version, and says what is left of it.
pub(super) async fn run(
    engine: &Engine,
    writing: &Writing,
    id: &str,
) -> Result<VersionRecord, StoresError> {
    let Writing {
        scope,
        store,
        actor,
        now,
        ..
    } = writing;
    let mut within = engine.begin().await?;
    let mut version = history::lock(&mut within, scope, store, id).await?;
    if version.redacted_at.is_none() {
        let live = Query::new(
            "SELECT m.id FROM memory m WHERE m.store_id = $1 AND m.id = $2 AND m.live AND m.version_id = $3",
        );
        let live = live.bind(store.as_str()).bind(version.memory_id.as_str());
        if within.one(live.bind(id)).await?.is_some() {
            return Err(Refusal::Head.into());
        }
    }
    // One that the team protocol redacted has its path yet.
    let clear = Query::new(
        "UPDATE memory_version SET content = NULL, content_sha256 = NULL, content_size = NULL, path = NULL, \
         redacted_at = coalesce(redacted_at, $1), redactor_kind = coalesce(redactor_kind, $2), \
         redactor_id = coalesce(redactor_id, $3), redactor_name = coalesce(redactor_name, $4) \
         WHERE store_id = $5 AND id = $6",
    );
    let clear = clear.bind(now.as_microsecond()).bind(actor.kind.as_str());
    let clear = clear.bind(actor.id.as_str()).bind(actor.name.as_str());
    within.run(clear.bind(store.as_str()).bind(id)).await?;
    within.commit().await?;
    // Again even where it was redacted before: the last time may have been interrupted here.
    scrub::scrub(engine).await?;
    (version.path, version.content) = (None, None);
    (version.content_sha256, version.content_size) = (None, None);
    if version.redacted_at.is_none() {
        version.redacted_at = Some(*now);
        version.redacted_by = Some(actor.clone());
    }
    Ok(version)
}
