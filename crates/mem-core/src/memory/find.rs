//! From what a person types to the memory that is meant.

use super::ProjectMemory;
use super::error::MemoryError;
use super::note::Note;
use crate::Scope;

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
    /// A directory cannot be listed.
    pub fn candidates(&self, name: &str, scope: Option<Scope>) -> Result<Candidates, MemoryError> {
        let (scope, name) = split_scope(name, scope);
        let scopes = scope.map_or(Scope::ALL.to_vec(), |scope| vec![scope]);
        let mut best: Vec<(Fit, Note)> = Vec::new();
        for note in self.list(&scopes)?.notes {
            let Some(fit) = fit(name, &note) else {
                continue;
            };
            if best.first().is_some_and(|(other, _)| *other > fit) {
                best.clear();
            }
            if best.first().is_none_or(|(other, _)| *other == fit) {
                best.push((fit, note));
            }
        }
        Ok(Candidates(best.into_iter().map(|(_, note)| note).collect()))
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

fn fit(name: &str, note: &Note) -> Option<Fit> {
    let stem = note.file.strip_suffix(".md").unwrap_or(&note.file);
    let absolute = note.absolute.to_string_lossy();
    let handles = [
        note.file.as_str(),
        stem,
        note.path.stem(),
        note.title(),
        note.id.as_str(),
    ];
    if handles.contains(&name) || absolute == name {
        return Some(Fit::Exact);
    }
    let folded = name.to_lowercase();
    let any = |test: &dyn Fn(&str) -> bool| handles.iter().any(|one| test(&one.to_lowercase()));
    if any(&|one| one == folded) {
        return Some(Fit::Folded);
    }
    (!folded.is_empty() && any(&|one| one.starts_with(&folded))).then_some(Fit::Prefix)
}
