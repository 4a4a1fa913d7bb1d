//! How many requests a round makes.

use std::collections::BTreeSet;

use mem_sync::base::SyncState;
use mem_sync::client::{Direction, RoundReport, RoundStep, SyncClient};
use mem_sync::remote::{Fetched, InMemory, PutOutcome, Remote, RemoteError, StateQuery};
use mem_sync::wire::{ETag, PutBody};

use super::line::NoForbiddenWord;
use super::machine::Machine;
use super::simulation::{Event, KEYS, World, key};

/// Notes every request.
#[derive(Clone, Debug)]
struct Counted(InMemory, Vec<&'static str>);

impl Remote for Counted {
    fn get_state(
        &mut self,
        query: &StateQuery,
        tag: Option<&ETag>,
    ) -> Result<Fetched, RemoteError> {
        let found = self.0.get_state(query, tag);
        self.1
            .push(match (&found, query.hashes, query.keys.is_empty()) {
                (Ok(Fetched::NotModified), ..) => "304",
                (_, true, _) => "hashes",
                (_, false, true) => "all",
                (_, false, false) => "some",
            });
        found
    }

    fn put_entries(
        &mut self,
        body: &PutBody,
        tag: Option<&ETag>,
    ) -> Result<PutOutcome, RemoteError> {
        let put = self.0.put_entries(body, tag);
        self.1.push(match (&put, tag) {
            (Err(RemoteError::Raced { .. }), _) => "412",
            (_, Some(_)) => "put",
            (_, None) => "put without a condition",
        });
        put
    }
}

type Person = SyncClient<Counted, Machine, NoForbiddenWord, Machine>;

fn person(world: &World, at: usize) -> Person {
    let machine = world.machines[at].clone();
    let remote = Counted(world.store.for_actor(&at.to_string()), Vec::new());
    SyncClient::new(
        remote,
        machine.clone(),
        NoForbiddenWord,
        machine,
        SyncState::default(),
    )
}

/// One round, and the requests it made.
fn round(person: &mut Person, direction: Direction) -> (RoundReport, Vec<&'static str>) {
    person.remote.1.clear();
    match person.step(direction, 0) {
        RoundStep::Done(report) => (*report, person.remote.1.clone()),
        other => panic!("not done: {other:?}"),
    }
}

fn append(world: &World, at: usize, k: usize) {
    world.machines[at]
        .0
        .borrow_mut()
        .edit(&key(k), "line", false);
}

#[test]
fn a_change_is_one_conditional_request_and_none_is_one_as_well() {
    let world = World::new();
    let mut a = person(&world, 0);
    append(&world, 0, 1);
    assert_eq!(round(&mut a, Direction::Both).1, ["all", "put"]);
    append(&world, 0, 1);
    let (report, requests) = round(&mut a, Direction::Both);
    assert_eq!(
        (requests, report.pushed),
        (vec!["put"], BTreeSet::from([key(1)]))
    );
    assert_eq!(round(&mut a, Direction::Both).1, ["304"]);
    assert_eq!(round(&mut a, Direction::Push).1, ["304"]);
    append(&world, 0, 2);
    assert_eq!(round(&mut a, Direction::Pull).1, ["304"]);
    assert_eq!(round(&mut a, Direction::Push).1, ["put"]);
}

#[test]
fn a_change_on_an_old_state_is_refused_and_looked_at_within_the_round() {
    let world = World::new();
    let (mut a, mut b) = (person(&world, 0), person(&world, 1));
    append(&world, 0, 0);
    round(&mut a, Direction::Both);
    assert_eq!(round(&mut b, Direction::Both).1, ["all"]);
    append(&world, 0, 0);
    append(&world, 1, 0);
    round(&mut a, Direction::Both);
    let (report, requests) = round(&mut b, Direction::Both);
    assert_eq!(requests, ["412", "hashes", "some", "put"]);
    assert_eq!(report.merged, BTreeSet::from([key(0)]));
}

#[test]
fn what_may_not_leave_does_not_keep_the_round_from_looking() {
    let mut world = World::new();
    let (mut a, mut b) = (person(&world, 0), person(&world, 1));
    round(&mut a, Direction::Both);
    append(&world, 1, 2);
    round(&mut b, Direction::Both);
    world.happen(&Event::Secret(0, 1));
    let (report, requests) = round(&mut a, Direction::Both);
    assert_eq!(requests, ["hashes", "some"]);
    assert_eq!((report.taken.len(), report.blocked.len()), (1, 1));
}

#[test]
fn a_first_pull_is_one_request() {
    let world = World::new();
    let (mut a, mut b) = (person(&world, 0), person(&world, 1));
    for k in 0..KEYS.len() {
        append(&world, 0, k);
    }
    round(&mut a, Direction::Both);
    let (report, requests) = round(&mut b, Direction::Pull);
    assert_eq!((requests, report.taken.len()), (vec!["all"], KEYS.len()));
}
