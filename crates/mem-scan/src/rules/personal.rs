//! What a person allowed on this machine, in `mem`'s state: it counts for a push before any remote has the allow that
//! is committed. An agent's allow is not recorded.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mem_core::state_file::StateError;
use mem_core::{Dirs, Now, state_file};
use mem_secrets::{Fingerprint, FingerprintKey, SecretFinding};
use serde::{Deserialize, Serialize};

use super::key;

#[derive(Debug, Default, Deserialize, Serialize)]
struct Allows {
    /// By the root of a repository.
    #[serde(default)]
    repositories: BTreeMap<String, Vec<PersonalRule>>,
}

#[derive(Debug, Deserialize, Serialize)]
struct PersonalRule {
    fingerprint: String,
    /// The key that the fingerprint was made with, in hexadecimal digits.
    key: String,
    reason: String,
    date: String,
}

/// A person's allows of one repository.
#[derive(Default)]
pub(super) struct PersonalAllows(Vec<(FingerprintKey, Fingerprint)>);

impl PersonalAllows {
    /// Whether a finding is among them.
    pub(super) fn contain_finding(&self, finding: &SecretFinding) -> bool {
        let allows = self.0.iter();
        allows
            .into_iter()
            .any(|(key, print)| finding.fingerprint(key) == *print)
    }
}

fn allows_path(dirs: &Dirs) -> PathBuf {
    dirs.state.join("secrets-allows.json")
}

/// The allows of the repository with this root. A damaged record allows nothing.
pub(super) fn read_allows(dirs: &Dirs, root: &Path) -> PersonalAllows {
    let (mut allows, _) = state_file::read::<Allows>(&allows_path(dirs));
    let entries = allows.repositories.remove(&*root.to_string_lossy());
    let allow = |entry: PersonalRule| {
        let key = key::parse_key(&entry.key, root).ok()?;
        Some((FingerprintKey::new(key), entry.fingerprint.parse().ok()?))
    };
    PersonalAllows(entries.into_iter().flatten().filter_map(allow).collect())
}

/// Records an allow for the repository with this root.
///
/// # Errors
/// The record cannot be written.
pub(super) fn add_allow(
    dirs: &Dirs,
    root: &Path,
    key: &[u8; 32],
    fingerprint: &Fingerprint,
    reason: &str,
    now: Now,
) -> Result<(), StateError> {
    let entry = PersonalRule {
        fingerprint: fingerprint.to_string(),
        key: key::encode_key(key).trim().to_owned(),
        reason: reason.to_owned(),
        date: now.0.strftime("%Y-%m-%d").to_string(),
    };
    let root = root.to_string_lossy().into_owned();
    state_file::update(&allows_path(dirs), |allows: &mut Allows| {
        let entries = allows.repositories.entry(root).or_default();
        let is_same =
            |one: &PersonalRule| (&one.fingerprint, &one.key) == (&entry.fingerprint, &entry.key);
        if !entries.iter().any(is_same) {
            entries.push(entry);
        }
    })?;
    Ok(())
}
