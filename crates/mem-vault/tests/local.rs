//! What a machine keeps of memories, sealed: real stores, real histories, real git.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

use mem_core::history::{Actor, Author};
use mem_core::sealing::{Appointed, Seals};
use mem_core::store::{OpenGate, Order, Redaction, Store, StoreError, Tiers};
use mem_core::{Diagnose as _, Dirs, ErrorKind, MemoryPath, Now};
use mem_vault::{LocalKeys, MasterKey, MasterKeys};

/// What a source of master keys gives, which a test changes.
type Source = Arc<Mutex<String>>;

struct Machine {
    _temp: tempfile::TempDir,
    home: PathBuf,
    source: Source,
}

fn at(minutes: i64) -> Now {
    let start: jiff::Timestamp = "2026-11-20T10:00:00Z".parse().unwrap();
    Now(start + jiff::SignedDuration::from_mins(minutes))
}

fn path(text: &str) -> MemoryPath {
    MemoryPath::parse(text).unwrap()
}

impl Machine {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        Self {
            home: temp.path().canonicalize().unwrap(),
            source: Arc::new(Mutex::new(
                MasterKey::generate().unwrap().to_line().to_string(),
            )),
            _temp: temp,
        }
    }

    /// As a process of its own would see it: it has met no key yet.
    fn dirs(&self) -> Dirs {
        let (state, source) = (self.home.join("state"), Arc::clone(&self.source));
        let ask = move || match source.lock().unwrap().as_str() {
            "" => Ok(MasterKeys::default()),
            text => MasterKeys::parse(text),
        };
        Dirs {
            home: Some(self.home.clone()),
            base: self.home.join(".claude"),
            config: self.home.join("config"),
            cache: self.home.join("cache"),
            managed: self.home.join("managed"),
            seals: Seals::by(Arc::new(LocalKeys::of(&state, ask))),
            state,
        }
    }

    fn store(&self, name: &str) -> Store {
        let root = self
            .home
            .join(format!(".claude/projects/-work-{name}/memory"));
        Store::new(&root, Tiers::Project, &self.dirs())
    }

    /// Switched on, as the command does it.
    fn on(&self) {
        self.dirs().seal().appoint(Appointed::Sealed).unwrap();
        for store in mem_core::store::kept(&self.dirs()).0 {
            store.reseal(Appointed::Sealed).unwrap();
        }
    }

    fn set_source(&self, text: &str) {
        text.clone_into(&mut self.source.lock().unwrap());
    }
}

fn put(
    store: &Store,
    minutes: i64,
    reason: &str,
    files: &[(&str, Option<&str>)],
) -> Result<(), StoreError> {
    let mut order = Order::new("save", Author::of(Actor::Person), at(minutes));
    order.reason = Some(reason.to_owned());
    let written = store.write(&order, &OpenGate, |draft| {
        files.iter().try_for_each(|(name, text)| match text {
            Some(text) => draft.put(&path(name), text.as_bytes().into()),
            None => draft.remove(&path(name)),
        })
    });
    written.map(drop)
}

/// Every file below the state, and every object of the histories there, as the real git unpacks it.
fn all_bytes(state: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut folders = vec![state.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().flatten() {
            match entry.file_type().unwrap().is_dir() {
                true => folders.push(entry.path()),
                false => bytes.extend(fs::read(entry.path()).unwrap()),
            }
        }
        if folder.ends_with("history.git") {
            let mut git = Command::new("git");
            git.args(["cat-file", "--batch", "--batch-all-objects"]);
            let out = git.env("GIT_DIR", &folder).output().unwrap();
            assert!(out.status.success(), "{out:?}");
            bytes.extend(out.stdout);
        }
    }
    bytes
}

fn holds(bytes: &[u8], text: &str) -> bool {
    String::from_utf8_lossy(bytes).contains(text)
}

/// Twice a number of versions, with a note that is deleted and one pack of many files.
fn fill(store: &Store, word: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut say = |text: String| {
        words.push(text.clone());
        format!("{text}\n")
    };
    for number in 0..4 {
        let text = say(format!("{word} content number {number}"));
        put(
            store,
            number,
            &format!("{word} reason"),
            &[("a.md", Some(&text))],
        )
        .unwrap();
    }
    let gone = say(format!("{word} that was deleted"));
    put(store, 5, "", &[("gone.md", Some(&gone))]).unwrap();
    put(store, 6, &format!("{word} reason"), &[("gone.md", None)]).unwrap();
    let many: Vec<(String, String)> = (0..70)
        .map(|number| {
            (
                format!("many/{number}.md"),
                say(format!("{word} of many {number}")),
            )
        })
        .collect();
    let many: Vec<_> = many
        .iter()
        .map(|(name, text)| (name.as_str(), Some(text.as_str())))
        .collect();
    put(store, 7, "", &many).unwrap();
    words.push(format!("{word} reason"));
    words
}

/// What the history tells: reasons, and the content of a file at each change.
fn told(store: &Store) -> Vec<(Option<String>, Option<Vec<u8>>)> {
    let history = store.open_history().unwrap().unwrap();
    let entries = history.entries().unwrap().into_iter();
    let told = entries.map(|entry| {
        let content = history.content(entry.commit, &path("a.md")).unwrap();
        (entry.change.reason, content)
    });
    told.collect()
}

#[test]
fn no_file_and_no_object_of_the_state_has_a_known_word() {
    let machine = Machine::new();
    let state = machine.home.join("state");
    let mut words = fill(&machine.store("before"), "heron");
    let before = told(&machine.store("before"));
    let bytes = all_bytes(&state);
    assert!(words.iter().all(|word| holds(&bytes, word)));
    machine.on();
    words.extend(fill(&machine.store("before"), "curlew"));
    words.extend(fill(&machine.store("after"), "bittern"));
    let bytes = all_bytes(&state);
    let found: Vec<_> = words.iter().filter(|word| holds(&bytes, word)).collect();
    assert!(words.len() > 200 && found.is_empty(), "{found:?}");
    // All of it is still told, by a process that has met no key yet.
    let after = told(&machine.store("before"));
    assert_eq!(after[after.len() - before.len()..], before);
    let history = machine.store("before").open_history().unwrap().unwrap();
    assert_eq!(history.verify().unwrap().broken, Vec::<String>::new());
    let status = machine.store("after").seal_state().unwrap();
    assert!(status.is_whole && status.key.is_some());
    // Nothing is left of it once it is off.
    machine.dirs().seal().appoint(Appointed::Plain).unwrap();
    for store in mem_core::store::kept(&machine.dirs()).0 {
        store.reseal(Appointed::Plain).unwrap();
    }
    machine.dirs().seal().end_others().unwrap();
    machine.set_source("");
    assert_eq!(told(&machine.store("before")), after);
    let bytes = all_bytes(&state);
    assert!(words.iter().all(|word| holds(&bytes, word)));
    assert!(!bytes.windows(3).any(|one| one == mem_core::sealing::MAGIC));
}

#[test]
fn keys_change_while_others_write_and_the_old_ones_end() {
    let machine = Machine::new();
    machine.on();
    fill(&machine.store("app"), "heron");
    let key = || machine.store("app").seal_state().unwrap().key;
    let first = key();
    // A process that goes on all the while, and one that changes the keys three times.
    let store = machine.store("app");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for number in 0..24 {
                let text = format!("written meanwhile {number}\n");
                put(&store, 10 + number, "", &[("a.md", Some(&text))]).unwrap();
            }
        });
        for _ in 0..3 {
            machine.store("app").reseal(Appointed::Anew).unwrap();
        }
    });
    assert_ne!(key(), first);
    let contents: Vec<_> = told(&machine.store("app"))
        .into_iter()
        .map(|(_, text)| text)
        .collect();
    assert_eq!(contents[0].as_deref(), Some(&b"written meanwhile 23\n"[..]));
    assert_eq!(contents.len(), 7 + 24);
    let state = machine.store("app").seal_state().unwrap();
    assert!(state.is_whole);
    let ring = machine.store("app").places().state.join("keys.json");
    let ring: serde_json::Value = serde_json::from_slice(&fs::read(ring).unwrap()).unwrap();
    assert_eq!(ring["keys"].as_object().unwrap().len(), 1);
}

#[test]
fn a_change_of_keys_that_was_interrupted_is_finished_by_the_next_run() {
    let machine = Machine::new();
    machine.on();
    fill(&machine.store("app"), "heron");
    // Killed after the new key was appointed: the history is still sealed by the old one.
    let places = machine.store("app").places().clone();
    places.seal.appoint(Appointed::Anew).unwrap();
    put(
        &machine.store("app"),
        20,
        "",
        &[("b.md", Some("in between\n"))],
    )
    .unwrap();
    assert!(!machine.store("app").seal_state().unwrap().is_whole);
    assert_eq!(told(&machine.store("app")).len(), 8);
    let done = machine.store("app").reseal(Appointed::Sealed).unwrap();
    assert_eq!((done.changes, done.ended), (8, 1));
    assert!(machine.store("app").seal_state().unwrap().is_whole);
    assert_eq!(
        machine
            .store("app")
            .reseal(Appointed::Sealed)
            .unwrap()
            .changes,
        0
    );
    // And one that was to open everything: what comes meanwhile is like what is there.
    places.seal.appoint(Appointed::Plain).unwrap();
    put(
        &machine.store("app"),
        21,
        "",
        &[("b.md", Some("in between again\n"))],
    )
    .unwrap();
    assert_eq!(told(&machine.store("app")).len(), 9);
    machine.store("app").reseal(Appointed::Plain).unwrap();
    machine.set_source("");
    assert_eq!(told(&machine.store("app")).len(), 9);
}

#[test]
fn a_crash_is_made_good_as_without_encryption() {
    let machine = Machine::new();
    machine.on();
    let store = machine.store("app");
    for number in 0..5 {
        let text = format!("version {number}\n");
        put(&store, number, "", &[("a.md", Some(&text))]).unwrap();
    }
    let before = told(&store);
    let (history, journal) = (store.places().history(), store.places().journal());
    // Half a record at the end was never begun.
    let mut torn = fs::read(&journal).unwrap();
    torn.extend_from_slice(b"MEMS\x40\0\0\0\0\0\0\0half a record");
    // Another boot, and every object since the checkpoint is empty.
    let end = torn.iter().position(|&byte| byte == b'\n').unwrap();
    let other = [br#"{"boot":"another","checkpoint":null}"#, &torn[end..]].concat();
    fs::write(&journal, other).unwrap();
    for folder in fs::read_dir(history.join("objects")).unwrap().flatten() {
        if folder.file_name().len() == 2 {
            for object in fs::read_dir(folder.path()).unwrap().flatten() {
                fs::remove_file(object.path()).unwrap();
                fs::write(object.path(), b"").unwrap();
            }
        }
    }
    fs::write(history.join("refs/heads/main"), b"").unwrap();
    let store = machine.store("app");
    assert!(store.observe(at(9)).unwrap().unwrap().mended().is_none());
    assert_eq!(told(&store), before);
    // A redaction reaches what is sealed.
    let redaction = Redaction::Text("version 2".to_owned());
    store.redact_history(&redaction, at(10)).unwrap();
    let text = told(&store).into_iter().filter_map(|(_, text)| text);
    assert!(!text.into_iter().any(|text| holds(&text, "version 2")));
    assert!(store.seal_state().unwrap().is_whole);
}

/// The bytes of all files below a folder, to see that nothing was overwritten.
fn snapshot(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        match entry.file_type().unwrap().is_dir() {
            true => files.extend(snapshot(&entry.path())),
            false => files.push((entry.path(), fs::read(entry.path()).unwrap())),
        }
    }
    files.sort();
    files
}

#[test]
fn without_the_key_nothing_is_written_and_the_error_says_what_to_do() {
    let machine = Machine::new();
    machine.on();
    fill(&machine.store("app"), "heron");
    let right = machine.source.lock().unwrap().clone();
    let state = machine.store("app").places().state.clone();
    let before = snapshot(&state);
    let other = MasterKey::generate().unwrap().to_line();
    for (source, says) in [
        ("", "there is no master key"),
        (other.as_str(), "is another one"),
    ] {
        machine.set_source(source);
        let refused = put(&machine.store("app"), 30, "", &[("a.md", Some("no\n"))]).unwrap_err();
        assert!(refused.to_string().contains(says), "{refused}");
        assert!(refused.hint().is_some());
        let store = machine.store("app");
        for appointed in [Appointed::Sealed, Appointed::Anew, Appointed::Plain] {
            assert!(store.reseal(appointed).is_err());
        }
        let history = store.open_history().unwrap().unwrap();
        assert!(history.entries().is_err() && history.verify().is_err());
        let redaction = Redaction::Text("heron content".to_owned());
        assert!(store.redact_history(&redaction, at(31)).is_err());
    }
    machine.set_source(&right);
    assert_eq!(snapshot(&state), before);
    // The data keys are lost.
    let ring = state.join("keys.json");
    let kept = fs::read(&ring).unwrap();
    fs::remove_file(&ring).unwrap();
    let refused = put(&machine.store("app"), 30, "", &[("a.md", Some("no\n"))]).unwrap_err();
    assert!(refused.to_string().contains("is gone"), "{refused}");
    fs::write(&ring, b"{").unwrap();
    let refused = put(&machine.store("app"), 30, "", &[("a.md", Some("no\n"))]).unwrap_err();
    assert!(
        refused.to_string().contains("does not hold data keys"),
        "{refused}"
    );
    fs::write(&ring, kept).unwrap();
    assert_eq!(snapshot(&state), before);
    put(&machine.store("app"), 31, "", &[("a.md", Some("yes\n"))]).unwrap();
    assert_eq!(told(&machine.store("app")).len(), 8);
}

#[test]
fn a_record_that_was_changed_or_moved_is_an_error_and_nothing_is_begun_anew() {
    let machine = Machine::new();
    machine.on();
    let store = machine.store("app");
    put(&store, 0, "", &[("a.md", Some("one\n"))]).unwrap();
    put(&store, 1, "", &[("a.md", Some("two\n"))]).unwrap();
    let journal = store.places().journal();
    let whole = fs::read(&journal).unwrap();
    let starts: Vec<usize> = whole
        .windows(4)
        .enumerate()
        .filter_map(|(at, window)| (window == b"MEMS").then_some(at))
        .collect();
    let [first, second] = starts[..] else {
        panic!("{starts:?}");
    };
    // The older record in the place of the newer one, framed as it was.
    let moved = [&whole[..second], &whole[first..second]].concat();
    fs::write(&journal, moved).unwrap();
    let refused = put(&machine.store("app"), 2, "", &[("a.md", Some("no\n"))]).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Corrupt);
    assert!(
        refused.to_string().contains("belongs somewhere else"),
        "{refused}"
    );
    let state = store.places().state.clone();
    let aside = fs::read_dir(&state).unwrap().flatten();
    assert!(
        !aside
            .into_iter()
            .any(|one| one.file_name().to_string_lossy().contains("damaged"))
    );
    fs::write(&journal, whole).unwrap();
    put(&machine.store("app"), 2, "", &[("a.md", Some("three\n"))]).unwrap();
    assert_eq!(told(&machine.store("app")).len(), 3);
}

#[test]
fn a_history_is_taken_along_from_another_directory_under_the_keys_of_this_one() {
    let machine = Machine::new();
    fill(&machine.store("old"), "heron");
    machine.on();
    let (old, new) = (machine.store("old"), machine.store("new"));
    put(&new, 8, "", &[("own.md", Some("own\n"))]).unwrap();
    let theirs = old.open_history().unwrap().unwrap();
    let order = Order::new("adopt", Author::of(Actor::Person), at(9));
    let adopted = new.write(&order, &OpenGate, |draft| {
        draft.brings_history(&theirs)?;
        draft.put(&path("a.md"), b"taken along\n".to_vec())
    });
    adopted.unwrap();
    drop(theirs);
    old.purge().unwrap();
    assert_eq!(told(&machine.store("new")).len(), 9);
    assert!(machine.store("new").seal_state().unwrap().is_whole);
    let history = machine.store("new").open_history().unwrap().unwrap();
    assert_eq!(history.verify().unwrap().broken, Vec::<String>::new());
}
