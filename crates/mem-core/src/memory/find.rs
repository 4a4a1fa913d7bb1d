//! From what a person types to the memory that is meant.

use std::path::Path;

use super::ProjectMemory;
use super::error::MemoryError;
use super::list::UnreadableMemory;
use super::note::Note;
use super::scope_dir::ScopeDir;
use crate::Scope;
use crate::index::MemoryIndex;
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
        for memory in listing.unreadable {
            let fit = self.fit_unreadable(name, &memory)?;
            let is_best = |fit: Fit| best.first().is_none_or(|(other, _)| fit <= *other);
            if fit.is_some_and(is_best) {
                return Err(memory.error.into());
            }
        }
        Ok(Candidates(best.into_iter().map(|(_, note)| note).collect()))
    }

    /// How a name fits a memory of which only the file name is known, and the title that its index gives it.
    fn fit_unreadable(
        &self,
        name: &str,
        memory: &UnreadableMemory,
    ) -> Result<Option<Fit>, MemoryError> {
        let index_path = ScopeDir(memory.scope).path(INDEX_FILE)?;
        // Without the index no title is known.
        let index = self.store(memory.scope).read(&index_path).ok().flatten();
        let index = index.unwrap_or_default();
        let file = memory.file.as_str();
        let parsed = MemoryIndex::parse(&index);
        let mut entries = parsed.entries();
        let entry = entries.find(|(_, entry)| entry.points_to(file));
        let title = entry.map_or_else(|| file.to_owned(), |(_, entry)| entry.title(&index));
        let handles = [file, without_extension(file), memory.file.stem(), &title];
        Ok(fit(name, &memory.absolute, &handles))
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
