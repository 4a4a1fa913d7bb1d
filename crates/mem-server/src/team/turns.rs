//! Turns at having whole stores in memory, so that no token has all of them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::http::problem::HttpProblem;

/// Whole stores that are in memory at a time; each may be some 64 MB.
const STORES_MAX: usize = 4;
/// Of these, those that one token asked for.
const OF_ONE_MAX: usize = 2;
/// Tokens that are remembered; then those that wait for nothing are forgotten.
const TOKENS_MAX: usize = 1000;

/// All turns.
#[derive(Debug)]
pub(crate) struct Turns {
    all: Arc<Semaphore>,
    of_one: Mutex<HashMap<String, Arc<Semaphore>>>,
}

/// A turn; over when it is dropped.
#[derive(Debug)]
pub(crate) struct RequestTurn {
    _of_all: OwnedSemaphorePermit,
    _of_one: Option<OwnedSemaphorePermit>,
}

impl From<OwnedSemaphorePermit> for RequestTurn {
    fn from(permit: OwnedSemaphorePermit) -> Self {
        Self {
            _of_all: permit,
            _of_one: None,
        }
    }
}

impl Default for Turns {
    fn default() -> Self {
        Self {
            all: Arc::new(Semaphore::new(STORES_MAX)),
            of_one: Mutex::default(),
        }
    }
}

impl Turns {
    /// Waits for a turn: first among those of the same token, then among all.
    ///
    /// # Errors
    /// The server ends.
    pub(crate) async fn take(&self, token: &str) -> Result<RequestTurn, HttpProblem> {
        let of_one = self.of_one(token).acquire_owned().await;
        let of_one = of_one.map_err(|_| HttpProblem::busy())?;
        let of_all = Arc::clone(&self.all).acquire_owned().await;
        Ok(RequestTurn {
            _of_all: of_all.map_err(|_| HttpProblem::busy())?,
            _of_one: Some(of_one),
        })
    }

    fn of_one(&self, token: &str) -> Arc<Semaphore> {
        let mut known = self.of_one.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= TOKENS_MAX {
            // Nobody has or waits for one of these.
            known.retain(|_, turns| Arc::strong_count(turns) > 1);
        }
        let turns = known.entry(token.to_owned());
        Arc::clone(turns.or_insert_with(|| Arc::new(Semaphore::new(OF_ONE_MAX))))
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future as _;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    fn taken(turns: &Turns, token: &str) -> Option<RequestTurn> {
        let mut asking = pin!(turns.take(token));
        match asking
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
        {
            Poll::Ready(turn) => Some(turn.unwrap()),
            Poll::Pending => None,
        }
    }

    #[test]
    fn one_token_leaves_turns_to_the_others() {
        let turns = Turns::default();
        let mut greedy = vec![taken(&turns, "a"), taken(&turns, "a")];
        assert!(greedy.iter().all(Option::is_some));
        assert!(taken(&turns, "a").is_none(), "a third one waits");
        let other = taken(&turns, "b");
        assert!(other.is_some());
        greedy.pop();
        assert!(taken(&turns, "a").is_some());
    }
}
