//! Any interleaving of edits, deletions, rounds, crashes and lost replies, by several clients over one
//! remote: all end up with the same files, no acknowledged text is lost, no blocked text leaves.
//!
//! Every edit appends a line that is there once in the world, so that what became of it can be told.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::rc::Rc;

use mem_core::history::Sha256;
use mem_core::state_file::StateError;
use mem_sync::base::{Keep, State};
use mem_sync::client::{Client, Direction, Report, Step};
use mem_sync::files::{FileChange, Files, FilesError};
use mem_sync::key::Key;
use mem_sync::plan::Blocked;
use mem_sync::remote::{Fetched, InMemory, Put, Query, Remote, RemoteError};
use mem_sync::screen::{Leak, Screen, ScreenError};
use mem_sync::wire::{ETag, PutBody};
use proptest::prelude::*;

const CLIENTS: usize = 3;
const KEYS: [&str; 4] = ["MEMORY.md", "a.md", "d/b.md", "d/MEMORY.md"];
/// Lines with this word may not leave.
const FORBIDDEN: &str = "forbidden";

/// What happens next.
#[derive(Clone, Debug)]
enum Event {
    /// A line is appended to a file, or the file begun with it.
    Append(usize, usize),
    /// A line is put in front.
    Prepend(usize, usize),
    /// A line that may not leave is appended.
    Secret(usize, usize),
    /// A file is deleted, locally.
    Remove(usize, usize),
    /// A file is deleted for everybody, if the remote is known to have it.
    Delete(usize, usize),
    /// A round, and what goes wrong at which of its outside calls.
    Round(usize, Direction, Option<(u32, Fault)>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// The call does not happen.
    Before,
    /// The call happens, and its answer is lost.
    After,
    /// A person edits a file just before the call.
    Edit(usize),
    /// Somebody else writes to the remote just before the call.
    Race(usize),
}

/// One machine: what survives a crash.
#[derive(Debug, Default)]
struct Disk {
    files: BTreeMap<Key, Vec<u8>>,
    /// The history: every text that ever stood here.
    earlier: BTreeMap<Sha256, Vec<u8>>,
    state: State,
    /// Calls until the fault.
    fault: Option<(u32, Fault)>,
    lines: u32,
    name: usize,
    /// Of files that were deleted here and are not back: their lines.
    removed: BTreeMap<Key, BTreeSet<String>>,
    /// Lines of files that were deleted here and begun anew before any round: an edit like others.
    rewritten: BTreeSet<(Key, String)>,
}

impl Disk {
    fn write(&mut self, key: &Key, bytes: Vec<u8>) {
        self.removed.remove(key);
        self.earlier.insert(Sha256::of(&bytes), bytes.clone());
        self.files.insert(key.clone(), bytes);
    }

    /// A line that is there once in the world.
    fn line(&mut self, word: &str) -> String {
        self.lines += 1;
        format!("{word} {}-{}\n", self.name, self.lines)
    }

    fn edit(&mut self, key: &Key, word: &str, in_front: bool) {
        let line = self.line(word).into_bytes();
        let removed = self.removed.remove(key).unwrap_or_default();
        self.rewritten
            .extend(removed.into_iter().map(|line| (key.clone(), line)));
        let old = self.files.get(key).cloned().unwrap_or_default();
        let new = if in_front {
            [line, old].concat()
        } else {
            [old, line].concat()
        };
        self.write(key, new);
    }

    /// Counts a call to the outside.
    fn fault(&mut self) -> Option<Fault> {
        let (left, fault) = self.fault.take()?;
        if left > 0 {
            self.fault = Some((left - 1, fault));
            return None;
        }
        if let Fault::Edit(key) = fault {
            self.edit(&Key::parse(KEYS[key]).unwrap(), "line", false);
        }
        Some(fault)
    }
}

#[derive(Clone, Debug)]
struct Machine(Rc<RefCell<Disk>>);

fn lost() -> io::Error {
    io::Error::other("the machine stopped")
}

impl Files for Machine {
    fn list(&mut self) -> Result<Vec<(String, Sha256)>, FilesError> {
        let disk = self.0.borrow();
        let files = disk.files.iter();
        Ok(files
            .map(|(key, bytes)| (key.to_string(), Sha256::of(bytes)))
            .collect())
    }

    fn read(&mut self, key: &Key) -> Result<Option<Vec<u8>>, FilesError> {
        Ok(self.0.borrow().files.get(key).cloned())
    }

    fn earlier(&mut self, _: &Key, sha256: Sha256) -> Option<Vec<u8>> {
        self.0.borrow().earlier.get(&sha256).cloned()
    }

    fn apply(&mut self, changes: &[FileChange]) -> Result<BTreeSet<Key>, FilesError> {
        let mut disk = self.0.borrow_mut();
        let fault = disk.fault();
        let mut applied = BTreeSet::new();
        for (at, change) in changes.iter().enumerate() {
            // A crash in the middle: some files are written, some are not.
            if fault == Some(Fault::Before) && at >= changes.len() / 2 {
                return Err(FilesError(lost().into()));
            }
            let now = disk.files.get(&change.key).map(|bytes| Sha256::of(bytes));
            if now != change.expected {
                continue;
            }
            match &change.new {
                Some(bytes) => disk.write(&change.key, bytes.clone()),
                None => drop(disk.files.remove(&change.key)),
            }
            applied.insert(change.key.clone());
        }
        match fault {
            Some(Fault::After | Fault::Before) => Err(FilesError(lost().into())),
            _ => Ok(applied),
        }
    }
}

impl Keep for Machine {
    fn save(&mut self, state: &State) -> Result<(), StateError> {
        let mut disk = self.0.borrow_mut();
        let fault = disk.fault();
        if fault != Some(Fault::Before) {
            // Through its JSON, as a file would.
            let json = serde_json::to_string(state).unwrap();
            disk.state = serde_json::from_str(&json).unwrap();
        }
        match fault {
            Some(Fault::Before | Fault::After) => Err(StateError::Access {
                step: "write",
                path: "state.json".into(),
                source: lost(),
            }),
            _ => Ok(()),
        }
    }
}

/// The remote over a line that breaks, and what it acknowledged.
#[derive(Clone, Debug)]
struct Line {
    store: InMemory,
    disk: Rc<RefCell<Disk>>,
    acknowledged: Rc<RefCell<BTreeSet<(Key, String)>>>,
}

impl Line {
    /// Counts a call; a race is run here.
    fn fault(&mut self) -> Option<Fault> {
        let fault = self.disk.borrow_mut().fault();
        if let Some(Fault::Race(at)) = fault {
            let mut store = self.store.of("somebody else");
            let Ok(Fetched::Found { answer, .. }) = store.get(&Query::default(), None) else {
                panic!("the store does not answer");
            };
            let old = answer
                .entries
                .get(&key(at))
                .and_then(|entry| entry.content.clone());
            let line = format!("line other-{}", store.log().len());
            let text = format!("{}{line}\n", old.unwrap_or_default());
            let body = PutBody {
                entries: BTreeMap::from([(key(at), text)]),
                ..PutBody::default()
            };
            store.put(&body, None).unwrap();
            self.acknowledged.borrow_mut().insert((key(at), line));
        }
        fault
    }
}

impl Remote for Line {
    fn get(&mut self, query: &Query, tag: Option<&ETag>) -> Result<Fetched, RemoteError> {
        let fault = self.fault();
        let answer = self.store.get(query, tag);
        match fault {
            Some(Fault::Before | Fault::After) => Err(RemoteError::Unreachable("lost".to_owned())),
            _ => answer,
        }
    }

    fn put(&mut self, body: &PutBody, tag: Option<&ETag>) -> Result<Put, RemoteError> {
        let lost = RemoteError::Unreachable("lost".to_owned());
        let fault = self.fault();
        if fault == Some(Fault::Before) {
            return Err(lost);
        }
        let put = self.store.put(body, tag)?;
        if fault == Some(Fault::After) {
            return Err(lost);
        }
        for (key, text) in body
            .entries
            .iter()
            .filter(|(key, _)| put.answer.written.contains_key(*key))
        {
            let lines = text.lines().map(|line| (key.clone(), line.to_owned()));
            self.acknowledged.borrow_mut().extend(lines);
        }
        Ok(put)
    }
}

struct NoForbiddenWord;

impl Screen for NoForbiddenWord {
    fn screen(&self, _: &Key, text: &str) -> Result<Vec<Leak>, ScreenError> {
        let lines = text
            .lines()
            .zip(1..)
            .filter(|(line, _)| line.starts_with(FORBIDDEN));
        let leak = |(_, line)| Leak {
            rule: "word".to_owned(),
            line: Some(line),
        };
        Ok(lines.map(leak).collect())
    }
}

/// All machines and the store between them.
struct World {
    store: InMemory,
    machines: Vec<Machine>,
    acknowledged: Rc<RefCell<BTreeSet<(Key, String)>>>,
    /// Lines of files that somebody deleted on one machine.
    thrown_away: BTreeSet<(Key, String)>,
}

fn key(at: usize) -> Key {
    Key::parse(KEYS[at]).unwrap()
}

fn lines(bytes: &[u8]) -> BTreeSet<String> {
    String::from_utf8_lossy(bytes)
        .lines()
        .map(str::to_owned)
        .collect()
}

impl World {
    fn new() -> Self {
        let disk = |name| Disk {
            name,
            ..Disk::default()
        };
        let machine = |name| Machine(Rc::new(RefCell::new(disk(name))));
        Self {
            store: InMemory::default(),
            machines: (0..CLIENTS).map(machine).collect(),
            acknowledged: Rc::default(),
            thrown_away: BTreeSet::new(),
        }
    }

    /// The process begins: all that it knows is on the disk.
    fn client(&self, at: usize) -> Client<Line, Machine, NoForbiddenWord, Machine> {
        let machine = &self.machines[at];
        let line = Line {
            store: self.store.of(&at.to_string()),
            disk: Rc::clone(&machine.0),
            acknowledged: Rc::clone(&self.acknowledged),
        };
        let state = machine.0.borrow().state.clone();
        Client::new(
            line,
            machine.clone(),
            NoForbiddenWord,
            machine.clone(),
            state,
        )
    }

    fn happen(&mut self, event: &Event) {
        let edit = |at: usize, k: usize, word: &str, in_front: bool| {
            self.machines[at]
                .0
                .borrow_mut()
                .edit(&key(k), word, in_front);
        };
        match *event {
            Event::Append(at, k) => edit(at, k, "line", false),
            Event::Prepend(at, k) => edit(at, k, "line", true),
            Event::Secret(at, k) => edit(at, k, FORBIDDEN, false),
            Event::Remove(at, k) => {
                let mut disk = self.machines[at].0.borrow_mut();
                let Some(bytes) = disk.files.remove(&key(k)) else {
                    return;
                };
                let gone = lines(&bytes);
                disk.removed.insert(key(k), gone.clone());
                self.thrown_away
                    .extend(gone.into_iter().map(|line| (key(k), line)));
            }
            Event::Delete(at, k) => drop(self.client(at).delete(&key(k)).unwrap()),
            Event::Round(at, direction, fault) => {
                self.machines[at].0.borrow_mut().fault = fault;
                let _ = self.client(at).step(direction, 0);
                self.machines[at].0.borrow_mut().fault = None;
            }
        }
    }

    fn no_secret_has_left(&self) {
        for version in self.store.log() {
            let content = version.content.unwrap_or_default();
            assert!(!content.contains(FORBIDDEN), "it left: {content:?}");
        }
    }

    /// Secrets are taken out by their authors, the line holds, and everybody looks until nothing moves.
    fn calm_down(&mut self) {
        for machine in &self.machines {
            let mut disk = machine.0.borrow_mut();
            for (key, bytes) in disk.files.clone() {
                let text = String::from_utf8(bytes).unwrap();
                let clean = text
                    .split_inclusive('\n')
                    .filter(|line| !line.starts_with(FORBIDDEN));
                let clean: String = clean.collect();
                if clean != text {
                    disk.write(&key, clean.into_bytes());
                }
            }
        }
        for _ in 0..10 {
            let mut moved = false;
            for at in 0..CLIENTS {
                let report = match self.client(at).step(Direction::Both, 0) {
                    Step::Done(report) => *report,
                    other => panic!("a round over a line that holds failed: {other:?}"),
                };
                moved |= report
                    != Report {
                        not_modified: report.not_modified,
                        ..Report::default()
                    };
            }
            if !moved {
                return;
            }
        }
        panic!("ten rounds were not enough: {:?}", self.machines);
    }

    fn all_is_well(&mut self) {
        let Ok(Fetched::Found { answer, .. }) = self.store.get(&Query::default(), None) else {
            panic!("the store does not answer");
        };
        let entries = answer.entries.into_iter();
        let there: BTreeMap<Key, Vec<u8>> = entries
            .map(|(key, entry)| (key, entry.content.unwrap_or_default().into_bytes()))
            .collect();
        for machine in &self.machines {
            assert_eq!(
                machine.0.borrow().files,
                there,
                "one machine differs from the store"
            );
        }
        let deleted = self.deleted_on_purpose();
        let disks = self.machines.iter().map(|machine| machine.0.borrow());
        let rewritten: BTreeSet<(Key, String)> =
            disks.flat_map(|disk| disk.rewritten.clone()).collect();
        let safe = |key: &Key, line: &str| {
            there
                .get(key)
                .is_some_and(|bytes| lines(bytes).contains(line))
                || deleted.contains(&(key.clone(), line.to_owned()))
                || rewritten.contains(&(key.clone(), line.to_owned()))
        };
        for (key, line) in &*self.acknowledged.borrow() {
            assert!(
                safe(key, line),
                "`{line}` of `{key}` was acknowledged and is lost"
            );
        }
        for machine in &self.machines {
            let disk = machine.0.borrow();
            for bytes in disk.earlier.values() {
                for line in lines(bytes) {
                    self.is_somewhere(&line, &there, &deleted);
                }
            }
        }
    }

    /// What was written anywhere is at the remote, in somebody's copies, or was deleted by somebody.
    fn is_somewhere(
        &self,
        line: &str,
        there: &BTreeMap<Key, Vec<u8>>,
        deleted: &BTreeSet<(Key, String)>,
    ) {
        let in_copies = self.machines.iter().any(|machine| {
            let disk = machine.0.borrow();
            disk.state
                .conflicts
                .iter()
                .any(|one| lines(one.local.as_bytes()).contains(line))
        });
        let known = in_copies
            || line.starts_with(FORBIDDEN)
            || there.values().any(|bytes| lines(bytes).contains(line))
            || deleted
                .iter()
                .chain(&self.thrown_away)
                .any(|(_, gone)| gone == line);
        assert!(known, "`{line}` is lost");
    }

    /// The lines of every entry that was deleted for everybody, as it was then.
    fn deleted_on_purpose(&self) -> BTreeSet<(Key, String)> {
        let mut now: BTreeMap<Key, String> = BTreeMap::new();
        let mut deleted = BTreeSet::new();
        for version in self.store.log() {
            match version.content {
                Some(text) => drop(now.insert(version.key, text)),
                None => {
                    let text = now.remove(&version.key).unwrap_or_default();
                    deleted.extend(
                        text.lines()
                            .map(|line| (version.key.clone(), line.to_owned())),
                    );
                }
            }
        }
        deleted
    }
}

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
    ];
    proptest::collection::vec(event, 0..40)
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

fn done(step: Step) -> Report {
    match step {
        Step::Done(report) => *report,
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
    assert!(matches!(&report.blocked[..], [Blocked::Secret { shown, .. }] if shown == "a.md"));
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
    assert!(world.client(0).delete(&key(1)).unwrap());
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
    let mut client = world.client(2);
    assert_eq!(
        client.state().conflicts[0].local.as_bytes(),
        b"line 0-1\nline 2-1\n"
    );
    assert!(client.resolve(&key(1)).unwrap());
    assert!(world.client(2).state().conflicts.is_empty());
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
        Report {
            not_modified: true,
            ..Report::default()
        }
    );
}

#[test]
fn a_lost_line_is_tried_again_with_growing_waits_and_then_left() {
    let world = World::new();
    let mut client = world.client(0);
    let mut waits = Vec::new();
    loop {
        world.machines[0].0.borrow_mut().fault = Some((0, Fault::Before));
        match client.step(Direction::Both, u32::MAX) {
            Step::Again { after, .. } => waits.push(after.as_millis()),
            Step::Stopped(why) => break assert!(why.to_string().contains("lost")),
            Step::Done(report) => panic!("{report:?}"),
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
    let Step::Again { why, .. } = client.step(Direction::Both, 0) else {
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
    // The hashes, the contents, the intent; then the files are written and the machine stops.
    world.machines[1].0.borrow_mut().fault = Some((3, Fault::After));
    assert!(matches!(
        world.client(1).step(Direction::Both, 0),
        Step::Stopped(_)
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
    fn get(&mut self, query: &Query, tag: Option<&ETag>) -> Result<Fetched, RemoteError> {
        self.0.get(query, tag)
    }

    fn put(&mut self, body: &PutBody, tag: Option<&ETag>) -> Result<Put, RemoteError> {
        if body.entries.len() > self.1 || body.entries.contains_key(&key(3)) {
            return Err(RemoteError::TooLarge);
        }
        self.0.put(body, tag)
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
    let state = State::default();
    let mut client = Client::new(
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

impl Screen for Broken {
    fn screen(&self, _: &Key, _: &str) -> Result<Vec<Leak>, ScreenError> {
        Err(ScreenError("the rules cannot be read".to_owned()))
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
    let mut client = Client::new(
        remote,
        machine.clone(),
        Broken,
        machine.clone(),
        State::default(),
    );
    let report = done(client.step(Direction::Both, 0));
    assert!(report.unscanned.is_some());
    assert_eq!((report.taken.len(), report.pushed.len()), (1, 0));
    assert_eq!(world.store.log().len(), 1);
}
