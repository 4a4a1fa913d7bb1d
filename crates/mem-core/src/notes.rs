//! Which files of a memory directory are notes. The one place for that rule.

use crate::memory_path::MemoryPath;
use crate::scope::Scope;

/// The list of pointers that hosts load.
pub const INDEX_FILE: &str = "MEMORY.md";
/// Where pointers go that no longer fit the index.
pub const ARCHIVE_FILE: &str = "MEMORY.archive.md";
/// The folder of the daily logs.
pub const LOGS_FOLDER: &str = "logs";
/// The folder in it of what memories said and say no longer: no notes, and no logs.
pub const RETIRED_FOLDER: &str = "logs/retired";
/// The folder of the team tier inside the private one.
pub const TEAM_FOLDER: &str = "team";

/// Files that people and hosts put beside memories and that no index needs to point to.
const UNINDEXED: [&str; 4] = ["README.md", "CLAUDE.md", "AGENTS.md", "LICENSE.md"];

/// Whether a file is a note of a tier, by its path inside that tier: any `*.md` but the index
/// and its archive, at any depth; not in `logs/`, not hidden, and for the private tier not in
/// `team/`, which is a tier of its own.
pub fn is_note(path: &MemoryPath, scope: Scope) -> bool {
    let name = path.file_name();
    let folder = path.as_str().split_once('/').map(|(folder, _)| folder);
    let foreign =
        folder == Some(LOGS_FOLDER) || (scope == Scope::Private && folder == Some(TEAM_FOLDER));
    let hidden = path.as_str().split('/').any(|part| part.starts_with('.'));
    name.ends_with(".md") && name != INDEX_FILE && name != ARCHIVE_FILE && !foreign && !hidden
}

/// Whether a file is an index or its archive, of a tier or of a folder in it.
pub fn is_index(path: &MemoryPath) -> bool {
    matches!(path.file_name(), INDEX_FILE | ARCHIVE_FILE)
}

/// Whether the index ought to point to a file: a note, and no README of some kind.
pub fn is_indexed(path: &MemoryPath, scope: Scope) -> bool {
    is_note(path, scope) && !UNINDEXED.contains(&path.file_name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_told_from_their_company() {
        let note = |path: &str| is_note(&MemoryPath::parse(path).unwrap(), Scope::Private);
        for path in [
            "a.md",
            "sub/b.md",
            "README.md",
            "sub/team/x.md",
            "catalogs/x.md",
        ] {
            assert!(note(path), "{path}");
        }
        for path in [
            "MEMORY.md",
            "sub/MEMORY.md",
            "MEMORY.archive.md",
            "a.txt",
            "logs/x.md",
            "team/x.md",
            ".x.md",
            ".o/x.md",
        ] {
            assert!(!note(path), "{path}");
        }
        let readme = MemoryPath::parse("README.md").unwrap();
        assert!(!is_indexed(&readme, Scope::Private));
        let own = MemoryPath::parse("team/x.md").unwrap();
        assert!(is_note(&own, Scope::Global));
    }
}
