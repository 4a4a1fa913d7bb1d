//! Whether a memory directory is still the one that its repository uses.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::AuditFinding;
use super::command::adopt_command;
use crate::adopt::preview_adoption;
use crate::check::CheckSeverity;
use crate::dirs::Dirs;
use crate::environment::Environment;
use crate::projects::ProjectDir;
use crate::registry::{self, Records};
use crate::store::{LocalStore, Tiers};
use crate::{project, slug};

/// What is known about where repositories are now.
pub(super) struct Whereabouts<'a> {
    dirs: &'a Dirs,
    records: Records,
    /// Folders that exist, by their name.
    by_name: BTreeMap<String, Vec<PathBuf>>,
}

impl<'a> Whereabouts<'a> {
    pub(super) fn new(dirs: &'a Dirs, projects: &[ProjectDir]) -> Self {
        let mut by_name: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
        let here = projects.iter().filter(|project| project.path_exists);
        for path in here.filter_map(|project| project.real_path.clone()) {
            by_name.entry(folder_name(&path)).or_default().push(path);
        }
        let (records, _) = registry::read(dirs);
        let roots = records.values().filter_map(|record| record.roots.last());
        for root in roots.map(PathBuf::from).filter(|root| root.is_dir()) {
            by_name.entry(folder_name(&root)).or_default().push(root);
        }
        Self {
            dirs,
            records,
            by_name,
        }
    }

    /// What is wrong with where a directory is; `None` where it is in use, or nothing is known.
    pub(super) fn placement_finding(&self, project: &ProjectDir) -> Option<AuditFinding> {
        let path = project.real_path.as_deref()?;
        if project.path_exists {
            return self.twin_finding(project, path);
        }
        let gone = path.display();
        if let Some(root) = self.moved_to(&project.memory_dir) {
            let message = format!(
                "its repository was moved from `{gone}` to `{}`",
                root.display()
            );
            return Some(self.misplaced_finding("moved", message, project, &root));
        }
        let slug = &project.slug;
        let namesake = self
            .by_name
            .get(&folder_name(path))
            .and_then(|paths| paths.first());
        let (guess, folder) = match namesake {
            Some(other) => (
                format!("; perhaps it is `{}` now", other.display()),
                other.clone(),
            ),
            None => (String::new(), PathBuf::from("FOLDER-OF-THE-REPOSITORY")),
        };
        Some(AuditFinding {
            message: format!("its folder `{gone}` is gone{guess}"),
            fix: Some(adopt_command(&folder, slug, "")),
            ..about_place("orphaned", CheckSeverity::Error)
        })
    }

    /// A directory that is keyed by something else than its project's root.
    fn twin_finding(&self, project: &ProjectDir, path: &Path) -> Option<AuditFinding> {
        let root = project::find(path, &Environment::default()).ok()?.root;
        let own = slug::existing(&root, &self.dirs.projects());
        let is_in_place = own == project.slug || self.is_elsewhere(project);
        if is_in_place {
            return None;
        }
        let message = match root == path {
            true => "the same path is spelt otherwise now".to_owned(),
            false => format!(
                "{} `{}`, which is part of `{}`",
                if project.is_guess {
                    "its name fits"
                } else {
                    "kept for"
                },
                path.display(),
                root.display()
            ),
        };
        Some(self.misplaced_finding("twin", message, project, &root))
    }

    /// A memory that belongs to the repository at `root`. Once everything of it is there, there
    /// is nothing to mend but disk space.
    fn misplaced_finding(
        &self,
        code: &'static str,
        message: String,
        project: &ProjectDir,
        root: &Path,
    ) -> AuditFinding {
        let own = slug::existing(root, &self.dirs.projects());
        let target = self.dirs.projects().join(own).join("memory");
        let store = |dir: &Path| LocalStore::new(dir, Tiers::Project, self.dirs);
        let preview = preview_adoption(&store(&target), &store(&project.memory_dir));
        if preview.is_ok_and(|adoption| adoption.is_settled()) {
            let message = format!(
                "everything in it is in the memory of `{}` too",
                root.display()
            );
            return AuditFinding {
                message,
                fix: Some(adopt_command(root, &project.slug, " --delete-source")),
                ..about_place("adopted", CheckSeverity::Info)
            };
        }
        AuditFinding {
            message,
            fix: Some(adopt_command(root, &project.slug, "")),
            ..about_place(code, CheckSeverity::Error)
        }
    }

    /// Whether settings, not the slug, say that this directory is used.
    fn is_elsewhere(&self, project: &ProjectDir) -> bool {
        !project.memory_dir.starts_with(self.dirs.projects())
    }

    /// Where a repository with the same first commit was seen since, if it is still there.
    fn moved_to(&self, memory_dir: &Path) -> Option<PathBuf> {
        let record = self.records.get(memory_dir)?;
        let is_same = |other: &registry::KnownDirectory| {
            let mut commits = record.root_commits.iter();
            commits.any(|commit| other.root_commits.contains(commit))
        };
        self.records
            .iter()
            .filter(|(directory, other)| directory.as_path() != memory_dir && is_same(other))
            .filter_map(|(_, other)| other.roots.last().map(PathBuf::from))
            .find(|root| root.is_dir())
    }
}

fn about_place(code: &'static str, severity: CheckSeverity) -> AuditFinding {
    AuditFinding {
        code,
        severity,
        scope: None,
        file: None,
        line: None,
        message: String::new(),
        fix: None,
    }
}

fn folder_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
