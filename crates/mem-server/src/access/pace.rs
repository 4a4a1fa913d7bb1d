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
//! Tests: `access::pace::tests`, `http::replicas::two_replicas_have_one_limit`.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;

use crate::http::problem::HttpProblem;
use crate::storage::UseCount;

/// A burst is so many seconds' worth.
const BURST_SECONDS: f64 = 5.0;
/// A token is exchanged from this part of the limit on.
const BUSY_SHARE: f64 = 1.0 / 8.0;

/// How long others remember what a token was let through.
const REMEMBERED: Duration = Duration::from_secs(3600);

/// One limit, counted for each token. Ids of tokens that are none never get here.
#[derive(Debug)]
pub(crate) struct RateLimit(Option<Limiter>);

#[derive(Debug)]
struct Limiter {
    /// Requests a second.
    rate: f64,
    buckets: Mutex<HashMap<String, Bucket>>,
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
}

impl RateLimit {
    /// So many requests a second.
    pub(crate) fn new(rate: Option<NonZeroU32>) -> Self {
        Self(rate.map(|rate| Limiter {
            rate: f64::from(rate.get()),
            buckets: Mutex::default(),
        }))
    }

    /// Whether there is one.
    pub(crate) fn is_set(&self) -> bool {
        self.0.is_some()
    }

    /// Counts one request.
    ///
    /// # Errors
    /// 429, with the seconds until the next one.
    pub(crate) fn admit(&self, id: &str) -> Result<(), HttpProblem> {
        let Some(limiter) = &self.0 else {
            return Ok(());
        };
        limiter.admit(id, Instant::now()).map_err(|wait| {
            let message = "this token asks too often";
            HttpProblem::new(StatusCode::TOO_MANY_REQUESTS, message).retry_after(wait.as_secs() + 1)
        })
    }

    /// What other replicas have to know: what the busy tokens were let through here, ever. Forgets tokens that have not
    /// asked for so long that their bucket is full again.
    pub(crate) fn busy(&self) -> Vec<UseCount> {
        self.0
            .as_ref()
            .map_or_else(Vec::new, |limiter| limiter.busy(Instant::now()))
    }

    /// Takes what other replicas let through.
    pub(crate) fn take_from_others(&self, counts: Vec<UseCount>) {
        if let Some(limiter) = &self.0 {
            limiter.take_from_others(counts);
        }
    }
}

impl Limiter {
    fn buckets(&self) -> MutexGuard<'_, HashMap<String, Bucket>> {
        self.buckets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn admit(&self, id: &str, now: Instant) -> Result<(), Duration> {
        let mut buckets = self.buckets();
        // Most tokens that ask have asked before: no text is copied for those.
        if !buckets.contains_key(id) {
            let bucket = Bucket {
                level: self.rate * BURST_SECONDS,
                filled_at: now,
                admitted: 0,
                told: 0,
                others: HashMap::new(),
            };
            buckets.insert(id.to_owned(), bucket);
        }
        let Some(bucket) = buckets.get_mut(id) else {
            return Ok(());
        };
        bucket.fill(self.rate, now);
        if bucket.level < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - bucket.level) / self.rate));
        }
        bucket.level -= 1.0;
        bucket.admitted += 1;
        Ok(())
    }

    fn busy(&self, now: Instant) -> Vec<UseCount> {
        let least = (self.rate * BUSY_SHARE).max(1.0);
        let mut buckets = self.buckets();
        let mut busy = Vec::new();
        buckets.retain(|id, bucket| {
            bucket.fill(self.rate, now);
            let is_told_of = bucket.told > 0;
            let fresh = bucket.admitted - bucket.told;
            if fresh as f64 >= least || (is_told_of && fresh > 0) {
                bucket.told = bucket.admitted;
                busy.push(UseCount::new(id, bucket.admitted, REMEMBERED));
            }
            // Others remember what was told of it: a new bucket would count from the start.
            is_told_of || bucket.level < self.rate * BURST_SECONDS
        });
        busy
    }

    fn take_from_others(&self, counts: Vec<UseCount>) {
        let mut buckets = self.buckets();
        for count in counts {
            let Some(bucket) = buckets.get_mut(&count.name) else {
                continue;
            };
            let lowest = -self.rate * BURST_SECONDS;
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

    fn limiter() -> Limiter {
        Limiter {
            rate: 100.0,
            buckets: Mutex::default(),
        }
    }

    fn admitted(limiter: &Limiter, now: Instant, asked: usize) -> usize {
        let asks = (0..asked).filter(|_| limiter.admit("a", now).is_ok());
        asks.count()
    }

    #[test]
    fn a_burst_passes_and_then_the_limit() {
        let (limiter, start) = (limiter(), Instant::now());
        assert_eq!(admitted(&limiter, start, 1000), 500);
        let second = start + Duration::from_secs(1);
        assert_eq!(admitted(&limiter, second, 1000), 100);
        let wait = limiter.admit("a", second).unwrap_err();
        assert!(wait <= Duration::from_millis(10), "{wait:?}");
        assert_eq!(
            admitted(&limiter, start + Duration::from_secs(60), 1000),
            500
        );
        assert!(limiter.admit("b", start).is_ok());
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
        assert_eq!(limiter.buckets().len(), 1);
        assert!(limiter.busy(start + Duration::from_secs(1)).is_empty());
        assert!(limiter.buckets().is_empty());
    }
}
