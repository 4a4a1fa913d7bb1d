//! The machines, the line between them that breaks, and what must hold once all is calm.

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
use mem_sync::remote::{Fetched, InMemory, LogQuery, Put, Query, Remote, RemoteError};
use mem_sync::screen::{Leak, Screen, ScreenError};
use mem_sync::wire::{Answer, ETag, LogPage, PutBody, Redacted};

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
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fault {
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
pub(super) struct Disk {
    pub(super) files: BTreeMap<Key, Vec<u8>>,
    /// The history: every text that ever stood here.
    pub(super) earlier: BTreeMap<Sha256, Vec<u8>>,
    pub(super) state: State,
    /// Calls until the fault.
    pub(super) fault: Option<(u32, Fault)>,
    pub(super) lines: u32,
    pub(super) name: usize,
    /// Of files that were deleted here and are not back: their lines.
    pub(super) removed: BTreeMap<Key, BTreeSet<String>>,
    /// Lines of files that were deleted here and begun anew before any round: an edit like others.
    pub(super) rewritten: BTreeSet<(Key, String)>,
    /// Files whose deletion a person here took back.
    pub(super) taken_back: BTreeSet<Key>,
}

impl Disk {
    pub(super) fn write(&mut self, key: &Key, bytes: Vec<u8>) {
        self.removed.remove(key);
        self.earlier.insert(Sha256::of(&bytes), bytes.clone());
        self.files.insert(key.clone(), bytes);
    }

    /// A line that is there once in the world.
    pub(super) fn line(&mut self, word: &str) -> String {
        self.lines += 1;
        format!("{word} {}-{}\n", self.name, self.lines)
    }

    pub(super) fn edit(&mut self, key: &Key, word: &str, in_front: bool) {
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
    pub(super) fn fault(&mut self) -> Option<Fault> {
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
pub(super) struct Machine(pub(super) Rc<RefCell<Disk>>);

pub(super) fn lost() -> io::Error {
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

    fn is_back(&mut self, key: &Key) -> bool {
        self.0.borrow().taken_back.contains(key)
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
    fn save(&mut self, state: &mut State) -> Result<(), StateError> {
        let mut disk = self.0.borrow_mut();
        let fault = disk.fault();
        if fault != Some(Fault::Before) {
            // Through its text, as a file would.
            disk.state = State::of_text(state.text()).unwrap();
            state.mark_saved();
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

/// Opens the remote for a person.
pub(super) type Elsewhere = Rc<dyn Fn(&str) -> Box<dyn Remote>>;

/// The remote over a line that breaks, and what it acknowledged.
pub(super) struct Line {
    /// The remote; where there is another, a record of what that took.
    pub(super) store: InMemory,
    pub(super) elsewhere: Option<Box<dyn Remote>>,
    pub(super) disk: Rc<RefCell<Disk>>,
    pub(super) acknowledged: Rc<RefCell<BTreeSet<(Key, String)>>>,
}

impl Line {
    /// Counts a call; a race is run here.
    pub(super) fn fault(&mut self) -> Option<Fault> {
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
            let line = format!("line other-{}", store.versions().len());
            let text = format!("{}{line}\n", old.unwrap_or_default());
            let body = PutBody {
                entries: BTreeMap::from([(key(at), text)]),
                ..PutBody::default()
            };
            self.write(&body, None).unwrap();
            self.acknowledged.borrow_mut().insert((key(at), line));
        }
        fault
    }

    fn write(&mut self, body: &PutBody, tag: Option<&ETag>) -> Result<Put, RemoteError> {
        let Some(elsewhere) = &mut self.elsewhere else {
            return self.store.put(body, tag);
        };
        let put = elsewhere.put(body, tag)?;
        let record = self.store.put(body, None)?;
        assert_eq!(put.answer, record.answer, "the remotes differ");
        Ok(put)
    }
}

impl Remote for Line {
    fn get(&mut self, query: &Query, tag: Option<&ETag>) -> Result<Fetched, RemoteError> {
        let fault = self.fault();
        let answer = match &mut self.elsewhere {
            Some(elsewhere) => elsewhere.get(query, tag),
            None => self.store.get(query, tag),
        };
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
        let put = self.write(body, tag)?;
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

    fn log(&mut self, query: &LogQuery) -> Result<LogPage, RemoteError> {
        self.store.log(query)
    }

    fn redact(&mut self, key: &Key) -> Result<Redacted, RemoteError> {
        self.store.redact(key)
    }
}

pub(super) struct NoForbiddenWord;

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
pub(super) struct World {
    pub(super) store: InMemory,
    /// Another remote than the one in memory.
    pub(super) elsewhere: Option<Elsewhere>,
    pub(super) machines: Vec<Machine>,
    pub(super) acknowledged: Rc<RefCell<BTreeSet<(Key, String)>>>,
    /// Lines of files that somebody deleted on one machine.
    pub(super) thrown_away: BTreeSet<(Key, String)>,
}

pub(super) fn key(at: usize) -> Key {
    Key::parse(KEYS[at]).unwrap()
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
    pub(super) fn client(&self, at: usize) -> Client<Line, Machine, NoForbiddenWord, Machine> {
        let machine = &self.machines[at];
        let line = Line {
            store: self.store.of(&at.to_string()),
            elsewhere: self.elsewhere.as_ref().map(|open| open(&at.to_string())),
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
            Event::Delete(at, k) => drop(self.client(at).delete(&key(k)).unwrap()),
            Event::Round(at, direction, fault) => {
                self.machines[at].0.borrow_mut().fault = fault;
                let _ = self.client(at).step(direction, 0);
                self.machines[at].0.borrow_mut().fault = None;
            }
        }
    }

    pub(super) fn no_secret_has_left(&self) {
        for version in self.store.versions() {
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
                    Step::Done(report) => *report,
                    other => panic!("a round over a line that holds failed: {other:?}"),
                };
                moved |= report
                    != Report {
                        not_modified: report.not_modified,
                        compared: report.compared,
                        ..Report::default()
                    };
            }
            if !moved {
                return;
            }
        }
        panic!("ten rounds were not enough: {:?}", self.machines);
    }

    pub(super) fn all_is_well(&mut self) {
        let Ok(Fetched::Found { answer, .. }) = self.store.get(&Query::default(), None) else {
            panic!("the store does not answer");
        };
        if let Some(open) = &self.elsewhere {
            self.is_elsewhere(open, &answer);
        }
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

    /// The other remote holds the same as the one in memory.
    fn is_elsewhere(&self, open: &Elsewhere, record: &Answer) {
        let Ok(Fetched::Found { answer, .. }) = open("observer").get(&Query::default(), None)
        else {
            panic!("the other remote does not answer");
        };
        let contents = |answer: &Answer| -> Vec<(Key, Option<String>)> {
            let entries = answer.entries.iter();
            entries
                .map(|(key, entry)| (key.clone(), entry.content.clone()))
                .collect()
        };
        let tombstones = |answer: &Answer| -> Vec<(Key, Sha256)> {
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
    pub(super) fn deleted_on_purpose(&self) -> BTreeSet<(Key, String)> {
        let mut now: BTreeMap<Key, String> = BTreeMap::new();
        let mut deleted = BTreeSet::new();
        for version in self.store.versions() {
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
