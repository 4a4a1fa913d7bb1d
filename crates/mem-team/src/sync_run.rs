//! A run: rounds until both ends are in step, or until nothing more can be done for now.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::resume_unwind;
use std::thread;
use std::time::{Duration, Instant};

use mem_core::location::ProjectContext;
use mem_core::{RunContext, state_file};
use mem_sync::EntryKey;
use mem_sync::base::{StateFile, SyncState};
use mem_sync::client::{Direction, RoundReport, RoundStep, StopReason, SyncClient};
use mem_sync::decide::KnownKey;
use mem_sync::remote::{Remote, RemoteError};

use super::deletion::{self, Deletion};
use super::error::TeamError;
use super::files::{PushReview, StoreFiles};
use super::finding_answers::Answers;
use super::outbound_scan::{TeamOutboundScan, is_hidden, shown_key};
use super::outcome::{SyncRuns, UnreportedChanges};
use super::refusals;
use super::remote;
use super::review::{self, ReviewedKeys};
use super::sent_indexes::SentIndexes;
use super::settings::TeamShare;

/// A run does not wait longer than this altogether; what waits is tried by the next one.
const WAITS_MAX: Duration = Duration::from_secs(20);
/// How often it is tried where there is no connection at all: being offline is an ordinary state.
const CONNECTIONS_MAX: u32 = 3;
/// Rounds that are made because somebody edited in between.
const ROUNDS_MAX: u32 = 3;

/// What is wanted of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions<'w> {
    /// What may move.
    pub direction: Direction,
    /// Whether nothing is to be changed.
    pub is_dry: bool,
    /// Whether what is edited in between waits for the next run: whoever runs it comes again by itself.
    pub is_repeated: bool,
    /// What is to be deleted for everybody first.
    pub delete: Option<Deletion<'w>>,
}

/// What a run came to.
#[derive(Debug)]
pub struct RoundRun {
    /// Key by key.
    pub report: RoundReport,
    /// What waits in the inbox, or was rejected there.
    pub reviewed: ReviewedKeys,
    /// What the remote has and this memory does not take, and why.
    pub refused: BTreeMap<String, String>,
    /// What stands here and cannot be shared, and why.
    pub unread: BTreeMap<String, String>,
    /// Why it stopped before its end.
    pub trouble: Option<StopReason>,
    /// What was to be deleted for everybody first.
    pub deletion: Option<EntryKey>,
    /// Whether that was removed here.
    pub is_removed_here: bool,
    /// Whether its deletion goes with the next run, because this one stopped before it was sent.
    pub is_deletion_queued: bool,
    /// Findings that the person can be asked about.
    pub answers: Option<Answers>,
    /// What a daemon did since a command last told what was done.
    pub untold: UnreportedChanges,
}

impl RoundRun {
    /// This run and the one after it as one.
    pub fn and_later(self, later: Self) -> Self {
        let report = join_reports(self.report, later.report);
        let deletion = self.deletion.or(later.deletion);
        Self {
            report,
            deletion,
            is_removed_here: self.is_removed_here,
            is_deletion_queued: self.is_deletion_queued && later.trouble.is_some(),
            untold: self.untold,
            ..later
        }
    }
}

pub(crate) type TeamClient = SyncClient<Box<dyn Remote>, StoreFiles, TeamOutboundScan, StateFile>;

/// Brings the shared tier of a place in step; `gate` is asked about what comes. Whoever else is at it goes first.
///
/// # Errors
/// The remote cannot be opened, the key is unknown, the state cannot be kept. What stops the rounds
/// themselves is part of the [`RoundRun`].
pub fn run(
    share: &TeamShare,
    place: &ProjectContext,
    context: &RunContext,
    wanted: RunOptions<'_>,
) -> Result<RoundRun, TeamError> {
    let _lock = state_file::lock(&share.place.lock())?;
    let mut client = open_client(share, place, context, wanted)?;
    let is_removed_here = match wanted.delete {
        Some(deletion) => deletion::delete(&mut client, deletion, share, place, context)?,
        None => false,
    };
    let mut run = run_rounds(&mut client, wanted, context);
    run.is_removed_here = is_removed_here;
    let SyncRuns {
        untold, reported, ..
    } = SyncRuns::load_runs(&share.place);
    if !wanted.is_dry {
        drop_resolved(share, &run, wanted.direction, client.state())?;
        prune_sent(share, &client)?;
        let mut outcome = run_outcome(share, &run, context);
        // A remote that is not there is not asked once more.
        let may_report = !run.trouble.as_ref().is_some_and(is_offline);
        outcome.reported = match share.reports_refused && may_report {
            true => {
                let remote = &mut client.remote;
                refusals::report_refusals(&run, wanted.direction, reported, remote, context)
            }
            false => reported,
        };
        // What nobody waits for is told by the next run that somebody does.
        outcome.untold = match wanted.is_repeated {
            true => untold.clone().and_report(&run.report),
            false => UnreportedChanges::default(),
        };
        outcome.save_runs(&share.place)?;
        context.clean_up_when_due(place, &share.store);
    }
    run.untold = untold;
    Ok(run)
}

/// Forgets the texts of indexes that nothing refers to any more.
fn prune_sent(share: &TeamShare, client: &TeamClient) -> Result<(), TeamError> {
    match &client.files.push_review {
        Some(review) => review.borrow_mut().finish_round(client.state())?,
        None => {
            let mut sent = SentIndexes::load_texts(&share.place);
            sent.prune_texts(client.state(), false);
            sent.save()?;
        }
    }
    Ok(())
}

/// Takes out of the inbox what this run has settled.
fn drop_resolved(
    share: &TeamShare,
    run: &RoundRun,
    direction: Direction,
    state: &SyncState,
) -> Result<(), TeamError> {
    if share.is_own() {
        return Ok(());
    }
    let has_taken = run.trouble.is_none() && direction != Direction::Push;
    let report = &run.report;
    let left = report.overtaken.iter().chain(&report.undecided);
    let left: BTreeSet<&str> = left.map(EntryKey::as_str).collect();
    let is_open = |file: &str| {
        let is_left =
            left.contains(file) || run.refused.contains_key(file) || run.unread.contains_key(file);
        share.pulls_in_review || !has_taken || is_left
    };
    let is_gone = |file: &str| {
        let key = EntryKey::parse(file);
        key.is_ok_and(|key| matches!(state.remote_of(&key), Some(KnownKey::Gone(_))))
    };
    Ok(review::drop_resolved(share, is_open, is_gone)?)
}

fn open_client(
    share: &TeamShare,
    place: &ProjectContext,
    context: &RunContext,
    wanted: RunOptions<'_>,
) -> Result<TeamClient, TeamError> {
    let dirs = context.dirs()?;
    let is_dry = wanted.is_dry;
    let mut files = StoreFiles::for_share(share, place, context);
    files.is_dry = is_dry;
    files.reviews = share.pulls_in_review;
    let mut file = share.place.state_file();
    // With 10,000 files each of the two takes milliseconds. The look records what others changed even where the remote
    // cannot be opened, as every command does; what is edited after it goes with the next run. A deletion changes the
    // files before they are listed.
    let now = context.now;
    let (remote, (mut state, warning)) = thread::scope(|scope| {
        let look = move || share.store.digests(now);
        let look = wanted.delete.is_none().then(|| scope.spawn(look));
        let remote = remote::open_remote(share, place, context);
        let state = file.load();
        files.first_look =
            look.map(|look| look.join().unwrap_or_else(|panic| resume_unwind(panic)));
        remote.map(|remote| (remote, state))
    })?;
    if let Some(warning) = warning {
        context.print_warning(warning);
    }
    state.repository = share.repository.to_string();
    let mut screen = TeamOutboundScan::for_share(share, &place.project, dirs);
    let review = PushReview::share_review(share, &state, &screen, share.pushes_in_review);
    screen.review = Some(review.clone());
    files.push_review = Some(review);
    let mut client = SyncClient::new(remote, files, screen, file, state);
    client.policy.is_dry = is_dry;
    Ok(client)
}

fn run_rounds(client: &mut TeamClient, wanted: RunOptions<'_>, context: &RunContext) -> RoundRun {
    // Nothing was seen to have changed before the first round.
    let mut report = RoundReport {
        not_modified: true,
        ..RoundReport::default()
    };
    let mut trouble = None;
    let most = if wanted.is_repeated { 1 } else { ROUNDS_MAX };
    for _ in 0..most {
        let made = one_round(client, wanted.direction, context);
        let made = made.unwrap_or_else(|why| {
            trouble = Some(why);
            client.so_far()
        });
        let again = made
            .overtaken
            .iter()
            .any(|key| !is_told(&client.files, key));
        report = join_reports(report, made);
        if !again || trouble.is_some() {
            break;
        }
    }
    report.overtaken.retain(|key| !is_told(&client.files, key));
    let refused = std::mem::take(&mut client.files.refused);
    if let Some(review) = &client.files.push_review
        && wanted.direction != Direction::Pull
        && trouble.is_none()
    {
        report.in_review.extend(review.borrow().waiting());
    }
    let reviewed = std::mem::take(&mut client.files.reviewed);
    report.undecided.retain(|key| reviewed.has_key(key));
    // Nobody took a file of such a name, and somebody took the name out: nothing was lost.
    report.lost.retain(|key| !is_hidden(&shown_key(key)));
    let is_queued = |deletion: Deletion<'_>| client.state().deleting.contains_key(deletion.key);
    let is_deletion_queued =
        !wanted.is_dry && trouble.is_some() && wanted.delete.is_some_and(is_queued);
    RoundRun {
        report,
        reviewed,
        refused,
        unread: std::mem::take(&mut client.files.unread),
        trouble,
        deletion: wanted.delete.map(|deletion| deletion.key.clone()),
        is_removed_here: false,
        is_deletion_queued,
        answers: client.screen.answers.take(),
        untold: UnreportedChanges::default(),
    }
}

/// Whether a report names a key for another reason than that its file changed meanwhile.
fn is_told(files: &StoreFiles, key: &EntryKey) -> bool {
    let name = key.as_str();
    files.refused.contains_key(name)
        || files.unread.contains_key(name)
        || files.reviewed.has_key(key)
}

/// One round, tried again as long as that may help.
fn one_round(
    client: &mut TeamClient,
    direction: Direction,
    context: &RunContext,
) -> Result<RoundReport, StopReason> {
    let begun = Instant::now();
    let mut waited = Duration::ZERO;
    let mut connections = 0;
    let mut sent = client.sent_so_far();
    loop {
        let asked = Instant::now();
        match client.step(direction, random_jitter()) {
            RoundStep::Done(report) => return Ok(*report),
            RoundStep::Stopped(why) => return Err(why),
            RoundStep::Again { after, why } => {
                connections += u32::from(is_offline(&why));
                // A server that says only after ten seconds that it cannot has cost these as well.
                waited += asked.elapsed();
                if client.sent_so_far() > sent {
                    // It goes on, if slowly: a server that counts requests lets a large memory through in its own time.
                    sent = client.sent_so_far();
                    waited = Duration::ZERO;
                }
                waited += after;
                // A line that hangs until it is given up is not tried three times over.
                let hung = connections > 0 && begun.elapsed() > WAITS_MAX;
                if waited > WAITS_MAX || connections >= CONNECTIONS_MAX || hung {
                    return Err(why);
                }
                context.detail(format_args!("{why}: trying again"));
                thread::sleep(after);
            }
        }
    }
}

/// Whether there was no answer at all.
pub fn is_offline(trouble: &StopReason) -> bool {
    matches!(trouble, StopReason::Remote(RemoteError::Unreachable(_)))
}

/// Random bits, so that clients that lost one race do not meet again.
fn random_jitter() -> u32 {
    let mut bytes = [0; 4];
    // Without random bits the wait is the longest one: correct, if not the best.
    match getrandom::fill(&mut bytes) {
        Ok(()) => u32::from_le_bytes(bytes),
        Err(_) => u32::MAX,
    }
}

/// Two rounds as one.
fn join_reports(earlier: RoundReport, mut later: RoundReport) -> RoundReport {
    later.not_modified &= earlier.not_modified;
    later.with_done(earlier)
}

fn run_outcome(share: &TeamShare, run: &RoundRun, context: &RunContext) -> SyncRuns {
    let now = context.current_time().0;
    match &run.trouble {
        None if run.report.not_modified => {
            SyncRuns::from_run(run, now).after_run(SyncRuns::load_runs(&share.place))
        }
        None => SyncRuns::from_run(run, now),
        Some(trouble) => {
            let before = SyncRuns::load_runs(&share.place);
            let compared = run.report.compared.then_some(now);
            SyncRuns {
                // Both ends were compared, though not all of it could be sent.
                synced_at: compared.or(before.synced_at),
                tried_at: Some(now),
                error: Some(trouble.to_string()),
                is_offline: is_offline(trouble),
                ..before
            }
        }
    }
}
