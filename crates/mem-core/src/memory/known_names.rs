//! Names of memories as a shell completes them: read off the files, without opening a memory.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::{ProjectMemory, ScopeDir};
use crate::Scope;
use crate::history::{Change, FileOperation};
use crate::index::MemoryIndex;
use crate::notes::INDEX_FILE;

/// How far back deleted memories and changes are known.
const CHANGES_MAX: usize = 200;
/// A longer memory index is not read: its summaries are left out.
const INDEX_BYTES_MAX: u64 = 1024 * 1024;

/// The stem of a memory's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownName {
    /// The tier.
    pub scope: Scope,
    /// The stem; with the tier before it where the stem alone means several.
    pub name: String,
    /// What the memory index says of it.
    pub summary: Option<String>,
    /// When it was deleted.
    pub deleted: Option<Timestamp>,
}

impl ProjectMemory {
    /// The memories by the stems of their files; where two scopes have one of the same name, or names are scoped, with
    /// the scope before it.
    pub fn known_names(&self, is_scoped: bool, with_deleted: bool) -> Vec<KnownName> {
        let scopes: &[Scope] = match self.is_one() {
            true => &[Scope::Private, Scope::Team],
            false => &Scope::ALL,
        };
        let mut found: Vec<KnownName> = scopes
            .iter()
            .flat_map(|scope| self.names_in(*scope))
            .collect();
        if with_deleted {
            let known = found.iter().map(|one| (one.scope, one.name.clone()));
            let mut known: BTreeSet<(Scope, String)> = known.collect();
            let mut deleted = self.deleted_names();
            deleted.retain(|one| known.insert((one.scope, one.name.clone())));
            found.append(&mut deleted);
        }
        let mut count: BTreeMap<String, usize> = BTreeMap::new();
        for one in &found {
            *count.entry(one.name.clone()).or_default() += 1;
        }
        for one in &mut found {
            if is_scoped || count.get(&one.name).is_some_and(|count| *count > 1) {
                one.name = format!("{}:{}", one.scope, one.name);
            }
        }
        found
    }

    fn names_in(&self, scope: Scope) -> Vec<KnownName> {
        // The team's memories are in the store of the private ones.
        let Ok(snapshot) = self.store(scope).snapshot() else {
            return Vec::new();
        };
        let index = ScopeDir(scope).path(INDEX_FILE).ok();
        let index = index.and_then(|path| snapshot.read_at_most(&path, INDEX_BYTES_MAX).ok()?);
        let summaries = summaries(&index.unwrap_or_default());
        let walk = snapshot.walk();
        let files = walk.files.keys();
        let files = files.filter_map(|path| ScopeDir(scope).note(path));
        let names = files.map(|file| KnownName {
            scope,
            name: stem(file),
            summary: summaries.get(file).cloned(),
            deleted: None,
        });
        names.collect()
    }

    /// The newest changes of the private and the team's memories, newest first.
    pub fn recent_changes(&self) -> Vec<Change> {
        let history = self.store(Scope::Private).open_history();
        let Some(history) = history.ok().flatten() else {
            return Vec::new();
        };
        let entries = history.own_entries().take(CHANGES_MAX);
        let changes = entries.map_while(Result::ok).map(|entry| entry.change);
        changes.collect()
    }

    /// The files that recent changes deleted, whether or not they were made again.
    fn deleted_names(&self) -> Vec<KnownName> {
        let mut found = Vec::new();
        for change in self.recent_changes() {
            let versions = change.versions.iter();
            for version in versions.filter(|one| one.operation == FileOperation::Deleted) {
                for scope in [Scope::Private, Scope::Team] {
                    found.extend(ScopeDir(scope).note(&version.path).map(|file| KnownName {
                        scope,
                        name: stem(file),
                        summary: None,
                        deleted: Some(change.time),
                    }));
                }
            }
        }
        found
    }
}

fn stem(file: &str) -> String {
    file.strip_suffix(".md").unwrap_or(file).to_owned()
}

/// What a memory index says of each file: its summary, or its title where it has none.
fn summaries(index: &[u8]) -> BTreeMap<String, String> {
    let parsed = MemoryIndex::parse(index);
    let entries = parsed.entries().map(|(_, entry)| {
        let summary = Some(entry.hook(index)).filter(|summary| !summary.is_empty());
        let about = summary.unwrap_or_else(|| entry.title(index));
        (entry.file().to_owned(), about)
    });
    entries.collect()
}
