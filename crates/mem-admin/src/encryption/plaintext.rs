//! What stays plain while encryption of this machine is on, and how much of it is here. Nobody is to believe that all
//! is sealed: what is kept as files for people, agents or git to read stays readable.

use std::fs;
use std::path::{Path, PathBuf};

use mem_core::Dirs;
use serde_json::{Map, Value};

use mem_core::plural;

/// What stays readable of what this machine keeps, and why.
pub const PLAINTEXT_KINDS: [&str; 7] = [
    "topic files, indexes (MEMORY.md), logs and notes of sessions: agents read them where they are",
    "names of files, times, sizes, checksums and ids: catalogs, objects of histories, what was recalled or distilled",
    "the copy of a git remote that memory is shared through (`team/`, `own/`), which the system's git works on",
    "copies of attached memory stores, and texts that gave way to them, which agents and people read as files",
    "memories of a host's users (`records/`, `users/`): topic files, and files of the memory tool",
    "settings, the list of repositories, tokens (0600), and logs of hooks and of the daemon, which have no contents",
    "what an editor left (`unsaved/`), and copies that a model works on while it is asked",
];

/// Contents that are plain below the state.
#[derive(Debug)]
pub struct PlaintextFiles(Vec<(&'static str, &'static str, usize)>);

impl PlaintextFiles {
    /// Counts files; nothing is opened.
    pub fn for_dirs(dirs: &Dirs) -> Self {
        let stores: Vec<PathBuf> = files_below(&dirs.stores());
        let in_stores = |name: &str| {
            stores
                .iter()
                .map(|store| count_files(&store.join(name)))
                .sum()
        };
        let remotes = stores.iter().flat_map(|store| {
            let shares = ["team", "own"].map(|kind| files_below(&store.join(kind)));
            shares.into_iter().flatten()
        });
        let copies = remotes.filter(|path| path.extension().is_some_and(|end| end == "git"));
        Self(vec![
            ("attached", "of attached stores", in_stores("attached")),
            (
                "remotes",
                "of copies of git remotes",
                copies.map(|path| count_files(&path)).sum(),
            ),
            (
                "users",
                "of a host's users",
                count_files(&dirs.state.join("records")) + in_stores("users"),
            ),
            (
                "unsaved",
                "that an editor left",
                count_files(&dirs.state.join("unsaved")),
            ),
        ])
    }

    /// A line for people; `None` where there is none of it.
    pub fn summary_line(&self) -> Option<String> {
        let there = self.0.iter().filter(|(_, _, count)| *count > 0);
        let parts: Vec<String> = there
            .map(|(_, what, count)| format!("{} {what}", plural::count_files(*count)))
            .collect();
        (!parts.is_empty()).then(|| format!("plain below the state, by now: {}", parts.join(", ")))
    }

    /// The counts by name.
    pub fn counts_json(&self) -> Value {
        let counts = self.0.iter();
        let counts = counts.map(|(name, _, count)| ((*name).to_owned(), (*count).into()));
        Value::Object(counts.collect::<Map<_, _>>())
    }
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

/// How many files are below a folder; links are not followed.
fn count_files(folder: &Path) -> usize {
    let count = |path: &PathBuf| match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_dir() => count_files(path),
        Ok(meta) => usize::from(meta.is_file()),
        Err(_) => 0,
    };
    files_below(folder).iter().map(count).sum()
}
