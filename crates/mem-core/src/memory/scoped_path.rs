//! From the path of a file, as some program names it, to its place in a memory.

use std::path::{Component, Path, PathBuf};

use super::ProjectMemory;
use super::scope_dir::ScopeDir;
use crate::store::Tiers;
use crate::{MemoryPath, Scope};

/// A file of a memory directory. It need not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopedPath {
    /// The tier whose folder it is in.
    pub scope: Scope,
    /// The path within its tier, `/`-separated; any bytes that are no text are replaced.
    pub file: String,
    /// Where it really is: no symbolic links, no `..`.
    pub absolute: PathBuf,
}

impl ScopedPath {
    /// The file as one names it: with its tier where it is not the private one.
    pub fn label(&self) -> String {
        self.scope.label(&self.file)
    }

    /// The path within its store, where it is one that a memory can have.
    pub fn path(&self) -> Option<MemoryPath> {
        ScopeDir(self.scope).path(&self.file).ok()
    }
}

impl ProjectMemory {
    /// The place of an absolute path in this memory, symbolic links and `..` resolved as the system
    /// would; `None` where it is not in a memory directory.
    pub fn under(&self, path: &Path) -> Option<ScopedPath> {
        let absolute = resolved(path);
        let tiers = [Tiers::Project, Tiers::Global];
        let found = self
            .stores()
            .into_iter()
            .zip(tiers)
            .find_map(|(store, tiers)| {
                let inner = absolute.strip_prefix(&store.places().root).ok()?;
                let inner = inner.to_string_lossy().replace('\\', "/");
                (!inner.is_empty()).then_some((tiers, inner))
            });
        let (tiers, inner) = found?;
        let team = ScopeDir(Scope::Team).prefix();
        let (scope, file) = match (tiers, inner.strip_prefix(team)) {
            (Tiers::Global, _) => (Scope::Global, inner),
            (Tiers::Project, Some(file)) => (Scope::Team, file.to_owned()),
            (Tiers::Project, None) => (Scope::Private, inner),
        };
        Some(ScopedPath {
            scope,
            file,
            absolute,
        })
    }
}

/// The path with every symbolic link resolved that there is, part by part, and `..` taken from what
/// that led to.
pub fn resolved(path: &Path) -> PathBuf {
    let mut real = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                real.pop();
            }
            part => {
                real.push(part);
                if let Ok(found) = real.canonicalize() {
                    real = found;
                }
            }
        }
    }
    real
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dirs;

    #[cfg(unix)]
    #[test]
    fn links_and_dots_lead_to_the_tier_that_the_file_is_in() {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path().canonicalize().unwrap();
        let dirs = Dirs {
            home: None,
            base: top.join("base"),
            config: top.join("config"),
            state: top.join("state"),
            cache: top.join("cache"),
            managed: top.join("managed"),
            seals: crate::sealing::StateKeys::default(),
        };
        let root = top.join("memory");
        std::fs::create_dir_all(root.join("team")).unwrap();
        std::fs::create_dir_all(top.join("elsewhere/deep")).unwrap();
        std::os::unix::fs::symlink(&root, top.join("link")).unwrap();
        std::os::unix::fs::symlink(top.join("elsewhere/deep"), root.join("out")).unwrap();
        let memory = ProjectMemory::at(&root, &dirs);
        let label = |path: &str| memory.under(&top.join(path)).map(|under| under.label());
        let some = |label: &str| Some(label.to_owned());
        assert_eq!(label("memory/a.md"), some("a.md"));
        assert_eq!(label("link/team/a.md"), some("team:a.md"));
        assert_eq!(
            label("memory/sub/../team/./new/a.md"),
            some("team:new/a.md")
        );
        assert_eq!(label("memory/team/../a.md"), some("a.md"));
        assert_eq!(label("base/memory/a.md"), some("global:a.md"));
        assert_eq!(label("memory/out/a.md"), None);
        assert_eq!(
            label("memory/out/../a.md"),
            None,
            "as the system resolves it"
        );
        assert_eq!(label("memory"), None);
        assert_eq!(label("memory-2/a.md"), None);
    }
}
