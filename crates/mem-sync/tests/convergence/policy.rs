//! What a remote asks for beyond the rules of all: a mirror, and no merging.

use std::collections::BTreeSet;

use mem_sync::client::{Direction, Policy, RoundStep};

use super::simulation::{Event, World, key};

/// One round of a machine that does not merge; the keys of conflicts.
fn conflicts(world: &World, at: usize, is_read_only: bool) -> BTreeSet<mem_sync::EntryKey> {
    let mut client = world.client(at);
    client.policy = Policy {
        merges: false,
        is_read_only,
        ..Policy::default()
    };
    let direction = match is_read_only {
        true => Direction::Pull,
        false => Direction::Both,
    };
    match client.step(direction, 0) {
        RoundStep::Done(report) => report.conflicts,
        other => panic!("not done: {other:?}"),
    }
}

#[test]
fn a_mirror_becomes_what_the_remote_has_and_what_was_written_into_it_is_kept() {
    let mut world = World::new();
    world.happen(&Event::Append(0, 1));
    for at in 0..2 {
        assert!(conflicts(&world, at, false).is_empty());
    }
    let files = world.machines[0].0.borrow().files.clone();
    world.happen(&Event::Append(1, 1));
    world.happen(&Event::Append(1, 2));
    assert_eq!(conflicts(&world, 1, true), BTreeSet::from([key(1), key(2)]));
    assert_eq!(world.machines[1].0.borrow().files, files);
    assert_eq!(world.client(1).state().conflicts.len(), 2);
    world.machines[1].0.borrow_mut().files.clear();
    assert!(conflicts(&world, 1, true).is_empty());
    assert_eq!(world.machines[1].0.borrow().files, files);
}

#[test]
fn where_nothing_is_merged_the_remote_wins() {
    let mut world = World::new();
    for _ in 0..3 {
        world.happen(&Event::Append(0, 1));
    }
    for at in 0..2 {
        assert!(conflicts(&world, at, false).is_empty());
    }
    world.happen(&Event::Append(0, 1));
    assert!(conflicts(&world, 0, false).is_empty());
    let edited = &world.machines[1].0;
    edited.borrow_mut().edit(&key(1), "line", true);
    assert_eq!(conflicts(&world, 1, false), BTreeSet::from([key(1)]));
    let files = world.machines[0].0.borrow().files.clone();
    assert_eq!(edited.borrow().files, files);
}
