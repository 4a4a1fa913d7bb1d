//! From the name of a note, standing or gone, to its id: the one place that resolves it.

use std::collections::BTreeSet;

use mem_core::history::{History, NoteId};
use mem_core::inbox::{Entry, Inbox};
use mem_core::location::Place;
use mem_core::memory::{Memory, split_scope};
use mem_core::store::{RevisionError, Store, Tiers};
use mem_core::{Diagnose, ErrorKind, MemoryPath, Scope};

use crate::context::Context;
use crate::gone::Gone;
use crate::records::{OfUser, User};

/// Several notes answer to a name.
#[derive(Debug, thiserror::Error)]
#[error("`{name}` could be {}", listed(candidates))]
pub(crate) struct Ambiguous {
    name: String,
    candidates: Vec<MemoryPath>,
}

impl Diagnose for Ambiguous {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Invalid
    }

    fn hint(&self) -> Option<String> {
        Some("give the whole path".to_owned())
    }
}

fn listed(paths: &[MemoryPath]) -> String {
    let quoted: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
    quoted.join(" or ")
}

/// A note that a name means.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    /// Its id.
    pub note: NoteId,
    /// Where it stands, or last stood.
    pub path: MemoryPath,
}

/// A note, with the store and the history that know it.
pub(crate) struct Recalled {
    /// The store that has it, or had it.
    pub store: Store,
    /// Its history.
    pub history: History,
    /// The note.
    pub named: Named,
}

/// What a person typed: a name, and the tier where they said one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'n> {
    /// The tier.
    pub scope: Option<Scope>,
    /// The name without it.
    pub name: &'n str,
}

impl Context {
    /// Finds the note called `name`, standing or gone: in the project's own tiers, and among
    /// one's own notes where it is not there, or where `global` or `global:NAME` says so.
    ///
    /// # Errors
    /// None or several notes answer to it; the history is damaged.
    pub(crate) fn recall(
        &self,
        place: &Place,
        name: &str,
        global: bool,
    ) -> anyhow::Result<Recalled> {
        let (scope, bare) = split_scope(name, None);
        let wanted = Wanted { scope, name: bare };
        let memory = Memory::new(&place.location, self.dirs()?);
        let stores: &[bool] = match (global, scope) {
            (true, _) | (_, Some(Scope::Global)) => &[true],
            (false, Some(_)) => &[false],
            (false, None) => &[false, true],
        };
        for is_global in stores {
            let store = self.store(place, *is_global)?;
            let Some(history) = self.history(place, &store)? else {
                continue;
            };
            if let Some(named) = Self::named(&memory, &store, &history, wanted)? {
                return Ok(Recalled {
                    store,
                    history,
                    named,
                });
            }
        }
        Err(RevisionError::NeverSeen(name.to_owned()).into())
    }

    /// Finds what only waits in the inbox of the project's own tiers under a name, or was turned down there.
    ///
    /// # Errors
    /// Several paths answer to it.
    pub(crate) fn recall_waiting(
        &self,
        place: &Place,
        name: &str,
    ) -> anyhow::Result<Option<(Store, MemoryPath)>> {
        let (scope, bare) = split_scope(name, None);
        let wanted = Wanted { scope, name: bare };
        let store = self.store(place, false)?;
        let inbox = Inbox::of(store.places());
        let entries = [inbox.waiting().entries, inbox.rejected().entries];
        let files = entries.iter().flatten().flat_map(Entry::notes);
        let paths = files.map(|file| file.path.clone());
        let mut found: Vec<MemoryPath> = paths.filter(|path| wanted.calls(path)).collect();
        found.sort_unstable();
        found.dedup();
        match found.len() {
            0 | 1 => Ok(found.pop().map(|path| (store, path))),
            _ => Err(Ambiguous {
                name: bare.to_owned(),
                candidates: found,
            }
            .into()),
        }
    }

    /// Finds the note called `name` among the records of a user, standing or gone.
    ///
    /// # Errors
    /// As [`Context::recall`].
    fn recall_of_user(&self, place: &Place, name: &str, user: &User) -> anyhow::Result<Recalled> {
        let dirs = self.dirs()?;
        let (memory, store) = (user.memory(dirs), user.store(dirs));
        let (scope, bare) = split_scope(name, None);
        let wanted = Wanted { scope, name: bare };
        if let Some(history) = self.history(place, &store)?
            && let Some(named) = Self::named(&memory, &store, &history, wanted)?
        {
            return Ok(Recalled {
                store,
                history,
                named,
            });
        }
        Err(OfUser::new(user, &RevisionError::NeverSeen(name.to_owned())).into())
    }

    /// Finds the note called `name` among the records of a user where one is named, else as [`Context::recall`].
    ///
    /// # Errors
    /// As [`Context::recall`].
    pub(crate) fn recall_for(
        &self,
        user: Option<&User>,
        place: &Place,
        name: &str,
        global: bool,
    ) -> anyhow::Result<Recalled> {
        match user {
            Some(user) => self.recall_of_user(place, name, user),
            None => self.recall(place, name, global),
        }
    }

    /// Finds the note of a store that is called `name`: its path, file name, stem or id, first
    /// among the notes that stand, then among those that are gone, the latest first; else the
    /// title, or an unambiguous beginning, of one that stands, then of one that is gone.
    ///
    /// What is gone comes last where it is not named in full, because it must not be mistaken
    /// for what is still there.
    fn named(
        memory: &Memory,
        store: &Store,
        history: &History,
        wanted: Wanted<'_>,
    ) -> anyhow::Result<Option<Named>> {
        let snapshot = store.snapshot()?;
        let standing = snapshot.catalog().iter().filter(|(path, entry)| {
            wanted.calls(path) || (wanted.admits(path) && entry.note.as_str() == wanted.name)
        });
        let standing: Vec<Named> = standing
            .map(|(path, entry)| Named {
                note: entry.note,
                path,
            })
            .collect();
        if let Some(exact) = standing.iter().find(|one| wanted.is_path(&one.path)) {
            return Ok(Some(exact.clone()));
        }
        if let Some(found) = only(standing, wanted)? {
            return Ok(Some(found));
        }
        let stands = snapshot.catalog().iter();
        let stands: BTreeSet<NoteId> = stands.map(|(_, entry)| entry.note).collect();
        let gone = Gone::of(history, wanted)?;
        if let Some(found) = gone.in_full() {
            return Ok(Some(found));
        }
        let global = store.tiers() == Tiers::Global;
        let mut described = memory.candidates(wanted.name, wanted.scope)?.0;
        described.retain(|note| (note.scope == Scope::Global) == global);
        let described = described.into_iter().map(|note| Named {
            note: note.id,
            path: note.path,
        });
        if let Some(found) = only(described.collect(), wanted)? {
            return Ok(Some(found));
        }
        Ok(only(gone.described(history, &stands)?, wanted)?)
    }
}

/// The one that was found, if there is just one.
fn only(mut found: Vec<Named>, wanted: Wanted<'_>) -> Result<Option<Named>, Ambiguous> {
    match found.len() {
        0 | 1 => Ok(found.pop()),
        _ => Err(Ambiguous {
            name: wanted.name.to_owned(),
            candidates: found.into_iter().map(|one| one.path).collect(),
        }),
    }
}

impl Wanted<'_> {
    /// Whether a path of a store is in the tier that was named.
    pub(crate) fn admits(&self, path: &MemoryPath) -> bool {
        let is_team = path.as_str().starts_with("team/");
        match self.scope {
            None | Some(Scope::Global) => true,
            Some(Scope::Team) => is_team,
            Some(Scope::Private) => !is_team,
        }
    }

    /// Whether the name is this path, within the tier that was named.
    fn is_path(&self, path: &MemoryPath) -> bool {
        let file = match self.scope {
            Some(Scope::Team) => path.as_str().strip_prefix("team/"),
            _ => Some(path.as_str()),
        };
        let file = file.unwrap_or_default();
        self.admits(path) && (file == self.name || file.strip_suffix(".md") == Some(self.name))
    }

    /// Whether the name is this path, its file name or its stem.
    pub(crate) fn calls(&self, path: &MemoryPath) -> bool {
        let is_file = path.file_name() == self.name || path.stem() == self.name;
        self.is_path(path) || (self.admits(path) && is_file)
    }
}
