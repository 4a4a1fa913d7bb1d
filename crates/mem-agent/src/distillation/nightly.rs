//! A distillation while nobody looks: when it is due, who does it where several machines could, and what is
//! told of it afterwards.

use std::time::Duration;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use mem_core::history::{Author, AuthorKind};
use mem_core::inbox::Inbox;
use mem_core::location::ProjectContext;
use mem_core::memory::ProjectMemory;
use mem_core::store::{ChangeMetadata, MemoryPaths};
use mem_core::{Dirs, Now, Scope};

use super::error::DistillationError;
use super::lease;
use super::run::{DistillationDraft, prepare_plan};
use super::sources::{SourceFilter, local_date};
use super::state::{DistillState, LastRun, lock_distillation};
use crate::access::MemoryAccess;

/// The hour of the day, where the person is, from which on a night's distillation is due.
const HOUR: i8 = 3;
/// It is spread over so much time, so that machines of one person do not all begin at once.
pub const JITTER_SECONDS: u64 = 3_600;
/// A night that was missed is made up for after so long, and the share of the jitter that is due to it.
const CATCH_UP: Duration = Duration::from_secs(60);
/// Before this (2020-01-01T00:00:00Z) no clock is right, and no night is one.
const EARLIEST_SECONDS: i64 = 1_577_836_800;

/// The verb of the change, and the name under which it is made.
const VERB: &str = "dream";

/// What a distillation at night needs of the program that runs it.
pub struct NightlyTasks<'t> {
    /// Synchronises the person's own notes; whether the remote agreed.
    pub sync_notes: &'t dyn Fn() -> bool,
    /// An error as it may be kept and shown.
    pub error_text: &'t dyn Fn(&DistillationError) -> String,
    /// Where the person is.
    pub zone: &'t TimeZone,
}

/// How long until a distillation is due; `None` where the clock cannot be right.
pub fn due_in(
    now: Timestamp,
    last: Option<Timestamp>,
    jitter: u64,
    zone: &TimeZone,
) -> Option<Duration> {
    if now.as_second() < EARLIEST_SECONDS {
        return None;
    }
    let jitter = jitter % JITTER_SECONDS;
    let night = |day: Date| {
        let begins = zone.to_timestamp(day.at(HOUR, 0, 0, 0)).ok()?;
        begins
            .checked_add(i64::try_from(jitter).ok()?.seconds())
            .ok()
    };
    let day = zone.to_datetime(now).date();
    let tonight = night(day)?;
    let (before, next) = match tonight <= now {
        true => (tonight, night(day.tomorrow().ok()?)?),
        false => (night(day.yesterday().ok()?)?, tonight),
    };
    match last {
        // A time to come is one of a clock that was wrong then.
        Some(last) if last >= before && last <= now => {
            Duration::try_from(next.duration_since(now)).ok()
        }
        _ => Some(CATCH_UP + Duration::from_secs(jitter / 60)),
    }
}

/// Whether a person wants it here, whoever else distils.
pub fn is_wanted(place: &ProjectContext) -> bool {
    place.location.enabled && place.config.values.dream.nightly
}

/// When it was last tried.
pub fn last_attempt(place: &ProjectContext, dirs: &Dirs) -> Option<Timestamp> {
    let memory = ProjectMemory::new(&place.location, dirs);
    let remembered = DistillState::for_paths(memory.store(Scope::Private).places());
    remembered.last.map(|last| last.time)
}

/// One night's distillation. Whatever comes of it is remembered, so that it is not tried again at once.
///
/// # Errors
/// What was in the way.
pub fn distil_tonight(
    access: &MemoryAccess<'_>,
    tasks: &NightlyTasks<'_>,
) -> Result<(), DistillationError> {
    if !access.place.distils_at_night() {
        return Ok(());
    }
    let memory = ProjectMemory::new(&access.place.location, access.run.dirs()?);
    let places = memory.store(Scope::Private).places();
    let _turn = lock_distillation(places)?;
    DistillState::settle_run(memory.store(Scope::Private))?;
    // The next that is remembered sets it aside.
    let (_, damage) = DistillState::read(places);
    let tried = try_distill(&memory, access, tasks);
    let trouble = match tried {
        Ok(None) => return Ok(()),
        Ok(Some(why)) => Some(why),
        Err(error) => {
            let trouble = (tasks.error_text)(&error);
            save_attempt(places, access.run.now, Some(trouble), damage)?;
            return Err(error);
        }
    };
    save_attempt(places, access.run.now, trouble, damage)
}

fn save_attempt(
    places: &MemoryPaths,
    now: Now,
    trouble: Option<String>,
    damage: Option<String>,
) -> Result<(), DistillationError> {
    let last = LastRun {
        time: now.0,
        summary: "nothing was distilled".to_owned(),
        change: None,
        trouble,
        waiting: 0,
        warnings: damage.into_iter().collect(),
    };
    Ok(DistillState::add_run(places, &[], &last, None)?)
}

/// Distils; says why where it does not.
fn try_distill(
    memory: &ProjectMemory,
    access: &MemoryAccess<'_>,
    tasks: &NightlyTasks<'_>,
) -> Result<Option<String>, DistillationError> {
    let store = memory.store(Scope::Private);
    let waiting = Inbox::for_paths(store.places()).waiting().entries;
    if waiting.iter().any(|entry| entry.verb == VERB) {
        return Ok(Some(
            "what was distilled before still waits in the inbox".to_owned(),
        ));
    }
    if !lease::is_ours(
        store,
        local_date(access.run.now.0, tasks.zone),
        access,
        tasks,
    )? {
        return Ok(Some("another machine of yours does it tonight".to_owned()));
    }
    let prepared = prepare_plan(access, SourceFilter::default(), tasks.zone)?;
    carry_out(&prepared, access)
}

fn carry_out(
    prepared: &DistillationDraft,
    access: &MemoryAccess<'_>,
) -> Result<Option<String>, DistillationError> {
    let author = Author {
        actor: AuthorKind::Agent,
        name: Some(VERB.to_owned()),
        session: None,
        host: Some("mem".to_owned()),
        source: None,
    };
    let order = ChangeMetadata::new(VERB, author, access.run.now);
    match prepared.carry_out(&order, access) {
        Ok(_) => Ok(None),
        Err(error) if error.awaits_consent() => {
            Ok(Some("it waits in the inbox for you".to_owned()))
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait(now: &str, last: Option<&str>, jitter: u64) -> Option<u64> {
        let last = last.map(|last| last.parse().unwrap());
        let wait = due_in(now.parse().unwrap(), last, jitter, &TimeZone::UTC);
        wait.map(|wait| wait.as_secs())
    }

    #[test]
    fn a_night_comes_once_and_one_that_was_missed_is_made_up_for() {
        let done = Some("2026-03-04T03:10:00Z");
        assert_eq!(
            wait("2026-03-04T04:00:00Z", done, 300),
            Some(23 * 3_600 + 300)
        );
        assert_eq!(wait("2026-03-05T02:00:00Z", done, 300), Some(3_600 + 300));
        assert_eq!(wait("2026-03-05T09:00:00Z", done, 300), Some(65), "missed");
        assert_eq!(wait("2026-03-05T09:00:00Z", None, 0), Some(60), "never yet");
        assert_eq!(
            wait("2026-03-04T09:00:00Z", Some("2030-01-01T00:00:00Z"), 0),
            Some(60)
        );
    }

    #[test]
    fn a_clock_of_1970_has_no_nights() {
        assert_eq!(wait("1970-01-01T04:00:00Z", None, 0), None);
    }
}
