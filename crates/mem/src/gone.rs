//! Notes that are gone, found in the history by what they were called.

use std::collections::{BTreeMap, BTreeSet};

use mem_core::MemoryPath;
use mem_core::history::{Entry, History, HistoryError, NoteId, Version};
use mem_core::notes::{ARCHIVE_FILE, INDEX_FILE};
use mem_core::topic::Topic;

use crate::named::{Named, Wanted};

/// A history, and the name that is looked for in it.
pub(crate) struct Gone<'n> {
    wanted: Wanted<'n>,
    entries: Vec<Entry>,
}

impl<'n> Gone<'n> {
    /// Reads the history.
    ///
    /// # Errors
    /// Objects are missing or damaged.
    pub(crate) fn of(history: &History, wanted: Wanted<'n>) -> Result<Self, HistoryError> {
        let entries = history.entries()?;
        Ok(Self { wanted, entries })
    }

    /// Every version that the name could mean, newest first.
    fn versions(&self) -> impl Iterator<Item = (&Entry, &Version)> {
        let all = self.entries.iter().flat_map(|entry| {
            let versions = entry.change.versions.iter();
            versions.map(move |version| (entry, version))
        });
        all.filter(|(_, version)| self.wanted.admits(&version.path))
    }

    /// The note whose path, file name, stem or id was last the name.
    pub(crate) fn in_full(&self) -> Option<Named> {
        let name = self.wanted.name;
        let mut versions = self.versions().map(|(_, version)| version);
        let found = versions.find(|one| self.wanted.calls(&one.path) || one.note.as_str() == name);
        found.map(named)
    }

    /// The notes that ever had the name for a title, whatever the case; else those, none of them
    /// standing, whose last title or stem is it or begins with it.
    ///
    /// # Errors
    /// Objects are missing or damaged.
    pub(crate) fn described(
        &self,
        history: &History,
        standing: &BTreeSet<NoteId>,
    ) -> Result<Vec<Named>, HistoryError> {
        let name = self.wanted.name.to_lowercase();
        // By path: of notes that stood at the same one, the newest is meant.
        let (mut exact, mut begun) = (BTreeMap::new(), BTreeMap::new());
        let mut newest: BTreeMap<&NoteId, &Version> = BTreeMap::new();
        let mut told = BTreeSet::new();
        for (entry, version) in self.versions() {
            let last = *newest.entry(&version.note).or_insert(version);
            if version.sha256.is_none() || !is_topic(&version.path) || name.is_empty() {
                continue;
            }
            let bytes = history.content(entry.commit, &version.path)?;
            let topic = Topic::parse(&bytes.unwrap_or_default());
            let stem = version.path.stem();
            let handles = [topic.title(stem).to_lowercase(), stem.to_lowercase()];
            let is_last = told.insert(&version.note) && !standing.contains(&version.note);
            if handles.contains(&name) {
                exact.entry(&last.path).or_insert_with(|| named(last));
            } else if is_last && handles.iter().any(|one| one.starts_with(&name)) {
                begun.entry(&last.path).or_insert_with(|| named(last));
            }
        }
        let best = if exact.is_empty() { begun } else { exact };
        Ok(best.into_values().collect())
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
