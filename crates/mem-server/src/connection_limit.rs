//! How many connections are open at a time, and which one ends where another client comes.
//!
//! A connection without a request costs its client nothing and would hold its place for as long as it likes. So places
//! are not refused to new clients while others only wait: the connection that has been silent longest ends, those first
//! that never had a request answered. One with a request under way never ends for that.
//!
//! **Invariant:** at most the limit is open, and one more that was accepted and waits for a place.
//! **Cost:** two stores for each read and write; a look at every connection where one has to end.
//! Test: `http::connections::ten_thousand_idle_connections_keep_nobody_out`.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::locks::lock;
use tokio::sync::Notify;

/// How often it is looked whether a connection can end, where none could.
const LOOK: Duration = Duration::from_millis(20);
/// A connection on which nothing moved for so long is cut, even within an answer.
const STALLED: Duration = Duration::from_secs(1);

/// The open connections.
#[derive(Debug)]
pub(crate) struct ConnectionLimit {
    max: usize,
    began: Instant,
    next: AtomicU64,
    open: Mutex<HashMap<u64, Arc<ConnectionActivity>>>,
    freed: Notify,
}

/// What one connection does.
#[derive(Debug)]
pub(crate) struct ConnectionActivity {
    began: Instant,
    /// Milliseconds after `began` at which bytes were last read or written.
    moved_at: AtomicU64,
    requests: AtomicU32,
    has_answered: AtomicBool,
    evicted: Notify,
}

/// The place of a connection, free again when this is dropped.
#[derive(Debug)]
pub(crate) struct ConnectionPlace {
    limit: Arc<ConnectionLimit>,
    id: u64,
    pub(crate) activity: Arc<ConnectionActivity>,
}

/// A request that is under way on a connection.
#[derive(Debug)]
pub(crate) struct RequestUnderWay(Arc<ConnectionActivity>);

impl ConnectionLimit {
    /// Nothing open yet.
    pub(crate) fn new(max: usize) -> Arc<Self> {
        Arc::new(Self {
            max,
            began: Instant::now(),
            next: AtomicU64::new(0),
            open: Mutex::default(),
            freed: Notify::new(),
        })
    }

    /// A place for a connection that was accepted, as soon as there is one.
    pub(crate) async fn take_place(self: &Arc<Self>) -> ConnectionPlace {
        loop {
            {
                let mut open = lock(&self.open);
                if open.len() < self.max {
                    return self.insert_place(&mut open);
                }
                // Signalled before: it is on its way out.
                if let Some(silent) = longest_silent(&open) {
                    silent.evicted.notify_one();
                }
            }
            // A connection whose request ends says nothing here, so it is looked again.
            let _ = tokio::time::timeout(LOOK, self.freed.notified()).await;
        }
    }

    fn insert_place(
        self: &Arc<Self>,
        open: &mut HashMap<u64, Arc<ConnectionActivity>>,
    ) -> ConnectionPlace {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let activity = Arc::new(ConnectionActivity {
            began: self.began,
            moved_at: AtomicU64::new(0),
            requests: AtomicU32::new(0),
            has_answered: AtomicBool::new(false),
            evicted: Notify::new(),
        });
        activity.note_bytes();
        open.insert(id, Arc::clone(&activity));
        ConnectionPlace {
            limit: Arc::clone(self),
            id,
            activity,
        }
    }
}

fn longest_silent(
    open: &HashMap<u64, Arc<ConnectionActivity>>,
) -> Option<&Arc<ConnectionActivity>> {
    let idle = open.values().filter(|one| !one.has_request());
    idle.min_by_key(|one| {
        let has_answered = one.has_answered.load(Ordering::Relaxed);
        (has_answered, one.moved_at.load(Ordering::Relaxed))
    })
}

impl Drop for ConnectionPlace {
    fn drop(&mut self) {
        lock(&self.limit.open).remove(&self.id);
        self.limit.freed.notify_one();
    }
}

impl ConnectionActivity {
    /// Bytes were read or written.
    pub(crate) fn note_bytes(&self) {
        let now = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.moved_at.store(now, Ordering::Relaxed);
    }

    /// A request begins; it ends with what is returned.
    pub(crate) fn begin_request(self: &Arc<Self>) -> RequestUnderWay {
        self.requests.fetch_add(1, Ordering::Relaxed);
        RequestUnderWay(Arc::clone(self))
    }

    fn has_request(&self) -> bool {
        self.requests.load(Ordering::Relaxed) > 0
    }

    /// Waits until the connection has to end for another one.
    pub(crate) async fn evicted(&self) {
        self.evicted.notified().await;
    }

    /// Whether it can be cut: no request is under way, and no answer moves.
    pub(crate) fn is_cuttable(&self) -> bool {
        let moved_at = Duration::from_millis(self.moved_at.load(Ordering::Relaxed));
        let is_stalled = self.began.elapsed().saturating_sub(moved_at) > STALLED;
        let has_answered = self.has_answered.load(Ordering::Relaxed);
        !self.has_request() && (!has_answered || is_stalled)
    }
}

impl Drop for RequestUnderWay {
    fn drop(&mut self) {
        self.0.has_answered.store(true, Ordering::Relaxed);
        self.0.requests.fetch_sub(1, Ordering::Relaxed);
    }
}
