//! A distillation while nobody looks: when it is due, who does it where several machines could, and what is
//! told of it afterwards.

use std::time::Duration;

use anyhow::Result;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use mem_core::history::{Author, AuthorKind};
use mem_core::inbox::{AWAITS_CONSENT, Inbox};
use mem_core::location::ProjectContext;
use mem_core::memory::{MemoryError, ProjectMemory};
use mem_core::store::{ChangeMetadata, MemoryPaths, StoreError};
use mem_core::{Now, Scope};

use super::lease;
use super::remembered::{DistillState, LastRun, lock_distillation};
use super::run::{Prepared, prepare_plan};
use super::sources::{SourceFilter, local_today};
use crate::context::Context;
use crate::error::ErrorShape;

/// The hour of the day, where the person is, from which on a night's distillation is due.
const HOUR: i8 = 3;
/// It is spread over so much time, so that machines of one person do not all begin at once.
pub(crate) const JITTER_SECONDS: u64 = 3_600;
/// A night that was missed is made up for after so long, and the share of the jitter that is due to it.
const CATCH_UP: Duration = Duration::from_secs(60);
/// Before this (2020-01-01T00:00:00Z) no clock is right, and no night is one.
const EARLIEST_SECONDS: i64 = 1_577_836_800;

/// The verb of the change, and the name under which it is made.
const VERB: &str = "dream";

/// How long until a distillation is due; `None` where the clock cannot be right.
pub(crate) fn due_in(
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

/// Whether a person wants it here, and the host does not distil the same memory.
pub(crate) fn is_set(place: &ProjectContext) -> bool {
    is_wanted(place) && !place.location.is_distilled_by_host
}

/// Whether a person wants it here, whoever else distils.
pub(crate) fn is_wanted(place: &ProjectContext) -> bool {
    place.location.enabled && place.config.values.dream.nightly
}

/// When it was last tried.
pub(crate) fn last_attempt(place: &ProjectContext, context: &Context) -> Option<Timestamp> {
    let memory = ProjectMemory::new(&place.location, context.dirs().ok()?);
    let remembered = DistillState::for_paths(memory.store(Scope::Private).places());
    remembered.last.map(|last| last.time)
}

/// One night's distillation. Whatever comes of it is remembered, so that it is not tried again at once.
///
/// # Errors
/// What was in the way.
pub(crate) fn run(context: &Context) -> Result<()> {
    let place = context.place()?;
    if !is_set(&place) {
        return Ok(());
    }
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let places = memory.store(Scope::Private).places();
    let _turn = lock_distillation(places)?;
    DistillState::settle_run(memory.store(Scope::Private))?;
    // The next that is remembered sets it aside.
    let (_, damage) = DistillState::read(places);
    let tried = try_distill(&place, &memory, context);
    let trouble = match tried {
        Ok(None) => return Ok(()),
        Ok(Some(why)) => Some(why),
        Err(error) => {
            let diagnosis = ErrorShape::from_error(&error);
            save_attempt(places, context.now, Some(diagnosis.message), damage)?;
            return Err(error);
        }
    };
    save_attempt(places, context.now, trouble, damage)
}

fn save_attempt(
    places: &MemoryPaths,
    now: Now,
    trouble: Option<String>,
    damage: Option<String>,
) -> Result<()> {
    let last = LastRun {
        time: now.0,
        summary: "nothing was distilled".to_owned(),
        change: None,
        trouble,
        waiting: 0,
        warnings: damage.into_iter().collect(),
    };
    DistillState::add_run(places, &[], &last, None)
}

/// Distils; says why where it does not.
fn try_distill(
    place: &ProjectContext,
    memory: &ProjectMemory,
    context: &Context,
) -> Result<Option<String>> {
    let store = memory.store(Scope::Private);
    let waiting = Inbox::for_paths(store.places()).waiting().entries;
    if waiting.iter().any(|entry| entry.verb == VERB) {
        return Ok(Some(
            "what was distilled before still waits in the inbox".to_owned(),
        ));
    }
    if !lease::is_ours(place, store, local_today(context), context)? {
        return Ok(Some("another machine of yours does it tonight".to_owned()));
    }
    let prepared = prepare_plan(place, SourceFilter::default(), context)?;
    carry_out(&prepared, place, context)
}

fn carry_out(
    prepared: &Prepared,
    place: &ProjectContext,
    context: &Context,
) -> Result<Option<String>> {
    let author = Author {
        actor: AuthorKind::Agent,
        name: Some(VERB.to_owned()),
        session: None,
        host: Some("mem".to_owned()),
        source: None,
    };
    let order = ChangeMetadata::new(VERB, author, context.now);
    match prepared.carry_out(place, &order, context) {
        Ok(_) => Ok(None),
        Err(error) if needs_agreement(&error) => {
            Ok(Some("it waits in the inbox for you".to_owned()))
        }
        Err(error) => Err(error),
    }
}

/// Whether a person has to agree first.
pub(crate) fn needs_agreement(error: &anyhow::Error) -> bool {
    let mut chain = error.chain();
    let store = |cause: &(dyn std::error::Error + 'static)| {
        let of_memory = cause.downcast_ref::<MemoryError>();
        let is_waiting = |error: &StoreError| matches!(error, StoreError::Refused(refusal) if refusal.code == AWAITS_CONSENT);
        match of_memory {
            Some(MemoryError::Store(error)) => is_waiting(error),
            _ => cause.downcast_ref::<StoreError>().is_some_and(is_waiting),
        }
    };
    chain.any(|cause| match store(cause) {
        true => true,
        false => cause
            .downcast_ref::<mem_agent::dream::DreamError>()
            .is_some_and(is_waiting),
    })
}

fn is_waiting(error: &mem_agent::dream::DreamError) -> bool {
    matches!(
        error,
        mem_agent::dream::DreamError::Store(StoreError::Refused(refusal))
            if refusal.code == AWAITS_CONSENT
    )
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
