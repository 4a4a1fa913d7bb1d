//! What is promised, one by one.

use std::time::Duration;

use super::simulation::{BOTH, Simulation, TEAM, at_once};
use crate::state_machine::{
    DaemonEvent, DaemonTimings, ExitReason, Moment, Remotes, SyncBlock, SyncOutcome, WatchedScope,
};

fn seconds(n: u64) -> Duration {
    Duration::from_secs(n)
}

/// A daemon that has started and found nothing to do.
fn started() -> Simulation {
    let mut simulation = Simulation::new(DaemonTimings::default(), TEAM, 7);
    simulation.happens(DaemonEvent::Started);
    simulation.until(seconds(10));
    assert_eq!(
        (simulation.syncs.len(), simulation.maintenances.len()),
        (1, 1)
    );
    simulation.syncs.clear();
    simulation.maintenances.clear();
    simulation
}

fn failing(outcome: SyncOutcome) -> Box<dyn FnMut(Moment) -> (Duration, SyncOutcome)> {
    Box::new(move |_| (Duration::from_millis(40), outcome))
}

#[test]
fn a_change_is_sent_after_two_quiet_seconds() {
    let mut simulation = started();
    simulation.happens(DaemonEvent::Changed(WatchedScope::Team));
    simulation.until(seconds(11));
    simulation.happens(DaemonEvent::Changed(WatchedScope::Team));
    simulation.until(seconds(20));
    assert_eq!(simulation.syncs, [seconds(13)]);
    assert!(simulation.maintenances.len() <= 2 && !simulation.maintenances.is_empty());
    assert!(simulation.rests());
}

#[test]
fn logs_are_distilled_when_the_night_has_come_and_nothing_else_is_done() {
    let mut simulation = started();
    simulation.happens(DaemonEvent::Scheduled(Some(seconds(3_600))));
    // Scheduled again, as when the wall clock is set.
    simulation.until(seconds(600));
    simulation.happens(DaemonEvent::Scheduled(Some(seconds(7_200))));
    simulation.next_sync = Box::new(|_| (seconds(20), SyncOutcome::Done { has_written: false }));
    simulation.until(seconds(7_790));
    simulation.happens(DaemonEvent::SyncAsked);
    simulation.until(seconds(9_000));
    assert_eq!(
        simulation.dreams,
        [seconds(7_810)],
        "after the synchronisation"
    );
    assert_eq!(simulation.exit, None, "who waits for the night is not idle");
    simulation.until(seconds(20_000));
    assert!(simulation.exit.is_some(), "nothing is scheduled any more");
}

#[test]
fn nothing_is_distilled_that_is_not_to_be_or_on_the_way_out() {
    let mut simulation = started();
    simulation.happens(DaemonEvent::Scheduled(Some(seconds(100))));
    simulation.happens(DaemonEvent::Scheduled(None));
    simulation.until(seconds(300));
    simulation.happens(DaemonEvent::Scheduled(Some(Duration::ZERO)));
    simulation.happens(DaemonEvent::Scheduled(Some(Duration::ZERO)));
    assert_eq!(simulation.dreams.len(), 1, "not twice at once");
    simulation.happens(DaemonEvent::Stop);
    simulation.until(seconds(400));
    assert_eq!(
        (simulation.dreams.len(), simulation.exit.is_some()),
        (1, true)
    );
}

#[test]
fn steady_writing_is_sent_after_ten_seconds() {
    let mut simulation = started();
    for n in 0..250 {
        simulation.happens(DaemonEvent::Changed(WatchedScope::Team));
        simulation.until(seconds(10) + Duration::from_millis(100) * (n + 1));
    }
    simulation.until(seconds(60));
    assert_eq!(simulation.syncs.len(), 3);
    assert_eq!(simulation.syncs[0], seconds(20));
    assert!(
        simulation
            .syncs
            .windows(2)
            .all(|pair| pair[1] - pair[0] <= seconds(10))
    );
}

#[test]
fn own_notes_without_a_remote_are_never_sent() {
    let mut simulation = started();
    simulation.happens(DaemonEvent::Changed(WatchedScope::Own));
    simulation.until(seconds(20));
    assert_eq!(
        (simulation.syncs.len(), simulation.maintenances.len()),
        (0, 1)
    );
}

#[test]
fn what_was_taken_from_the_remote_is_maintained() {
    let mut simulation = started();
    let outcome = SyncOutcome::Done { has_written: true };
    simulation.next_sync = failing(outcome);
    simulation.happens(DaemonEvent::SyncAsked);
    simulation.until(seconds(20));
    assert_eq!(
        (simulation.syncs.len(), simulation.maintenances.len()),
        (1, 1)
    );
}

#[test]
fn the_remote_is_asked_for_news_about_every_five_minutes() {
    let mut simulation = started();
    simulation.state.settings.idle = None;
    simulation.until(seconds(24 * 3600));
    let waits: Vec<_> = simulation
        .syncs
        .windows(2)
        .map(|pair| pair[1] - pair[0])
        .collect();
    assert!(
        waits
            .iter()
            .all(|&wait| wait >= seconds(270) && wait <= seconds(331))
    );
    let spread: std::collections::BTreeSet<_> = waits.iter().map(Duration::as_millis).collect();
    assert!(spread.len() > 20, "not spread: {spread:?}");
}

#[test]
fn without_a_remote_nothing_is_sent() {
    let mut simulation = Simulation::new(DaemonTimings::default(), Remotes::default(), 1);
    simulation.happens(DaemonEvent::Started);
    for event in [
        DaemonEvent::Changed(WatchedScope::Team),
        DaemonEvent::SyncAsked,
        DaemonEvent::Asked,
    ] {
        simulation.happens(event);
        simulation.until(simulation.now + seconds(30));
    }
    assert!(simulation.syncs.is_empty());
    assert_eq!(
        simulation.state.blocked(WatchedScope::Team),
        SyncBlock::NoRemote
    );
    simulation.happens(DaemonEvent::Configured(TEAM));
    assert_eq!(simulation.syncs.len(), 1);
}

#[test]
fn failures_are_tried_again_ever_more_rarely() {
    let mut simulation = started();
    simulation.next_sync = failing(SyncOutcome::Transient { after: None });
    simulation.happens(DaemonEvent::Changed(WatchedScope::Team));
    simulation.until(seconds(3600));
    let waits: Vec<_> = simulation
        .syncs
        .windows(2)
        .map(|pair| pair[1] - pair[0])
        .collect();
    assert!((5..20).contains(&waits.len()), "{waits:?}");
    assert!(waits[0] < seconds(7) && *waits.last().unwrap() >= seconds(900));
    simulation.next_sync = Box::new(at_once);
    simulation.happens(DaemonEvent::SyncAsked);
    simulation.until(simulation.now + seconds(1));
    assert!(
        simulation.rests(),
        "a request does not wait for the next try"
    );
}

#[test]
fn the_servers_word_on_waiting_holds() {
    let mut simulation = started();
    simulation.next_sync = failing(SyncOutcome::Transient {
        after: Some(seconds(700)),
    });
    simulation.happens(DaemonEvent::Changed(WatchedScope::Team));
    simulation.until(seconds(720));
    assert_eq!(simulation.syncs.len(), 2);
    assert!(simulation.syncs[1] - simulation.syncs[0] >= seconds(700));
}

#[test]
fn a_permanent_failure_waits_until_something_is_changed() {
    let mut simulation = started();
    simulation.next_sync = failing(SyncOutcome::Permanent);
    simulation.happens(DaemonEvent::Changed(WatchedScope::Team));
    simulation.until(seconds(60));
    simulation.happens(DaemonEvent::Changed(WatchedScope::Team));
    simulation.until(seconds(1200));
    assert_eq!(simulation.syncs.len(), 1);
    assert_eq!(
        simulation.state.blocked(WatchedScope::Team),
        SyncBlock::UntilConfigured
    );
    simulation.next_sync = Box::new(at_once);
    simulation.happens(DaemonEvent::Configured(TEAM));
    simulation.until(seconds(1300));
    assert_eq!(simulation.syncs.len(), 2);
    assert!(simulation.rests());
}

#[test]
fn it_ends_after_half_an_hour_without_use() {
    let mut simulation = started();
    simulation.until(seconds(1000));
    simulation.happens(DaemonEvent::Asked);
    simulation.until(seconds(10_000));
    assert_eq!(simulation.exit, Some((seconds(2800), ExitReason::Idle)));
}

#[test]
fn a_service_does_not_end() {
    let mut simulation = started();
    simulation.state.settings.idle = None;
    simulation.until(seconds(100_000));
    assert_eq!(simulation.exit, None);
}

#[test]
fn told_to_end_it_sends_what_waits() {
    let mut simulation = started();
    simulation.happens(DaemonEvent::Changed(WatchedScope::Team));
    simulation.happens(DaemonEvent::Stop);
    assert!(simulation.is_syncing(), "no time for quiet");
    simulation.until(seconds(20));
    let end = seconds(10) + Duration::from_millis(40);
    assert_eq!(simulation.exit, Some((end, ExitReason::Stopped)));
}

#[test]
fn told_to_end_it_does_not_wait_for_a_slow_remote() {
    let mut simulation = started();
    simulation.next_sync = Box::new(|_| (seconds(60), SyncOutcome::Permanent));
    simulation.happens(DaemonEvent::Changed(WatchedScope::Team));
    simulation.happens(DaemonEvent::Stop);
    simulation.until(seconds(30));
    assert_eq!(
        simulation.exit,
        Some((seconds(15), ExitReason::StoppedPending))
    );
}

#[test]
fn told_to_end_it_does_not_try_again_what_failed() {
    let mut simulation = started();
    simulation.next_sync = failing(SyncOutcome::Transient { after: None });
    simulation.happens(DaemonEvent::Changed(WatchedScope::Team));
    simulation.until(seconds(13));
    simulation.happens(DaemonEvent::Stop);
    assert_eq!(
        simulation.exit,
        Some((seconds(13), ExitReason::StoppedPending))
    );
    assert!(
        crate::state_machine::step(&mut simulation.state, DaemonEvent::Woken, seconds(14))
            .is_empty()
    );
}

#[test]
fn with_nothing_left_to_look_after_it_ends_at_once() {
    let mut simulation = started();
    simulation.happens(DaemonEvent::Changed(WatchedScope::Team));
    simulation.happens(DaemonEvent::Gone);
    assert_eq!(simulation.exit, Some((seconds(10), ExitReason::Gone)));
}

#[test]
fn fifty_thousand_changes_are_two_pushes() {
    let mut simulation = started();
    for n in 0..50_000_u32 {
        simulation.happens(DaemonEvent::Changed(WatchedScope::Team));
        simulation.until(seconds(10) + Duration::from_micros(200) * n);
    }
    simulation.until(seconds(23));
    assert!(simulation.syncs.len() <= 2, "{:?}", simulation.syncs);
    assert!(simulation.rests());
}

/// A daemon with both remotes that has started and found nothing to do.
fn with_both() -> Simulation {
    let mut simulation = Simulation::new(DaemonTimings::default(), BOTH, 7);
    simulation.happens(DaemonEvent::Started);
    simulation.until(seconds(10));
    assert_eq!(simulation.tiers, [WatchedScope::Team, WatchedScope::Own]);
    simulation.syncs.clear();
    simulation.tiers.clear();
    simulation
}

#[test]
fn own_notes_go_to_their_own_remote_after_the_same_quiet() {
    let mut simulation = with_both();
    simulation.happens(DaemonEvent::Changed(WatchedScope::Own));
    simulation.until(seconds(20));
    assert_eq!(
        (&*simulation.syncs, &*simulation.tiers),
        (&[seconds(12)][..], &[WatchedScope::Own][..])
    );
    assert!(simulation.rests());
    simulation.happens(DaemonEvent::Changed(WatchedScope::Team));
    simulation.until(seconds(30));
    assert_eq!(simulation.tiers, [WatchedScope::Own, WatchedScope::Team]);
}

#[test]
fn one_remote_that_refuses_is_not_in_the_way_of_the_other() {
    let mut simulation = with_both();
    simulation.next_sync = failing(SyncOutcome::Permanent);
    simulation.next_own = Some(Box::new(at_once));
    simulation.happens(DaemonEvent::Changed(WatchedScope::Team));
    simulation.happens(DaemonEvent::Changed(WatchedScope::Own));
    simulation.until(seconds(20));
    assert_eq!(
        simulation.state.blocked(WatchedScope::Team),
        SyncBlock::UntilConfigured
    );
    assert_eq!(simulation.state.blocked(WatchedScope::Own), SyncBlock::No);
    simulation.happens(DaemonEvent::Changed(WatchedScope::Own));
    simulation.until(seconds(30));
    assert_eq!(
        simulation.tiers,
        [WatchedScope::Team, WatchedScope::Own, WatchedScope::Own]
    );
}

#[test]
fn told_to_end_it_sends_both() {
    let mut simulation = with_both();
    simulation.happens(DaemonEvent::Changed(WatchedScope::Own));
    simulation.happens(DaemonEvent::Changed(WatchedScope::Team));
    simulation.happens(DaemonEvent::Stop);
    simulation.until(seconds(20));
    assert_eq!(simulation.tiers, [WatchedScope::Team, WatchedScope::Own]);
    let end = seconds(10) + Duration::from_millis(80);
    assert_eq!(simulation.exit, Some((end, ExitReason::Stopped)));
}

#[test]
fn a_remote_that_is_taken_away_leaves_nothing_to_send() {
    let mut simulation = with_both();
    simulation.happens(DaemonEvent::Changed(WatchedScope::Own));
    assert!(simulation.state.is_pending());
    simulation.happens(DaemonEvent::Configured(TEAM));
    simulation.until(seconds(20));
    assert!(simulation.rests() && !simulation.tiers.contains(&WatchedScope::Own));
}
