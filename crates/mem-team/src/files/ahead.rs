//! What can be done with contents while others are still on their way: looked through for what may not come in.
//! Threads of their own do it, and what is not done when it is wanted is waited for.

use std::collections::HashMap;
use std::num::NonZero;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use mem_sync::EntryKey;
use mem_sync::files::BatchFile;

use super::entry::IncomingGates;

/// Contents that are handed over together: to wake a thread takes as long as to look at one.
const PORTION: usize = 32;

/// A content on its way.
#[derive(Debug)]
struct Arrived {
    key: EntryKey,
    bytes: Arc<Vec<u8>>,
}

/// What is known of it.
#[derive(Debug)]
struct KnownVersions {
    bytes: Arc<Vec<u8>>,
    unfit: Option<String>,
}

/// Contents that threads are at.
#[derive(Debug)]
pub(super) struct Ahead {
    portion: Vec<Arrived>,
    hand_over: Sender<Vec<Arrived>>,
    threads: Vec<JoinHandle<Vec<(EntryKey, KnownVersions)>>>,
}

/// What came of them.
#[derive(Debug, Default)]
pub(super) struct Foreseen(HashMap<EntryKey, KnownVersions>);

impl Ahead {
    /// Nothing yet.
    pub(super) fn new(entry: &Arc<IncomingGates>) -> Self {
        let (hand_over, handed_over) = mpsc::channel();
        let handed_over = Arc::new(Mutex::new(handed_over));
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let threads = (0..cores).map(|_| {
            let (handed_over, entry) = (Arc::clone(&handed_over), Arc::clone(entry));
            thread::spawn(move || look_through(&handed_over, &entry))
        });
        Self {
            portion: Vec::new(),
            hand_over,
            threads: threads.collect(),
        }
    }

    /// Hands a content over.
    pub(super) fn add_content(&mut self, key: &EntryKey, bytes: &Arc<Vec<u8>>) {
        self.portion.push(Arrived {
            key: key.clone(),
            bytes: Arc::clone(bytes),
        });
        if self.portion.len() >= PORTION {
            self.send_batch();
        }
    }

    /// Waits until all are done.
    pub(super) fn wait_for_all(mut self) -> Foreseen {
        self.send_batch();
        drop(self.hand_over);
        let mut known = HashMap::new();
        for thread in self.threads {
            match thread.join() {
                Ok(more) => known.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Foreseen(known)
    }

    fn send_batch(&mut self) {
        // Whoever listens goes on until nothing can come any more.
        let _ = self.hand_over.send(std::mem::take(&mut self.portion));
    }
}

/// A thread, until nothing comes any more.
fn look_through(
    handed_over: &Mutex<Receiver<Vec<Arrived>>>,
    entry: &IncomingGates,
) -> Vec<(EntryKey, KnownVersions)> {
    let mut known = Vec::new();
    loop {
        let portion = handed_over
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .recv();
        let Ok(portion) = portion else {
            return known;
        };
        for one in portion {
            let path = entry.tier.path(one.key.as_str()).ok();
            let unfit = path.and_then(|path| entry.unfit_reason(&path, &one.bytes, true));
            let bytes = one.bytes;
            known.push((one.key, KnownVersions { bytes, unfit }));
        }
    }
}

impl Foreseen {
    /// What is known of a change: only of a new file with the very bytes that were looked at.
    fn known_versions(&self, change: &BatchFile) -> Option<&KnownVersions> {
        let known = self.0.get(&change.key)?;
        let bytes = change.new.as_ref().filter(|_| change.expected.is_none())?;
        Arc::ptr_eq(&known.bytes, bytes).then_some(known)
    }

    /// Whether its content may come in, and why not; `None` where that is not known.
    pub(super) fn unfit_reason(&self, change: &BatchFile) -> Option<Option<&str>> {
        Some(self.known_versions(change)?.unfit.as_deref())
    }
}
