//! Taking a redacted text out of what is remembered of a remote: texts that gave way, names that hold it, and
//! our copy of a git remote.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use mem_core::history::Sha256;
use mem_core::memory::ScopeDir;
use mem_core::regular_file::if_there;
use mem_core::spellings::TextSpellings;
use mem_core::state_file::StateError;
use mem_core::store::{LocalStore, Tiers};
use mem_core::{Diagnose, MemoryPath, Scope, regular_file, state_file};
use mem_sync::EntryKey;
use mem_sync::base::{Conflict, StateFile, SyncState, SyncStateStorage as _};
use mem_sync::decide::KnownKey;

use super::personal_sync::OWN;
use super::place::{SENT_INDEXES, SharePlace};
use super::sent_indexes::{self, SentIndexes};
use super::settings::KIND;
use super::unreviewed::Approved;

/// What is to be forgotten.
#[derive(Clone, Copy, Debug)]
pub enum ForgetRequest<'f> {
    /// Every text that gave way at a path of the store.
    Path(&'f MemoryPath),
    /// Every text that gave way and holds this.
    Text(&'f TextSpellings),
}

/// What remotes may have still: the scopes of a store that are shared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RemainingTraces {
    /// Those that are shared at all.
    pub shared: BTreeSet<Scope>,
    /// Those of which the remote knows a name that holds it.
    pub in_names: BTreeSet<Scope>,
}

/// What is remembered of remotes cannot be looked through or forgotten.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum ForgetError {
    /// A folder cannot be listed.
    #[error("cannot list `{}`", folder.display())]
    #[diagnose(Io)]
    List {
        /// The folder.
        folder: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A file cannot be removed.
    #[error("cannot remove `{name}`")]
    #[diagnose(Io)]
    Remove {
        /// Its name.
        name: String,
        /// The system's reason.
        source: io::Error,
    },
    /// A state cannot be locked or written.
    #[error(transparent)]
    State(#[from] StateError),
}

/// What a redaction makes of a content at a path; `None` where it is clean.
pub type ContentCleaner<'c> = &'c dyn Fn(&MemoryPath, &[u8]) -> Option<Vec<u8>>;

/// Forgets it. Returns what a remote may have still. Call it while the history has the text: from there the indexes
/// that both ends last agreed on are kept, as `clean` makes them, and what that leaves of known contents is approved.
///
/// # Errors
/// A file cannot be read, written or removed.
pub fn forget_texts(
    store: &LocalStore,
    what: ForgetRequest<'_>,
    clean: ContentCleaner<'_>,
) -> Result<RemainingTraces, ForgetError> {
    let mut remaining = RemainingTraces::default();
    let remove = |path: &Path, name: &str| {
        let removed = match path.is_dir() {
            true => fs::remove_dir_all(path),
            false => fs::remove_file(path),
        };
        removed.map_err(|source| {
            let name = name.to_owned();
            ForgetError::Remove { name, source }
        })
    };
    for kind in [KIND, OWN] {
        let folder = SharePlace::share_folder(store, kind);
        let entries = folder_entries(&folder)?.into_iter();
        // States first: with them texts are cleaned that are removed otherwise.
        let (states, others): (Vec<PathBuf>, Vec<PathBuf>) =
            entries.partition(|path| is_state(&name_of(path)));
        for path in states {
            let tier = share_tier(store, kind);
            remaining.shared.insert(tier.0);
            if forget_state(store, &path, tier, what, clean)? {
                remaining.in_names.insert(tier.0);
            }
        }
        for path in others {
            let name = name_of(&path);
            if name.ends_with(".git") || holds_text(store, &path, what) {
                // A copy: the next sync makes it again, of what the remote has then. What the last run came to, and
                // what a person has looked at: said anew by the next.
                remove(&path, &name)?;
            }
        }
        // With those that were just set aside: nobody knows what is in them.
        for path in folder_entries(&folder)? {
            let name = name_of(&path);
            if name.contains(".damaged-") {
                remove(&path, &name)?;
            }
        }
    }
    Ok(remaining)
}

/// A number of files, and those for which something failed, and why.
pub type ScanTotals = (usize, Vec<(PathBuf, String)>);

/// Writes what is remembered of the remotes of a store as it is to be sealed by now, each while no round is at it.
/// Says how many those are, and which cannot be opened or written, and why: these stay as they were.
///
/// # Errors
/// A folder cannot be listed.
pub fn reseal_states(store: &LocalStore) -> Result<ScanTotals, ForgetError> {
    let seal = &store.places().person_seal;
    tally_states(store, &|path, is_state| match is_state {
        true => reseal_state(store, path).map_err(|error| error.to_string()),
        false => sent_indexes::reseal_file(path, seal).map_err(|error| error.to_string()),
    })
}

/// How many of these open, and which do not, with the reason.
///
/// # Errors
/// A folder cannot be listed.
pub fn check_states(store: &LocalStore) -> Result<ScanTotals, ForgetError> {
    let seal = &store.places().person_seal;
    tally_states(store, &|path, is_state| match is_state {
        true => StateFile::at(path.to_owned())
            .sealed_by(seal)
            .require_open(),
        false => {
            let read = sent_indexes::read(path, seal).map(drop);
            read.map_err(|error| error.to_string())
        }
    })
}

/// Does something with every state, and with every file of sent indexes.
fn tally_states(
    store: &LocalStore,
    visit: &dyn Fn(&Path, bool) -> Result<(), String>,
) -> Result<ScanTotals, ForgetError> {
    let (mut count, mut failed) = (0, Vec::new());
    for kind in [KIND, OWN] {
        for path in folder_entries(&SharePlace::share_folder(store, kind))? {
            let name = name_of(&path);
            let is_state = is_state(&name) && name.ends_with(".state");
            if is_state || name.ends_with(SENT_INDEXES) {
                match visit(&path, is_state) {
                    Ok(()) => count += 1,
                    Err(why) => failed.push((path, why)),
                }
            }
        }
    }
    Ok((count, failed))
}

fn reseal_state(store: &LocalStore, path: &Path) -> Result<(), StateError> {
    let _lock = state_file::lock(&lock_of(path))?;
    let seal = &store.places().person_seal;
    StateFile::at(path.to_owned()).sealed_by(seal).reseal()?;
    Ok(())
}

/// The lock of the rounds that a state belongs to.
fn lock_of(state: &Path) -> PathBuf {
    let stem = state.file_stem().unwrap_or_default();
    state.with_file_name(format!("{}-sync.lock", stem.to_string_lossy()))
}

/// What a person has looked at of the share that a state belongs to.
fn approvals_of(state: &Path) -> PathBuf {
    let stem = state.file_stem().unwrap_or_default();
    state.with_file_name(format!("{}-approved.json", stem.to_string_lossy()))
}

pub(crate) fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Whether a file beside the states has it: a small one that names it, of which nothing is a whole note; or one that
/// keeps texts of shared indexes and has no state.
fn holds_text(store: &LocalStore, path: &Path, what: ForgetRequest<'_>) -> bool {
    let name = name_of(path);
    let is_of_run = || name.ends_with("-outcome.json") || name.ends_with("-approved.json");
    match what {
        ForgetRequest::Path(_) => false,
        ForgetRequest::Text(text) if name.ends_with(SENT_INDEXES) => {
            match sent_indexes::read(path, &store.places().person_seal) {
                Ok(bytes) => bytes.is_some_and(|bytes| text.is_in(&bytes)),
                Err(_) => true,
            }
        }
        ForgetRequest::Text(text) => {
            is_of_run() && regular_file::read_whole(path).is_ok_and(|held| text.is_in(&held))
        }
    }
}

/// Whether a file is the protocol's state: it has the bare name of its share.
pub(crate) fn is_state(name: &str) -> bool {
    let stem = name.strip_suffix(".state");
    // As an earlier version kept it.
    let stem = stem.or_else(|| name.strip_suffix(".json"));
    stem.is_some_and(|stem| stem.len() == 16 && stem.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// The tier that a kind of sharing shares of a store.
pub(crate) fn share_tier(store: &LocalStore, kind: &str) -> ScopeDir {
    ScopeDir(match (kind, store.tiers()) {
        (OWN, Tiers::Global) => Scope::Global,
        (OWN, Tiers::Project) => Scope::Private,
        _ => Scope::Team,
    })
}

/// Returns whether a name held it.
fn forget_state(
    store: &LocalStore,
    path: &Path,
    tier: ScopeDir,
    what: ForgetRequest<'_>,
    clean: ContentCleaner<'_>,
) -> Result<bool, ForgetError> {
    let _lock = state_file::lock(&lock_of(path))?;
    let state = path.with_extension("state");
    // As an earlier version keeps it: taken over with what stands beside it, of which nothing is left then.
    let is_older = path.with_extension("json").exists();
    let seal = &store.places().person_seal;
    let (mut file, at) = (StateFile::at(state.clone()).sealed_by(seal), state);
    let (mut state, warning) = file.load();
    let before = state.text();
    state.conflicts.retain(|one| !is_meant(one, tier, what));
    let is_in_names = match what {
        ForgetRequest::Text(text) => forget_names(&mut state, text),
        ForgetRequest::Path(_) => false,
    };
    let names = |key: &EntryKey| match what {
        ForgetRequest::Text(text) => text.is_in_path(key.as_str()),
        ForgetRequest::Path(_) => false,
    };
    let clean = |key: &EntryKey, bytes: &[u8]| clean(&tier.path(key.as_str()).ok()?, bytes);
    let mut sent = SentIndexes::load_file(sent_indexes::beside_state(path), seal.clone());
    let mut approved = Approved::load_approved(approvals_of(path));
    let known = known_contents(store, tier, &state, &approved);
    if tier.0 == Scope::Team {
        let cleaned = known.iter().filter_map(|((key, _), bytes)| {
            let cleaned = clean(key, bytes)?;
            Some((key, Sha256::digest(&cleaned)))
        });
        approved.add_approved(cleaned)?;
    }
    let agreed = known.into_iter().filter(|((key, sha256), _)| {
        key.is_index() && state.base(key) == Some(KnownKey::At(*sha256))
    });
    let agreed = agreed.map(|((key, sha256), bytes)| (key, sha256, bytes));
    sent.redact_texts(agreed, clean, names);
    sent.save()?;
    if state.text() != before || is_older || warning.is_some() {
        // Whole, so that nothing of it stands in what was added earlier.
        StateFile::at(at).sealed_by(seal).save(&mut state)?;
    }
    Ok(is_in_names)
}

/// The contents that both ends last agreed on or a person approved, as far as they stood here. A version that was
/// redacted before counts with the content that is left of it.
fn known_contents(
    store: &LocalStore,
    tier: ScopeDir,
    state: &SyncState,
    approved: &Approved,
) -> BTreeMap<(EntryKey, Sha256), Vec<u8>> {
    let mut found = BTreeMap::new();
    let Ok(Some(history)) = store.open_history() else {
        return found;
    };
    for entry in history.own_entries().map_while(Result::ok) {
        for version in entry.change.versions {
            let name = tier.file(&version.path);
            let Some(key) = name.and_then(|name| EntryKey::parse(name).ok()) else {
                continue;
            };
            let content = || {
                let content = history.content(entry.sequence, &version.path);
                content.ok().flatten()
            };
            let sha256 = match version.redacted {
                true => content().map(|left| Sha256::digest(&left)),
                false => version.sha256,
            };
            let Some(sha256) = sha256 else { continue };
            let is_known = state.base(&key) == Some(KnownKey::At(sha256))
                || approved.has_approved(&key, sha256);
            if is_known && let Some(bytes) = content() {
                found.insert((key, sha256), bytes);
            }
        }
    }
    found
}

/// Forgets all that is known of keys that hold a text. What the remote has of them is seen by the next look, which
/// asks for everything.
fn forget_names(state: &mut SyncState, text: &TextSpellings) -> bool {
    let is_clean = |key: &EntryKey| !text.is_in_path(key.as_str());
    let rows = state.rows().filter(|(name, _)| text.is_in_path(name));
    let known: Vec<EntryKey> = rows
        .filter_map(|(name, _)| EntryKey::parse(name).ok())
        .collect();
    let was_known = known.iter().any(|key| state.remote_of(key).is_some());
    for key in &known {
        state.set_base(key, None);
        state.set_seen(key, None);
    }
    state.held.retain(|key, _| is_clean(key));
    state.taking.retain(|key, _| is_clean(key));
    state.deleting.retain(|key, _| is_clean(key));
    state
        .reasons
        .retain(|key, why| is_clean(key) && !text.is_in(why.as_bytes()));
    if was_known {
        state.view.etag = None;
    }
    was_known
}

fn is_meant(conflict: &Conflict, tier: ScopeDir, what: ForgetRequest<'_>) -> bool {
    match what {
        ForgetRequest::Path(path) => tier.file(path) == Some(conflict.key.as_str()),
        ForgetRequest::Text(text) => {
            text.is_in(conflict.local.as_bytes()) || text.is_in_path(conflict.key.as_str())
        }
    }
}

pub(crate) fn folder_entries(folder: &Path) -> Result<Vec<PathBuf>, ForgetError> {
    let entries = if_there(fs::read_dir(folder));
    let entries = entries.map_err(|source| {
        let folder = folder.to_owned();
        ForgetError::List { folder, source }
    })?;
    let entries = entries.into_iter().flatten().flatten();
    Ok(entries.map(|entry| entry.path()).collect())
}
