//! Where a tier's files stand within its store.

use crate::memory_path::InvalidPath;
use crate::notes::is_note;
use crate::{MemoryPath, Scope};

/// A tier as a folder of its store: the team tier has a prefix, the others are the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScopeDir(pub Scope);

impl ScopeDir {
    /// The folder within the store, with a trailing `/`; empty for the whole.
    pub fn prefix(self) -> &'static str {
        match self.0 {
            Scope::Team => "team/",
            Scope::Private | Scope::Global => "",
        }
    }

    /// The path within the store of a file of this tier.
    ///
    /// # Errors
    /// The name is no memory path.
    pub fn path(self, file: &str) -> Result<MemoryPath, InvalidPath> {
        MemoryPath::parse(&format!("{}{file}", self.prefix()))
    }

    /// The name within the tier of a path of the store, `None` for one of another tier.
    pub fn file(self, path: &MemoryPath) -> Option<&str> {
        self.within(path.as_str())
    }

    /// The same of a path that may be none of a memory.
    pub fn within(self, path: &str) -> Option<&str> {
        let file = path.strip_prefix(self.prefix())?;
        let other = self.0 == Scope::Private && file.starts_with(Self(Scope::Team).prefix());
        (!other).then_some(file)
    }

    /// The same of a folder, too; the tier's own has its own name.
    pub fn within_or_own(self, path: &str) -> Option<&str> {
        let is_own = path == self.prefix().trim_end_matches('/');
        self.within(path).or(is_own.then_some(path))
    }

    /// The name within the tier of a path of the store that is a memory of this tier.
    pub fn note(self, path: &MemoryPath) -> Option<&str> {
        let file = self.file(path)?;
        let is_note = match file.len() == path.as_str().len() {
            true => is_note(path, self.0),
            false => MemoryPath::parse(file).is_ok_and(|file| is_note(&file, self.0)),
        };
        is_note.then_some(file)
    }
}

/// The tier that a file or folder of a store belongs to, with its path within that tier and within the store. `tiers` are
/// those of the store; `None` for what is no memory path.
pub(super) fn tier_of(path: &str, tiers: &[Scope]) -> Option<(Scope, MemoryPath, MemoryPath)> {
    let in_store = MemoryPath::parse(path).ok()?;
    // The folder of the team's tier is in that of the private one, too.
    tiers.iter().rev().find_map(|scope| {
        let file = ScopeDir(*scope).within_or_own(path)?;
        Some((*scope, MemoryPath::parse(file).ok()?, in_store.clone()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_team_tier_is_a_folder_of_the_private_one() {
        let team = ScopeDir(Scope::Team);
        let path = team.path("a.md").unwrap();
        assert_eq!(path.as_str(), "team/a.md");
        assert_eq!(team.file(&path), Some("a.md"));
        assert_eq!(ScopeDir(Scope::Private).file(&path), None);
        assert_eq!(ScopeDir(Scope::Global).file(&path), Some("team/a.md"));
        assert!(team.path("../a.md").is_err());
    }
}
