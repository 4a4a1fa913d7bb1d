//! What somebody has asked for today, on all replicas together.
//!
//! Each replica counts, writes its counts each second and reads the others' (`storage::use_counts`); so a limit may be
//! passed by what all replicas admit in a second. A replica that starts reads what was counted today before it serves:
//! a restart begins no new day. A process that is killed loses the counts of its last second.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Mutex;
use std::time::Duration;

use axum::http::StatusCode;
use jiff::Timestamp;

use super::{QuotaLimits, QuotaOwner, QuotaSettings};
use crate::http::problem::HttpProblem;
use crate::locks::lock;
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
    SearchIndexes,
}

impl DayMeasure {
    /// What is counted, in a message.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Requests => "requests",
            Self::SearchIndexes => "searches",
        }
    }

    fn day_limit(self, limits: &QuotaLimits) -> Option<u64> {
        match self {
            Self::Requests => limits.requests_per_day,
            Self::SearchIndexes => limits.searches_per_day,
        }
    }
}

#[derive(Debug, Default)]
struct Counts {
    /// By what is counted, and for whom.
    counts: HashMap<(DayMeasure, QuotaOwner), DayCount>,
    /// What was counted before this replica began, by the names in the database, for those who did not ask since.
    earlier: HashMap<String, u64>,
}

/// The counts of this replica.
#[derive(Debug)]
pub(crate) struct DayCounts {
    settings: QuotaSettings,
    counts: Mutex<Counts>,
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
            let Some(day) = self.used(measure, owner, now) else {
                continue;
            };
            if day.used >= day.limit {
                let message = format!(
                    "this {} has made {} {} today and may make {}",
                    owner.noun(),
                    day.used,
                    measure.noun(),
                    day.limit
                );
                let problem = HttpProblem::new(StatusCode::TOO_MANY_REQUESTS, message);
                return Err(problem.retry_after(seconds_left(now)));
            }
        }
        let mut counts = lock(&self.counts);
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
        let count = *of_today(&mut lock(&self.counts), measure, owner, now);
        Some(DayUse {
            used: count.here + count.others,
            limit,
        })
    }

    /// What others have to know, and until when it is kept.
    pub(crate) fn fresh(&self, now: Timestamp) -> Vec<UseCount> {
        let today = day_of(now);
        let lifetime = Duration::from_secs(seconds_left(now)) + AFTERWARDS;
        let mut locked = lock(&self.counts);
        locked.counts.retain(|_, count| count.day == today);
        let prefix = day_prefix(today);
        locked.earlier.retain(|name, _| name.starts_with(&prefix));
        let fresh = locked
            .counts
            .iter_mut()
            .filter(|(_, count)| count.here > count.told);
        let fresh = fresh.map(|((measure, owner), count)| {
            count.told = count.here;
            UseCount::new(&count_name(today, *measure, owner), count.here, lifetime)
        });
        fresh.collect()
    }

    /// How the names of today's counts begin.
    pub(crate) fn name_prefix(now: Timestamp) -> String {
        day_prefix(day_of(now))
    }

    /// Takes what was counted before this replica began.
    pub(crate) fn take_earlier(&self, told: Vec<UseCount>) {
        let mut locked = lock(&self.counts);
        for count in told {
            *locked.earlier.entry(count.name).or_default() += count.used;
        }
    }

    /// Takes what the other replicas have counted.
    pub(crate) fn take_from_others(&self, told: &[UseCount], now: Timestamp) {
        let today = day_of(now);
        let mut sums: HashMap<&str, u64> = HashMap::new();
        for count in told {
            *sums.entry(count.name.as_str()).or_default() += count.used;
        }
        for ((measure, owner), count) in &mut lock(&self.counts).counts {
            if let Some(sum) = sums.get(count_name(today, *measure, owner).as_str()) {
                count.others = *sum;
            }
        }
    }
}

fn day_of(now: Timestamp) -> i64 {
    now.as_second().div_euclid(DAY_SECONDS)
}

/// Seconds to the end of the day.
fn seconds_left(now: Timestamp) -> u64 {
    let passed = now.as_second().rem_euclid(DAY_SECONDS);
    u64::try_from(DAY_SECONDS - passed).unwrap_or_default()
}

fn day_prefix(day: i64) -> String {
    format!("day {day} ")
}

/// What a count is called in the database.
fn count_name(day: i64, measure: DayMeasure, owner: &QuotaOwner) -> String {
    let (measure, noun, id) = (measure.noun(), owner.noun(), owner.id());
    format!("{}{measure} {noun} {id}", day_prefix(day))
}

fn of_today<'c>(
    counts: &'c mut Counts,
    measure: DayMeasure,
    owner: &QuotaOwner,
    now: Timestamp,
) -> &'c mut DayCount {
    let day = day_of(now);
    match counts.counts.entry((measure, owner.clone())) {
        Entry::Occupied(count) if count.get().day == day => count.into_mut(),
        entry => {
            let name = count_name(day, measure, owner);
            let count = DayCount {
                day,
                others: counts.earlier.remove(&name).unwrap_or_default(),
                ..DayCount::default()
            };
            entry.insert_entry(count).into_mut()
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
        counts
            .admit(DayMeasure::SearchIndexes, &owners, now)
            .is_ok()
    }

    #[test]
    fn a_day_has_its_limit_and_the_next_one_has_it_again() {
        let counts = lock_counts(3);
        let evening = Timestamp::from_second(DAY_SECONDS - 60).unwrap();
        assert_eq!((0..5).filter(|_| ask(&counts, evening)).count(), 3);
        let owner = QuotaOwner::user("w", "u");
        let used = counts
            .used(DayMeasure::SearchIndexes, &owner, evening)
            .unwrap();
        assert_eq!((used.used, used.limit, seconds_left(evening)), (3, 3, 60));
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

    #[test]
    fn what_was_counted_before_the_start_counts_on_its_day_alone() {
        let today = Timestamp::from_second(5).unwrap();
        let before = lock_counts(3);
        assert!(ask(&before, today) && ask(&before, today));
        let after = lock_counts(3);
        after.take_earlier(before.fresh(today));
        assert_eq!((0..3).filter(|_| ask(&after, today)).count(), 1);
        let tomorrow = Timestamp::from_second(DAY_SECONDS).unwrap();
        assert_eq!((0..5).filter(|_| ask(&after, tomorrow)).count(), 3);
    }
}
