//! Entries of a remote that cannot stand beside each other, as somebody may put them there by another way.

use std::collections::BTreeMap;

use mem_core::history::Sha256;
use mem_sync::base::SyncState;
use mem_sync::client::{Direction, RoundReport, RoundStep, SyncClient};
use mem_sync::key::EntryKey;
use mem_sync::remote::{Fetched, PutOutcome, Remote, RemoteError, StateQuery};
use mem_sync::wire::{ETag, PutBody, StateAnswer};

use super::line::NoForbiddenWord;
use super::machine::Machine;
use super::simulation::World;

/// A remote that says what it was told to, whatever stands beside it.
#[derive(Debug, Default)]
struct Scripted {
    version: u64,
    texts: BTreeMap<&'static str, &'static str>,
}

impl Scripted {
    fn has(&mut self, name: &'static str, text: &'static str) {
        self.version += 1;
        self.texts.insert(name, text);
    }
}

impl Remote for Scripted {
    fn get_state(
        &mut self,
        query: &StateQuery,
        tag: Option<&ETag>,
    ) -> Result<Fetched, RemoteError> {
        let etag = ETag::of_version(self.version);
        if tag == Some(&etag) {
            return Ok(Fetched::NotModified);
        }
        let is_asked =
            |name: &str| query.keys.is_empty() || query.keys.iter().any(|key| key.as_str() == name);
        let asked = self.texts.iter().filter(|(name, _)| is_asked(name));
        let entries: Vec<String> = asked
            .map(|(name, text)| {
                let sha256 = Sha256::digest(text.as_bytes());
                let content = match query.hashes {
                    true => String::new(),
                    false => format!(r#""content":"{text}","#),
                };
                format!(r#""{name}":{{{content}"sha256":"{sha256}"}}"#)
            })
            .collect();
        let (version, entries) = (self.version, entries.join(","));
        let body = format!(r#"{{"version":{version},"entries":{{{entries}}}}}"#);
        let (answer, rejected) = StateAnswer::read(body.as_bytes())?;
        Ok(Fetched::Found {
            etag,
            answer,
            rejected,
        })
    }

    fn put_entries(&mut self, body: &PutBody, _: Option<&ETag>) -> Result<PutOutcome, RemoteError> {
        panic!("nothing was to be sent: {body:?}");
    }
}

type Person = SyncClient<Scripted, Machine, NoForbiddenWord, Machine>;

fn person(world: &World, at: usize, remote: Scripted) -> Person {
    let machine = world.machines[at].clone();
    let state = SyncState::default();
    SyncClient::new(remote, machine.clone(), NoForbiddenWord, machine, state)
}

fn round(person: &mut Person) -> RoundReport {
    match person.step(Direction::Both, 0) {
        RoundStep::Done(report) => *report,
        other => panic!("not done: {other:?}"),
    }
}

fn files(world: &World, at: usize) -> Vec<(String, String)> {
    let disk = world.machines[at].0.borrow();
    let files = disk.files.iter();
    files
        .map(|(key, bytes)| (key.to_string(), String::from_utf8(bytes.clone()).unwrap()))
        .collect()
}

fn names<'r>(keys: impl IntoIterator<Item = &'r EntryKey>) -> Vec<&'r str> {
    keys.into_iter().map(EntryKey::as_str).collect()
}

fn rejected(report: &RoundReport) -> Vec<&str> {
    let rejected = report.rejected.iter();
    rejected.map(|one| one.name.as_str()).collect()
}

#[test]
fn a_twin_that_comes_later_displaces_nothing_and_is_told() {
    let world = World::new();
    let mut remote = Scripted::default();
    remote.has("ok1.md", "one");
    remote.has("d/x.md", "x");
    let mut alice = person(&world, 0, remote);
    assert_eq!(names(&round(&mut alice).taken), ["d/x.md", "ok1.md"]);
    alice.remote.has("OK1.md", "newcomer");
    alice.remote.has("D", "newcomer");
    let report = round(&mut alice);
    assert_eq!(rejected(&report), ["D", "OK1.md"]);
    assert!(report.taken.is_empty() && report.held.is_empty() && report.lost.is_empty());
    // It is still kept in step.
    alice.remote.has("ok1.md", "changed");
    let report = round(&mut alice);
    assert_eq!(names(&report.taken), ["ok1.md"]);
    assert_eq!(rejected(&report), ["D", "OK1.md"]);
    let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    assert_eq!(
        files(&world, 0),
        [file("d/x.md", "x"), file("ok1.md", "changed")]
    );
}

#[test]
fn where_neither_twin_is_known_the_first_is_taken_and_a_file_counts_as_known() {
    let world = World::new();
    let both = || {
        let mut remote = Scripted::default();
        remote.has("OK1.md", "upper");
        remote.has("ok1.md", "lower");
        remote
    };
    assert_eq!(
        names(&round(&mut person(&world, 0, both())).taken),
        ["OK1.md"]
    );
    let here = EntryKey::parse("ok1.md").unwrap();
    world.machines[1]
        .0
        .borrow_mut()
        .write(&here, b"lower".to_vec());
    let report = round(&mut person(&world, 1, both()));
    assert_eq!(rejected(&report), ["OK1.md"]);
    assert!(report.taken.is_empty() && report.held.is_empty());
    assert_eq!(files(&world, 1).len(), 1);
}
