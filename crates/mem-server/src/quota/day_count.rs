//! What somebody has asked for today, on all replicas together.
//!
//! Each replica counts, writes its counts each second and reads the others' (`storage::use_counts`); so a limit may be
//! passed by what all replicas admit in a second. A replica that starts again reads what it had counted before as that
//! of another.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;
use jiff::Timestamp;

use super::{QuotaLimits, QuotaOwner, QuotaSettings};
use crate::http::problem::HttpProblem;
use crate::storage::UseCount;

const DAY_SECONDS: i64 = 24 * 60 * 60;
/// Counts are kept for some time after the day's end: clocks differ.
const AFTERWARDS: Duration = Duration::from_secs(3600);

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum DayMeasure {
    /// Requests with a valid token.
    Requests,
    /// Searches by agents' tools.
    Searches,
}

impl DayMeasure {
    /// As it is stored and shown.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Requests => "requests",
            Self::Searches => "searches",
        }
    }

    fn day_limit(self, limits: &QuotaLimits) -> Option<u64> {
        match self {
            Self::Requests => limits.requests_per_day,
            Self::Searches => limits.searches_per_day,
        }
    }
}

/// The counts of this replica.
#[derive(Debug)]
pub(crate) struct DayCounts {
    settings: QuotaSettings,
    counts: Mutex<HashMap<(DayMeasure, QuotaOwner), DayCount>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct DayCount {
    /// Days since 1970.
    day: i64,
    here: u64,
    others: u64,
    /// What others were told of.
    told: u64,
}

/// What is left of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DayUse {
    /// How much was asked for.
    pub(crate) used: u64,
    /// How much may be.
    pub(crate) limit: u64,
    /// Seconds to the end of the day.
    pub(crate) seconds_left: u64,
}

impl DayCounts {
    /// Nothing is counted yet.
    pub(crate) fn new(settings: QuotaSettings) -> Self {
        Self {
            settings,
            counts: Mutex::default(),
        }
    }

    /// Counts one of something, for everybody whom it counts for.
    ///
    /// # Errors
    /// 429, with the seconds to the end of the day: one of them has no more. Then it counts for nobody.
    pub(crate) fn admit(
        &self,
        measure: DayMeasure,
        owners: &[QuotaOwner],
        now: Timestamp,
    ) -> Result<(), HttpProblem> {
        for owner in owners {
            if let Some(DayUse {
                used,
                limit,
                seconds_left,
            }) = self.used(measure, owner, now)
                && used >= limit
            {
                let (whose, what) = (owner.noun(), measure.noun());
                let message =
                    format!("this {whose} has made {used} {what} today and may make {limit}");
                let problem = HttpProblem::new(StatusCode::TOO_MANY_REQUESTS, message);
                return Err(problem.retry_after(seconds_left));
            }
        }
        let mut counts = self.lock_counts();
        for owner in owners {
            if measure.day_limit(&self.settings.limits(owner)).is_some() {
                of_today(&mut counts, measure, owner, now).here += 1;
            }
        }
        Ok(())
    }

    /// What somebody has used of a limit; `None` where there is none.
    pub(crate) fn used(
        &self,
        measure: DayMeasure,
        owner: &QuotaOwner,
        now: Timestamp,
    ) -> Option<DayUse> {
        let limit = measure.day_limit(&self.settings.limits(owner))?;
        let count = *of_today(&mut self.lock_counts(), measure, owner, now);
        let passed = now.as_second().rem_euclid(DAY_SECONDS);
        Some(DayUse {
            used: count.here + count.others,
            limit,
            seconds_left: u64::try_from(DAY_SECONDS - passed).unwrap_or_default(),
        })
    }

    /// What others have to know, and until when it is kept.
    pub(crate) fn fresh(&self, now: Timestamp) -> Vec<UseCount> {
        let today = day_of(now);
        let mut counts = self.lock_counts();
        counts.retain(|_, count| count.day == today);
        let fresh = counts
            .iter_mut()
            .filter(|(_, count)| count.here > count.told);
        let fresh = fresh.map(|((measure, owner), count)| {
            count.told = count.here;
            let passed = now.as_second().rem_euclid(DAY_SECONDS);
            let left = u64::try_from(DAY_SECONDS - passed).unwrap_or_default();
            UseCount::new(
                &count_name(today, *measure, owner),
                count.here,
                Duration::from_secs(left) + AFTERWARDS,
            )
        });
        fresh.collect()
    }

    /// Takes what the other replicas have counted.
    pub(crate) fn take_from_others(&self, told: &[UseCount], now: Timestamp) {
        let today = day_of(now);
        let mut sums: HashMap<&str, u64> = HashMap::new();
        for count in told {
            *sums.entry(count.name.as_str()).or_default() += count.used;
        }
        for ((measure, owner), count) in self.lock_counts().iter_mut() {
            if let Some(sum) = sums.get(count_name(today, *measure, owner).as_str()) {
                count.others = *sum;
            }
        }
    }

    fn lock_counts(&self) -> MutexGuard<'_, HashMap<(DayMeasure, QuotaOwner), DayCount>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn day_of(now: Timestamp) -> i64 {
    now.as_second().div_euclid(DAY_SECONDS)
}

/// What a count is called in the database.
fn count_name(day: i64, measure: DayMeasure, owner: &QuotaOwner) -> String {
    format!(
        "day {day} {} {} {}",
        measure.noun(),
        owner.noun(),
        owner.id()
    )
}

fn of_today<'c>(
    counts: &'c mut HashMap<(DayMeasure, QuotaOwner), DayCount>,
    measure: DayMeasure,
    owner: &QuotaOwner,
    now: Timestamp,
) -> &'c mut DayCount {
    let day = day_of(now);
    let fresh = DayCount {
        day,
        ..DayCount::default()
    };
    match counts.entry((measure, owner.clone())) {
        Entry::Vacant(place) => place.insert(fresh),
        Entry::Occupied(place) => {
            let count = place.into_mut();
            if count.day != day {
                *count = fresh;
            }
            count
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock_counts(limit: u64) -> DayCounts {
        let mut settings = QuotaSettings::default();
        settings.user.searches_per_day = Some(limit);
        DayCounts::new(settings)
    }

    fn ask(counts: &DayCounts, now: Timestamp) -> bool {
        let owners = [
            QuotaOwner::Workspace("w".to_owned()),
            QuotaOwner::user("w", "u"),
        ];
        counts.admit(DayMeasure::Searches, &owners, now).is_ok()
    }

    #[test]
    fn a_day_has_its_limit_and_the_next_one_has_it_again() {
        let counts = lock_counts(3);
        let evening = Timestamp::from_second(DAY_SECONDS - 60).unwrap();
        assert_eq!((0..5).filter(|_| ask(&counts, evening)).count(), 3);
        let owner = QuotaOwner::user("w", "u");
        let used = counts.used(DayMeasure::Searches, &owner, evening).unwrap();
        assert_eq!((used.used, used.limit, used.seconds_left), (3, 3, 60));
        let morning = Timestamp::from_second(DAY_SECONDS).unwrap();
        assert!(ask(&counts, morning));
        assert!(counts.used(DayMeasure::Requests, &owner, morning).is_none());
    }

    #[test]
    fn what_other_replicas_admitted_counts_too() {
        let (one, other) = (lock_counts(10), lock_counts(10));
        let now = Timestamp::from_second(5).unwrap();
        assert_eq!((0..7).filter(|_| ask(&one, now)).count(), 7);
        assert!(ask(&other, now));
        let mut told = one.fresh(now);
        assert_eq!(told.len(), 1);
        told[0].replica = "one".to_owned();
        other.take_from_others(&told, now);
        assert_eq!((0..7).filter(|_| ask(&other, now)).count(), 2);
        assert!(one.fresh(now).is_empty());
    }
}
