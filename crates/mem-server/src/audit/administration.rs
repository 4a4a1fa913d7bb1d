//! What administrators do beside a server (`mem server …`), written into the audit log of one.
//!
//! Their commands work on the database and know no settings of a server. They leave a note in it; a server that has an
//! audit log takes the note, writes it down and removes it.

use std::sync::Arc;
use std::time::Duration;

use super::AuditEntry;
use crate::app::Shared;
use crate::storage::StorageError;

/// How often notes are looked for.
const LOOK: Duration = Duration::from_secs(5);

/// The task, ended with this.
pub(crate) struct AuditTask(tokio::task::JoinHandle<()>);

impl AuditTask {
    /// Begins.
    pub(crate) fn start(app: &Shared) -> Self {
        let app = Arc::clone(app);
        let mut hangup = Hangup::new();
        Self(tokio::spawn(async move {
            loop {
                if let Err(error) = write_down(&app).await {
                    tracing::warn!(error = %error, "what administrators did could not be read");
                }
                tokio::select! {
                    () = tokio::time::sleep(LOOK) => {}
                    () = hangup.next() => app.audit.reopen(),
                }
            }
        }))
    }
}

impl Drop for AuditTask {
    fn drop(&mut self) {
        // A note that was not removed yet is written down again.
        self.0.abort();
    }
}

/// SIGHUP, with which programs that move logs away say that they did. It ends no server that has an audit log.
struct Hangup {
    #[cfg(unix)]
    signal: Option<tokio::signal::unix::Signal>,
}

impl Hangup {
    #[cfg(unix)]
    fn new() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        Self {
            signal: signal(SignalKind::hangup()).ok(),
        }
    }

    #[cfg(not(unix))]
    fn new() -> Self {
        Self {}
    }

    async fn next(&mut self) {
        #[cfg(unix)]
        if let Some(signal) = &mut self.signal
            && signal.recv().await.is_some()
        {
            return;
        }
        std::future::pending::<()>().await;
    }
}

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
