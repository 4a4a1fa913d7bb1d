//! Taking contents and names out of a remote.

use std::collections::BTreeSet;

use mem_sync::EntryKey;
use mem_sync::remote::{Fetched, Remote, RemoteError, StateQuery};
use mem_sync::wire::{ChangeLogEntry, ETag, PutBody, RedactBody, RedactOutcome, StateAnswer};

use super::log::read_changes;

/// Deletes what stands under a name, only as it was when the question was asked, and takes the names out. A server of
/// an earlier version leaves them.
///
/// # Errors
/// The remote refuses, or has something else there by now.
pub fn redact_names(
    remote: &mut dyn Remote,
    names: &BTreeSet<EntryKey>,
    live: BTreeSet<EntryKey>,
    etag: &ETag,
) -> Result<Vec<RedactOutcome>, RemoteError> {
    if !live.is_empty() {
        let body = PutBody {
            delete: live,
            ..PutBody::default()
        };
        remote.put_entries(&body, Some(etag))?;
    }
    let names = names.iter();
    names
        .map(|name| remote.redact_key(&RedactBody::for_name(name)))
        .collect()
}

/// What the remote has of these keys, or of all where none is named.
///
/// # Errors
/// The remote does not answer.
pub fn fetch_state(
    remote: &mut dyn Remote,
    keys: BTreeSet<EntryKey>,
) -> Result<(ETag, StateAnswer), RemoteError> {
    let query = StateQuery { hashes: true, keys };
    match remote.get_state(&query, None)? {
        Fetched::Found { etag, answer, .. } => Ok((etag, answer)),
        Fetched::NotModified => Err(RemoteError::NotFound),
    }
}

/// What [`Remote::redact_key`] would come to, by the log of the remote.
///
/// # Errors
/// As the redaction itself: nothing ever was there, or the content that is to go is what stands there.
pub fn preview_redaction(
    remote: &mut dyn Remote,
    what: &RedactBody,
) -> Result<RedactOutcome, RemoteError> {
    let (_, answer) = fetch_state(remote, BTreeSet::from([what.key.clone()]))?;
    let live = answer.entries.get(&what.key).map(|entry| entry.sha256);
    let changes = read_changes(remote, Some(&what.key), usize::MAX)?;
    if changes.is_empty() {
        return Err(RemoteError::NotFound);
    }
    let is_other = |one: &&ChangeLogEntry| one.sha256.is_some() && one.sha256 != live;
    let redacted = changes.iter().filter(is_other).count() as u64;
    let has_others = redacted > 0 || changes.iter().any(|one| one.redacted_at.is_some());
    if live.is_some() && (what.name || !has_others) {
        let what = "this is what the entry holds now".to_owned();
        return Err(RemoteError::InTheWay(what));
    }
    Ok(RedactOutcome {
        redacted,
        note: String::new(),
        name: what.name,
    })
}
