//! The loop: waits for whatever happens next, passes it to the state machine, carries out what it asks for.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use mem_core::memory_path::printable;
use tokio::net::UnixListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{Semaphore, mpsc};
use tokio::time::{Instant, sleep_until};

use super::connection::{ConnectionContext, WORK_MAX, serve};
use super::own_writes::OwnWrites;
use super::repository_status::RepositoryStatus;
use super::signals::{PendingEvents, WatchSignals};
use super::watch::{DirectoryWatch, WatchQuality};
use super::{DaemonOptions, DaemonTasks, Ended, RunError, Synced};
use crate::state_machine::{
    DaemonEvent, DaemonState, Effect, ExitReason, Moment, WatchedScope, step,
};

/// Directories that are missing are looked for after so long, and after twice as long each time.
const LOOK_AGAIN: Duration = Duration::from_secs(2);
/// The longest time between two looks for what is missing.
const LOOK_AGAIN_MAX: Duration = Duration::from_secs(60);
/// So often it is looked whether what is looked after is still where it was, even if nothing happens.
const LOOK_ANYWAY: Duration = Duration::from_secs(10 * 60);
/// After an error of the listener, so much time goes by before the next try.
const LISTEN_AGAIN: Duration = Duration::from_millis(100);
/// So many events wait; who brings more waits as well.
const EVENTS_MAX: usize = 64;

/// Runs a daemon until it is to end. `ready` is called once, when the socket answers and the watches
/// are set. The process is to end soon after it returns: the place stays locked until then.
///
/// # Errors
/// It cannot begin: another one runs, or the system does not let it.
pub fn run(options: DaemonOptions, work: Arc<dyn DaemonTasks>, ready: impl FnOnce()) -> Ended {
    let started_at = work.now();
    let content = format!(
        "{}\n{}\n{started_at}\n{}\n",
        std::process::id(),
        options.version,
        options.root
    );
    // Before anything of this daemon can be seen: who holds the lock may remove a dead one's socket.
    let running = options.place.claim(&content)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        // One for each job, and one for each piece of work that may be done at once.
        .max_blocking_threads(3 + WORK_MAX)
        .build()
        .map_err(|error| RunError::Io("start a runtime", error))?;
    let place = options.place.clone();
    let ended = runtime.block_on(async {
        let mut event_loop = EventLoop::new(options, work, started_at)?;
        ready();
        Ok(event_loop.live().await)
    });
    // A job that takes long is left behind: the files say where to go on.
    runtime.shutdown_timeout(Duration::ZERO);
    running.leave_at_exit(&place);
    ended
}

/// What was under way is over.
enum RunningJob {
    Maintained(Result<(), String>),
    Synced(WatchedScope, Synced),
    Dreamed(Result<(), String>),
}

struct EventLoop {
    state: DaemonState,
    begun: Instant,
    wake_at: Option<Instant>,
    /// When to look again for directories that are missing, or were moved.
    look_at: Instant,
    look_wait: Duration,
    watch: DirectoryWatch,
    sight: WatchQuality,
    signals: Arc<WatchSignals>,
    own: Arc<OwnWrites>,
    context: Arc<ConnectionContext>,
    events: mpsc::Receiver<DaemonEvent>,
    jobs: (mpsc::Sender<RunningJob>, mpsc::Receiver<RunningJob>),
    listener: UnixListener,
    ends: [Signal; 2],
    is_stopping: bool,
}

/// What happened next.
enum Next {
    Event(DaemonEvent),
    Told(PendingEvents),
    Job(RunningJob),
    Connected,
    LookAgain,
}

impl EventLoop {
    fn new(
        options: DaemonOptions,
        work: Arc<dyn DaemonTasks>,
        started_at: String,
    ) -> Result<Self, RunError> {
        let listener = UnixListener::bind(options.place.socket())
            .map_err(|error| RunError::Io("listen on the socket", error))?;
        let caught = |kind| signal(kind).map_err(|error| RunError::Io("catch signals", error));
        let ends = [
            caught(SignalKind::terminate())?,
            caught(SignalKind::interrupt())?,
        ];
        let (signals, own) = (
            Arc::new(WatchSignals::default()),
            Arc::new(OwnWrites::default()),
        );
        // The watch stands before `Started` asks for a first look at everything. The other order has a gap in which a
        // change is neither seen by the look nor told by the watch.
        let mut watch =
            DirectoryWatch::new(&options.watched, Arc::clone(&signals), Arc::clone(&own));
        let sight = watch.set();
        let (sender, events) = mpsc::channel(EVENTS_MAX);
        let state = DaemonState::new(options.settings, work.remotes(), Moment::ZERO, options.seed);
        let repository_status = Arc::new(RepositoryStatus::new(options.root, started_at));
        let seats = Semaphore::new(WORK_MAX);
        let context = ConnectionContext {
            work,
            repository_status,
            events: sender,
            version: options.version,
            seats,
        };
        let mut event_loop = Self {
            state,
            begun: Instant::now(),
            wake_at: None,
            look_at: Instant::now() + LOOK_ANYWAY,
            look_wait: LOOK_AGAIN,
            watch,
            sight: WatchQuality::Clear,
            signals,
            own,
            context: Arc::new(context),
            events,
            jobs: mpsc::channel(3),
            listener,
            ends,
            is_stopping: false,
        };
        event_loop.saw(sight);
        Ok(event_loop)
    }

    /// From the start to the end.
    async fn live(&mut self) -> ExitReason {
        let mut exit = self.feed(DaemonEvent::Started);
        exit = exit.or_else(|| self.schedule());
        loop {
            if let Some(reason) = exit {
                self.context.work.log(&format!("ended: {reason:?}"));
                return reason;
            }
            exit = match self.next().await {
                Next::Event(event) => self.happened(event),
                Next::Told(told) => self.handle_signals(told),
                Next::Job(job) => self.over(job),
                Next::Connected => None,
                Next::LookAgain => self.look_again(),
            };
        }
    }

    async fn next(&mut self) -> Next {
        let [terminate, interrupt] = &mut self.ends;
        tokio::select! {
            told = self.signals.wait() => Next::Told(told),
            Some(event) = self.events.recv() => Next::Event(event),
            Some(job) = self.jobs.1.recv() => Next::Job(job),
            () = at(self.wake_at) => Next::Event(DaemonEvent::Woken),
            () = sleep_until(self.look_at) => Next::LookAgain,
            Some(()) = terminate.recv() => Next::Event(DaemonEvent::Stop),
            Some(()) = interrupt.recv() => Next::Event(DaemonEvent::Stop),
            accepted = self.listener.accept() => {
                match accepted {
                    Ok((stream, _)) => drop(tokio::spawn(serve(stream, Arc::clone(&self.context)))),
                    // No descriptor is free: some are, once connections end.
                    Err(_) => tokio::time::sleep(LISTEN_AGAIN).await,
                }
                Next::Connected
            }
        }
    }

    /// Something from outside. New settings may be about the night as well.
    fn happened(&mut self, event: DaemonEvent) -> Option<ExitReason> {
        let is_news = matches!(event, DaemonEvent::Configured(_));
        let exit = self.feed(event);
        match is_news {
            true => exit.or_else(|| self.schedule()),
            false => exit,
        }
    }

    /// Tells when the logs are to be distilled, by the clock on the wall.
    fn schedule(&mut self) -> Option<ExitReason> {
        let wait = self.context.work.dream_in();
        self.feed(DaemonEvent::Scheduled(wait))
    }

    /// Passes it to the state machine, and carries out what it asks for.
    fn feed(&mut self, event: DaemonEvent) -> Option<ExitReason> {
        self.is_stopping |= event == DaemonEvent::Stop;
        let mut exit = None;
        // Also when a job is over: the next one may begin at once, without a wait that would end in a
        // look, and then nothing would happen any more in a repository that is gone.
        let is_look = matches!(
            event,
            DaemonEvent::Woken
                | DaemonEvent::Maintained
                | DaemonEvent::Dreamed
                | DaemonEvent::Synced(..)
        );
        let is_gone = is_look && self.context.work.is_gone();
        let event = if is_gone { DaemonEvent::Gone } else { event };
        for effect in step(&mut self.state, event, self.begun.elapsed()) {
            match effect {
                Effect::Maintain => self.maintain(),
                Effect::Sync(tier) => self.sync(tier),
                Effect::Dream => self.dream(),
                Effect::WakeAt(moment) => self.wake_at = moment.map(|moment| self.begun + moment),
                Effect::Exit(reason) => exit = Some(reason),
            }
        }
        let is_polling = !matches!(self.sight, WatchQuality::Clear | WatchQuality::Waiting);
        let repository_status = &self.context.repository_status;
        repository_status.follow(&self.state, is_polling, self.is_stopping);
        exit
    }

    fn maintain(&self) {
        let (work, jobs) = (Arc::clone(&self.context.work), self.jobs.0.clone());
        tokio::task::spawn_blocking(move || {
            let maintained = work.maintain();
            // Nobody listens any more where the daemon has ended.
            let _ = jobs.blocking_send(RunningJob::Maintained(maintained));
        });
    }

    fn dream(&self) {
        let (work, jobs) = (Arc::clone(&self.context.work), self.jobs.0.clone());
        tokio::task::spawn_blocking(move || {
            let dreamed = work.dream();
            let _ = jobs.blocking_send(RunningJob::Dreamed(dreamed));
        });
    }

    fn sync(&self, tier: WatchedScope) {
        let (work, jobs) = (Arc::clone(&self.context.work), self.jobs.0.clone());
        // Before the job starts: its first write may be told before the thread is known to run.
        self.own.begin();
        tokio::task::spawn_blocking(move || {
            let synced = work.sync(tier);
            let _ = jobs.blocking_send(RunningJob::Synced(tier, synced));
        });
    }

    fn over(&mut self, job: RunningJob) -> Option<ExitReason> {
        // A job may replace a directory that is watched; the watch then follows the old one, which nobody changes.
        if !self.watch.is_true() {
            self.signals.report_overflow();
        }
        match job {
            RunningJob::Maintained(maintained) => {
                if let Err(why) = maintained {
                    self.context.work.log(&why);
                }
                self.feed(DaemonEvent::Maintained)
            }
            RunningJob::Synced(tier, synced) => self.synced(tier, synced),
            RunningJob::Dreamed(dreamed) => {
                if let Err(why) = dreamed {
                    self.context.work.log(&why);
                }
                let exit = self.feed(DaemonEvent::Dreamed);
                exit.or_else(|| self.schedule())
            }
        }
    }

    fn synced(&mut self, tier: WatchedScope, synced: Synced) -> Option<ExitReason> {
        match self.own.end(&synced.written) {
            Some(others) => self.watch.tell(&others),
            None => self.signals.report_overflow(),
        }
        let ConnectionContext {
            work,
            repository_status,
            ..
        } = &*self.context;
        if synced.outcome.has_agreed() {
            repository_status.agreed(work.now());
        }
        // Said once, not with each try.
        if repository_status.trouble(tier, synced.trouble.clone())
            && let Some(trouble) = synced.trouble
        {
            work.log(&trouble);
        }
        self.feed(DaemonEvent::Synced(tier, synced.outcome))
    }

    fn handle_signals(&mut self, told: PendingEvents) -> Option<ExitReason> {
        if told.is_lost() {
            if self.context.work.is_gone() {
                return self.feed(DaemonEvent::Gone);
            }
            let sight = self.watch.set();
            self.saw(sight);
        }
        let mut exit = None;
        for tier in told.tiers() {
            exit = exit.or(self.feed(DaemonEvent::Changed(tier)));
        }
        exit
    }

    /// Takes note of how well is seen; what gets worse is logged once.
    fn saw(&mut self, sight: WatchQuality) {
        self.look_wait = match sight == self.sight {
            true => (self.look_wait * 2).min(LOOK_AGAIN_MAX),
            false => LOOK_AGAIN,
        };
        self.look_at = Instant::now()
            + match sight {
                WatchQuality::Missing => self.look_wait,
                WatchQuality::Clear | WatchQuality::Waiting | WatchQuality::Polling(_) => {
                    LOOK_ANYWAY
                }
            };
        if sight == self.sight {
            return;
        }
        let line = match &sight {
            WatchQuality::Clear => "the directories are watched again".to_owned(),
            WatchQuality::Polling(why) => {
                format!("looking every few seconds, the system does not tell: {why}")
            }
            WatchQuality::Waiting | WatchQuality::Missing => {
                let missing = self.watch.missing().iter();
                let missing = missing.map(|path| printable(&path.display().to_string()));
                let missing: Vec<String> = missing.map(|path| format!("`{path}`")).collect();
                format!("not there, and waited for: {}", missing.join(", "))
            }
        };
        self.context.work.log(&line);
        self.sight = sight;
    }

    /// Whether what was missing is there now, and the rest still where it was.
    fn look_again(&mut self) -> Option<ExitReason> {
        if self.context.work.is_gone() {
            return self.feed(DaemonEvent::Gone);
        }
        if let Some(exit) = self.schedule() {
            return Some(exit);
        }
        let is_watching = matches!(self.sight, WatchQuality::Clear | WatchQuality::Waiting);
        if is_watching && self.watch.is_true() {
            self.look_at = Instant::now() + LOOK_ANYWAY;
            return None;
        }
        let before = self.sight.clone();
        let sight = self.watch.set();
        // Whoever looks every few seconds begins anew, and has not seen what changed meanwhile.
        let is_news = is_watching || sight != before || matches!(sight, WatchQuality::Polling(_));
        self.saw(sight);
        is_news.then(|| self.signals.report_overflow());
        None
    }
}

/// That moment; never, where there is none.
async fn at(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => pending().await,
    }
}
