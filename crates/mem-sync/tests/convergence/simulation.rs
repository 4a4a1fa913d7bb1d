//! All machines, the store between them, and what must hold once all is calm.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use mem_core::history::Sha256;
use mem_sync::client::{Direction, RoundReport, RoundStep, SyncClient};
use mem_sync::key::EntryKey;
use mem_sync::remote::{Fetched, InMemory, Remote, StateQuery};
use mem_sync::wire::StateAnswer;

use super::line::{Line, NoForbiddenWord};
use super::machine::{Disk, Elsewhere, Fault, Machine};

pub(super) const CLIENTS: usize = 3;
pub(super) const KEYS: [&str; 4] = ["MEMORY.md", "a.md", "d/b.md", "d/MEMORY.md"];
/// Lines with this word may not leave.
pub(super) const FORBIDDEN: &str = "forbidden";

/// What happens next.
#[derive(Clone, Debug)]
pub(super) enum Event {
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
    /// A machine loses what it has noted and not saved.
    PowerFailure(usize),
}

/// All machines and the store between them.
pub(super) struct World {
    pub(super) store: InMemory,
    /// Another remote than the one in memory.
    pub(super) elsewhere: Option<Elsewhere>,
    pub(super) machines: Vec<Machine>,
    pub(super) acknowledged: Rc<RefCell<BTreeSet<(EntryKey, String)>>>,
    /// Lines of files that somebody deleted on one machine.
    pub(super) thrown_away: BTreeSet<(EntryKey, String)>,
}

pub(super) fn key(at: usize) -> EntryKey {
    EntryKey::parse(KEYS[at]).unwrap()
}

pub(super) fn lines(bytes: &[u8]) -> BTreeSet<String> {
    String::from_utf8_lossy(bytes)
        .lines()
        .map(str::to_owned)
        .collect()
}

impl World {
    pub(super) fn new() -> Self {
        let disk = |name| Disk {
            name,
            ..Disk::default()
        };
        let machine = |name| Machine(Rc::new(RefCell::new(disk(name))));
        Self {
            store: InMemory::default(),
            elsewhere: None,
            machines: (0..CLIENTS).map(machine).collect(),
            acknowledged: Rc::default(),
            thrown_away: BTreeSet::new(),
        }
    }

    /// The process begins: all that it knows is on the disk.
    pub(super) fn client(&self, at: usize) -> SyncClient<Line, Machine, NoForbiddenWord, Machine> {
        let machine = &self.machines[at];
        let line = Line {
            store: self.store.for_actor(&at.to_string()),
            elsewhere: self.elsewhere.as_ref().map(|open| open(&at.to_string())),
            disk: Rc::clone(&machine.0),
            acknowledged: Rc::clone(&self.acknowledged),
        };
        let state = machine.0.borrow().state.clone();
        SyncClient::new(
            line,
            machine.clone(),
            NoForbiddenWord,
            machine.clone(),
            state,
        )
    }

    pub(super) fn happen(&mut self, event: &Event) {
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
            Event::Delete(at, k) => drop(self.client(at).delete(&key(k), None).unwrap()),
            Event::Round(at, direction, fault) => {
                self.machines[at].0.borrow_mut().fault = fault;
                let _ = self.client(at).step(direction, 0);
                self.machines[at].0.borrow_mut().fault = None;
            }
            Event::PowerFailure(at) => {
                let mut disk = self.machines[at].0.borrow_mut();
                disk.state = disk.synced.clone();
            }
        }
    }

    pub(super) fn no_secret_has_left(&self) {
        for version in self.store.all_versions() {
            let content = version.content.unwrap_or_default();
            assert!(!content.contains(FORBIDDEN), "it left: {content:?}");
        }
    }

    /// Secrets are taken out by their authors, the line holds, and everybody looks until nothing moves.
    pub(super) fn calm_down(&mut self) {
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
                    RoundStep::Done(report) => *report,
                    other => panic!("a round over a line that holds failed: {other:?}"),
                };
                moved |= report
                    != RoundReport {
                        not_modified: report.not_modified,
                        compared: report.compared,
                        ..RoundReport::default()
                    };
            }
            if !moved {
                return;
            }
        }
        panic!("ten rounds were not enough: {:?}", self.machines);
    }

    pub(super) fn all_is_well(&mut self) {
        let Ok(Fetched::Found { answer, .. }) = self.store.get_state(&StateQuery::default(), None)
        else {
            panic!("the store does not answer");
        };
        if let Some(open) = &self.elsewhere {
            self.is_elsewhere(open, &answer);
        }
        let entries = answer.entries.into_iter();
        let there: BTreeMap<EntryKey, Vec<u8>> = entries
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
        let rewritten: BTreeSet<(EntryKey, String)> =
            disks.flat_map(|disk| disk.rewritten.clone()).collect();
        let safe = |key: &EntryKey, line: &str| {
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

    /// The other remote holds the same as the one in memory.
    fn is_elsewhere(&self, open: &Elsewhere, record: &StateAnswer) {
        let Ok(Fetched::Found { answer, .. }) =
            open("observer").get_state(&StateQuery::default(), None)
        else {
            panic!("the other remote does not answer");
        };
        let contents = |answer: &StateAnswer| -> Vec<(EntryKey, Option<String>)> {
            let entries = answer.entries.iter();
            entries
                .map(|(key, entry)| (key.clone(), entry.content.clone()))
                .collect()
        };
        let tombstones = |answer: &StateAnswer| -> Vec<(EntryKey, Sha256)> {
            let deleted = answer.deleted.iter();
            deleted
                .map(|(key, tombstone)| (key.clone(), tombstone.sha256))
                .collect()
        };
        assert_eq!(contents(&answer), contents(record));
        assert_eq!(tombstones(&answer), tombstones(record));
        assert_eq!(answer.version, record.version);
    }

    /// What was written anywhere is at the remote, in somebody's copies, or was deleted by somebody.
    pub(super) fn is_somewhere(
        &self,
        line: &str,
        there: &BTreeMap<EntryKey, Vec<u8>>,
        deleted: &BTreeSet<(EntryKey, String)>,
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
    pub(super) fn deleted_on_purpose(&self) -> BTreeSet<(EntryKey, String)> {
        let mut now: BTreeMap<EntryKey, String> = BTreeMap::new();
        let mut deleted = BTreeSet::new();
        for version in self.store.all_versions() {
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
