//! The memory directories of a host's subagents, one for each agent: `<base>/agent-memory/NAME` of all projects, and
//! `.claude/agent-memory/NAME` and `.claude/agent-memory-local/NAME` of one.
//! Source: <https://code.claude.com/docs/en/sub-agents>.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::dirs::Dirs;
use crate::projects::{ProjectDir, has_notes};

const FOLDER: &str = "agent-memory";
const PROJECT_FOLDERS: [&str; 2] = [".claude/agent-memory", ".claude/agent-memory-local"];

/// Every such directory with memories: those of all projects, and those in the folders of `projects`. Named by the folder, as
/// no project has them.
pub fn list(dirs: &Dirs, projects: &[ProjectDir]) -> Vec<ProjectDir> {
    let roots = projects.iter().filter_map(|one| one.real_path.as_deref());
    list_below(dirs, roots)
}

/// [`list`] for the folders of projects.
pub fn list_below<'p>(dirs: &Dirs, roots: impl IntoIterator<Item = &'p Path>) -> Vec<ProjectDir> {
    let roots: BTreeSet<&Path> = roots.into_iter().collect();
    let of_projects = roots
        .into_iter()
        .flat_map(|root| PROJECT_FOLDERS.map(|folder| root.join(folder)));
    let folders = [dirs.base.join(FOLDER)].into_iter().chain(of_projects);
    folders.flat_map(|folder| agents_in(&folder)).collect()
}

/// The agents with memories in a folder, by name. A link leads out of it, perhaps out of a repository.
fn agents_in(folder: &Path) -> Vec<ProjectDir> {
    let is_own = |path: &Path| path.symlink_metadata().is_ok_and(|meta| meta.is_dir());
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries
        .filter(|_| is_own(folder))
        .map(|entry| entry.path())
        .filter(|path| is_own(path) && has_notes(path))
        .collect();
    paths.sort_unstable();
    let agent = |memory_dir: PathBuf| {
        let name = memory_dir.file_name()?.to_str()?;
        Some(ProjectDir {
            slug: format!("{FOLDER}/{name}"),
            memory_dir,
            has_notes: true,
            real_path: None,
            is_guess: false,
            path_exists: false,
        })
    };
    paths.into_iter().filter_map(agent).collect()
}
