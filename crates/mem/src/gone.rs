//! Notes that are gone, found in the history by what they were called.

use std::collections::BTreeSet;

use mem_core::MemoryPath;
use mem_core::history::{Entry, History, HistoryError, NoteId, Version};
use mem_core::notes::{ARCHIVE_FILE, INDEX_FILE};
use mem_core::topic::Topic;

use crate::named::{Named, Wanted};

/// Every version that a name could mean, newest first.
pub(crate) struct Gone<'n> {
    wanted: Wanted<'n>,
    versions: Vec<(Entry, Version)>,
}

impl<'n> Gone<'n> {
    /// Reads the history.
    ///
    /// # Errors
    /// Objects are missing or damaged.
    pub(crate) fn of(history: &History, wanted: Wanted<'n>) -> Result<Self, HistoryError> {
        let mut versions = Vec::new();
        for entry in history.entries()? {
            let meant = entry.change.versions.iter();
            let meant = meant.filter(|version| wanted.admits(&version.path));
            let meant: Vec<Version> = meant.cloned().collect();
            versions.extend(meant.into_iter().map(|version| (entry.clone(), version)));
        }
        Ok(Self { wanted, versions })
    }

    /// The note whose path, file name, stem or id was last the name.
    pub(crate) fn in_full(&self) -> Option<Named> {
        let name = self.wanted.name;
        let mut versions = self.versions.iter().map(|(_, version)| version);
        let found = versions.find(|one| self.wanted.calls(&one.path) || one.note.as_str() == name);
        found.map(named)
    }

    /// The notes, none of them standing, whose last title or stem is the name, whatever the case;
    /// else those for which one of these begins with it.
    ///
    /// # Errors
    /// Objects are missing or damaged.
    pub(crate) fn described(
        &self,
        history: &History,
        standing: &BTreeSet<&NoteId>,
    ) -> Result<Vec<Named>, HistoryError> {
        let name = self.wanted.name.to_lowercase();
        let (mut exact, mut begun) = (Vec::new(), Vec::new());
        let mut seen = BTreeSet::new();
        for (entry, version) in &self.versions {
            let is_last = version.sha256.is_some() && seen.insert(&version.note);
            if !is_last || standing.contains(&version.note) || !is_topic(&version.path) {
                continue;
            }
            let bytes = history.content(entry.commit, &version.path)?;
            let topic = Topic::parse(&bytes.unwrap_or_default());
            let stem = version.path.stem();
            let handles = [topic.title(stem).to_lowercase(), stem.to_lowercase()];
            if handles.contains(&name) {
                exact.push(named(version));
            } else if !name.is_empty() && handles.iter().any(|one| one.starts_with(&name)) {
                begun.push(named(version));
            }
        }
        Ok(if exact.is_empty() { begun } else { exact })
    }
}

fn named(version: &Version) -> Named {
    Named {
        note: version.note.clone(),
        path: version.path.clone(),
    }
}

/// Whether a path is neither an index nor a log: those are named in full.
fn is_topic(path: &MemoryPath) -> bool {
    let is_log = path.as_str().starts_with("logs/");
    !is_log && ![INDEX_FILE, ARCHIVE_FILE].contains(&path.file_name())
}
