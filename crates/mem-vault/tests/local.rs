//! What a machine keeps of memories, sealed: real stores, real histories, real git.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mem_core::history::{Author, AuthorKind};
use mem_core::sealing::{EncryptionTarget, StateKeys};
use mem_core::store::{ChangeMetadata, LocalStore, OpenGate, Redaction, StoreError, Tiers};
use mem_core::{Dirs, MemoryPath, Now};
use mem_vault::{LocalKeys, MasterKey, MasterKeys};

/// What a source of master keys gives, which a test changes.
pub(crate) type Source = Arc<Mutex<String>>;

pub(crate) struct Machine {
    _temp: tempfile::TempDir,
    pub(crate) home: PathBuf,
    pub(crate) source: Source,
}

pub(crate) fn at(minutes: i64) -> Now {
    let start: jiff::Timestamp = "2026-11-20T10:00:00Z".parse().unwrap();
    Now(start + jiff::SignedDuration::from_mins(minutes))
}

pub(crate) fn path(text: &str) -> MemoryPath {
    MemoryPath::parse(text).unwrap()
}

impl Machine {
    pub(crate) fn new() -> Self {
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
    pub(crate) fn dirs(&self) -> Dirs {
        let (state, source) = (self.home.join("state"), Arc::clone(&self.source));
        let ask = move || match source.lock().unwrap().as_str() {
            "" => Ok(MasterKeys::default()),
            text => MasterKeys::parse_keys(text),
        };
        Dirs {
            home: Some(self.home.clone()),
            base: self.home.join(".claude"),
            config: self.home.join("config"),
            cache: self.home.join("cache"),
            managed: self.home.join("managed"),
            seals: StateKeys::by(Arc::new(LocalKeys::from_home(&state, ask))),
            state,
        }
    }

    pub(crate) fn store(&self, name: &str) -> LocalStore {
        let root = self
            .home
            .join(format!(".claude/projects/-work-{name}/memory"));
        LocalStore::new(&root, Tiers::Project, &self.dirs())
    }

    /// Switched on, as the command does it.
    pub(crate) fn on(&self) {
        self.dirs()
            .seal()
            .appoint(EncryptionTarget::Sealed)
            .unwrap();
        for store in mem_core::store::kept(&self.dirs()).0 {
            store.reseal(EncryptionTarget::Sealed).unwrap();
        }
    }

    pub(crate) fn set_source(&self, text: &str) {
        text.clone_into(&mut self.source.lock().unwrap());
    }
}

pub(crate) fn put(
    store: &LocalStore,
    minutes: i64,
    reason: &str,
    files: &[(&str, Option<&str>)],
) -> Result<(), StoreError> {
    let mut order =
        ChangeMetadata::new("save", Author::from_actor(AuthorKind::Person), at(minutes));
    order.reason = Some(reason.to_owned());
    let written = store.write(&order, &OpenGate, |draft| {
        files.iter().try_for_each(|(name, text)| match text {
            Some(text) => draft.put(&path(name), text.as_bytes().into()),
            None => draft.remove(&path(name)),
        })
    });
    written.map(drop)
}

/// Every file below the state, and every content and record of the histories there, in one piece.
pub(crate) fn all_bytes(state: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut folders = vec![state.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().flatten() {
            match entry.file_type().unwrap().is_dir() {
                true => folders.push(entry.path()),
                false => bytes.extend(fs::read(entry.path()).unwrap()),
            }
        }
        if folder.join("history.db").exists() {
            let db = rusqlite::Connection::open(folder.join("history.db")).unwrap();
            let query = "SELECT bytes FROM contents UNION ALL SELECT record FROM changes";
            let mut query = db.prepare(query).unwrap();
            let rows = query.query_map((), |row| row.get::<_, Vec<u8>>(0)).unwrap();
            rows.for_each(|row| bytes.extend(row.unwrap()));
        }
    }
    bytes
}

pub(crate) fn holds(bytes: &[u8], text: &str) -> bool {
    String::from_utf8_lossy(bytes).contains(text)
}

/// Twice a number of versions, with a note that is deleted and one pack of many files.
pub(crate) fn fill(store: &LocalStore, word: &str) -> Vec<String> {
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
pub(crate) fn told(store: &LocalStore) -> Vec<(Option<String>, Option<Vec<u8>>)> {
    let history = store.open_history().unwrap().unwrap();
    let entries = history.entries().unwrap().into_iter();
    let told = entries.map(|entry| {
        let content = history.content(entry.sequence, &path("a.md")).unwrap();
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
    machine
        .dirs()
        .seal()
        .appoint(EncryptionTarget::Plain)
        .unwrap();
    for store in mem_core::store::kept(&machine.dirs()).0 {
        store.reseal(EncryptionTarget::Plain).unwrap();
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
            machine
                .store("app")
                .reseal(EncryptionTarget::Rotated)
                .unwrap();
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
    places.seal.appoint(EncryptionTarget::Rotated).unwrap();
    put(
        &machine.store("app"),
        20,
        "",
        &[("b.md", Some("in between\n"))],
    )
    .unwrap();
    assert!(!machine.store("app").seal_state().unwrap().is_whole);
    assert_eq!(told(&machine.store("app")).len(), 8);
    let done = machine
        .store("app")
        .reseal(EncryptionTarget::Sealed)
        .unwrap();
    assert_eq!((done.changes, done.ended), (8, 1));
    assert!(machine.store("app").seal_state().unwrap().is_whole);
    assert_eq!(
        machine
            .store("app")
            .reseal(EncryptionTarget::Sealed)
            .unwrap()
            .changes,
        0
    );
    // And one that was to open everything: what comes meanwhile is like what is there.
    places.seal.appoint(EncryptionTarget::Plain).unwrap();
    put(
        &machine.store("app"),
        21,
        "",
        &[("b.md", Some("in between again\n"))],
    )
    .unwrap();
    assert_eq!(told(&machine.store("app")).len(), 9);
    machine
        .store("app")
        .reseal(EncryptionTarget::Plain)
        .unwrap();
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
    let log = store.places().history().join("history.db-wal");
    // Half a frame at the end was never begun, and a change whose mark was lost is made already.
    let db = rusqlite::Connection::open(log.with_file_name("history.db")).unwrap();
    db.execute("UPDATE changes SET is_pending = 1 WHERE sequence = 5", ())
        .unwrap();
    drop(db);
    let mut torn = fs::read(&log).unwrap_or_default();
    torn.extend_from_slice(b"half a frame");
    fs::write(&log, torn).unwrap();
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

/// One object in a repository, by the real git.
fn object(git: &Path, args: &[&str], input: &[u8]) -> String {
    use std::io::Write as _;
    use std::process::{Command, Stdio};
    let mut command = Command::new("git");
    command.env("GIT_DIR", git).args(args);
    for role in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{role}_NAME"), "mem");
        command.env(format!("GIT_{role}_EMAIL"), "mem@localhost");
    }
    let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = spawned.unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let out = child.wait_with_output().unwrap();
    assert!(out.status.success());
    String::from_utf8(out.stdout).unwrap().trim().to_owned()
}

#[test]
fn a_sealed_repository_of_the_version_before_is_taken_over() {
    let machine = Machine::new();
    machine.on();
    let store = machine.store("app");
    for (number, text) in [(0, "one\n"), (1, "two\n")] {
        put(&store, number, "why", &[("a.md", Some(text))]).unwrap();
    }
    let before = told(&store);
    let history = store.open_history().unwrap().unwrap();
    let entries = history.entries().unwrap();
    let git = store.places().state.join("history.git");
    object(&git, &["init", "--quiet", "--bare"], b"");
    let key = store.places().seal.key().unwrap().unwrap();
    let mut parent = String::new();
    for entry in entries.iter().rev() {
        let content = history.content(entry.sequence, &path("a.md")).unwrap();
        let blob = key.seal_alike(&content.unwrap(), &["file"]).unwrap();
        let blob = object(&git, &["hash-object", "-w", "--stdin"], &blob);
        let tree = format!("100644 blob {blob}\ta.md\n");
        let tree = object(&git, &["mktree"], tree.as_bytes());
        let json = serde_json::to_string(&entry.change).unwrap();
        let message = format!("save: a.md\n\n{json}\n");
        let sealed = key.seal_alike(message.as_bytes(), &["change", &tree, &parent]);
        let message = format!("sealed\n\n{}\n", STANDARD.encode(sealed.unwrap()));
        let mut args = vec!["commit-tree", &tree];
        if !parent.is_empty() {
            args.extend(["-p", &parent]);
        }
        parent = object(&git, &args, message.as_bytes());
    }
    object(&git, &["update-ref", "refs/heads/main", &parent], b"");
    drop(history);
    fs::remove_dir_all(store.places().history()).unwrap();
    let store = machine.store("app");
    assert_eq!(told(&store), before);
    assert!(!git.exists() && store.seal_state().unwrap().is_whole);
}
