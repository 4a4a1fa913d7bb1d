//! Requests that look up the same key at the same time share a statement.
//!
//! Every conditional GET looks up a token and a store, mostly those of the other requests. One statement for a key is
//! under way at a time, and the next one answers all who asked meanwhile, so no answer is older than its question.
//!
//! ```text
//! statement  |----- 1 -----|----- 2 -----|
//! requests   a     b   c    d
//! answered                 a             b, c     (d waits for the third)
//! ```

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::StorageError;
use crate::locks::lock;

type Reply<V> = oneshot::Sender<Result<V, StorageError>>;
/// The keys of statements that are under way, each with the requests that wait for the next one.
type Waiting<K, V> = Mutex<HashMap<K, Vec<Reply<V>>>>;

/// Shares lookups by key.
#[derive(Debug)]
pub(super) struct Coalescer<K, V> {
    waiting: Arc<Waiting<K, V>>,
    /// How long a statement may take.
    deadline: Duration,
}

impl<K, V> Coalescer<K, V>
where
    K: Clone + Eq + Hash + Send + 'static,
    V: Clone + Send + 'static,
{
    pub(super) fn new(deadline: Duration) -> Self {
        Self {
            waiting: Arc::default(),
            deadline,
        }
    }

    /// Returns what a statement finds that begins after this call. To be called within a runtime.
    ///
    /// # Errors
    /// Those of the statement.
    pub(super) async fn find<F>(
        &self,
        key: K,
        look_up: impl Fn(K) -> F + Send + 'static,
    ) -> Result<V, StorageError>
    where
        F: Future<Output = Result<V, StorageError>> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let is_first = match lock(&self.waiting).entry(key.clone()) {
            Entry::Occupied(mut others) => {
                others.get_mut().push(reply);
                false
            }
            Entry::Vacant(place) => {
                place.insert(vec![reply]);
                true
            }
        };
        if is_first {
            // A task of its own: the request may be cancelled, and others wait for the same statement.
            let deadline = self.deadline;
            let look_up = move |key| timeout(deadline, look_up(key));
            let waiting = Arc::clone(&self.waiting);
            tokio::spawn(async move {
                while let Some(replies) = next(&waiting, &key) {
                    // A panic costs the requests of this statement: their replies are dropped.
                    let found = AssertUnwindSafe(look_up(key.clone())).catch_unwind();
                    if let Ok(found) = found.await {
                        let found = found.unwrap_or_else(|_| Err(StorageError::silent()));
                        send(&found, replies);
                    }
                }
            });
        }
        let closed = |_| StorageError::from(sqlx::Error::PoolClosed);
        answer.await.map_err(closed)?
    }
}

/// The requests of the next statement; without any the key has none under way.
fn next<K: Eq + Hash, V>(waiting: &Waiting<K, V>, key: &K) -> Option<Vec<Reply<V>>> {
    let mut waiting = lock(waiting);
    // Taken and tested under one lock. Between two, a request could add itself to a key whose task has just decided to
    // end, and would wait for ever.
    let replies = std::mem::take(waiting.get_mut(key)?);
    if replies.is_empty() {
        waiting.remove(key);
        return None;
    }
    Some(replies)
}

fn send<V: Clone>(found: &Result<V, StorageError>, replies: Vec<Reply<V>>) {
    for reply in replies {
        let copy = found.as_ref().cloned().map_err(StorageError::alike);
        // The request may have been cancelled.
        let _ = reply.send(copy);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::sync::Semaphore;

    use super::*;

    /// Counts statements, each of which waits for a permit.
    #[derive(Debug)]
    struct Statements(AtomicUsize, Semaphore);

    type Shared = (Arc<Statements>, Arc<Coalescer<&'static str, usize>>);

    fn shared() -> Shared {
        let statements = Statements(AtomicUsize::new(0), Semaphore::new(0));
        let coalescer = Coalescer::new(Duration::from_secs(60));
        (Arc::new(statements), Arc::new(coalescer))
    }

    fn ask(
        (statements, coalescer): &Shared,
        key: &'static str,
    ) -> tokio::task::JoinHandle<Result<usize, StorageError>> {
        let (statements, coalescer) = (Arc::clone(statements), Arc::clone(coalescer));
        tokio::spawn(async move {
            let look_up = move |key| {
                let statements = Arc::clone(&statements);
                async move {
                    let number = statements.0.fetch_add(1, Ordering::SeqCst);
                    statements.1.acquire().await.unwrap().forget();
                    assert_ne!(key, "panic");
                    Ok(number)
                }
            };
            coalescer.find(key, look_up).await
        })
    }

    /// Waits until so many requests wait for the next statement of a key.
    async fn until(shared: &Shared, key: &'static str, count: usize) {
        while lock(&shared.1.waiting).get(key).map(Vec::len) != Some(count) {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn requests_of_one_key_share_the_statement_that_begins_after_them() {
        let shared = shared();
        let first = ask(&shared, "a");
        until(&shared, "a", 0).await;
        let later = [ask(&shared, "a"), ask(&shared, "a")];
        until(&shared, "a", 2).await;
        let other = ask(&shared, "b");
        until(&shared, "b", 0).await;
        shared.0.1.add_permits(3);
        assert_eq!(first.await.unwrap().unwrap(), 0);
        assert_eq!(other.await.unwrap().unwrap(), 1);
        for one in later {
            assert_eq!(one.await.unwrap().unwrap(), 2);
        }
        while !lock(&shared.1.waiting).is_empty() {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn a_panic_costs_only_the_requests_of_its_statement() {
        let shared = shared();
        shared.0.1.add_permits(2);
        ask(&shared, "panic").await.unwrap().unwrap_err();
        assert_eq!(ask(&shared, "a").await.unwrap().unwrap(), 1);
    }
}
