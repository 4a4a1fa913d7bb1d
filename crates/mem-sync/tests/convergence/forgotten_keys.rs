//! A server whose answer passes over a key that it was sent: nothing is known of it, so nothing is in step.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;

use mem_core::history::Sha256;
use mem_sync::base::SyncState;
use mem_sync::client::{Direction, RoundStep, StopReason, SyncClient};
use mem_sync::key::EntryKey;
use mem_sync::remote::{Fetched, InMemory, PutOutcome, Remote, RemoteError, StateQuery};
use mem_sync::wire::{ETag, PutBody};

use super::line::NoForbiddenWord;
use super::simulation::{World, key};

/// What it does with one key.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Habit {
    /// It drops it and does not say so.
    Drops,
    /// It says that it took something else.
    Mixes,
    /// It does what it should.
    None,
}

#[derive(Clone, Debug)]
struct Forgetful(InMemory, Rc<Cell<Habit>>);

impl Remote for Forgetful {
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
        let mut body = body.clone();
        if self.1.get() != Habit::None {
            body.entries.remove(&key(1));
        }
        let mut put = self.0.put_entries(&body, tag)?;
        if self.1.get() == Habit::Mixes {
            put.answer.written.insert(key(1), Sha256::digest(b"other"));
        }
        Ok(put)
    }
}

#[test]
fn what_an_answer_passes_over_is_an_error_and_is_sent_again() {
    let world = World::new();
    let machine = &world.machines[0];
    for at in [1, 2] {
        machine.0.borrow_mut().edit(&key(at), "line", false);
    }
    let habit = Rc::new(Cell::new(Habit::Drops));
    let remote = Forgetful(world.store.clone(), Rc::clone(&habit));
    let (files, keep) = (machine.clone(), machine.clone());
    let mut client = SyncClient::new(remote, files, NoForbiddenWord, keep, SyncState::default());
    for (now, said) in [
        (Habit::Drops, "does not say what became of `a.md`"),
        (Habit::Mixes, "another content of `a.md`"),
    ] {
        habit.set(now);
        let stopped = client.step(Direction::Both, 0);
        let RoundStep::Stopped(StopReason::Remote(error)) = stopped else {
            panic!("taken for done: {stopped:?}");
        };
        assert!(error.to_string().contains(said), "{error}");
        // What was done all the same is told.
        let done = client.so_far().pushed;
        assert_eq!(done.len(), usize::from(now == Habit::Drops), "{done:?}");
    }
    // What it did acknowledge is remembered, also by a process that begins anew.
    let known = [key(1), key(2)]
        .into_iter()
        .filter(|key| machine.0.borrow().state.base(key).is_some());
    assert_eq!(known.collect::<Vec<_>>(), [key(2)]);
    habit.set(Habit::None);
    let RoundStep::Done(report) = client.step(Direction::Both, 0) else {
        panic!("it says all there is to say");
    };
    assert_eq!(report.pushed, BTreeSet::<EntryKey>::from([key(1)]));
}
