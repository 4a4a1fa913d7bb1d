//! Every project under the base at once: memories that were left behind by a move, memories under
//! another slug than their project's, and what a check finds in each directory.
//!
//! Reads only. Hundreds of projects take about a second.

mod command;
mod contents;
mod placement;

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::check::CheckSeverity;
use crate::compact_sort::CompactSort as _;
use crate::dirs::Dirs;
use crate::projects::{self, ProjectDir, has_notes};
use crate::{Scope, agent_memory, registry};

pub use command::shell_word;

use placement::Whereabouts;

/// One thing to mend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditFinding {
    /// Which sort: a code of [`check`](crate::check), or `moved`, `orphaned`, `twin`, `adopted`,
    /// `unreadable`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: CheckSeverity,
    /// The tier; `None` when it is about the whole directory.
    pub scope: Option<Scope>,
    /// The file, relative to its tier; `None` when it is about the whole directory.
    pub file: Option<String>,
    /// The line in the file, from 1.
    pub line: Option<usize>,
    /// What is wrong, in a sentence fragment.
    pub message: String,
    /// The one command that mends it; `None` when only a person can decide.
    pub fix: Option<String>,
}

/// What was found in one memory directory.
#[derive(Clone, Debug)]
pub struct ProjectAudit {
    /// The name of its directory under the base, `agent-memory/NAME` for that of a subagent; `None` for the tier of one's own notes.
    pub slug: Option<String>,
    /// The folder it is kept for, as far as known.
    pub path: Option<PathBuf>,
    /// The directory.
    pub memory_dir: PathBuf,
    /// How many memories are in it, in all tiers.
    pub memories: usize,
    /// What to mend, worst first.
    pub findings: Vec<AuditFinding>,
}

impl ProjectAudit {
    /// How bad the worst finding is.
    pub fn worst_severity(&self) -> Option<CheckSeverity> {
        self.findings.iter().map(|finding| finding.severity).min()
    }

    /// How many findings are more than information.
    pub fn to_mend(&self) -> usize {
        let is_worse = |finding: &&AuditFinding| finding.severity != CheckSeverity::Info;
        self.findings.iter().filter(is_worse).count()
    }
}

/// What an audit found.
#[derive(Clone, Debug)]
pub struct Audit {
    /// How many projects the host keeps, with memories or without.
    pub projects_seen: usize,
    /// Every directory with memories, the worst first.
    pub projects: Vec<ProjectAudit>,
}

/// Audits every project under the base, directories elsewhere that `mem` knows of, those of the host's subagents, and
/// one's own notes.
pub fn audit_projects(dirs: &Dirs) -> Audit {
    let on_disk = projects::list(dirs);
    let projects_seen = on_disk.len();
    let agents = agent_memory::list(dirs, &on_disk);
    let mut all: Vec<ProjectDir> = on_disk.into_iter().filter(|dir| dir.has_notes).collect();
    let known: BTreeSet<PathBuf> = all.iter().map(|dir| dir.memory_dir.clone()).collect();
    all.extend(projects_elsewhere(dirs, &known));
    let whereabouts = Whereabouts::new(dirs, &all);
    let mut projects = in_parallel(&all, |project| audit_project(project, &whereabouts, dirs));
    projects.extend(
        agents
            .iter()
            .map(|agent| contents::audit_tiers(agent, dirs)),
    );
    if has_notes(&dirs.global_memory()) {
        projects.push(contents::audit_global(dirs));
    }
    projects.compact_sort_by(|a, b| severity_rank(a).cmp(&severity_rank(b)));
    Audit {
        projects_seen,
        projects,
    }
}

/// Audits one memory directory that is in use for `path`.
pub fn audit_one(memory_dir: PathBuf, slug: &str, path: PathBuf, dirs: &Dirs) -> ProjectAudit {
    let project = ProjectDir {
        slug: slug.to_owned(),
        has_notes: has_notes(&memory_dir),
        memory_dir,
        path_exists: true,
        real_path: Some(path),
        is_guess: false,
    };
    let mut found = contents::audit_tiers(&project, dirs);
    found
        .findings
        .compact_sort_by_key(|finding| finding.severity);
    found
}

fn audit_project(project: &ProjectDir, whereabouts: &Whereabouts<'_>, dirs: &Dirs) -> ProjectAudit {
    let mut found = contents::audit_tiers(project, dirs);
    if let Some(finding) = whereabouts.placement_finding(project) {
        // What is in it is mended where it is adopted.
        found.findings = vec![finding];
    }
    found
        .findings
        .compact_sort_by_key(|finding| finding.severity);
    found
}

/// Directories that settings put elsewhere, as far as `mem` was used with them.
fn projects_elsewhere(dirs: &Dirs, known: &BTreeSet<PathBuf>) -> Vec<ProjectDir> {
    let (records, _) = registry::read(dirs);
    let own_notes = dirs.global_memory();
    let unlisted = records.into_iter().filter(|(memory_dir, _)| {
        !known.contains(memory_dir) && *memory_dir != own_notes && has_notes(memory_dir)
    });
    unlisted
        .map(|(memory_dir, record)| {
            let real_path = record.roots.last().map(PathBuf::from);
            ProjectDir {
                slug: record.slug,
                memory_dir,
                has_notes: true,
                path_exists: real_path.as_deref().is_some_and(std::path::Path::is_dir),
                real_path,
                is_guess: false,
            }
        })
        .collect()
}

/// The worst first, then the most findings, then by name.
fn severity_rank(project: &ProjectAudit) -> (u8, std::cmp::Reverse<usize>, &PathBuf) {
    let worst = match project.worst_severity() {
        Some(CheckSeverity::Error) => 0,
        Some(CheckSeverity::Warning) => 1,
        Some(CheckSeverity::Info) => 2,
        None => 3,
    };
    (
        worst,
        std::cmp::Reverse(project.to_mend()),
        &project.memory_dir,
    )
}

/// Maps every item, on all cores.
fn in_parallel<T: Sync, R: Send>(items: &[T], map: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let share = items.len().div_ceil(workers).max(1);
    let map = &map;
    std::thread::scope(|scope| {
        let threads: Vec<_> = items
            .chunks(share)
            .map(|chunk| scope.spawn(move || chunk.iter().map(map).collect::<Vec<R>>()))
            .collect();
        let joined = threads.into_iter().map(|thread| {
            thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        joined.flatten().collect()
    })
}
