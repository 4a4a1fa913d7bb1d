//! The job that synchronises: one run of rounds for a tier, told in one line of JSON.

use std::path::PathBuf;
use std::time::Duration;

use crate::JobError;
use mem_core::location::ProjectContext;
use mem_daemon::event_loop::Synced;
use mem_daemon::state_machine::SyncOutcome;
use mem_sync::client::{Direction, StopReason};
use mem_sync::remote::{ErrorClass, RemoteError};
use mem_team::settings::{self, TeamShare};
use mem_team::sync_run::{self, RoundRun, RunOptions};

use mem_core::RunContext;
use mem_core::foreign_text::one_line;
use mem_core::plural::count_files;
use mem_tools::error_text::shown_message;

/// The index of a tier is brought in step with what was taken.
const BESIDE: [&str; 2] = [mem_core::notes::INDEX_FILE, mem_core::notes::ARCHIVE_FILE];

/// Nothing was to be done.
pub(crate) fn nothing_to_do() -> Synced {
    Synced {
        outcome: SyncOutcome::Done { has_written: false },
        written: Vec::new(),
        trouble: None,
    }
}

/// Two jobs as one.
pub(crate) fn combine_jobs(one: Synced, other: Synced) -> Synced {
    let mut written = one.written;
    written.extend(other.written);
    let has_written = !written.is_empty();
    // The worst that a later try can mend: a permanent failure of one would keep the other from ever being tried.
    let outcome = match (one.outcome, other.outcome) {
        (SyncOutcome::Permanent, SyncOutcome::Permanent) => SyncOutcome::Permanent,
        (SyncOutcome::Transient { after }, SyncOutcome::Transient { after: other }) => {
            let after = after.max(other);
            SyncOutcome::Transient { after }
        }
        (SyncOutcome::Transient { after }, _) | (_, SyncOutcome::Transient { after }) => {
            SyncOutcome::Transient { after }
        }
        (SyncOutcome::Overtaken { .. }, _) | (_, SyncOutcome::Overtaken { .. }) => {
            SyncOutcome::Overtaken { has_written }
        }
        _ => SyncOutcome::Done { has_written },
    };
    let mut troubles: Vec<String> = one.trouble.into_iter().chain(other.trouble).collect();
    // One remote is nearly always the reason of both.
    troubles.dedup();
    Synced {
        outcome,
        written,
        trouble: Some(troubles.join("; ")).filter(|text| !text.is_empty()),
    }
}

/// What a job that did not answer comes to: the next one may.
pub(crate) fn lost_job(why: String) -> Synced {
    Synced {
        outcome: SyncOutcome::Transient { after: None },
        written: Vec::new(),
        trouble: Some(why),
    }
}

/// Synchronises the team's tier.
pub(crate) fn run(run: &RunContext) -> Synced {
    or_stopped(sync_team(run))
}

/// What a job came to; one that could not begin will not until something is changed.
pub(crate) fn or_stopped(told: Result<Synced, JobError>) -> Synced {
    told.unwrap_or_else(|error| Synced {
        outcome: SyncOutcome::Permanent,
        written: Vec::new(),
        trouble: Some(one_line(&shown_message(&*error))),
    })
}

fn sync_team(run: &RunContext) -> Result<Synced, JobError> {
    let place = run.enabled_place()?;
    let share = settings::team_share(&place, run)?;
    of_share(&share, &place, run)
}

/// One run of a tier, in both directions.
///
/// # Errors
/// It cannot begin.
pub(crate) fn of_share(
    share: &TeamShare,
    place: &ProjectContext,
    run: &RunContext,
) -> Result<Synced, JobError> {
    let wanted = RunOptions {
        direction: Direction::Both,
        is_dry: false,
        // It has its own quiet period: a storm of writes is not sent piece by piece.
        is_repeated: true,
        delete: None,
    };
    let run = sync_run::run(share, place, run, wanted)?;
    Ok(round_outcome(&run, share, place))
}

fn round_outcome(run: &RoundRun, share: &TeamShare, place: &ProjectContext) -> Synced {
    let written = changed_files(run, share, place);
    let has_written = !written.is_empty();
    let outcome = match &run.trouble {
        None if run.report.overtaken.is_empty() => SyncOutcome::Done { has_written },
        None => SyncOutcome::Overtaken { has_written },
        Some(StopReason::Remote(RemoteError::Busy {
            retry_after_seconds,
            ..
        })) => SyncOutcome::Transient {
            after: retry_after_seconds.map(Duration::from_secs),
        },
        Some(trouble) => match trouble.class() {
            ErrorClass::Transient | ErrorClass::Race => SyncOutcome::Transient { after: None },
            ErrorClass::Permanent | ErrorClass::Fatal => SyncOutcome::Permanent,
        },
    };
    let trouble = run.trouble.as_ref().map(|why| one_line(&why.to_string()));
    Synced {
        outcome,
        written,
        trouble: trouble.or_else(|| blocked_summary(run)),
    }
}

/// Files that may have been written or removed here.
fn changed_files(run: &RoundRun, share: &TeamShare, place: &ProjectContext) -> Vec<PathBuf> {
    let report = &run.report;
    let all = [
        &report.taken,
        &report.removed,
        &report.merged,
        &report.conflicts,
        &report.deleted,
    ];
    let keys = all.into_iter().flatten().map(mem_sync::EntryKey::as_str);
    let keys: Vec<&str> = keys.collect();
    let beside = BESIDE.into_iter().filter(|_| !keys.is_empty());
    let folder = match share.tier.0 {
        mem_core::Scope::Team => &place.location.team_dir,
        mem_core::Scope::Global => &place.location.global_dir,
        mem_core::Scope::Private => &place.location.memory_dir,
    };
    let names = keys.iter().copied().chain(beside);
    names.map(|name| folder.join(name)).collect()
}

/// What waits until a file is changed, in one line.
fn blocked_summary(run: &RoundRun) -> Option<String> {
    let report = &run.report;
    if let Some(error) = &report.unscanned {
        return Some(format!("nothing was sent: {error}"));
    }
    let waiting = report.blocked.len() + report.held.len();
    if waiting == 0 {
        return None;
    }
    let why = match (report.blocked.first(), report.held.first()) {
        (Some(blocked), _) => blocked.to_string(),
        (None, Some((key, held))) => format!("`{key}`: {}", held.message),
        (None, None) => return None,
    };
    let text = format!("not sent, {}: {why}", count_files(waiting));
    Some(one_line(&text))
}
