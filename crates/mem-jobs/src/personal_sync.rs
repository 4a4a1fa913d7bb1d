//! The job that keeps one's own notes in step between one's machines: the private tier of the repository, and
//! the global one, which every daemon of a person watches and only one at a time brings in step.

use std::path::{Path, PathBuf};

use crate::JobError;
use jiff::{SignedDuration, Timestamp};
use mem_core::Scope;
use mem_core::location::ProjectContext;
use mem_core::state_file;
use mem_daemon::event_loop::Synced;
use mem_team::personal_sync;
use mem_team::settings::TeamShare;
use serde::{Deserialize, Serialize};

use crate::sync::{combine_jobs, nothing_to_do, of_share, or_stopped};
use mem_core::RunContext;
use mem_daemon::instance::logs_folder;

/// What another daemon brought in step so short a time ago is, unless it was changed since.
const FRESH: SignedDuration = SignedDuration::from_secs(150);

/// What daemons remember of a tier that several of them look after.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct PersonalSyncCache {
    /// When the last run that agreed with the remote began.
    begun: Option<Timestamp>,
    /// With which remote, and under which name.
    with: PathBuf,
}

/// Synchronises both.
pub(crate) fn run(run: &RunContext) -> Synced {
    or_stopped(sync_personal(run))
}

fn sync_personal(run: &RunContext) -> Result<Synced, JobError> {
    let place = run.enabled_place()?;
    let mut all: Option<Synced> = None;
    for share in &personal_sync::personal_sync(&place, run)?.shares {
        let told = or_stopped(match share.tier.0 {
            Scope::Global => in_turn(share, &place, run),
            _ => of_share(share, &place, run),
        });
        all = Some(match all {
            Some(before) => combine_jobs(before, told),
            None => told,
        });
    }
    Ok(all.unwrap_or_else(nothing_to_do))
}

/// One run, unless another daemon made it just now.
fn in_turn(
    share: &TeamShare,
    place: &ProjectContext,
    run: &RunContext,
) -> Result<Synced, JobError> {
    let folder = logs_folder(run.dirs()?);
    let _turn = state_file::lock(&folder.join("global-turn.lock"))?;
    let file = folder.join("global.json");
    let with = share.place.state();
    let kept: PersonalSyncCache = state_file::read(&file).0;
    let begun = run.current_time().0;
    if kept.with == with && is_fresh(&kept, &place.location.global_dir, begun) {
        return Ok(nothing_to_do());
    }
    let told = of_share(share, place, run)?;
    if told.outcome.has_agreed() {
        let begun = Some(begun);
        state_file::update(&file, |kept: &mut PersonalSyncCache| {
            *kept = PersonalSyncCache { begun, with }
        })?;
    }
    Ok(told)
}

/// Whether a tier was in step a moment ago, and nothing in it changed since.
fn is_fresh(kept: &PersonalSyncCache, folder: &Path, now: Timestamp) -> bool {
    let Some(begun) = kept.begun else {
        return false;
    };
    let age = now.duration_since(begun);
    // A clock that was put back says nothing about what came first.
    let is_recent = !age.is_negative() && age < FRESH;
    is_recent && newest_change(folder).is_some_and(|changed| changed < begun.as_second())
}

/// When something below a folder last changed, in seconds; `None` where that cannot be said. By the time that
/// nobody can set: whoever copies files keeps the others.
fn newest_change(folder: &Path) -> Option<i64> {
    let mut newest = change_time(&std::fs::metadata(folder).ok()?)?;
    for entry in std::fs::read_dir(folder).ok()? {
        let entry = entry.ok()?;
        // Of a link, the link: nobody follows it.
        let meta = entry.metadata().ok()?;
        newest = newest.max(match meta.is_dir() {
            true => newest_change(&entry.path())?,
            false => change_time(&meta)?,
        });
    }
    Some(newest)
}

#[cfg(unix)]
fn change_time(meta: &std::fs::Metadata) -> Option<i64> {
    Some(std::os::unix::fs::MetadataExt::ctime(meta))
}

/// That of the content: the system tells no other.
#[cfg(not(unix))]
fn change_time(meta: &std::fs::Metadata) -> Option<i64> {
    let changed = Timestamp::try_from(meta.modified().ok()?).ok()?;
    Some(changed.as_second())
}
