//! Lines that a busy thread of the runtime logs go out together: when it has nothing else to do, after some
//! milliseconds, or when there are many. To write each by itself would cost as much as to answer a small request, and
//! all threads would wait for each other at the one end where lines go.
//!
//! Other threads, and whatever is urgent, are not kept waiting.

use std::cell::OnceCell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::logging::Lines;

/// Nothing waits longer, unless its thread is busy with one thing for all that time.
const WAITS_MAX: Duration = Duration::from_millis(50);
/// Nothing waits behind more.
const BYTES_MAX: usize = 16 * 1024;

/// What one thread has to say.
#[derive(Default)]
struct ThreadBuffer {
    text: String,
    /// Of the first line.
    since: Option<Instant>,
    lines: Option<Lines>,
}

/// Those of all threads that keep lines: there are as many as the runtime has workers.
static ALL: Mutex<Vec<Arc<Mutex<ThreadBuffer>>>> = Mutex::new(Vec::new());

thread_local! {
    /// Of a worker of the runtime; others have none.
    static MINE: OnceCell<Arc<Mutex<ThreadBuffer>>> = const { OnceCell::new() };
}

/// Hands a line over, now or soon.
pub(crate) fn say(lines: &Lines, line: &str, is_urgent: bool) {
    let kept = MINE.try_with(|mine| {
        let Some(mine) = mine.get() else {
            return false;
        };
        lock(mine).keep(lines, line, is_urgent);
        true
    });
    if !kept.unwrap_or(false) {
        lines(line);
    }
}

/// A worker of the runtime has nothing else to do.
pub(crate) fn rest() {
    // A thread that ends has nothing to say any more.
    let _ = MINE.try_with(|mine| {
        let mine = mine.get_or_init(|| {
            let new = Arc::<Mutex<ThreadBuffer>>::default();
            lock(&ALL).push(Arc::clone(&new));
            new
        });
        lock(mine).hand_over();
    });
}

/// The end: nothing more will be said.
pub(crate) fn finish() {
    for kept in lock(&ALL).iter() {
        lock(kept).hand_over();
    }
}

impl ThreadBuffer {
    fn keep(&mut self, lines: &Lines, line: &str, is_urgent: bool) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(line);
        if self.lines.is_none() {
            self.lines = Some(Arc::clone(lines));
        }
        let since = *self.since.get_or_insert_with(Instant::now);
        if is_urgent || self.text.len() >= BYTES_MAX || since.elapsed() >= WAITS_MAX {
            self.hand_over();
        }
    }

    fn hand_over(&mut self) {
        if let Some(lines) = self.lines.as_ref().filter(|_| !self.text.is_empty()) {
            lines(&self.text);
        }
        self.text.clear();
        self.since = None;
    }
}

fn lock<T>(kept: &Mutex<T>) -> MutexGuard<'_, T> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    /// What comes out, piece by piece.
    fn heard() -> (Lines, Arc<Mutex<Vec<String>>>) {
        let heard = Arc::<Mutex<Vec<String>>>::default();
        let ear = Arc::clone(&heard);
        let lines: Lines = Arc::new(move |text: &str| ear.lock().unwrap().push(text.to_owned()));
        (lines, heard)
    }

    #[test]
    fn a_worker_says_what_it_has_to_say_when_it_rests() {
        let (lines, heard) = heard();
        let said = |count: usize| assert_eq!(heard.lock().unwrap().len(), count);
        thread::scope(|scope| {
            scope.spawn(|| {
                say(&lines, "no worker yet", false);
                said(1);
                rest();
                say(&lines, "one", false);
                say(&lines, "two", false);
                said(1);
                rest();
                said(2);
                say(&lines, "three", false);
                say(&lines, "urgent", true);
                said(3);
                say(&lines, &"long ".repeat(BYTES_MAX), false);
                said(4);
                say(&lines, "last", false);
            });
        });
        finish();
        let heard = heard.lock().unwrap();
        assert_eq!(heard[..3], ["no worker yet", "one\ntwo", "three\nurgent"]);
        assert_eq!(heard.last().unwrap(), "last");
    }
}
