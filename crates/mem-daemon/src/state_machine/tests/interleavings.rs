//! Thousands of ways in which things can happen to a daemon, and what holds in each.

use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;

use super::simulation::{BOTH, Simulation};
use crate::state_machine::{
    DaemonEvent, DaemonTimings, ExitReason, Moment, Remotes, SyncBlock, SyncOutcome, WatchedScope,
};

#[derive(Clone, Debug)]
enum Move {
    Happens(DaemonEvent),
    Pass(Duration),
}

fn moves() -> impl Strategy<Value = Move> {
    prop_oneof![
        4 => Just(Move::Happens(DaemonEvent::Changed(WatchedScope::Team))),
        2 => Just(Move::Happens(DaemonEvent::Changed(WatchedScope::Own))),
        1 => Just(Move::Happens(DaemonEvent::SyncAsked)),
        1 => Just(Move::Happens(DaemonEvent::Asked)),
        1 => Just(Move::Happens(DaemonEvent::Woken)),
        1 => any::<(bool, bool)>().prop_map(|(own, team)| {
            Move::Happens(DaemonEvent::Configured(Remotes { own, team }))
        }),
        6 => (0_u64..20_000).prop_map(|ms| Move::Pass(Duration::from_millis(ms))),
        1 => (0_u64..900).prop_map(|s| Move::Pass(Duration::from_secs(s))),
    ]
}

fn outcomes() -> impl Strategy<Value = SyncOutcome> {
    prop_oneof![
        4 => any::<bool>().prop_map(|has_written| SyncOutcome::Done { has_written }),
        1 => any::<bool>().prop_map(|has_written| SyncOutcome::Overtaken { has_written }),
        2 => proptest::option::of((0_u64..100).prop_map(Duration::from_secs))
            .prop_map(|after| SyncOutcome::Transient { after }),
        1 => Just(SyncOutcome::Permanent),
    ]
}

fn simulation(syncs: Vec<(u64, SyncOutcome)>, seed: u64) -> Simulation {
    let mut simulation = Simulation::new(DaemonTimings::default(), BOTH, seed);
    let mut syncs = syncs.into_iter().cycle();
    simulation.next_sync = Box::new(move |_| {
        let (ms, outcome) = syncs.next().unwrap_or((1, SyncOutcome::Permanent));
        (Duration::from_millis(ms), outcome)
    });
    simulation
}

fn run(simulation: &mut Simulation, moves: Vec<Move>) -> Vec<(WatchedScope, Moment)> {
    let mut changes = Vec::new();
    simulation.happens(DaemonEvent::Started);
    for one in moves {
        match one {
            Move::Happens(event) => {
                if let DaemonEvent::Changed(tier) = event {
                    changes.push((tier, simulation.now));
                }
                simulation.happens(event);
            }
            Move::Pass(time) => simulation.until(simulation.now + time),
        }
        if simulation.exit.is_some() {
            break;
        }
    }
    changes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// A synchronisation that takes a change along begins within ten seconds of it, or when the one
    /// that runs, and one of the other tier, are over.
    #[test]
    fn every_change_is_sent_within_the_bound(
        moves in vec(moves(), 1..60),
        takes in 1_u64..5_000,
        seed: u64,
    ) {
        let only_writes = moves.into_iter().filter(|one| matches!(
            one,
            Move::Happens(DaemonEvent::Changed(_) | DaemonEvent::Woken) | Move::Pass(_)
        ));
        let mut simulation = simulation(vec![(takes, SyncOutcome::Done { has_written: false })], seed);
        let changes = run(&mut simulation, only_writes.collect());
        simulation.until(simulation.now + Duration::from_secs(30));
        let bound = Duration::from_secs(10) + 2 * Duration::from_millis(takes);
        for (tier, change) in changes.into_iter().filter(|_| simulation.exit.is_none()) {
            let mut sent = simulation.sent.iter().filter(|(one, _)| *one == tier);
            let begun = sent.find(|(_, begun)| *begun >= change);
            prop_assert!(begun.is_some_and(|(_, begun)| *begun - change <= bound), "{change:?}");
        }
    }

    /// Whatever happens: never two at once (the world checks that), no circle, and told to end it ends
    /// in time. What it could not send it says.
    #[test]
    fn it_always_ends_when_told(
        moves in vec(moves(), 0..60),
        syncs in vec((1_u64..30_000, outcomes()), 1..8),
        seed: u64,
    ) {
        let mut simulation = simulation(syncs, seed);
        run(&mut simulation, moves);
        if simulation.exit.is_none() {
            let told = simulation.now;
            simulation.happens(DaemonEvent::Stop);
            simulation.until(told + Duration::from_secs(60));
            let (at, reason) = simulation.exit.expect("it does not end");
            prop_assert!(at - told <= Duration::from_secs(5));
            prop_assert!(matches!(reason, ExitReason::Stopped | ExitReason::StoppedPending));
        }
    }

    /// After a permanent failure nothing is tried until something is changed or somebody asks.
    #[test]
    fn a_permanent_failure_is_not_repeated(
        moves in vec(moves(), 1..60),
        seed: u64,
    ) {
        let mut simulation = simulation(vec![(10, SyncOutcome::Permanent)], seed);
        let asked = |one: &Move| matches!(
            one,
            Move::Happens(DaemonEvent::SyncAsked | DaemonEvent::Configured(_))
        );
        let chances = 1 + moves.iter().filter(|one| asked(one)).count();
        run(&mut simulation, moves);
        simulation.until(simulation.now + Duration::from_secs(600));
        for tier in [WatchedScope::Own, WatchedScope::Team] {
            let tries = simulation.tiers.iter().filter(|&&one| one == tier).count();
            prop_assert!(tries <= chances);
            prop_assert!(simulation.state.blocked(tier) != SyncBlock::No || simulation.exit.is_some());
        }
    }

    /// What waits is never forgotten: with a remote that works at last, everything is sent.
    #[test]
    fn nothing_waits_for_ever(
        moves in vec(moves(), 1..40),
        syncs in vec((1_u64..3_000, outcomes()), 1..6),
        seed: u64,
    ) {
        let mut simulation = simulation(syncs, seed);
        let changes = run(&mut simulation, moves);
        simulation.next_sync = Box::new(super::simulation::at_once);
        simulation.happens(DaemonEvent::Configured(BOTH));
        simulation.until(simulation.now + Duration::from_secs(1200));
        for (tier, change) in changes.into_iter().filter(|_| simulation.exit.is_none()) {
            let is_it = |(one, begun): &(WatchedScope, Moment)| *one == tier && *begun >= change;
            prop_assert!(simulation.sent.iter().any(is_it));
        }
        // A look for news may be under way.
        prop_assert!(simulation.exit.is_some() || simulation.rests() || simulation.is_syncing());
    }
}
