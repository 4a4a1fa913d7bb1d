//! Turns: at having whole stores in memory, so that no token has all of them, and at writing records.
//!
//! **Invariant:** at most four whole stores are in memory, two of them for one token, however many requests wait; the
//! semaphores are fair, so that every waiting request gets its turn.
//! Test: `concurrency_limit::tests::one_token_leaves_permits_to_the_others`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::http::problem::HttpProblem;
use crate::locks::lock;

/// Whole stores that are in memory at a time; each may be some 64 MB.
const STORES_MAX: usize = 4;
/// Of these, those that one token asked for.
const OF_ONE_MAX: usize = 2;
/// Keys that are remembered; then those that nobody waits for are forgotten.
const KEYS_MAX: usize = 1000;

/// Waits for a turn, after those who came before.
///
/// # Errors
/// The server ends.
pub(crate) async fn acquire(all: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, HttpProblem> {
    let permit = Arc::clone(all).acquire_owned().await;
    permit.map_err(|_| HttpProblem::busy())
}

/// So many turns at a time for each key.
#[derive(Debug)]
pub(crate) struct KeyedPermits {
    each: usize,
    semaphores: Mutex<HashMap<String, Arc<Semaphore>>>,
}

impl KeyedPermits {
    /// Nobody has one yet.
    pub(crate) fn new(each: usize) -> Self {
        Self {
            each,
            semaphores: Mutex::default(),
        }
    }

    /// Waits for a turn among those of the same key; over when it is dropped.
    ///
    /// # Errors
    /// The server ends.
    pub(crate) async fn take(&self, key: &str) -> Result<OwnedSemaphorePermit, HttpProblem> {
        let permits = {
            let mut known = lock(&self.semaphores);
            if known.len() >= KEYS_MAX {
                // Nobody has or waits for one of these.
                known.retain(|_, permits| Arc::strong_count(permits) > 1);
            }
            let permits = known.entry(key.to_owned());
            Arc::clone(permits.or_insert_with(|| Arc::new(Semaphore::new(self.each))))
        };
        acquire(&permits).await
    }
}

/// Turns at having whole stores in memory.
#[derive(Debug)]
pub(crate) struct StorePermits {
    all: Arc<Semaphore>,
    of_one: KeyedPermits,
}

/// A turn among all, and one among those of a token.
pub(crate) type StorePermit = (OwnedSemaphorePermit, Option<OwnedSemaphorePermit>);

impl Default for StorePermits {
    fn default() -> Self {
        Self {
            all: Arc::new(Semaphore::new(STORES_MAX)),
            of_one: KeyedPermits::new(OF_ONE_MAX),
        }
    }
}

impl StorePermits {
    /// Waits for a turn: first among those of the same token, then among all.
    ///
    /// # Errors
    /// The server ends.
    pub(crate) async fn take(&self, token: &str) -> Result<StorePermit, HttpProblem> {
        // In this order: a request that waited for its own token's turn while it held one of the four would keep other
        // tokens out with a turn that it does not use.
        let of_one = self.of_one.take(token).await?;
        Ok((acquire(&self.all).await?, Some(of_one)))
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future as _;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    fn take_now(permits: &StorePermits, token: &str) -> Option<StorePermit> {
        let mut asking = pin!(permits.take(token));
        match asking
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
        {
            Poll::Ready(permit) => Some(permit.unwrap()),
            Poll::Pending => None,
        }
    }

    #[test]
    fn one_token_leaves_permits_to_the_others() {
        let permits = StorePermits::default();
        let mut greedy = vec![take_now(&permits, "a"), take_now(&permits, "a")];
        assert!(greedy.iter().all(Option::is_some));
        assert!(take_now(&permits, "a").is_none(), "a third one waits");
        let other = take_now(&permits, "b");
        assert!(other.is_some());
        greedy.pop();
        assert!(take_now(&permits, "a").is_some());
    }
}
