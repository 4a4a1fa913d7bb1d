//! The folder that a project's name may have been made of, looked for on the disk.
//!
//! Hosts delete old transcripts and keep memories: then only the name is left. It cannot be turned
//! back, since `/a/b-c` and `/a/b/c` make the same one, so that what is found is a guess.

use std::fs;
use std::path::{Path, PathBuf};

use super::is_made_of;
use crate::limits::GUESSED_FOLDERS_READ_MAX;
use crate::slug;

/// The one folder that makes this name; `None` when there is none, several, or too much to read.
pub(super) fn origin(slug: &str) -> Option<PathBuf> {
    if cfg!(windows) || !slug.starts_with('-') || slug.len() > slug::SLUG_CHARS_MAX {
        return None;
    }
    let mut search = ProjectSearch {
        slug,
        plain: slug.replace('_', "-"),
        found: Vec::new(),
        budget: GUESSED_FOLDERS_READ_MAX,
    };
    search.below(Path::new("/"));
    match (search.budget, search.found.len()) {
        (1.., 1) => search.found.pop(),
        _ => None,
    }
}

struct ProjectSearch<'s> {
    slug: &'s str,
    /// As it is made today, without the underscores that were kept at times.
    plain: String,
    found: Vec<PathBuf>,
    budget: usize,
}

impl ProjectSearch<'_> {
    /// Enters only folders whose own name begins the wanted one.
    fn below(&mut self, folder: &Path) {
        let Some(budget) = self.budget.checked_sub(1) else {
            return;
        };
        self.budget = budget;
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let own = slug::slug(&path);
            let rest = self.plain.strip_prefix(&own);
            let fits = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
            if !fits || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                continue;
            }
            if is_made_of(self.slug, &path) {
                self.found.push(path);
            } else {
                self.below(&path);
            }
        }
    }
}
