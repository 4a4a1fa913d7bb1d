//! Single rounds, each of which shows one rule.

use std::collections::BTreeSet;

use mem_sync::base::SyncState;
use mem_sync::client::{Direction, RoundReport, RoundStep, SyncClient};
use mem_sync::key::EntryKey;
use mem_sync::outbound_scan::{Leak, OutboundScan, OutboundScanError};
use mem_sync::plan::BlockedFile;
use mem_sync::remote::{Fetched, InMemory, PutOutcome, Remote, RemoteError, StateQuery};
use mem_sync::wire::{ETag, PutBody};

use super::line::NoForbiddenWord;
use super::machine::Fault;
use super::simulation::{CLIENTS, Event, KEYS, World, key};

fn done(step: RoundStep) -> RoundReport {
    match step {
        RoundStep::Done(report) => *report,
        other => panic!("not done: {other:?}"),
    }
}

#[test]
fn a_blocked_file_does_not_stop_the_others() {
    let mut world = World::new();
    world.happen(&Event::Secret(0, 1));
    world.happen(&Event::Append(0, 2));
    let report = done(world.client(0).step(Direction::Both, 0));
    assert_eq!(report.pushed, BTreeSet::from([key(2)]));
    assert!(matches!(&report.blocked[..], [BlockedFile::Secret { shown, .. }] if shown == "a.md"));
}

#[test]
fn a_push_sends_an_index_that_links_to_no_undecided_memory() {
    let world = World::new();
    let of = |name: &str| EntryKey::parse(name).unwrap();
    let (memory, index, other) = (of("x.md"), of("MEMORY.md"), of("sub/MEMORY.md"));
    let write_all = |world: &World, at: usize, word: &str| {
        let mut disk = world.machines[at].0.borrow_mut();
        disk.write(&memory, format!("{word}\n").into_bytes());
        disk.write(&index, format!("- [X](x.md) — {word}\n").into_bytes());
        disk.write(&other, format!("- [Y](y.md) — {word}\n").into_bytes());
    };
    write_all(&world, 0, "one");
    for at in 0..2 {
        done(world.client(at).step(Direction::Both, 0));
    }
    let mine = b"two\n".to_vec();
    world.machines[0].0.borrow_mut().write(&memory, mine);
    done(world.client(0).step(Direction::Both, 0));
    write_all(&world, 1, "three");
    let report = done(world.client(1).step(Direction::Push, 0));
    assert_eq!(report.pushed, BTreeSet::from([other.clone()]));
    assert_eq!(
        report.behind,
        BTreeSet::from([memory.clone(), index.clone()])
    );
}

#[test]
fn a_local_deletion_is_taken_back_even_where_nothing_changed() {
    let mut world = World::new();
    world.happen(&Event::Append(0, 1));
    done(world.client(0).step(Direction::Both, 0));
    world.happen(&Event::Remove(0, 1));
    let report = done(world.client(0).step(Direction::Both, 0));
    assert!(report.not_modified);
    assert_eq!(report.taken, BTreeSet::from([key(1)]));
    assert_eq!(world.machines[0].0.borrow().files.len(), 1);
}

#[test]
fn a_deletion_for_everybody_reaches_everybody_and_keeps_a_changed_copy() {
    let mut world = World::new();
    world.happen(&Event::Append(0, 1));
    for at in 0..CLIENTS {
        done(world.client(at).step(Direction::Both, 0));
    }
    world.happen(&Event::Append(2, 1));
    assert!(world.client(0).delete(&key(1), None).unwrap());
    assert_eq!(
        done(world.client(0).step(Direction::Both, 0)).deleted,
        BTreeSet::from([key(1)])
    );
    assert_eq!(
        done(world.client(1).step(Direction::Both, 0)).removed,
        BTreeSet::from([key(1)])
    );
    assert_eq!(
        done(world.client(2).step(Direction::Both, 0)).conflicts,
        BTreeSet::from([key(1)])
    );
    for machine in &world.machines {
        assert!(machine.0.borrow().files.is_empty());
    }
    let client = world.client(2);
    assert_eq!(
        client.state().conflicts[0].local.as_bytes(),
        b"line 0-1\nline 2-1\n"
    );
    let mut state = client.state().clone();
    assert!(state.forget_copy(&key(1), b"line 0-1\nline 2-1\n"));
    assert!(state.conflicts.is_empty());
}

#[test]
fn a_deletion_that_was_taken_back_brings_the_file_back_to_everybody() {
    let mut world = World::new();
    world.happen(&Event::Append(0, 1));
    for at in 0..CLIENTS {
        done(world.client(at).step(Direction::Both, 0));
    }
    let text = world.machines[0].0.borrow().files[&key(1)].clone();
    assert!(world.client(0).delete(&key(1), None).unwrap());
    world.machines[0].0.borrow_mut().files.remove(&key(1));
    done(world.client(0).step(Direction::Both, 0));
    done(world.client(1).step(Direction::Both, 0));
    // On one machine the file merely turns up again, on the other a person took the deletion back; the third
    // has not heard of it.
    for at in 0..2 {
        world.machines[at]
            .0
            .borrow_mut()
            .write(&key(1), text.clone());
    }
    let only = BTreeSet::from([key(1)]);
    assert_eq!(done(world.client(1).step(Direction::Both, 0)).removed, only);
    world.machines[0].0.borrow_mut().taken_back = only.clone();
    let report = done(world.client(0).step(Direction::Push, 0));
    assert_eq!(
        (report.pushed, report.revived),
        (only.clone(), only.clone())
    );
    assert_eq!(done(world.client(1).step(Direction::Both, 0)).taken, only);
    done(world.client(2).step(Direction::Both, 0));
    for machine in &world.machines {
        assert_eq!(machine.0.borrow().files[&key(1)], text);
    }
    // Before it was sent a deletion is simply not made.
    assert!(world.client(0).delete(&key(1), None).unwrap());
    let report = done(world.client(0).step(Direction::Both, 0));
    assert_eq!((report.kept, report.deleted.len()), (only, 0));
}

#[test]
fn nothing_to_do_is_one_request_and_no_save() {
    let mut world = World::new();
    world.happen(&Event::Append(0, 1));
    done(world.client(0).step(Direction::Both, 0));
    // Any second call to the outside would fail.
    world.machines[0].0.borrow_mut().fault = Some((1, Fault::Before));
    let report = done(world.client(0).step(Direction::Both, 0));
    assert_eq!(
        report,
        RoundReport {
            not_modified: true,
            compared: true,
            ..RoundReport::default()
        }
    );
}

/// A round that ends at its `at`th call to the outside.
fn cut_off(world: &World, at: u32, fault: Fault) {
    world.machines[1].0.borrow_mut().fault = Some((at, fault));
    world.client(1).step(Direction::Both, 0);
    world.machines[1].0.borrow_mut().fault = None;
}

#[test]
fn what_only_one_end_wrote_never_gives_way_however_often_the_other_is_cut_off() {
    for at in 0..64 {
        for (one, two) in [(true, false), (false, true), (true, true), (false, false)] {
            let fault = |before: bool| if before { Fault::Before } else { Fault::After };
            let mut world = World::new();
            for reader in [1, 0] {
                world.happen(&Event::Append(0, 1));
                done(world.client(0).step(Direction::Both, 0));
                done(world.client(reader).step(Direction::Both, 0));
            }
            cut_off(&world, at / 8, fault(one));
            // It has something to send, and nothing else to do.
            world.happen(&Event::Append(1, 2));
            done(world.client(1).step(Direction::Both, 0));
            world.happen(&Event::Append(0, 1));
            done(world.client(0).step(Direction::Both, 0));
            cut_off(&world, at % 8, fault(two));
            done(world.client(1).step(Direction::Both, 0));
            let client = world.client(1);
            assert_eq!(client.state().conflicts, [], "cut off at {at}");
        }
    }
}

#[test]
fn a_lost_line_is_tried_again_with_growing_waits_and_then_left() {
    let world = World::new();
    let mut client = world.client(0);
    let mut waits = Vec::new();
    loop {
        world.machines[0].0.borrow_mut().fault = Some((0, Fault::Before));
        match client.step(Direction::Both, u32::MAX) {
            RoundStep::Again { after, .. } => waits.push(after.as_millis()),
            RoundStep::Stopped(why) => break assert!(why.to_string().contains("lost")),
            RoundStep::Done(report) => panic!("{report:?}"),
        }
    }
    assert_eq!(waits, [100, 200, 400, 800, 1600, 3200, 6400]);
}

#[test]
fn a_lost_race_is_looked_at_again_and_both_changes_stay() {
    let mut world = World::new();
    world.happen(&Event::Append(0, 0));
    world.machines[0].0.borrow_mut().fault = Some((1, Fault::Race(0)));
    let mut client = world.client(0);
    let RoundStep::Again { why, .. } = client.step(Direction::Both, 0) else {
        panic!("the race was not seen");
    };
    assert!(why.to_string().contains("meanwhile"), "{why}");
    assert_eq!(
        done(client.step(Direction::Both, 0)).merged,
        BTreeSet::from([key(0)])
    );
    world.calm_down();
    world.all_is_well();
}

#[test]
fn what_both_wrote_alike_is_no_conflict_and_the_next_change_is_pushed() {
    let mut world = World::new();
    for at in 0..2 {
        world.machines[at]
            .0
            .borrow_mut()
            .write(&key(1), b"alike\n".to_vec());
        done(world.client(at).step(Direction::Both, 0));
    }
    world.happen(&Event::Append(1, 1));
    let report = done(world.client(1).step(Direction::Both, 0));
    assert_eq!(report.pushed, BTreeSet::from([key(1)]));
    let report = done(world.client(0).step(Direction::Both, 0));
    assert_eq!(
        (report.taken, report.conflicts),
        (BTreeSet::from([key(1)]), BTreeSet::new())
    );
}

#[test]
fn what_a_crash_left_half_taken_is_nobodys_change() {
    let mut world = World::new();
    world.happen(&Event::Append(0, 1));
    done(world.client(0).step(Direction::Both, 0));
    // The contents, the intent; then the files are written and the machine stops.
    world.machines[1].0.borrow_mut().fault = Some((2, Fault::After));
    assert!(matches!(
        world.client(1).step(Direction::Both, 0),
        RoundStep::Stopped(_)
    ));
    assert_eq!(world.machines[1].0.borrow().files.len(), 1);
    world.machines[0]
        .0
        .borrow_mut()
        .write(&key(1), b"something else\n".to_vec());
    done(world.client(0).step(Direction::Both, 0));
    let report = done(world.client(1).step(Direction::Both, 0));
    assert_eq!(
        (report.taken, report.conflicts),
        (BTreeSet::from([key(1)]), BTreeSet::new())
    );
}

/// A remote that takes few entries at once, and none of one name.
#[derive(Clone, Debug)]
struct Narrow(InMemory, usize);

impl Remote for Narrow {
    fn get_state(
        &mut self,
        query: &StateQuery,
        tag: Option<&ETag>,
    ) -> Result<Fetched, RemoteError> {
        self.0.get_state(query, tag)
    }

    fn put_entries(
        &mut self,
        body: &PutBody,
        tag: Option<&ETag>,
    ) -> Result<PutOutcome, RemoteError> {
        if body.entries.len() > self.1 || body.entries.contains_key(&key(3)) {
            return Err(RemoteError::TooLarge);
        }
        self.0.put_entries(body, tag)
    }
}

#[test]
fn a_portion_that_is_too_large_is_halved_and_one_file_that_is_waits_until_it_changes() {
    let world = World::new();
    let machine = &world.machines[0];
    for at in 0..KEYS.len() {
        machine.0.borrow_mut().edit(&key(at), "line", false);
    }
    let remote = Narrow(world.store.clone(), 1);
    let state = SyncState::default();
    let mut client = SyncClient::new(
        remote,
        machine.clone(),
        NoForbiddenWord,
        machine.clone(),
        state,
    );
    let report = done(client.step(Direction::Both, 0));
    assert_eq!((report.pushed.len(), report.held.len()), (3, 1));
    let report = done(client.step(Direction::Both, 0));
    assert_eq!((report.pushed.len(), report.held.len()), (0, 1));
    client.remote.1 = 0;
    machine.0.borrow_mut().edit(&key(0), "line", false);
    let report = done(client.step(Direction::Both, 0));
    assert_eq!(report.held.len(), 2, "{report:?}");
    client.remote.1 = 9;
    machine.0.borrow_mut().edit(&key(0), "line", false);
    assert_eq!(
        done(client.step(Direction::Both, 0)).pushed,
        BTreeSet::from([key(0)])
    );
}

struct Broken;

impl OutboundScan for Broken {
    fn find_leaks(&self, _: &EntryKey, _: &str) -> Result<Vec<Leak>, OutboundScanError> {
        Err(OutboundScanError("the rules cannot be read".to_owned()))
    }
}

#[test]
fn a_scan_that_cannot_run_lets_nothing_out_and_everything_in() {
    let mut world = World::new();
    world.happen(&Event::Append(1, 2));
    done(world.client(1).step(Direction::Both, 0));
    world.happen(&Event::Append(0, 1));
    let machine = &world.machines[0];
    let remote = world.store.clone();
    let mut client = SyncClient::new(
        remote,
        machine.clone(),
        Broken,
        machine.clone(),
        SyncState::default(),
    );
    let report = done(client.step(Direction::Both, 0));
    assert!(report.unscanned.is_some());
    assert_eq!((report.taken.len(), report.pushed.len()), (1, 0));
    assert_eq!(world.store.all_versions().len(), 1);
}

#[test]
fn a_crash_after_a_crash_makes_no_conflict_of_what_was_taken() {
    let mut world = World::new();
    world.happen(&Event::Append(0, 1));
    done(world.client(0).step(Direction::Both, 0));
    world.machines[1].0.borrow_mut().fault = Some((2, Fault::After));
    let stopped = world.client(1).step(Direction::Both, 0);
    assert!(matches!(stopped, RoundStep::Stopped(_)));
    // All there is to do is to send one file: nothing is looked at.
    let own = &world.machines[1];
    own.0.borrow_mut().edit(&key(2), "line", false);
    done(world.client(1).step(Direction::Both, 0));
    let other = b"something else\n".to_vec();
    world.machines[0].0.borrow_mut().write(&key(1), other);
    done(world.client(0).step(Direction::Both, 0));
    // The look, the contents, the intent; then the machine stops before the file is written.
    world.machines[1].0.borrow_mut().fault = Some((3, Fault::Before));
    let stopped = world.client(1).step(Direction::Both, 0);
    assert!(matches!(stopped, RoundStep::Stopped(_)), "{stopped:?}");
    let report = done(world.client(1).step(Direction::Both, 0));
    assert_eq!(
        (report.taken, report.conflicts),
        (BTreeSet::from([key(1)]), BTreeSet::new())
    );
}

#[test]
fn a_deletion_of_what_the_remote_has_lost_is_not_told_as_done() {
    let mut world = World::new();
    world.happen(&Event::Append(0, 1));
    for at in 0..2 {
        done(world.client(at).step(Direction::Both, 0));
    }
    // It is put back to an older state.
    world.store = InMemory::default();
    let only = BTreeSet::from([key(1)]);
    world.machines[0].0.borrow_mut().files.remove(&key(1));
    assert!(world.client(0).delete(&key(1), None).unwrap());
    let report = done(world.client(0).step(Direction::Both, 0));
    assert_eq!((report.absent, report.deleted.len()), (only.clone(), 0));
    // Whoever has it still sends it, and then it can be deleted.
    assert_eq!(done(world.client(1).step(Direction::Both, 0)).pushed, only);
    assert_eq!(done(world.client(0).step(Direction::Both, 0)).taken, only);
    assert!(world.client(0).delete(&key(1), None).unwrap());
    let report = done(world.client(0).step(Direction::Both, 0));
    assert_eq!((report.deleted, report.absent.len()), (only.clone(), 0));
    assert_eq!(done(world.client(1).step(Direction::Both, 0)).removed, only);
}

#[test]
fn what_could_not_be_written_is_not_told_as_taken() {
    let mut cut_off = 0;
    for call in 0..6 {
        let mut world = World::new();
        world.happen(&Event::Append(0, 1));
        done(world.client(0).step(Direction::Both, 0));
        world.machines[1].0.borrow_mut().fault = Some((call, Fault::Before));
        let mut client = world.client(1);
        client.step(Direction::Both, 0);
        if world.machines[1].0.borrow().files.is_empty() {
            cut_off += 1;
            assert!(client.so_far().taken.is_empty(), "call {call}");
        }
    }
    assert!(cut_off > 1, "nothing was cut off before it was written");
}
