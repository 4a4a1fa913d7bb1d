//! All names of an index at once, for looking many notes up.

use std::collections::{HashMap, HashSet};

use super::references::{FileReference, ReferenceTarget, wiki_names};
use super::target::composed;
use crate::memory_path::MemoryPath;

/// All names of an index, for looking many notes up.
#[derive(Default)]
pub(super) struct Names {
    files: HashMap<String, usize>,
    wikis: HashSet<String>,
}

impl Names {
    pub(super) fn from_mentions<'m>(mentions: impl Iterator<Item = &'m FileReference>) -> Self {
        let mut names = Self::default();
        for mention in mentions {
            match &mention.target {
                ReferenceTarget::Wiki(word) => {
                    names.wikis.insert(word.clone());
                }
                ReferenceTarget::File(file) => {
                    for spelling in file.all() {
                        *names.files.entry(composed(spelling)).or_default() += 1;
                    }
                }
            }
        }
        names
    }

    /// How many links point to a file.
    pub(super) fn count(&self, path: &MemoryPath) -> usize {
        let count = self.files.get(&composed(path.as_str()));
        count.copied().unwrap_or(0)
    }

    /// Whether anything names a note.
    pub(super) fn name(&self, path: &MemoryPath, title: &str) -> bool {
        self.count(path) > 0
            || wiki_names(path, title)
                .iter()
                .any(|name| self.wikis.contains(name))
    }
}
