//! Who changed what of a share: by the log of its remote, and by the history here.

use mem_core::MemoryPath;
use mem_core::history::{AuthorKind, History, HistoryEntry};
use mem_core::store::StoreError;
use mem_sync::EntryKey;
use mem_sync::client::StopReason;
use mem_sync::remote::{LogQuery, Remote, RemoteError};
use mem_sync::wire::ChangeLogEntry;

use super::settings::TeamShare;
use super::sync_run::is_offline;

/// The newest changes, of one key or of all.
///
/// # Errors
/// The remote does not answer, or keeps no log.
pub fn read_changes(
    remote: &mut dyn Remote,
    key: Option<&EntryKey>,
    limit: usize,
) -> Result<Vec<ChangeLogEntry>, RemoteError> {
    let mut entries = Vec::new();
    let mut page = None;
    while entries.len() < limit {
        let query = LogQuery {
            key: key.cloned(),
            limit: u32::try_from(limit - entries.len()).unwrap_or(u32::MAX),
            page: page.take(),
        };
        let found = remote.read_log(&query)?;
        let is_empty = found.changes.is_empty();
        entries.extend(found.changes);
        page = found.next_page;
        // A remote that names a next page for ever does not keep us.
        if page.is_none() || is_empty {
            break;
        }
    }
    entries.truncate(limit);
    Ok(entries)
}

/// Whether the remote cannot be asked, or has nothing to tell.
pub fn is_silent(why: &RemoteError) -> bool {
    matches!(why, RemoteError::NotFound) || is_offline(&StopReason::Remote(why.clone()))
}

/// The newest changes that the history here has of what was shared, of one key or of all.
///
/// # Errors
/// The history is damaged or unreadable.
pub fn local_changes(
    share: &TeamShare,
    key: Option<&EntryKey>,
    limit: usize,
) -> Result<Vec<HistoryEntry>, StoreError> {
    let history = share.store.open_history()?;
    let is_meant = |entry: &HistoryEntry| {
        let is_shared =
            entry.change.author.actor == AuthorKind::Team || entry.change.verb == "delete";
        let names = |path: &MemoryPath| {
            let file = share.tier.file(path);
            file.is_some_and(|file| key.is_none_or(|key| key.as_str() == file))
        };
        is_shared
            && entry
                .change
                .versions
                .iter()
                .any(|version| names(&version.path))
    };
    let entries = history.iter().flat_map(History::own_entries);
    let found = entries.map_while(Result::ok).filter(is_meant).take(limit);
    Ok(found.collect())
}
