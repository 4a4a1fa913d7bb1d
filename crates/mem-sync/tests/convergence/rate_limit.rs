//! A remote that lets little through at a time: as long as something goes through, the run goes on.

use mem_sync::base::SyncState;
use mem_sync::client::{Direction, RoundStep, SyncClient};
use mem_sync::key::EntryKey;
use mem_sync::remote::{Fetched, InMemory, PutOutcome, Remote, RemoteError, StateQuery};
use mem_sync::wire::{ETag, PutBody};

use super::line::NoForbiddenWord;
use super::simulation::World;

/// More than the failures in a row that end a run.
const PORTIONS: usize = 20;

/// A remote, and whether the next request is the one that it has no time for.
struct Busy(InMemory, bool);

impl Remote for Busy {
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
        self.1 = !self.1;
        match self.1 {
            true => self.0.put_entries(body, tag),
            false => Err(RemoteError::Busy {
                status: 429,
                message: String::new(),
                retry_after_seconds: Some(1),
            }),
        }
    }
}

#[test]
fn a_run_that_gets_somewhere_is_not_over() {
    let world = World::new();
    let machine = &world.machines[0];
    for number in 0..PORTIONS {
        let name = EntryKey::parse(&format!("note-{number:02}.md")).unwrap();
        // Two of these are all that one request holds.
        let text = format!("{number} {}\n", "x".repeat(90_000));
        machine.0.borrow_mut().write(&name, text.into_bytes());
    }
    let mut client = SyncClient::new(
        Busy(world.store.clone(), false),
        machine.clone(),
        NoForbiddenWord,
        machine.clone(),
        SyncState::default(),
    );
    let mut sent = vec![0];
    let report = loop {
        match client.step(Direction::Both, u32::MAX) {
            RoundStep::Again { after, .. } => assert_eq!(after.as_secs(), 1),
            RoundStep::Stopped(why) => panic!("{why}: sent {sent:?}"),
            RoundStep::Done(report) => break report,
        }
        sent.push(client.sent_so_far());
    };
    assert_eq!(report.pushed.len(), PORTIONS);
    assert!(sent.len() > 8 && sent.is_sorted(), "{sent:?}");
}
