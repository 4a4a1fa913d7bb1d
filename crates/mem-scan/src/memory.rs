//! Secrets in memories: scanned in every tier, of one project or of all.

use std::io;
use std::path::PathBuf;

use mem_core::host_user::HostUser;
use mem_core::location::ProjectContext;
use mem_core::run::HomeError;
use mem_core::{Diagnose, Dirs, RunContext, agent_memory, project, projects};
use mem_secrets::Confidence;

use crate::rules::RulesError;
use crate::scan_origin::ContentKind;
use crate::tree::{self, SkippedFiles};
use crate::{Counters, RuleSources, ScanTotals};

/// Memories cannot be scanned.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum MemoryScanError {
    /// There is no home directory.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// A configuration cannot be read.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// It is not known which users there are.
    #[error("cannot list the users of hosts")]
    #[diagnose(Io)]
    Users(#[source] io::Error),
}

/// Scans every tier of this repository's memory, or of every project's with the records of every user of a host, or
/// one user's records.
///
/// A repository may allow findings of its own memory only where it is trusted.
///
/// # Errors
/// There is no home directory, or the settings are broken.
pub fn scan_memory(
    place: &ProjectContext,
    user: Option<&HostUser>,
    all: bool,
    least: Confidence,
    run: &RunContext,
    counters: &Counters,
) -> Result<ScanTotals, MemoryScanError> {
    let dirs = run.dirs()?;
    let mut folders = match user {
        Some(user) => vec![user.user_store(dirs).places().root.clone()],
        None => vec![
            place.location.memory_dir.clone(),
            place.location.global_dir.clone(),
        ],
    };
    if all {
        folders.extend(of_users(dirs)?);
        folders.extend(projects::list(dirs).into_iter().map(|one| one.memory_dir));
    }
    let sources = RuleSources::of_trusted(&place.project, dirs);
    scan(folders, &sources, least, run, counters)
}

/// Scans the memory of every project and the records of every user of a host, wherever the run stands, even nowhere.
///
/// # Errors
/// There is no home directory, or a trusted configuration is broken.
pub fn scan_all_memories(
    run: &RunContext,
    counters: &Counters,
) -> Result<ScanTotals, MemoryScanError> {
    let dirs = run.dirs()?;
    let sources = match project::find(&run.cwd, &run.env) {
        Ok(project) => RuleSources::of_trusted(&project, dirs),
        Err(_) => RuleSources {
            dirs: Some(dirs.clone()),
            ..RuleSources::default()
        },
    };
    let projects = projects::list(dirs);
    let agents = agent_memory::list(dirs, &projects);
    let projects = projects.into_iter().chain(agents);
    let folders = projects
        .map(|one| one.memory_dir)
        .chain([dirs.global_memory()])
        .chain(of_users(dirs)?);
    scan(
        folders.collect(),
        &sources,
        Confidence::Medium,
        run,
        counters,
    )
}

/// The folders of the records of every user of a host.
fn of_users(dirs: &Dirs) -> Result<impl Iterator<Item = PathBuf>, MemoryScanError> {
    let stores = HostUser::user_stores(dirs).map_err(MemoryScanError::Users)?;
    Ok(stores.into_iter().map(|store| store.places().root.clone()))
}

fn scan(
    mut folders: Vec<PathBuf>,
    sources: &RuleSources,
    least: Confidence,
    run: &RunContext,
    counters: &Counters,
) -> Result<ScanTotals, MemoryScanError> {
    folders.sort_unstable();
    folders.dedup();
    let (ruleset, warnings) = sources.load()?;
    run.warn_all(&warnings);
    let ruleset = ruleset.with_confidence(least);
    let mut totals = ScanTotals::default();
    for folder in folders.iter().filter(|folder| folder.exists()) {
        let (kind, skips) = (ContentKind::Memory, &SkippedFiles::None);
        tree::scan(folder, kind, skips, &ruleset, counters, &mut totals);
    }
    totals.sort_findings();
    Ok(totals)
}
