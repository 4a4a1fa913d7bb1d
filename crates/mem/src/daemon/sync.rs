//! The job that synchronises: one run of rounds for a tier, told in one line of JSON.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use mem_core::location::ProjectContext;
use mem_daemon::mind::SyncOutcome;
use mem_daemon::shell::Synced;
use mem_sync::client::{Direction, Trouble};
use mem_sync::remote::{ErrorClass, RemoteError};
use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::counted::count_files;
use crate::error::ErrorShape;
use crate::sanitize::one_line;
use crate::team::rounds::{self, RoundRun, RunOptions};
use crate::team::settings::TeamShare;

/// The index of a tier is brought in step with what was taken.
const BESIDE: [&str; 2] = [mem_core::notes::INDEX_FILE, mem_core::notes::ARCHIVE_FILE];

/// What a job came to.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SyncJobOutcome {
    class: Came,
    #[serde(default)]
    after_seconds: Option<u64>,
    #[serde(default)]
    written: Vec<PathBuf>,
    #[serde(default)]
    trouble: Option<String>,
}

/// What follows from it, the better first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Came {
    Done,
    Overtaken,
    Transient,
    Permanent,
}

impl SyncJobOutcome {
    /// Nothing to do.
    pub(super) fn nothing_to_do() -> Self {
        Self {
            class: Came::Done,
            after_seconds: None,
            written: Vec::new(),
            trouble: None,
        }
    }

    /// Whether both ends agree, but for what was written meanwhile.
    pub(crate) fn has_agreed(&self) -> bool {
        self.class <= Came::Overtaken
    }

    /// Two tiers as one. What will not go of one keeps the other going, and is told.
    pub(super) fn combine_with(mut self, other: Self) -> Self {
        let classes = [self.class, other.class];
        let can = |class: &Came| *class != Came::Permanent;
        // The worst that a later try can mend: a permanent failure of one would keep the other from ever being tried.
        let worst = classes.into_iter().filter(can).max();
        self.class = worst.unwrap_or(Came::Permanent);
        self.after_seconds = self.after_seconds.max(other.after_seconds);
        self.written.extend(other.written);
        let mut troubles: Vec<String> = self.trouble.into_iter().chain(other.trouble).collect();
        // One remote is nearly always the reason of both.
        troubles.dedup();
        self.trouble = Some(troubles.join("; ")).filter(|text| !text.is_empty());
        self
    }
}

impl From<SyncJobOutcome> for Synced {
    fn from(told: SyncJobOutcome) -> Self {
        let has_written = !told.written.is_empty();
        let outcome = match told.class {
            Came::Done => SyncOutcome::Done { has_written },
            Came::Overtaken => SyncOutcome::Overtaken { has_written },
            Came::Transient => SyncOutcome::Transient {
                after: told.after_seconds.map(Duration::from_secs),
            },
            Came::Permanent => SyncOutcome::Permanent,
        };
        Self {
            outcome,
            written: told.written,
            trouble: told.trouble,
        }
    }
}

/// What a job that did not answer comes to: the next one may.
pub(super) fn lost_job(why: String) -> Synced {
    Synced {
        outcome: SyncOutcome::Transient { after: None },
        written: Vec::new(),
        trouble: Some(why),
    }
}

/// Synchronises the team's tier.
pub(super) fn run(context: &Context) -> SyncJobOutcome {
    or_stopped(sync_team(context))
}

/// What a job came to; one that could not begin will not until something is changed.
pub(super) fn or_stopped(told: Result<SyncJobOutcome>) -> SyncJobOutcome {
    told.unwrap_or_else(|error| {
        let diagnosis = ErrorShape::from_error(&error);
        stopped_outcome(Came::Permanent, None, &diagnosis.message)
    })
}

fn sync_team(context: &Context) -> Result<SyncJobOutcome> {
    let place = context.enabled_place()?;
    let share = context.team_share(&place)?;
    of_share(&share, &place, context)
}

/// One run of a tier, in both directions.
///
/// # Errors
/// It cannot begin.
pub(super) fn of_share(
    share: &TeamShare,
    place: &ProjectContext,
    context: &Context,
) -> Result<SyncJobOutcome> {
    let wanted = RunOptions {
        direction: Direction::Both,
        is_dry: false,
        // It has its own quiet period: a storm of writes is not sent piece by piece.
        comes_again: true,
        delete: None,
    };
    let run = rounds::run(share, place, context, wanted)?;
    Ok(round_outcome(&run, share, place))
}

fn round_outcome(run: &RoundRun, share: &TeamShare, place: &ProjectContext) -> SyncJobOutcome {
    let written = changed_files(run, share, place);
    let Some(trouble) = &run.trouble else {
        let class = match run.report.overtaken.is_empty() {
            true => Came::Done,
            false => Came::Overtaken,
        };
        let trouble = blocked_summary(run);
        return SyncJobOutcome {
            class,
            after_seconds: None,
            written,
            trouble,
        };
    };
    let class = match trouble.class() {
        ErrorClass::Transient | ErrorClass::Race => Came::Transient,
        ErrorClass::Permanent | ErrorClass::Fatal => Came::Permanent,
    };
    let after_seconds = match trouble {
        Trouble::Remote(RemoteError::Busy {
            retry_after_seconds,
            ..
        }) => *retry_after_seconds,
        _ => None,
    };
    SyncJobOutcome {
        written,
        ..stopped_outcome(class, after_seconds, &trouble.to_string())
    }
}

fn stopped_outcome(class: Came, after_seconds: Option<u64>, why: &str) -> SyncJobOutcome {
    SyncJobOutcome {
        class,
        after_seconds,
        written: Vec::new(),
        trouble: Some(one_line(why)),
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
