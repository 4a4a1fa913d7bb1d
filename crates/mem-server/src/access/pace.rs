//! How often one token may ask.

use std::num::NonZeroU32;

use axum::http::StatusCode;
use governor::clock::{Clock as _, MonotonicClock};
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};

use crate::http::problem::HttpProblem;

/// A burst is so many seconds' worth.
const BURST_SECONDS: NonZeroU32 = NonZeroU32::MIN.saturating_add(4);

type Limiter = RateLimiter<String, DashMapStateStore<String>, MonotonicClock>;

/// One limit, counted for each token. Ids of tokens that are none never get here, so it does not grow.
#[derive(Debug)]
pub(crate) struct RateLimit(Option<Limiter>);

impl RateLimit {
    /// So many requests a second.
    pub(crate) fn new(rate: Option<NonZeroU32>) -> Self {
        Self(rate.map(|rate| {
            let burst = rate.saturating_mul(BURST_SECONDS);
            RateLimiter::dashmap_with_clock(
                Quota::per_second(rate).allow_burst(burst),
                MonotonicClock,
            )
        }))
    }

    /// Counts one request.
    ///
    /// # Errors
    /// 429, with the seconds until the next one.
    pub(crate) fn admit(&self, id: &str) -> Result<(), HttpProblem> {
        let Some(limiter) = &self.0 else {
            return Ok(());
        };
        limiter.check_key(&id.to_owned()).map_err(|early| {
            let wait = early.wait_time_from(MonotonicClock.now());
            let message = "this token asks too often";
            HttpProblem::new(StatusCode::TOO_MANY_REQUESTS, message).retry_after(wait.as_secs() + 1)
        })
    }
}
