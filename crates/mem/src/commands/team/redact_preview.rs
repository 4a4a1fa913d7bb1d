//! What a redaction would take out of the remote, as its log tells.

use std::collections::BTreeSet;

use mem_core::history::Sha256;
use mem_sync::Key;
use mem_sync::remote::{Fetched, LogQuery, Query, Remote, RemoteError};
use mem_sync::wire::{RedactBody, Redacted};

/// Looks, and answers as the remote would.
///
/// # Errors
/// Those of the redaction itself.
pub(super) fn of(remote: &mut dyn Remote, what: &RedactBody) -> Result<Redacted, RemoteError> {
    let live = live(remote, &what.key)?;
    let (mut known, mut redacted, mut others) = (false, 0, false);
    let mut page = None;
    loop {
        let query = LogQuery {
            key: Some(what.key.clone()),
            page: page.take(),
            ..LogQuery::default()
        };
        let found = remote.log(&query)?;
        for change in &found.changes {
            let is_other = change.sha256.is_some() && change.sha256 != live;
            known = true;
            redacted += u64::from(is_other);
            others |= is_other || change.redacted_at.is_some();
        }
        page = found.next_page.filter(|_| !found.changes.is_empty());
        if page.is_none() {
            break;
        }
    }
    match (known, live.is_some() && (what.name || !others)) {
        (false, _) => Err(RemoteError::NotFound),
        (true, true) => Err(RemoteError::InTheWay(
            "this is what the entry holds now".to_owned(),
        )),
        (true, false) => Ok(Redacted {
            redacted,
            note: String::new(),
            name: what.name,
        }),
    }
}

/// What stands under the key now.
fn live(remote: &mut dyn Remote, key: &Key) -> Result<Option<Sha256>, RemoteError> {
    let query = Query {
        hashes: true,
        keys: BTreeSet::from([key.clone()]),
    };
    Ok(match remote.get(&query, None)? {
        Fetched::Found { answer, .. } => answer.entries.get(key).map(|entry| entry.sha256),
        Fetched::NotModified => None,
    })
}
