//! A day in simulated time: thousands of edits, a network that comes and goes, a daemon that is killed
//! every hour. In the end the remote has what the directory has, and nothing was asked for in vain.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use super::world::{TEAM, World};
use crate::mind::{Event, Moment, Outcome, Settings, Tier};

const EDITS: u64 = 5_000;
const DAY: u64 = 24 * 3600;

/// A directory and a remote, as numbers of edits.
#[derive(Default)]
struct Ends {
    local: u64,
    remote: u64,
    /// Tries while there was no network.
    vain: u32,
}

fn start(ends: &Rc<RefCell<Ends>>, at: Moment, seed: u64) -> World {
    let mut world = World::new(Settings::default(), TEAM, seed);
    let ends = Rc::clone(ends);
    world.next_sync = Box::new(move |now| {
        let mut ends = ends.borrow_mut();
        let second = (at + now).as_secs();
        // Twenty minutes of every hour and a half there is no network.
        if second % 5_400 < 1_200 {
            ends.vain += 1;
            return (Duration::from_secs(3), Outcome::Transient { after: None });
        }
        ends.remote = ends.local;
        (
            Duration::from_millis(80),
            Outcome::Done { has_written: false },
        )
    });
    world.happens(Event::Started);
    world
}

#[test]
fn a_day_with_a_bad_network_and_a_kill_every_hour_loses_nothing() {
    let ends = Rc::new(RefCell::new(Ends::default()));
    let (mut world, mut begun) = (start(&ends, Moment::ZERO, 1), Moment::ZERO);
    for edit in 0..EDITS {
        // Unevenly: bursts and pauses.
        let at = Duration::from_secs_f64(DAY as f64 * (edit as f64 / EDITS as f64).powf(1.3));
        if at.as_secs() / 3600 > begun.as_secs() / 3600 || world.exit.is_some() {
            begun = at;
            world = start(&ends, begun, edit);
        }
        world.until(at.saturating_sub(begun));
        ends.borrow_mut().local = edit + 1;
        world.happens(Event::Changed(Tier::Team));
    }
    world.until(world.now + Duration::from_secs(1_800));
    let ends = ends.borrow();
    assert_eq!(ends.remote, EDITS);
    assert!(ends.vain < 400, "{} tries without a network", ends.vain);
}
