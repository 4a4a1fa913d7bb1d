//! A remote that was put back to an older state, and one that gives up between two portions.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;

use mem_sync::base::SyncState;
use mem_sync::client::{Direction, RoundReport, RoundStep, StopReason, SyncClient};
use mem_sync::remote::{Fetched, InMemory, PutOutcome, Remote, RemoteError, StateQuery};
use mem_sync::wire::{ETag, PutBody};

use super::line::NoForbiddenWord;
use super::simulation::{Event, World, key};

fn done(step: RoundStep) -> RoundReport {
    match step {
        RoundStep::Done(report) => *report,
        other => panic!("not done: {other:?}"),
    }
}

/// A remote that holds these texts, and has changed once.
fn older(texts: &[(usize, &str)]) -> InMemory {
    let mut store = InMemory::default();
    let mut body = PutBody::default();
    for (at, text) in texts {
        body.entries.insert(key(*at), (*text).to_owned());
    }
    store.put_entries(&body, None).unwrap();
    store
}

/// Some changes more, of another key.
fn change(store: &InMemory) {
    for n in 0..5 {
        let mut body = PutBody::default();
        body.entries.insert(key(0), format!("{n}\n"));
        store.for_actor("ann").put_entries(&body, None).unwrap();
    }
}

#[test]
fn a_deletion_that_a_restore_took_back_is_made_again() {
    let mut world = World::new();
    let texts: Vec<String> = [1, 2]
        .map(|at| {
            world.machines[0]
                .0
                .borrow_mut()
                .edit(&key(at), "line", false);
            let disk = world.machines[0].0.borrow();
            String::from_utf8(disk.files[&key(at)].clone()).unwrap()
        })
        .into();
    change(&world.store);
    for at in 0..3 {
        done(world.client(at).step(Direction::Both, 0));
    }
    let only = BTreeSet::from([key(1)]);
    for at in [1, 2] {
        assert!(world.client(0).delete(&key(at), None).unwrap());
    }
    let both = BTreeSet::from([key(1), key(2)]);
    assert_eq!(done(world.client(0).step(Direction::Both, 0)).deleted, both);
    assert_eq!(done(world.client(1).step(Direction::Both, 0)).removed, both);
    // Of the second key the remote has another text than the one that was deleted: somebody may mean it.
    world.store = older(&[(1, &texts[0]), (2, "another\n")]);
    // Who only takes does not take it back.
    let pulled = done(world.client(1).step(Direction::Pull, 0));
    assert_eq!(
        (&pulled.undeleted, pulled.taken),
        (&only, BTreeSet::from([key(2)]))
    );
    let sent = done(world.client(1).step(Direction::Both, 0));
    assert_eq!((&sent.deleted, sent.taken.len()), (&only, 0));
    // The others find it deleted already, whether they had seen that or not.
    let report = done(world.client(0).step(Direction::Both, 0));
    assert_eq!(
        (report.undeleted.len(), report.taken),
        (0, BTreeSet::from([key(2)]))
    );
    assert_eq!(done(world.client(2).step(Direction::Both, 0)).removed, only);
    for at in 0..3 {
        assert!(!world.machines[at].0.borrow().files.contains_key(&key(1)));
    }
}

#[test]
fn what_was_taken_back_before_the_restore_stays() {
    let mut world = World::new();
    world.happen(&Event::Append(0, 1));
    done(world.client(0).step(Direction::Both, 0));
    assert!(world.client(0).delete(&key(1), None).unwrap());
    done(world.client(0).step(Direction::Both, 0));
    // Somebody writes it anew, which a machine does not see, and a backup of that is restored.
    world.store = older(&[(1, "once more\n")]);
    change(&world.store);
    let report = done(world.client(0).step(Direction::Both, 0));
    let all = BTreeSet::from([key(0), key(1)]);
    assert_eq!((report.taken, report.undeleted.len()), (all, 0));
}

#[test]
fn what_was_written_after_a_restored_state_is_sent_again_and_not_overwritten() {
    let mut world = World::new();
    let text = |world: &World, at: usize, which: usize| {
        let disk = world.machines[at].0.borrow();
        String::from_utf8(disk.files[&key(which)].clone()).unwrap()
    };
    let write = |world: &mut World, at: usize, which: usize| {
        let disk = world.machines[at].clone();
        disk.0.borrow_mut().edit(&key(which), "line", false);
        done(world.client(at).step(Direction::Both, 0));
    };
    write(&mut world, 0, 1);
    let first = text(&world, 0, 1);
    done(world.client(1).step(Direction::Both, 0));
    write(&mut world, 0, 1);
    write(&mut world, 0, 2);
    done(world.client(1).step(Direction::Both, 0));
    // Not synced when it was restored.
    world.machines[1]
        .0
        .borrow_mut()
        .edit(&key(1), "line", false);
    let (newer, edited, other) = (text(&world, 0, 1), text(&world, 1, 1), text(&world, 0, 2));
    assert!(newer != first && edited != newer);
    world.store = older(&[
        (1, &first),
        (2, "of somebody who wrote after the restore\n"),
    ]);
    let report = done(world.client(1).step(Direction::Both, 0));
    let first_key = BTreeSet::from([key(1)]);
    assert_eq!((&report.lost, &report.pushed), (&first_key, &first_key));
    assert_eq!(text(&world, 1, 1), edited);
    // What the remote has is nothing that stood here: a copy of what gives way is kept.
    assert_eq!(report.conflicts, BTreeSet::from([key(2)]));
    let conflicts = world.machines[1].0.borrow().state.conflicts.clone();
    assert_eq!(conflicts[0].local.as_bytes(), other.as_bytes());
    let report = done(world.client(0).step(Direction::Both, 0));
    assert!(report.lost.is_empty(), "{report:?}");
    assert_eq!(text(&world, 0, 1), edited);
}

/// It says that it was put back to an older state.
struct PutBack(InMemory);

impl Remote for PutBack {
    fn get_state(
        &mut self,
        query: &StateQuery,
        tag: Option<&ETag>,
    ) -> Result<Fetched, RemoteError> {
        let mut fetched = self.0.get_state(query, tag)?;
        if let Fetched::Found { answer, .. } = &mut fetched {
            answer.is_put_back = true;
        }
        Ok(fetched)
    }

    fn put_entries(
        &mut self,
        body: &PutBody,
        tag: Option<&ETag>,
    ) -> Result<PutOutcome, RemoteError> {
        self.0.put_entries(body, tag)
    }
}

#[test]
fn a_newer_text_stays_where_a_restore_brought_an_older_deletion_back() {
    let mut world = World::new();
    let machine = world.machines[0].clone();
    machine.0.borrow_mut().write(&key(1), b"one\n".to_vec());
    done(world.client(0).step(Direction::Both, 0));
    assert!(world.client(0).delete(&key(1), None).unwrap());
    done(world.client(0).step(Direction::Both, 0));
    done(world.client(0).step(Direction::Both, 0));
    machine.0.borrow_mut().write(&key(1), b"new\n".to_vec());
    done(world.client(0).step(Direction::Both, 0));
    change(&world.store);
    done(world.client(0).step(Direction::Both, 0));
    // The state before the text was written again.
    world.store = older(&[(1, "one\n")]);
    let mut delete = PutBody::default();
    delete.delete.insert(key(1));
    world.store.put_entries(&delete, None).unwrap();
    let report = done(world.client(0).step(Direction::Both, 0));
    assert!(report.removed.is_empty() && report.lost.contains(&key(1)));
    assert_eq!(machine.0.borrow().files[&key(1)], b"new\n");
    done(world.client(1).step(Direction::Both, 0));
    assert_eq!(
        world.machines[1].0.borrow().files[&key(1)],
        b"new\n",
        "{report:?}"
    );
}

#[test]
fn a_deletion_of_a_text_that_never_stood_here_holds_after_a_restore() {
    let mut world = World::new();
    let [one, two] = [0, 1].map(|at| world.machines[at].clone());
    one.0.borrow_mut().write(&key(1), b"one\n".to_vec());
    for at in [0, 1] {
        done(world.client(at).step(Direction::Both, 0));
    }
    two.0.borrow_mut().write(&key(1), b"one\ntwo\n".to_vec());
    done(world.client(1).step(Direction::Both, 0));
    assert!(world.client(1).delete(&key(1), None).unwrap());
    done(world.client(1).step(Direction::Both, 0));
    let store = world.store.clone();
    let put_back =
        move |name: &str| -> Box<dyn Remote> { Box::new(PutBack(store.for_actor(name))) };
    world.elsewhere = Some(Rc::new(put_back));
    let report = done(world.client(0).step(Direction::Both, 0));
    assert!(report.pushed.is_empty(), "{report:?}");
    assert!(!one.0.borrow().files.contains_key(&key(1)));
}

#[test]
fn an_edit_is_sent_again_where_others_wrote_past_its_number_after_a_restore() {
    let mut world = World::new();
    let machine = world.machines[0].clone();
    for text in ["old\n", "old\nedit\n"] {
        machine.0.borrow_mut().write(&key(1), text.into());
        done(world.client(0).step(Direction::Both, 0));
    }
    world.store = older(&[(1, "old\n")]);
    change(&world.store);
    let store = world.store.clone();
    let put_back =
        move |name: &str| -> Box<dyn Remote> { Box::new(PutBack(store.for_actor(name))) };
    world.elsewhere = Some(Rc::new(put_back));
    let report = done(world.client(0).step(Direction::Both, 0));
    world.elsewhere = None;
    let only = BTreeSet::from([key(1)]);
    assert_eq!((&report.lost, &report.pushed), (&only, &only));
    done(world.client(1).step(Direction::Both, 0));
    let edited = b"old\nedit\n";
    for at in 0..2 {
        assert_eq!(world.machines[at].0.borrow().files[&key(1)], edited);
    }
}

#[test]
fn an_older_text_that_another_machine_sent_after_a_loss_is_no_deletion_of_lines() {
    let mut world = World::new();
    let [one, two] = [0, 1].map(|at| world.machines[at].clone());
    one.0.borrow_mut().write(&key(1), b"a\n\nb\n\nc\n".to_vec());
    done(world.client(0).step(Direction::Both, 0));
    done(world.client(1).step(Direction::Both, 0));
    one.0
        .borrow_mut()
        .write(&key(1), b"a\n\nb sent\n\nc\n".to_vec());
    done(world.client(0).step(Direction::Both, 0));
    world.store = InMemory::default();
    let mine = b"a\n\nb sent\n\nc edited\n";
    one.0.borrow_mut().write(&key(1), mine.to_vec());
    // The loss is noticed, and nothing is sent yet.
    let report = done(world.client(0).step(Direction::Pull, 0));
    assert_eq!(report.lost, BTreeSet::from([key(1)]));
    done(world.client(1).step(Direction::Both, 0));
    done(world.client(0).step(Direction::Both, 0));
    done(world.client(1).step(Direction::Both, 0));
    for machine in [one, two] {
        assert_eq!(machine.0.borrow().files[&key(1)], mine);
    }
}

/// It takes so many writes, and then fails in its way.
#[derive(Clone, Debug)]
struct Tired(InMemory, Rc<Cell<usize>>, RemoteError);

impl Remote for Tired {
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
        let left = self.1.get().checked_sub(1);
        let left = left.ok_or_else(|| self.2.clone())?;
        self.1.set(left);
        self.0.put_entries(body, tag)
    }
}

#[test]
fn what_left_without_a_look_is_told_where_a_later_portion_fails() {
    let world = World::new();
    let machine = &world.machines[0];
    let writes = Rc::new(Cell::new(9));
    let away = RemoteError::Unreachable("it went away".to_owned());
    let remote = Tired(world.store.clone(), Rc::clone(&writes), away);
    let (files, keep) = (machine.clone(), machine.clone());
    let mut client = SyncClient::new(remote, files, NoForbiddenWord, keep, SyncState::default());
    machine.0.borrow_mut().edit(&key(0), "line", false);
    done(client.step(Direction::Both, 0));
    // More than one request takes, and few enough to be sent without a look.
    for at in 1..4 {
        machine.0.borrow_mut().write(&key(at), vec![b'x'; 90_000]);
    }
    writes.set(1);
    let step = client.step(Direction::Both, 0);
    assert!(
        matches!(
            &step,
            RoundStep::Again {
                why: StopReason::Remote(RemoteError::Unreachable(_)),
                ..
            }
        ),
        "{step:?}"
    );
    let before = client.so_far();
    // In the order of their names.
    assert_eq!(before.pushed, BTreeSet::from([key(1), key(3)]));
    assert!(before.not_modified);
    writes.set(9);
    assert_eq!(
        done(client.step(Direction::Both, 0)).pushed,
        BTreeSet::from([key(2)])
    );
}

#[test]
fn a_remote_where_others_are_always_first_is_left_alone_in_the_end() {
    let world = World::new();
    let machine = &world.machines[0];
    let raced = RemoteError::Raced { etag: None };
    let remote = Tired(world.store.clone(), Rc::new(Cell::new(0)), raced);
    let (files, keep) = (machine.clone(), machine.clone());
    let mut client = SyncClient::new(remote, files, NoForbiddenWord, keep, SyncState::default());
    machine.0.borrow_mut().edit(&key(0), "line", false);
    let mut tries = 1;
    let why = loop {
        match client.step(Direction::Both, 0) {
            RoundStep::Again { .. } => tries += 1,
            RoundStep::Stopped(why) => break why,
            RoundStep::Done(report) => panic!("{report:?}"),
        }
        assert!(tries < 100, "it never ends");
    };
    let said = format!("first, {tries} times in a row");
    assert!(why.to_string().contains(&said), "{why}");
}
