//! How often one token may ask, on all replicas together.
//!
//! Each token has a bucket of requests that fills at the limit. A replica takes from its own bucket at once, without
//! asking anybody; each second it learns what other replicas let through, and takes that from its bucket too:
//!
//! ```text
//!  replica 1   level 500 --(200 admitted here)--> 300 --(180 on replica 2)--> 120      filled at 100 a second
//!  replica 2   level 500 --(180 admitted here)--> 320 --(200 on replica 1)--> 120
//! ```
//!
//! **Invariant:** over any time all replicas together admit the limit, one burst for each replica, and what they admit
//! in the second before they learn of each other. A count in the database for each request would be exact, and would
//! cost every conditional GET a write.
//! **Cost:** nothing for tokens that ask seldom: only those that use an eighth of the limit here are exchanged.
//! Tests: `access::rate_limit::tests`, `http::replicas::two_replicas_have_one_limit`.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use axum::http::StatusCode;

use crate::http::problem::HttpProblem;
use crate::locks::lock;
use crate::storage::UseCount;

/// A burst is so many seconds' worth.
const BURST_SECONDS: f64 = 5.0;
/// A token is exchanged from this part of the limit on.
const BUSY_SHARE: f64 = 1.0 / 8.0;

/// How long others remember what a token was let through.
const REMEMBERED: Duration = Duration::from_secs(3600);

/// Buckets at a time; callers beyond that share one.
const BUCKETS_MAX: usize = 100_000;

/// One limit, counted for each token or network. Ids of tokens that are none never get here.
#[derive(Debug)]
pub(crate) struct RateLimit {
    /// Requests a second; `None`: any number.
    rate: Option<f64>,
    /// Who asks, in the refusal.
    noun: &'static str,
    buckets: Mutex<Buckets>,
}

#[derive(Debug, Default)]
struct Buckets {
    by_id: HashMap<String, Bucket>,
    /// When those that are full again were looked for last.
    pruned_at: Option<Instant>,
}

#[derive(Debug)]
struct Bucket {
    /// Requests that may come at once; below 0 where other replicas let more through than was known.
    level: f64,
    filled_at: Instant,
    /// Let through here, ever.
    admitted: u64,
    /// What others were told of that.
    told: u64,
    /// What each other replica has let through.
    others: HashMap<String, u64>,
}

impl Bucket {
    fn fill(&mut self, rate: f64, now: Instant) {
        let passed = now.saturating_duration_since(self.filled_at);
        self.filled_at = now;
        self.level = (self.level + rate * passed.as_secs_f64()).min(rate * BURST_SECONDS);
    }

    /// Whether a new bucket would not be the same. Others remember what they were told of this one.
    fn is_needed(&self, rate: f64) -> bool {
        self.told > 0 || self.level < rate * BURST_SECONDS
    }
}

impl Buckets {
    /// Forgets those that are full again, at most once a second: a flood would else have all of them looked at each
    /// time.
    fn prune(&mut self, rate: f64, now: Instant) {
        let is_due = |last| now.saturating_duration_since(last) >= Duration::from_secs(1);
        if self.pruned_at.is_none_or(is_due) {
            self.pruned_at = Some(now);
            self.by_id.retain(|_, bucket| {
                bucket.fill(rate, now);
                bucket.is_needed(rate)
            });
        }
    }
}

impl RateLimit {
    /// So many requests a second of each `noun`.
    pub(crate) fn new(rate: Option<NonZeroU32>, noun: &'static str) -> Self {
        Self {
            rate: rate.map(|rate| rate.get().into()),
            noun,
            buckets: Mutex::default(),
        }
    }

    /// Whether there is one.
    pub(crate) fn is_set(&self) -> bool {
        self.rate.is_some()
    }

    /// Counts one request.
    ///
    /// # Errors
    /// 429, with the seconds until the next one.
    pub(crate) fn admit(&self, id: &str) -> Result<(), HttpProblem> {
        self.admit_at(id, Instant::now()).map_err(|wait| {
            let message = format!("this {} asks too often", self.noun);
            HttpProblem::new(StatusCode::TOO_MANY_REQUESTS, message).retry_after(wait.as_secs() + 1)
        })
    }

    fn admit_at(&self, mut id: &str, now: Instant) -> Result<(), Duration> {
        let Some(rate) = self.rate else {
            return Ok(());
        };
        let mut buckets = lock(&self.buckets);
        if buckets.by_id.len() >= BUCKETS_MAX && !buckets.by_id.contains_key(id) {
            buckets.prune(rate, now);
            if buckets.by_id.len() >= BUCKETS_MAX {
                id = "";
            }
        }
        // Most tokens that ask have asked before: no text is copied for those.
        if !buckets.by_id.contains_key(id) {
            let bucket = Bucket {
                level: rate * BURST_SECONDS,
                filled_at: now,
                admitted: 0,
                told: 0,
                others: HashMap::new(),
            };
            buckets.by_id.insert(id.to_owned(), bucket);
        }
        let Some(bucket) = buckets.by_id.get_mut(id) else {
            return Ok(());
        };
        bucket.fill(rate, now);
        if bucket.level < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - bucket.level) / rate));
        }
        bucket.level -= 1.0;
        bucket.admitted += 1;
        Ok(())
    }

    /// What other replicas have to know: what the busy tokens were let through here, ever. Forgets tokens that have not
    /// asked for so long that their bucket is full again.
    pub(crate) fn busy(&self, now: Instant) -> Vec<UseCount> {
        let mut busy = Vec::new();
        let rate = self.rate.unwrap_or_default();
        let least = (rate * BUSY_SHARE).max(1.0);
        lock(&self.buckets).by_id.retain(|id, bucket| {
            bucket.fill(rate, now);
            let is_needed = bucket.is_needed(rate);
            let fresh = bucket.admitted - bucket.told;
            if fresh as f64 >= least || (bucket.told > 0 && fresh > 0) {
                bucket.told = bucket.admitted;
                busy.push(UseCount::new(id, bucket.admitted, REMEMBERED));
            }
            is_needed
        });
        busy
    }

    /// Takes what other replicas let through.
    pub(crate) fn take_from_others(&self, counts: Vec<UseCount>) {
        let lowest = -self.rate.unwrap_or_default() * BURST_SECONDS;
        let mut buckets = lock(&self.buckets);
        for count in counts {
            let Some(bucket) = buckets.by_id.get_mut(&count.name) else {
                continue;
            };
            // What a replica let through before this one heard of it is over.
            let before = bucket.others.insert(count.replica, count.used);
            let fresh = count.used.saturating_sub(before.unwrap_or(count.used));
            bucket.level = (bucket.level - fresh as f64).max(lowest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limiter() -> RateLimit {
        RateLimit::new(NonZeroU32::new(100), "token")
    }

    fn admitted(limiter: &RateLimit, now: Instant, asked: usize) -> usize {
        let asks = (0..asked).filter(|_| limiter.admit_at("a", now).is_ok());
        asks.count()
    }

    #[test]
    fn a_burst_passes_and_then_the_limit() {
        let (limiter, start) = (limiter(), Instant::now());
        assert_eq!(admitted(&limiter, start, 1000), 500);
        let second = start + Duration::from_secs(1);
        assert_eq!(admitted(&limiter, second, 1000), 100);
        let wait = limiter.admit_at("a", second).unwrap_err();
        assert!(wait <= Duration::from_millis(10), "{wait:?}");
        assert_eq!(
            admitted(&limiter, start + Duration::from_secs(60), 1000),
            500
        );
        assert!(limiter.admit_at("b", start).is_ok());
    }

    #[test]
    fn replicas_that_hear_of_each_other_admit_the_limit_together() {
        let replicas = [limiter(), limiter()];
        let start = Instant::now();
        let mut later = 0;
        for second in 0..50 {
            let now = start + Duration::from_secs(second);
            let all: usize = replicas.iter().map(|one| admitted(one, now, 1000)).sum();
            if second >= 10 {
                later += all;
            }
            let told = replicas.each_ref().map(|one| one.busy(now));
            for (at, counts) in told.into_iter().enumerate() {
                let of = |mut count: UseCount| {
                    count.replica = at.to_string();
                    count
                };
                replicas[1 - at].take_from_others(counts.into_iter().map(of).collect());
            }
        }
        let each = later / 40;
        assert!((90..=110).contains(&each), "{each} a second");
    }

    #[test]
    fn tokens_that_ask_seldom_are_not_told_of_and_forgotten() {
        let (limiter, start) = (limiter(), Instant::now());
        assert_eq!(admitted(&limiter, start, 3), 3);
        assert!(limiter.busy(start).is_empty());
        assert_eq!(lock(&limiter.buckets).by_id.len(), 1);
        assert!(limiter.busy(start + Duration::from_secs(1)).is_empty());
        assert!(lock(&limiter.buckets).by_id.is_empty());
    }

    #[test]
    fn a_flood_from_many_networks_is_bounded_and_costs_those_who_ask_already_nothing() {
        let (limiter, start) = (limiter(), Instant::now());
        assert!(limiter.admit_at("known", start).is_ok());
        for network in 0..BUCKETS_MAX + 5_000 {
            let _ = limiter.admit_at(&network.to_string(), start);
        }
        assert_eq!(lock(&limiter.buckets).by_id.len(), BUCKETS_MAX + 1);
        // The many beyond the bound share one bucket.
        assert!(limiter.admit_at("another", start).is_err());
        assert!(limiter.admit_at("known", start).is_ok());
        let second = start + Duration::from_secs(1);
        assert!(limiter.admit_at("another", second).is_ok());
    }
}
