//! Any interleaving of edits, deletions, rounds, crashes, power failures and lost replies, by several clients over one
//! remote: all end up with the same files, no acknowledged text is lost, no blocked text leaves.
//!
//! Every edit appends a line that is there once in the world, so that what became of it can be told.

mod clashes;
mod forgotten_keys;
mod line;
mod machine;
mod policy;
mod rate_limit;
mod remote_restore;
mod requests;
mod rounds;
mod simulation;

use mem_sync::client::Direction;
use proptest::prelude::*;

use machine::Fault;
use simulation::{CLIENTS, Event, KEYS, World};

fn events() -> impl Strategy<Value = Vec<Event>> {
    let place = || (0..CLIENTS, 0..KEYS.len());
    let direction = prop_oneof![
        3 => Just(Direction::Both),
        1 => Just(Direction::Pull),
        1 => Just(Direction::Push),
    ];
    let fault = prop_oneof![
        Just(Fault::Before),
        Just(Fault::After),
        (0..KEYS.len()).prop_map(Fault::Edit),
        (0..KEYS.len()).prop_map(Fault::Race),
    ];
    let fault = proptest::option::of((0..6_u32, fault));
    let event = prop_oneof![
        5 => place().prop_map(|(at, key)| Event::Append(at, key)),
        3 => place().prop_map(|(at, key)| Event::Prepend(at, key)),
        1 => place().prop_map(|(at, key)| Event::Secret(at, key)),
        1 => place().prop_map(|(at, key)| Event::Remove(at, key)),
        2 => place().prop_map(|(at, key)| Event::Delete(at, key)),
        9 => (0..CLIENTS, direction, fault).prop_map(|(at, way, fault)| Event::Round(at, way, fault)),
        1 => (0..CLIENTS).prop_map(Event::PowerFailure),
    ];
    proptest::collection::vec(event, 0..40)
}

#[cfg(feature = "git")]
proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(6) })]

    #[test]
    fn and_so_they_do_through_a_git_remote(events in events()) {
        let fixture = std::rc::Rc::new(crate::git::Fixture::new());
        let mut world = World::new();
        world.elsewhere = Some(std::rc::Rc::new(move |name| Box::new(fixture.person(name))));
        for event in &events {
            world.happen(event);
        }
        world.calm_down();
        world.no_secret_has_left();
        world.all_is_well();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn everybody_ends_up_with_the_same_and_nothing_is_lost(events in events()) {
        let mut world = World::new();
        for event in &events {
            world.happen(event);
            world.no_secret_has_left();
        }
        world.calm_down();
        world.no_secret_has_left();
        world.all_is_well();
    }
}
