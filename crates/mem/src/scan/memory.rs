//! Secrets that stand in memory already.

use std::path::PathBuf;

use anyhow::Context as _;
use mem_core::{Dirs, agent_memory, project, projects};
use mem_scan::found::ContentKind;
use mem_scan::tree::{self, SkippedFiles};
use mem_scan::{RuleSources, Tally};
use mem_secrets::Confidence;

use crate::context::Context;
use crate::progress::Progress;
use mem_core::host_user::HostUser;

/// Scans every tier of this repository's memory, or of every project's with the records of every user of a host, or
/// one user's records.
///
/// A repository may allow findings of its own memory only where it is trusted.
///
/// # Errors
/// There is no home directory, or the settings are broken.
pub(crate) fn findings(
    context: &Context,
    user: Option<&HostUser>,
    all: bool,
    least: Confidence,
) -> anyhow::Result<Tally> {
    let dirs = context.dirs()?;
    let place = context.place()?;
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
    scan(
        folders,
        &RuleSources::of_trusted(&place.project, dirs),
        least,
        context,
    )
}

/// Scans the memory of every project and the records of every user of a host, wherever the run stands, even nowhere.
///
/// # Errors
/// There is no home directory, or a trusted configuration is broken.
pub(crate) fn everywhere(context: &Context) -> anyhow::Result<Tally> {
    let dirs = context.dirs()?;
    let sources = match project::find(&context.cwd, &context.env) {
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
    scan(folders.collect(), &sources, Confidence::Medium, context)
}

/// The folders of the records of every user of a host.
fn of_users(dirs: &Dirs) -> anyhow::Result<impl Iterator<Item = PathBuf>> {
    let stores = HostUser::user_stores(dirs).context("cannot list the users of hosts")?;
    Ok(stores.into_iter().map(|store| store.places().root.clone()))
}

fn scan(
    mut folders: Vec<PathBuf>,
    sources: &RuleSources,
    least: Confidence,
    context: &Context,
) -> anyhow::Result<Tally> {
    folders.sort_unstable();
    folders.dedup();
    let (ruleset, warnings) = sources.load()?;
    warnings
        .iter()
        .for_each(|warning| context.printer.print_warning(warning));
    let ruleset = ruleset.with_confidence(least);
    let progress = Progress::start(&context.printer);
    let mut tally = Tally::default();
    for folder in folders.iter().filter(|folder| folder.exists()) {
        let counters = progress.counters();
        tree::scan(
            folder,
            ContentKind::Memory,
            &SkippedFiles::None,
            &ruleset,
            counters,
            &mut tally,
        );
    }
    drop(progress);
    tally.settle();
    Ok(tally)
}
