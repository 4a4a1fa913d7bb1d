//! One line on a terminal that says how far long work has come.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::printer::Printer;

/// A scan shorter than this shows nothing; then the line is renewed as often.
const PERIOD: Duration = Duration::from_millis(300);

/// Who waits longer wants to know for what.
const PATIENCE: Duration = Duration::from_secs(3);

/// What the threads of a scan count.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    items: AtomicU64,
    bytes: AtomicU64,
    done: AtomicBool,
}

impl Counters {
    /// So many more of whatever is counted.
    pub(crate) fn add_items(&self, items: usize) {
        self.items.fetch_add(items as u64, Ordering::Relaxed);
    }

    /// One more file or blob.
    pub(crate) fn add(&self, bytes: u64) {
        self.items.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// Shows the counters until it is dropped.
#[derive(Debug)]
pub(crate) struct Progress {
    counters: Arc<Counters>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// Starts showing what a scan counts.
    pub(crate) fn start(printer: &Printer) -> Self {
        Self::showing(printer, |counters| {
            let items = counters.items.load(Ordering::Relaxed);
            let megabytes = counters.bytes.load(Ordering::Relaxed) / 1_000_000;
            format!("scanning: {items} files, {megabytes} MB")
        })
    }

    /// Starts showing what is going on, where nothing can be counted.
    pub(crate) fn saying(printer: &Printer, text: &'static str) -> Self {
        Self::showing(printer, move |_| text.to_owned())
    }

    /// Starts showing what is going on, after a while also with whom and for how long.
    pub(crate) fn waiting(printer: &Printer, text: &'static str, with: String) -> Self {
        let begun = Instant::now();
        Self::showing(printer, move |_| match begun.elapsed() {
            time if time < PATIENCE => text.to_owned(),
            time => format!("{text}: {with}, {} s so far", time.as_secs()),
        })
    }

    /// Starts showing what is going on, and how many times it was done.
    pub(crate) fn counting(printer: &Printer, text: &'static str) -> Self {
        Self::showing(printer, move |counters| {
            let items = counters.items.load(Ordering::Relaxed);
            format!("{text}: {items}")
        })
    }

    /// Starts showing, if standard error is a terminal and nobody wants silence.
    fn showing(printer: &Printer, text: impl Fn(&Counters) -> String + Send + 'static) -> Self {
        let counters = Arc::<Counters>::default();
        let wanted = printer.is_talkative() && std::io::stderr().is_terminal();
        let thread = wanted.then(|| {
            let (counters, printer) = (Arc::clone(&counters), printer.clone());
            std::thread::spawn(move || show(&counters, &printer, &text))
        });
        Self { counters, thread }
    }

    /// What threads count with.
    pub(crate) fn counters(&self) -> &Counters {
        &self.counters
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.counters.done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // A line that could not be drawn is no reason to fail.
            let _ = thread.join();
        }
    }
}

fn show(counters: &Counters, printer: &Printer, text: &dyn Fn(&Counters) -> String) {
    let mut shown = false;
    loop {
        std::thread::park_timeout(PERIOD);
        if counters.done.load(Ordering::Relaxed) {
            break;
        }
        printer.transient(&text(counters));
        shown = true;
    }
    if shown {
        printer.transient("");
    }
}
