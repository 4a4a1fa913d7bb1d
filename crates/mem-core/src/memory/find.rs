//! From what a person types to the memory that is meant.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

use super::ProjectMemory;
use super::error::MemoryError;
use super::list::UnreadableMemory;
use super::note::Note;
use super::scope_dir::ScopeDir;
use crate::Scope;
use crate::index::MemoryIndex;
use crate::memory_path::is_at_or_below;
use crate::notes::INDEX_FILE;

/// How well a name fits; only the best fit of all tiers counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// The file, the stem, the title or the id.
    Exact,
    /// One of these, apart from case.
    Folded,
    /// The beginning of one of these.
    Prefix,
}

/// The memories that a name could mean.
#[derive(Debug, Default)]
pub struct Candidates(pub Vec<Note>);

impl ProjectMemory {
    /// Finds the one memory called `name`: a file (`team:x.md`, `team/x.md` and an absolute path
    /// too), a stem, a title, an id, or an unambiguous beginning of one of these.
    ///
    /// # Errors
    /// None or several are called that.
    pub fn find(&self, name: &str, scope: Option<Scope>) -> Result<Note, MemoryError> {
        let Candidates(mut found) = self.candidates(name, scope)?;
        match found.len() {
            0 => Err(MemoryError::NotFound(name.to_owned())),
            1 => Ok(found.remove(0)),
            _ => Err(MemoryError::Ambiguous {
                name: name.to_owned(),
                candidates: labels(&found),
            }),
        }
    }

    /// All memories that fit a name equally well.
    ///
    /// # Errors
    /// A directory cannot be listed; a memory that cannot be read fits at least as well, so that another one is not
    /// taken for it.
    pub fn candidates(&self, name: &str, scope: Option<Scope>) -> Result<Candidates, MemoryError> {
        let (scope, name) = split_scope(name, scope);
        let scopes = scope.map_or(Scope::ALL.to_vec(), |scope| vec![scope]);
        let mut best: Vec<(Fit, Note)> = Vec::new();
        let listing = self.list(&scopes)?;
        for note in listing.notes {
            let Some(fit) = fit_note(name, &note) else {
                continue;
            };
            if best.first().is_some_and(|(other, _)| *other > fit) {
                best.clear();
            }
            if best.first().is_none_or(|(other, _)| *other == fit) {
                best.push((fit, note));
            }
        }
        let is_best = |fit: Fit| best.first().is_none_or(|(other, _)| fit <= *other);
        let names = self.unreadable_names(&listing.unreadable)?;
        for (memory, names) in listing.unreadable.into_iter().zip(names) {
            let handles: Vec<&str> = names.iter().map(String::as_str).collect();
            if fit(name, &memory.absolute, &handles).is_some_and(is_best) {
                return Err(memory.error.into());
            }
        }
        Ok(Candidates(best.into_iter().map(|(_, note)| note).collect()))
    }

    /// The names that are known of memories that cannot be read, or of those in a folder that cannot: the files and stems
    /// that the index and the catalog have, and the titles that the index gives them. One list a memory, in their order.
    ///
    /// # Errors
    /// A memory directory cannot be listed.
    pub fn unreadable_names(
        &self,
        memories: &[UnreadableMemory],
    ) -> Result<Vec<Vec<String>>, MemoryError> {
        let mut recorded = BTreeMap::new();
        for memory in memories {
            if let Entry::Vacant(vacant) = recorded.entry(memory.scope) {
                vacant.insert(RecordedFiles::load(self, memory.scope)?);
            }
        }
        let names = memories.iter().map(|memory| {
            let recorded = recorded.get(&memory.scope);
            recorded.map_or_else(Vec::new, |recorded| recorded.names_of(memory))
        });
        Ok(names.collect())
    }
}

/// What the index and the catalog have of the files of a tier.
struct RecordedFiles {
    index: Vec<u8>,
    /// The memories of the catalog by their absolute paths, so that those in a folder follow it.
    files: BTreeMap<PathBuf, String>,
}

impl RecordedFiles {
    fn load(memory: &ProjectMemory, scope: Scope) -> Result<Self, MemoryError> {
        let (tier, store) = (ScopeDir(scope), memory.store(scope));
        // Without the index no title is known.
        let index = store.read(&tier.path(INDEX_FILE)?).ok().flatten();
        let snapshot = store.snapshot()?;
        let files = snapshot.catalog().iter().filter_map(|(path, _)| {
            let file = tier.note(&path)?.to_owned();
            Some((snapshot.absolute(&path), file))
        });
        Ok(Self {
            files: files.collect(),
            index: index.unwrap_or_default(),
        })
    }

    fn names_of(&self, memory: &UnreadableMemory) -> Vec<String> {
        let above = memory.file.as_str();
        let (mut files, mut names) = (vec![above.to_owned()], Vec::new());
        for (_, entry) in MemoryIndex::parse(&self.index).entries() {
            if entry.points_to(above) || is_at_or_below(entry.file(), above) {
                files.push(entry.file().to_owned());
                names.push(entry.title(&self.index));
            }
        }
        let below = self.files.range(memory.absolute.clone()..);
        let below = below.take_while(|(path, _)| path.starts_with(&memory.absolute));
        files.extend(below.map(|(_, file)| file.clone()));
        for file in files {
            let plain = without_extension(&file);
            let stem = plain.rsplit('/').next().unwrap_or(plain);
            names.extend([plain.to_owned(), stem.to_owned()]);
            names.push(file);
        }
        names
    }
}

/// The files as one may name them to choose one of them.
fn labels(found: &[Note]) -> Vec<String> {
    let is_taken_elsewhere = |note: &Note| {
        let others = found.iter().filter(|other| other.scope != note.scope);
        others.into_iter().any(|other| other.file == note.file)
    };
    let label = |note: &Note| match is_taken_elsewhere(note) {
        true => format!("{}:{}", note.scope, note.file),
        false => note.label(),
    };
    found.iter().map(label).collect()
}

/// The tier that a name says, and the rest: `team:x` and `team/x` name the team's x.
pub fn split_scope(name: &str, scope: Option<Scope>) -> (Option<Scope>, &str) {
    for (word, found) in [
        ("private", Scope::Private),
        ("team", Scope::Team),
        ("global", Scope::Global),
    ] {
        if let Some(rest) = name
            .strip_prefix(word)
            .and_then(|rest| rest.strip_prefix(':'))
        {
            return (Some(found), rest);
        }
    }
    match name.strip_prefix("team/") {
        Some(rest) if scope.is_none() => (Some(Scope::Team), rest),
        _ => (scope, name),
    }
}

fn fit_note(name: &str, note: &Note) -> Option<Fit> {
    let handles = [
        note.file.as_str(),
        without_extension(&note.file),
        note.path.stem(),
        note.title(),
        note.id.as_str(),
    ];
    fit(name, &note.absolute, &handles)
}

fn without_extension(file: &str) -> &str {
    file.strip_suffix(".md").unwrap_or(file)
}

fn fit(name: &str, absolute: &Path, handles: &[&str]) -> Option<Fit> {
    if handles.contains(&name) || absolute.to_string_lossy() == name {
        return Some(Fit::Exact);
    }
    let folded = name.to_lowercase();
    let any = |test: &dyn Fn(&str) -> bool| handles.iter().any(|one| test(&one.to_lowercase()));
    if any(&|one| one == folded) {
        return Some(Fit::Folded);
    }
    (!folded.is_empty() && any(&|one| one.starts_with(&folded))).then_some(Fit::Prefix)
}
