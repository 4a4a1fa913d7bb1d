//! What goes out with an export comes back with an import, byte for byte.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use mem_core::export::{self, Export};
use mem_core::history::{Author, AuthorKind};
use mem_core::import::{self, ImportError, ImportOutcome, ImportRequest, ImportSource};
use mem_core::location::{self, ProjectContext};
use mem_core::memory::ProjectMemory;
use mem_core::store::{ChangeMetadata, OpenGate};
use mem_core::{Dirs, Environment, MemoryPath, Now, Scope};
use proptest::prelude::*;

use crate::fixture::Fixture;

/// One memory of one home, with the project that it belongs to.
struct Home {
    place: ProjectContext,
    memory: ProjectMemory,
    dirs: Dirs,
    environment: Environment,
}

type Files = BTreeMap<(Scope, MemoryPath), Vec<u8>>;

fn now(minutes: i64) -> Now {
    let start: Timestamp = "2026-11-20T10:00:00Z".parse().unwrap();
    Now(start + SignedDuration::from_mins(minutes))
}

impl Home {
    fn new(fixture: &Fixture, name: &str) -> Self {
        let mut dirs = fixture.dirs();
        dirs.base = fixture.dir(&format!("{name}/.claude"));
        dirs.state = fixture.path(&format!("{name}/state"));
        let environment = Environment::default();
        let folder = fixture.dir(&format!("{name}/app"));
        let place = location::open(&folder, &dirs, &environment, &[]).unwrap();
        let memory = ProjectMemory::new(&place.location, &dirs);
        Self {
            place,
            memory,
            dirs,
            environment,
        }
    }

    fn write(&self, files: &Files) {
        let order = ChangeMetadata::new("save", Author::from_actor(AuthorKind::Person), now(0));
        for store in self.memory.stores() {
            let write = store.write(&order, &OpenGate, |draft| {
                for ((scope, file), bytes) in files {
                    let path = in_store(*scope, file);
                    if store.tiers().scope_of(&path) == *scope {
                        let age = i64::try_from(bytes.len()).unwrap();
                        draft.put_dated(&path, bytes.clone(), now(-age).0)?;
                    }
                }
                Ok::<_, mem_core::store::StoreError>(())
            });
            write.unwrap();
        }
    }

    fn export(&self) -> Export {
        Export::for_memory(&self.memory, &Scope::ALL).unwrap()
    }

    fn import(&self, source: &ImportSource, minutes: i64) -> Result<import::Import, ImportError> {
        let request = ImportRequest {
            place: &self.place,
            memory: &self.memory,
            dirs: &self.dirs,
            environment: &self.environment,
            scope: None,
            only: &[],
        };
        let order = ChangeMetadata::new(
            "import",
            Author::from_actor(AuthorKind::Import),
            now(minutes),
        );
        let gathered = import::gather(source, &request)?;
        import::import(&self.memory, &gathered, &order, &OpenGate, true)
    }
}

fn in_store(scope: Scope, file: &MemoryPath) -> MemoryPath {
    match scope {
        Scope::Team => MemoryPath::parse(&format!("team/{file}")).unwrap(),
        Scope::Private | Scope::Global => file.clone(),
    }
}

fn json(export: &Export) -> ImportSource {
    ImportSource::Json(serde_json::to_vec(&export::document(export, now(1))).unwrap())
}

fn directory(home: &Home, export: &Export, target: &Path) -> ImportSource {
    ImportSource::Path(export::write(export, &home.memory, target, now(1)).unwrap())
}

fn names() -> impl Strategy<Value = MemoryPath> {
    let odd = "[a-z통é ()#%'&~!=+,;@^_-]{1,12}";
    let plain = prop_oneof![
        Just("MEMORY".to_owned()),
        Just("MEMORY.archive".to_owned()),
        odd.prop_map(|name| name),
    ];
    let folder = prop_oneof![
        Just(String::new()),
        Just("logs/2026/11/".to_owned()),
        Just("sub/".to_owned())
    ];
    let ending = prop_oneof![8 => Just(".md"), 1 => Just(".txt"), 1 => Just("")];
    (folder, plain, ending).prop_filter_map("a path", |(folder, name, ending)| {
        MemoryPath::parse(&format!("{folder}{name}{ending}")).ok()
    })
}

fn contents() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop_oneof![
        Just(b"---\nname: x\ntype: project\n---\n".to_vec()),
        Just(b"\xef\xbb\xbf".to_vec()),
        Just(b"\r\n".to_vec()),
        Just(b"\xff\xfe\x00".to_vec()),
        Just(b"- [A](a.md) \xe2\x80\x94 hook\n".to_vec()),
        proptest::collection::vec(any::<u8>(), 0..20),
    ];
    proptest::collection::vec(pieces, 0..5).prop_map(|pieces| pieces.concat())
}

fn files() -> impl Strategy<Value = Files> {
    let scope = prop_oneof![Just(Scope::Private), Just(Scope::Team), Just(Scope::Global)];
    let files = proptest::collection::btree_map((scope, names()), contents(), 0..8);
    files.prop_map(|files| {
        // A file cannot be a folder too, and some file systems tell no cases apart.
        let mut seen = std::collections::BTreeSet::new();
        let clash = |file: &MemoryPath| ["logs", "sub", "team"].contains(&file.as_str());
        let free = |(scope, file): &(Scope, MemoryPath)| {
            !clash(file) && !file.as_str().starts_with("team/") && {
                let folded: String = file.as_str().to_lowercase();
                seen.insert((*scope, folded))
            }
        };
        let mut free = free;
        files.into_iter().filter(|(key, _)| free(key)).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn an_export_comes_back_whole(files in files(), as_json: bool) {
        let fixture = Fixture::new();
        let (from, to) = (Home::new(&fixture, "one"), Home::new(&fixture, "two"));
        from.write(&files);
        let export = from.export();
        prop_assert_eq!(export.files.len(), files.len());
        let source = match as_json {
            true => json(&export),
            false => directory(&from, &export, &fixture.path("out/export")),
        };
        to.import(&source, 2).unwrap();
        // Bytes, ids and times.
        prop_assert_eq!(&to.export().files, &export.files);
        let again = to.import(&source, 3).unwrap();
        prop_assert!(again.changes.is_empty());
        prop_assert!(again.items.iter().all(|item| item.fate == ImportOutcome::Known));
    }

    #[test]
    fn two_memories_lose_nothing_and_settle(ours in files(), theirs in files()) {
        let fixture = Fixture::new();
        let (from, to) = (Home::new(&fixture, "one"), Home::new(&fixture, "two"));
        from.write(&theirs);
        to.write(&ours);
        let source = json(&from.export());
        to.import(&source, 2).unwrap();
        let all = to.export();
        let united = |file: &MemoryPath| {
            file.file_name().starts_with("MEMORY") || mem_core::daily_log::date_of(file).is_some()
        };
        for ((scope, file), bytes) in ours.iter().chain(&theirs) {
            let kept = all.files.iter().any(|one| one.scope == *scope && one.bytes == *bytes);
            prop_assert!(kept || united(file), "{} is lost", file);
        }
        let mut ids: Vec<_> = all.files.iter().map(|one| (one.scope == Scope::Global, &one.id)).collect();
        ids.sort();
        ids.dedup();
        prop_assert_eq!(ids.len(), all.files.len(), "an id is there twice");
        let again = to.import(&source, 3).unwrap();
        prop_assert!(again.changes.is_empty(), "{:?}", again.items);
    }
}

#[test]
fn a_refused_file_keeps_the_other_store_untouched() {
    use mem_core::store::{GateRefusal, GatedFile, WriteGate};
    struct NotGlobal;
    impl WriteGate for NotGlobal {
        fn check(&self, proposal: &GatedFile<'_>) -> Result<Vec<String>, GateRefusal> {
            match proposal.scope {
                Scope::Global => Err(GateRefusal {
                    code: "no",
                    message: "no".to_owned(),
                    hint: None,
                }),
                Scope::Private | Scope::Team => Ok(Vec::new()),
            }
        }
    }
    let fixture = Fixture::new();
    let (from, to) = (Home::new(&fixture, "one"), Home::new(&fixture, "two"));
    let file = |scope| (scope, MemoryPath::parse("a.md").unwrap());
    from.write(&Files::from([
        (file(Scope::Private), b"x".to_vec()),
        (file(Scope::Global), b"y".to_vec()),
    ]));
    let request = ImportRequest {
        place: &to.place,
        memory: &to.memory,
        dirs: &to.dirs,
        environment: &to.environment,
        scope: None,
        only: &[],
    };
    let gathered = import::gather(&json(&from.export()), &request).unwrap();
    let order = ChangeMetadata::new("import", Author::from_actor(AuthorKind::Import), now(2));
    let refused = import::import(&to.memory, &gathered, &order, &NotGlobal, true);
    assert!(refused.is_err());
    assert_eq!(to.export().files, []);
    assert!(!to.place.location.memory_dir.exists());
}
