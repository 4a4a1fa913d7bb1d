//! One line on a terminal that says how far long work has come.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use mem_scan::Counters;

use crate::printer::Printer;

/// A scan shorter than this shows nothing; then the line is renewed as often.
const PERIOD: Duration = Duration::from_millis(300);

/// Who waits longer wants to know for what.
const PATIENCE: Duration = Duration::from_secs(3);

/// Shows the counters until it is dropped.
#[derive(Debug)]
pub(crate) struct Progress {
    counters: Arc<Counters>,
    is_done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// Starts showing what a scan counts.
    pub(crate) fn start(printer: &Printer) -> Self {
        Self::showing(printer, |counters| {
            let (items, megabytes) = (counters.items(), counters.bytes() / 1_000_000);
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
            format!("{text}: {}", counters.items())
        })
    }

    /// Starts showing, if standard error is a terminal and nobody wants silence.
    fn showing(printer: &Printer, text: impl Fn(&Counters) -> String + Send + 'static) -> Self {
        let (counters, is_done) = (Arc::<Counters>::default(), Arc::<AtomicBool>::default());
        let wanted = printer.is_talkative() && std::io::stderr().is_terminal();
        let thread = wanted.then(|| {
            let (counters, is_done) = (Arc::clone(&counters), Arc::clone(&is_done));
            let printer = printer.clone();
            std::thread::spawn(move || show(&counters, &is_done, &printer, &text))
        });
        Self {
            counters,
            is_done,
            thread,
        }
    }

    /// What threads count with.
    pub(crate) fn counters(&self) -> &Counters {
        &self.counters
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.is_done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // A line that could not be drawn is no reason to fail.
            let _ = thread.join();
        }
    }
}

fn show(
    counters: &Counters,
    is_done: &AtomicBool,
    printer: &Printer,
    text: &dyn Fn(&Counters) -> String,
) {
    let mut shown = false;
    loop {
        std::thread::park_timeout(PERIOD);
        if is_done.load(Ordering::Relaxed) {
            break;
        }
        printer.transient(&text(counters));
        shown = true;
    }
    if shown {
        printer.transient("");
    }
}
