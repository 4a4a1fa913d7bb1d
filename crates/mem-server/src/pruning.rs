//! Ends old versions while a server runs, and moves contents to object storage: now and then, never at the same moment
//! as the other replicas.

use mem_http::random_fraction;

use crate::app::Shared;
use crate::audit::AuditEntry;
use crate::storage::VersionRetention;

/// Goes on for as long as it is not dropped. What is under way then is a transaction that is not committed, or was.
pub(crate) async fn prune(app: Shared, retention: VersionRetention) {
    let (database, now) = (&app.database, &app.now);
    loop {
        // Between half of it and one and a half.
        let pause = retention.every.mul_f64(0.5 + random_fraction());
        tokio::time::sleep(pause).await;
        match database.prune(&retention, now()).await {
            Ok(0) => {}
            Ok(versions) => {
                tracing::info!(versions, "old versions ended");
                let resource = format!("{versions} versions");
                // One that cannot be written stops the next change, not what is done already.
                let entry = AuditEntry::of_server("prune", &resource, now());
                let _ = app.audit.record(&entry).await;
            }
            // The next time is soon enough.
            Err(error) => tracing::warn!(error = %error, "old versions could not be ended"),
        }
        match database.move_contents(now()).await {
            Ok(0) => {}
            Ok(contents) => tracing::info!(contents, "contents moved to object storage"),
            Err(error) => tracing::warn!(error = %error, "contents could not be moved"),
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::{SignedDuration, Timestamp};
    use mem_sync::EntryKey;
    use mem_sync::remote::LogQuery;
    use mem_sync::wire::PutBody;

    use std::sync::Arc;
    use std::time::Duration;

    use super::*;
    use crate::app::App;
    use crate::app::tests::opened;
    use crate::audit::AuditLog;
    use crate::options::Clock;
    use crate::storage::{ActorKind, RepositoryName, StorageActor};
    use crate::{ServeOptions, ServerSettings};

    #[tokio::test(flavor = "multi_thread")]
    async fn a_server_ends_old_versions_by_itself() {
        let folder = tempfile::TempDir::new().unwrap();
        let (database, options) = opened(folder.path(), ServerSettings::default()).await;
        let repo = RepositoryName::parse("acme/app").unwrap();
        let who = StorageActor::new(ActorKind::User, "user_1", "");
        for text in ["1", "2", "3"] {
            let mut body = PutBody::default();
            body.entries
                .insert(EntryKey::parse("a.md").unwrap(), text.to_owned());
            let now = Timestamp::UNIX_EPOCH;
            database.write(&repo, body, None, &who, now).await.unwrap();
        }
        let retention = VersionRetention {
            versions: 2,
            every: Duration::from_millis(1),
            ..VersionRetention::default()
        };
        let later = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(31 * 24);
        let clock: Clock = Arc::new(move || later);
        let options = ServeOptions {
            now: clock,
            ..options
        };
        let audit = AuditLog::default();
        let app = App::new(database.clone(), audit, options.listen, &options);
        let mut pruning = tokio::task::JoinSet::new();
        pruning.spawn(prune(Arc::new(app), retention));
        let left = async || {
            let log = database.log(&repo, &LogQuery::default()).await;
            log.unwrap().changes.len()
        };
        while left().await > 2 {}
        drop(pruning);
        assert_eq!(left().await, 2);
    }
}
