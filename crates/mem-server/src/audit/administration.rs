//! What administrators do beside a server (`mem server …`), written into the audit log of one.
//!
//! Their commands work on the database and know no settings of a server. They leave a note in it; a server that has an
//! audit log takes the note, writes it down and removes it.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;

use super::AuditEntry;
use crate::app::Shared;
use crate::storage::StorageError;

/// How often notes are looked for.
const LOOK: Duration = Duration::from_secs(5);

/// Begins, among the tasks that end with the server. A note that was not removed by then is written down again.
pub(crate) fn start(app: &Shared, tasks: &mut JoinSet<()>) {
    reopen_at_hangup(app, tasks);
    let app = Arc::clone(app);
    tasks.spawn(async move {
        loop {
            if let Err(error) = write_down(&app).await {
                tracing::warn!(error = %error, "what administrators did could not be read");
            }
            tokio::time::sleep(LOOK).await;
        }
    });
}

/// SIGHUP, with which programs that move logs away say that they did. It ends no server that has an audit log.
#[cfg(unix)]
fn reopen_at_hangup(app: &Shared, tasks: &mut JoinSet<()>) {
    use tokio::signal::unix::{SignalKind, signal};
    let app = Arc::clone(app);
    if let Ok(mut hangup) = signal(SignalKind::hangup()) {
        tasks.spawn(async move {
            while hangup.recv().await.is_some() {
                app.audit.reopen();
            }
        });
    }
}

#[cfg(not(unix))]
fn reopen_at_hangup(_: &Shared, _: &mut JoinSet<()>) {}

/// Each note is removed once it is written down: it is there at least once, and once as a rule.
async fn write_down(app: &Shared) -> Result<(), StorageError> {
    for note in app.database.take_administration().await? {
        let entry = AuditEntry {
            actor_id: "administrator",
            ..AuditEntry::of_server(&note.action, &note.resource, note.at)
        };
        if app.audit.record(&entry).await.is_err() {
            return Ok(());
        }
        app.database.forget_administration(&note.id).await?;
    }
    Ok(())
}
