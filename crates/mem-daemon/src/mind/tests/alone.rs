//! What is promised, one by one.

use std::time::Duration;

use super::world::{BOTH, TEAM, World, at_once};
use crate::mind::{
    DaemonEvent, DaemonTimings, ExitReason, LaneBlock, Moment, Remotes, SyncOutcome, WatchedScope,
};

fn seconds(n: u64) -> Duration {
    Duration::from_secs(n)
}

/// A daemon that has started and found nothing to do.
fn started() -> World {
    let mut world = World::new(DaemonTimings::default(), TEAM, 7);
    world.happens(DaemonEvent::Started);
    world.until(seconds(10));
    assert_eq!((world.syncs.len(), world.tends.len()), (1, 1));
    world.syncs.clear();
    world.tends.clear();
    world
}

fn failing(outcome: SyncOutcome) -> Box<dyn FnMut(Moment) -> (Duration, SyncOutcome)> {
    Box::new(move |_| (Duration::from_millis(40), outcome))
}

#[test]
fn a_change_is_sent_after_two_quiet_seconds() {
    let mut world = started();
    world.happens(DaemonEvent::Changed(WatchedScope::Team));
    world.until(seconds(11));
    world.happens(DaemonEvent::Changed(WatchedScope::Team));
    world.until(seconds(20));
    assert_eq!(world.syncs, [seconds(13)]);
    assert!(world.tends.len() <= 2 && !world.tends.is_empty());
    assert!(world.rests());
}

#[test]
fn logs_are_distilled_when_the_night_has_come_and_nothing_else_is_done() {
    let mut world = started();
    world.happens(DaemonEvent::Scheduled(Some(seconds(3_600))));
    // Told anew, as a clock on the wall is set.
    world.until(seconds(600));
    world.happens(DaemonEvent::Scheduled(Some(seconds(7_200))));
    world.next_sync = Box::new(|_| (seconds(20), SyncOutcome::Done { has_written: false }));
    world.until(seconds(7_790));
    world.happens(DaemonEvent::SyncAsked);
    world.until(seconds(9_000));
    assert_eq!(world.dreams, [seconds(7_810)], "after the synchronisation");
    assert_eq!(world.exit, None, "who waits for the night is not idle");
    world.until(seconds(20_000));
    assert!(world.exit.is_some(), "nothing is scheduled any more");
}

#[test]
fn nothing_is_distilled_that_is_not_to_be_or_on_the_way_out() {
    let mut world = started();
    world.happens(DaemonEvent::Scheduled(Some(seconds(100))));
    world.happens(DaemonEvent::Scheduled(None));
    world.until(seconds(300));
    world.happens(DaemonEvent::Scheduled(Some(Duration::ZERO)));
    world.happens(DaemonEvent::Scheduled(Some(Duration::ZERO)));
    assert_eq!(world.dreams.len(), 1, "not twice at once");
    world.happens(DaemonEvent::Stop);
    world.until(seconds(400));
    assert_eq!((world.dreams.len(), world.exit.is_some()), (1, true));
}

#[test]
fn steady_writing_is_sent_after_ten_seconds() {
    let mut world = started();
    for n in 0..250 {
        world.happens(DaemonEvent::Changed(WatchedScope::Team));
        world.until(seconds(10) + Duration::from_millis(100) * (n + 1));
    }
    world.until(seconds(60));
    assert_eq!(world.syncs.len(), 3);
    assert_eq!(world.syncs[0], seconds(20));
    assert!(
        world
            .syncs
            .windows(2)
            .all(|pair| pair[1] - pair[0] <= seconds(10))
    );
}

#[test]
fn own_notes_without_a_remote_are_never_sent() {
    let mut world = started();
    world.happens(DaemonEvent::Changed(WatchedScope::Own));
    world.until(seconds(20));
    assert_eq!((world.syncs.len(), world.tends.len()), (0, 1));
}

#[test]
fn what_was_taken_from_the_remote_is_tended() {
    let mut world = started();
    let outcome = SyncOutcome::Done { has_written: true };
    world.next_sync = failing(outcome);
    world.happens(DaemonEvent::SyncAsked);
    world.until(seconds(20));
    assert_eq!((world.syncs.len(), world.tends.len()), (1, 1));
}

#[test]
fn the_remote_is_asked_for_news_about_every_five_minutes() {
    let mut world = started();
    world.state.settings.idle = None;
    world.until(seconds(24 * 3600));
    let waits: Vec<_> = world
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
    let mut world = World::new(DaemonTimings::default(), Remotes::default(), 1);
    world.happens(DaemonEvent::Started);
    for event in [
        DaemonEvent::Changed(WatchedScope::Team),
        DaemonEvent::SyncAsked,
        DaemonEvent::Asked,
    ] {
        world.happens(event);
        world.until(world.now + seconds(30));
    }
    assert!(world.syncs.is_empty());
    assert_eq!(world.state.blocked(WatchedScope::Team), LaneBlock::NoRemote);
    world.happens(DaemonEvent::Configured(TEAM));
    assert_eq!(world.syncs.len(), 1);
}

#[test]
fn failures_are_tried_again_ever_more_rarely() {
    let mut world = started();
    world.next_sync = failing(SyncOutcome::Transient { after: None });
    world.happens(DaemonEvent::Changed(WatchedScope::Team));
    world.until(seconds(3600));
    let waits: Vec<_> = world
        .syncs
        .windows(2)
        .map(|pair| pair[1] - pair[0])
        .collect();
    assert!((5..20).contains(&waits.len()), "{waits:?}");
    assert!(waits[0] < seconds(7) && *waits.last().unwrap() >= seconds(900));
    world.next_sync = Box::new(at_once);
    world.happens(DaemonEvent::SyncAsked);
    world.until(world.now + seconds(1));
    assert!(world.rests(), "whoever asks does not wait for the next try");
}

#[test]
fn the_servers_word_on_waiting_holds() {
    let mut world = started();
    world.next_sync = failing(SyncOutcome::Transient {
        after: Some(seconds(700)),
    });
    world.happens(DaemonEvent::Changed(WatchedScope::Team));
    world.until(seconds(720));
    assert_eq!(world.syncs.len(), 2);
    assert!(world.syncs[1] - world.syncs[0] >= seconds(700));
}

#[test]
fn a_permanent_failure_waits_until_something_is_changed() {
    let mut world = started();
    world.next_sync = failing(SyncOutcome::Permanent);
    world.happens(DaemonEvent::Changed(WatchedScope::Team));
    world.until(seconds(60));
    world.happens(DaemonEvent::Changed(WatchedScope::Team));
    world.until(seconds(1200));
    assert_eq!(world.syncs.len(), 1);
    assert_eq!(
        world.state.blocked(WatchedScope::Team),
        LaneBlock::UntilConfigured
    );
    world.next_sync = Box::new(at_once);
    world.happens(DaemonEvent::Configured(TEAM));
    world.until(seconds(1300));
    assert_eq!(world.syncs.len(), 2);
    assert!(world.rests());
}

#[test]
fn it_ends_after_half_an_hour_without_use() {
    let mut world = started();
    world.until(seconds(1000));
    world.happens(DaemonEvent::Asked);
    world.until(seconds(10_000));
    assert_eq!(world.exit, Some((seconds(2800), ExitReason::Idle)));
}

#[test]
fn a_service_does_not_end() {
    let mut world = started();
    world.state.settings.idle = None;
    world.until(seconds(100_000));
    assert_eq!(world.exit, None);
}

#[test]
fn told_to_end_it_sends_what_waits() {
    let mut world = started();
    world.happens(DaemonEvent::Changed(WatchedScope::Team));
    world.happens(DaemonEvent::Stop);
    assert!(world.is_syncing(), "no time for quiet");
    world.until(seconds(20));
    let end = seconds(10) + Duration::from_millis(40);
    assert_eq!(world.exit, Some((end, ExitReason::Stopped)));
}

#[test]
fn told_to_end_it_does_not_wait_for_a_slow_remote() {
    let mut world = started();
    world.next_sync = Box::new(|_| (seconds(60), SyncOutcome::Permanent));
    world.happens(DaemonEvent::Changed(WatchedScope::Team));
    world.happens(DaemonEvent::Stop);
    world.until(seconds(30));
    assert_eq!(world.exit, Some((seconds(15), ExitReason::StoppedPending)));
}

#[test]
fn told_to_end_it_does_not_try_again_what_failed() {
    let mut world = started();
    world.next_sync = failing(SyncOutcome::Transient { after: None });
    world.happens(DaemonEvent::Changed(WatchedScope::Team));
    world.until(seconds(13));
    world.happens(DaemonEvent::Stop);
    assert_eq!(world.exit, Some((seconds(13), ExitReason::StoppedPending)));
    assert!(crate::mind::step(&mut world.state, DaemonEvent::Woken, seconds(14)).is_empty());
}

#[test]
fn with_nothing_left_to_look_after_it_ends_at_once() {
    let mut world = started();
    world.happens(DaemonEvent::Changed(WatchedScope::Team));
    world.happens(DaemonEvent::Gone);
    assert_eq!(world.exit, Some((seconds(10), ExitReason::Gone)));
}

#[test]
fn fifty_thousand_changes_are_two_pushes() {
    let mut world = started();
    for n in 0..50_000_u32 {
        world.happens(DaemonEvent::Changed(WatchedScope::Team));
        world.until(seconds(10) + Duration::from_micros(200) * n);
    }
    world.until(seconds(23));
    assert!(world.syncs.len() <= 2, "{:?}", world.syncs);
    assert!(world.rests());
}

/// A daemon with both remotes that has started and found nothing to do.
fn with_both() -> World {
    let mut world = World::new(DaemonTimings::default(), BOTH, 7);
    world.happens(DaemonEvent::Started);
    world.until(seconds(10));
    assert_eq!(world.tiers, [WatchedScope::Team, WatchedScope::Own]);
    world.syncs.clear();
    world.tiers.clear();
    world
}

#[test]
fn own_notes_go_to_their_own_remote_after_the_same_quiet() {
    let mut world = with_both();
    world.happens(DaemonEvent::Changed(WatchedScope::Own));
    world.until(seconds(20));
    assert_eq!(
        (&*world.syncs, &*world.tiers),
        (&[seconds(12)][..], &[WatchedScope::Own][..])
    );
    assert!(world.rests());
    world.happens(DaemonEvent::Changed(WatchedScope::Team));
    world.until(seconds(30));
    assert_eq!(world.tiers, [WatchedScope::Own, WatchedScope::Team]);
}

#[test]
fn one_remote_that_refuses_is_not_in_the_way_of_the_other() {
    let mut world = with_both();
    world.next_sync = failing(SyncOutcome::Permanent);
    world.next_own = Some(Box::new(at_once));
    world.happens(DaemonEvent::Changed(WatchedScope::Team));
    world.happens(DaemonEvent::Changed(WatchedScope::Own));
    world.until(seconds(20));
    assert_eq!(
        world.state.blocked(WatchedScope::Team),
        LaneBlock::UntilConfigured
    );
    assert_eq!(world.state.blocked(WatchedScope::Own), LaneBlock::No);
    world.happens(DaemonEvent::Changed(WatchedScope::Own));
    world.until(seconds(30));
    assert_eq!(
        world.tiers,
        [WatchedScope::Team, WatchedScope::Own, WatchedScope::Own]
    );
}

#[test]
fn told_to_end_it_sends_both() {
    let mut world = with_both();
    world.happens(DaemonEvent::Changed(WatchedScope::Own));
    world.happens(DaemonEvent::Changed(WatchedScope::Team));
    world.happens(DaemonEvent::Stop);
    world.until(seconds(20));
    assert_eq!(world.tiers, [WatchedScope::Team, WatchedScope::Own]);
    let end = seconds(10) + Duration::from_millis(80);
    assert_eq!(world.exit, Some((end, ExitReason::Stopped)));
}

#[test]
fn a_remote_that_is_taken_away_leaves_nothing_to_send() {
    let mut world = with_both();
    world.happens(DaemonEvent::Changed(WatchedScope::Own));
    assert!(world.state.is_pending());
    world.happens(DaemonEvent::Configured(TEAM));
    world.until(seconds(20));
    assert!(world.rests() && !world.tiers.contains(&WatchedScope::Own));
}
