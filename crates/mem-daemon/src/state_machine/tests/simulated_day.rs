//! A day in simulated time: thousands of edits, a network that comes and goes, a daemon that is killed
//! every hour. In the end both remotes have what their directories have, and nothing was asked for in vain.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use super::simulation::{BOTH, Simulation};
use crate::state_machine::{DaemonEvent, DaemonTimings, Moment, SyncOutcome, WatchedScope};

const EDITS: u64 = 5_000;
const DAY: u64 = 24 * 3600;

/// A directory and its remote, as numbers of edits.
#[derive(Default)]
struct Ends {
    local: u64,
    remote: u64,
    /// Tries while there was no network.
    vain: u32,
}

/// Both tiers, the team's first.
type Both = [Rc<RefCell<Ends>>; 2];

/// What a try of one tier comes to. The remote is out of reach for twenty minutes of every so many seconds.
fn tries(
    ends: &Rc<RefCell<Ends>>,
    at: Moment,
    period: u64,
) -> Box<dyn FnMut(Moment) -> (Duration, SyncOutcome)> {
    let ends = Rc::clone(ends);
    Box::new(move |now| {
        let mut ends = ends.borrow_mut();
        if (at + now).as_secs() % period < 1_200 {
            ends.vain += 1;
            return (
                Duration::from_secs(3),
                SyncOutcome::Transient { after: None },
            );
        }
        ends.remote = ends.local;
        (
            Duration::from_millis(80),
            SyncOutcome::Done { has_written: false },
        )
    })
}

fn start([team, own]: &Both, at: Moment, seed: u64) -> Simulation {
    let mut simulation = Simulation::new(DaemonTimings::default(), BOTH, seed);
    simulation.next_sync = tries(team, at, 5_400);
    // Another server, with troubles of its own.
    simulation.next_own = Some(tries(own, at, 7_000));
    simulation.happens(DaemonEvent::Started);
    simulation
}

#[test]
fn a_day_with_a_bad_network_and_a_kill_every_hour_loses_nothing() {
    let both = Both::default();
    let (mut simulation, mut begun) = (start(&both, Moment::ZERO, 1), Moment::ZERO);
    for edit in 0..EDITS {
        // Unevenly: bursts and pauses.
        let at = Duration::from_secs_f64(DAY as f64 * (edit as f64 / EDITS as f64).powf(1.3));
        if at.as_secs() / 3600 > begun.as_secs() / 3600 || simulation.exit.is_some() {
            begun = at;
            simulation = start(&both, begun, edit);
        }
        simulation.until(at.saturating_sub(begun));
        let (index, tier) = match edit % 3 {
            0 => (1, WatchedScope::Own),
            _ => (0, WatchedScope::Team),
        };
        both[index].borrow_mut().local = edit + 1;
        simulation.happens(DaemonEvent::Changed(tier));
    }
    simulation.until(simulation.now + Duration::from_secs(1_800));
    for ends in &both {
        let ends = ends.borrow();
        assert!(ends.local > EDITS - 3);
        assert_eq!(ends.remote, ends.local);
        assert!(ends.vain < 400, "{} tries without a network", ends.vain);
    }
}
