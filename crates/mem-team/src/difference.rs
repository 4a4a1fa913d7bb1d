//! How the memories of a share differ from what the remote was last seen to have.

use std::collections::{BTreeMap, BTreeSet};

use mem_core::RunContext;
use mem_core::location::ProjectContext;
use mem_core::unified_diff::unified_diff;
use mem_sync::EntryKey;
use mem_sync::decide::KnownKey;
use mem_sync::files::SyncFiles as _;
use mem_sync::outbound_scan::OutboundScan as _;
use mem_sync::remote::{Fetched, Remote, RemoteError, StateQuery};

use super::error::TeamError;
use super::files::StoreFiles;
use super::outbound_scan::{TeamOutboundScan, shown_key};
use super::remote;
use super::settings::TeamShare;
use super::share_status::ShareStatus;

/// A file, and how it differs or why that is not shown.
pub type Difference = (EntryKey, Result<String, String>);

/// How the files of a share differ; of one key, where one is given. `begin_progress` is called before the remote is
/// asked; what it returns is dropped once that has answered.
///
/// # Errors
/// Nothing has this key, the files cannot be read, or the remote does not answer.
pub fn differences<T>(
    key: Option<&EntryKey>,
    share: &TeamShare,
    place: &ProjectContext,
    run: &RunContext,
    begin_progress: impl FnOnce() -> T,
) -> Result<Vec<Difference>, TeamError> {
    let standing = ShareStatus::for_share(share, place, run)?;
    let waiting = standing.waiting.iter().map(|(key, _)| key);
    let mut keys: BTreeSet<EntryKey> = waiting.chain(&standing.to_take).cloned().collect();
    let mut files = StoreFiles::for_share(share, place, run);
    files.list()?;
    if let Some(wanted) = key {
        keys.retain(|key| key == wanted);
        let is_there = matches!(standing.state.remote_of(wanted), Some(KnownKey::At(_)));
        if keys.is_empty() && !is_there && files.read(wanted)?.is_none() {
            let (key, command) = (shown_key(wanted), share.command);
            return Err(TeamError::NoSuchKey { key, command });
        }
    }
    let (mut theirs, missing) = known_texts(&keys, &standing, &mut files);
    if !missing.is_empty() {
        let _progress = begin_progress();
        let mut remote = remote::open_remote(share, place, run)?;
        theirs.extend(remote_texts(&missing, remote.as_mut())?);
    }
    let screen = TeamOutboundScan::for_share(share, &place.project, run.dirs()?);
    let mut told = Vec::new();
    for key in keys {
        let mine = files.read(&key)?;
        let theirs = theirs.get(&key).map(Vec::as_slice);
        let sides = [theirs, mine.as_deref()];
        let difference = compare_sides(&key, sides, &screen);
        told.push((key, difference));
    }
    Ok(told)
}

/// How two texts differ, or why that is not shown.
fn compare_sides(
    key: &EntryKey,
    sides: [Option<&[u8]>; 2],
    screen: &TeamOutboundScan,
) -> Result<String, String> {
    for bytes in sides.into_iter().flatten() {
        let leaks = screen.find_leaks(key, &String::from_utf8_lossy(bytes));
        if let Some(leak) = leaks.map_err(|error| error.to_string())?.first() {
            return Err(format!("it holds a secret: {leak}"));
        }
    }
    let [theirs, mine] = sides;
    Ok(unified_diff(key.as_str(), theirs, mine))
}

/// The remote's texts of some keys that the history here has, and the keys of the others.
fn known_texts(
    keys: &BTreeSet<EntryKey>,
    standing: &ShareStatus,
    files: &mut StoreFiles,
) -> (BTreeMap<EntryKey, Vec<u8>>, BTreeSet<EntryKey>) {
    let mut texts = BTreeMap::new();
    let mut missing = BTreeSet::new();
    for key in keys {
        if let Some(KnownKey::At(sha256)) = standing.state.remote_of(key) {
            match files.earlier(key, sha256) {
                Some(text) => drop(texts.insert(key.clone(), text)),
                None => drop(missing.insert(key.clone())),
            }
        }
    }
    (texts, missing)
}

/// The texts of some keys from the remote.
fn remote_texts(
    keys: &BTreeSet<EntryKey>,
    remote: &mut dyn Remote,
) -> Result<BTreeMap<EntryKey, Vec<u8>>, RemoteError> {
    let mut texts = BTreeMap::new();
    for keys in mem_sync::client::portions(keys) {
        let query = StateQuery::of_contents(keys);
        if let Fetched::Found { answer, .. } = remote.get_state(&query, None)? {
            let found = answer.entries.into_iter();
            texts.extend(found.filter_map(|(key, entry)| Some((key, entry.content?.into_bytes()))));
        }
    }
    Ok(texts)
}
