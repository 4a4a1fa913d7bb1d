//! Contents in object storage: in a folder and in a bucket, over both databases.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use jiff::{SignedDuration, Timestamp};
use mem_server::storage::stores::{MemoryQuery, StoresError, VersionQuery, Writing};
use mem_server::storage::{
    ActorKind, DEFAULT_WORKSPACE, Database, MasterSource, ObjectSettings, OpenOptions, Purpose,
    StorageActor, StorageError, VersionRetention,
};
use mem_sync::remote::StateQuery;
use mem_tests::s3::S3Server;
use mem_vault::{MasterKey, MasterKeys};
use tempfile::TempDir;

use super::fixture::{Fixture, actor, body, key, now, put, repo};
use super::stores::{all, content, create, store, update, versions};

/// More than 32 KiB.
const LARGE: usize = 40_000;

/// Object storage for a test, as files of a folder that can be looked into.
struct Storage {
    settings: ObjectSettings,
    folder: TempDir,
    server: Option<S3Server>,
}

impl Storage {
    fn folder() -> Self {
        let folder = TempDir::new().unwrap();
        Self {
            settings: ObjectSettings {
                url: format!("file://{}", folder.path().join("objects").display()),
                options: Vec::new(),
            },
            folder,
            server: None,
        }
    }

    fn bucket() -> Self {
        let folder = TempDir::new().unwrap();
        let server = S3Server::start(folder.path());
        let options = server.variables().into_iter();
        let options = options.map(|(name, value)| (name.to_owned(), value));
        Self {
            settings: ObjectSettings {
                url: "s3://mem/of/team".to_owned(),
                options: options.collect(),
            },
            folder,
            server: Some(server),
        }
    }

    fn options(&self) -> OpenOptions {
        OpenOptions {
            objects: Some(self.settings.clone()),
            ..OpenOptions::default()
        }
    }

    /// The files whose contents are those of objects.
    fn objects(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        collect(self.folder.path(), &mut found);
        found.retain(|path| {
            if path.to_string_lossy().contains("/marker/") {
                return false;
            }
            let about = path.file_name().unwrap().to_string_lossy().into_owned();
            !about.contains("metadata") && !about.ends_with(".md5")
        });
        found
    }

    fn is_folder(&self) -> bool {
        self.server.is_none()
    }

    /// As when the disk of a folder is not mounted.
    fn take_away(&self) {
        let folder = self.folder.path();
        fs::rename(folder.join("objects"), folder.join("away")).unwrap();
    }

    fn bring_back(&self) {
        let folder = self.folder.path();
        // What was made in its place meanwhile is not it.
        let _ = fs::remove_dir_all(folder.join("objects"));
        fs::rename(folder.join("away"), folder.join("objects")).unwrap();
    }

    fn has(&self, text: &str) -> bool {
        let holds = |path: PathBuf| {
            let bytes = fs::read(path).unwrap();
            bytes.windows(text.len()).any(|at| at == text.as_bytes())
        };
        self.objects().into_iter().any(holds)
    }
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => collect(&path, found),
            false => found.push(path),
        }
    }
}

/// Each database with each kind of storage.
fn beds() -> impl Iterator<Item = (Fixture, Storage)> {
    Fixture::all()
        .flat_map(|fixture| match fixture.is_postgres() {
            // The protocol is the same for both.
            true => vec![(fixture, Storage::bucket())],
            false => vec![
                (Fixture::sqlite(), Storage::bucket()),
                (fixture, Storage::folder()),
            ],
        })
        .collect::<Vec<_>>()
        .into_iter()
}

async fn open(fixture: &Fixture, options: &OpenOptions) -> Database {
    Database::open(&fixture.place, options).await.unwrap()
}

fn large(mark: &str) -> String {
    format!("{mark} {}", "x".repeat(LARGE))
}

fn later() -> Timestamp {
    now() + SignedDuration::from_hours(48)
}

/// A store with one memory that is large, one that was large, and one that never was.
async fn fill(database: &Database) -> String {
    let id = store(database, "notes").await.id;
    create(database, &id, "/large", &large("<first>"))
        .await
        .unwrap();
    let changed = create(database, &id, "/changed", &large("<second>")).await;
    let changed = changed.unwrap().id;
    let old = format!("<third> {}", "y".repeat(600));
    update(database, &id, &changed, content(&old))
        .await
        .unwrap();
    update(database, &id, &changed, content("<fourth>"))
        .await
        .unwrap();
    let big = large("<fifth>");
    put(database, body([("a.md", "small"), ("b.md", big.as_str())])).await;
    id
}

/// All that can be read.
async fn told(database: &Database, id: &str) -> Vec<String> {
    let mut told = Vec::new();
    for version in versions(database, id).await {
        let found = database.version(&all(), id, &version.id, true).await;
        assert_eq!(found.unwrap().content, version.content);
        told.push(format!("{version:?}"));
    }
    for roll_up in [false, true] {
        let query = MemoryQuery {
            content: true,
            roll_up,
            limit: 100,
            ..MemoryQuery::default()
        };
        let page = database.memories(&all(), id, &query).await.unwrap();
        for memory in page.into_memories() {
            let one = database.memory(&all(), id, &memory.id, true).await.unwrap();
            let (scope, ids) = (all(), [memory.id.clone()]);
            let by_id = database.memories_by_id(&scope, id, &ids, None).await;
            assert_eq!(by_id.unwrap(), std::slice::from_ref(&one));
            assert_eq!(one.content, memory.content);
            told.push(format!("{memory:?}"));
        }
    }
    let state = database.read(&repo(), &StateQuery::default()).await;
    told.push(format!("{:?}", state.unwrap()));
    told
}

#[test]
fn large_and_old_contents_move_and_are_read_as_before() {
    for (fixture, storage) in beds() {
        fixture.runtime.block_on(async {
            let database = open(&fixture, &storage.options()).await;
            let id = fill(&database).await;
            let before = told(&database, &id).await;
            // What was replaced a moment ago stays for a day.
            assert_eq!(database.move_contents(now()).await.unwrap(), 3);
            assert_eq!(told(&database, &id).await, before);
            assert_eq!(database.move_contents(later()).await.unwrap(), 1);
            assert_eq!(told(&database, &id).await, before);
            assert_eq!(database.move_contents(later()).await.unwrap(), 0);
            assert_eq!(storage.objects().len(), 4);
            assert!(storage.has("<third>") && !storage.has("<fourth>"));
            assert_eq!(database.check_contents().await.unwrap().closed.len(), 0);
            // A rename needs the content, and writes it anew.
            let path = super::stores::rename("/renamed");
            let found = told_id(&database, &id, "/large").await;
            let renamed = update(&database, &id, &found, path).await.unwrap();
            assert_eq!(renamed.content, Some(large("<first>")));
            database.close().await;
            let database = open(&fixture, &storage.options()).await;
            assert!(told(&database, &id).await.len() > before.len());
        });
    }
}

async fn told_id(database: &Database, id: &str, path: &str) -> String {
    let query = MemoryQuery {
        prefix: path.to_owned(),
        limit: 1,
        ..MemoryQuery::default()
    };
    let page = database.memories(&all(), id, &query).await.unwrap();
    page.into_memories().next().unwrap().id
}

#[test]
fn what_was_redacted_or_erased_is_in_no_object() {
    for (fixture, storage) in beds() {
        fixture.runtime.block_on(async {
            let database = open(&fixture, &storage.options()).await;
            let id = fill(&database).await;
            put(&database, body([("b.md", "another")])).await;
            database.move_contents(later()).await.unwrap();
            for text in ["<first>", "<second>", "<third>", "<fifth>"] {
                assert!(storage.has(text), "{text}");
            }
            let second = versions(&database, &id).await.into_iter();
            let holds = |text: &Option<String>| {
                text.as_ref()
                    .is_some_and(|text| text.starts_with("<second>"))
            };
            let second = second.into_iter().find(|one| holds(&one.content)).unwrap();
            let writing = Writing::new(&all(), &id, &actor(), now());
            database.redact_version(writing, &second.id).await.unwrap();
            assert!(!storage.has("<second>") && storage.has("<third>"));
            let what = mem_sync::wire::RedactBody {
                key: key("b.md"),
                name: false,
            };
            let redacted = database.redact(&repo(), &what, &actor(), now()).await;
            redacted.unwrap();
            assert!(!storage.has("<fifth>") && storage.has("<first>"));
            // What retention ends goes with the next round.
            let retention = VersionRetention {
                versions: 1,
                ..VersionRetention::default()
            };
            let much_later = later() + SignedDuration::from_hours(24 * 60);
            database.prune(&retention, much_later).await.unwrap();
            database.move_contents(much_later).await.unwrap();
            assert!(!storage.has("<third>") && storage.has("<first>"));
            database.erase_store(&id).await.unwrap();
            assert_eq!(storage.objects(), Vec::<PathBuf>::new());
        });
    }
}

#[test]
fn a_move_that_was_interrupted_is_finished_and_leaves_nothing() {
    for (fixture, storage) in beds() {
        fixture.runtime.block_on(async {
            let database = open(&fixture, &storage.options()).await;
            let id = fill(&database).await;
            let before = told(&database, &id).await;
            // Two that are at it at once end further on each time.
            for round in 0..12 {
                let moves = [database.clone(), database.clone()].map(|database| {
                    tokio::spawn(async move { database.move_contents(later()).await })
                });
                for _ in 0..round * 40 {
                    tokio::task::yield_now().await;
                }
                for one in moves {
                    one.abort();
                    // It was ended, or had ended.
                    let _ = one.await;
                }
                assert_eq!(told(&database, &id).await, before);
            }
            let both = tokio::join!(
                database.move_contents(later()),
                database.move_contents(later())
            );
            both.0.unwrap();
            both.1.unwrap();
            assert_eq!(told(&database, &id).await, before);
            let again = database.move_contents(later()).await;
            assert_eq!(again.unwrap(), 0);
            assert_eq!(told(&database, &id).await, before);
            database.erase_store(&id).await.unwrap();
            assert!(!storage.has("<first>") && !storage.has("<second>"));
        });
    }
}

#[test]
fn without_its_storage_a_server_does_not_start_and_names_why() {
    let (fixture, storage) = (Fixture::sqlite(), Storage::folder());
    fixture.runtime.block_on(async {
        let database = open(&fixture, &storage.options()).await;
        fill(&database).await;
        database.move_contents(later()).await.unwrap();
        database.close().await;
        let none = Database::open(&fixture.place, &OpenOptions::default()).await;
        assert!(matches!(none.unwrap_err(), StorageError::NoObjects));
        let other = Database::open(&fixture.place, &Storage::folder().options()).await;
        assert!(matches!(other.unwrap_err(), StorageError::OtherObjects));
        for url in ["ftp://mem", "mem", "s3://"] {
            let settings = ObjectSettings {
                url: url.to_owned(),
                options: Vec::new(),
            };
            let options = OpenOptions {
                objects: Some(settings),
                ..OpenOptions::default()
            };
            assert!(
                Database::open(&fixture.place, &options).await.is_err(),
                "{url}"
            );
        }
    });
}

#[test]
fn an_object_that_is_gone_or_another_one_costs_its_content_alone() {
    let (fixture, storage) = (Fixture::sqlite(), Storage::folder());
    fixture.runtime.block_on(async {
        let database = open(&fixture, &storage.options()).await;
        let id = fill(&database).await;
        database.move_contents(later()).await.unwrap();
        for path in storage.objects() {
            let bytes = fs::read(&path).unwrap();
            if bytes.starts_with(b"<first>") {
                fs::write(&path, large("<other>")).unwrap();
            }
        }
        let first = told_id(&database, &id, "/large").await;
        let lost = database.memory(&all(), &id, &first, true).await;
        let StoresError::Storage(error) = lost.unwrap_err() else {
            panic!("a content that is gone is no refusal");
        };
        assert!(error.to_string().contains("object"), "{error}");
        let changed = told_id(&database, &id, "/changed").await;
        assert!(database.memory(&all(), &id, &changed, true).await.is_ok());
        assert_eq!(database.check_contents().await.unwrap().closed.len(), 1);
        let pulled = database.read(&repo(), &StateQuery::default()).await;
        assert_eq!(pulled.unwrap().1.entries.len(), 2);
    });
}

#[test]
fn a_storage_that_hangs_is_left_alone_by_the_readers_of_all_stores() {
    let (fixture, storage) = (Fixture::sqlite(), Storage::folder());
    fixture.runtime.block_on(async {
        let database = open(&fixture, &storage.options()).await;
        let id = fill(&database).await;
        database.move_contents(later()).await.unwrap();
        let first = told_id(&database, &id, "/large").await;
        let hung = storage.objects().into_iter();
        let hung = hung.filter(|path| fs::read(path).unwrap().starts_with(b"<first>"));
        let hung: Vec<PathBuf> = hung.collect();
        for path in &hung {
            // A reader of a pipe waits for a writer.
            fs::remove_file(path).unwrap();
            let made = Command::new("mkfifo").arg(path).status();
            assert!(made.unwrap().success());
        }
        let requests = database.request_counts().objects;
        let read = async || match database.memory(&all(), &id, &first, true).await {
            Err(StoresError::Storage(error @ StorageError::Objects(_))) => error.to_string(),
            other => panic!("{other:?}"),
        };
        assert_eq!(requests.failed.get(), 0);
        read().await;
        read().await;
        let pulled = database.read(&repo(), &StateQuery::default()).await;
        assert!(matches!(pulled, Err(StorageError::Objects(_))));
        assert_eq!(requests.failed.get(), 1);
        for path in &hung {
            let written = fs::OpenOptions::new().write(true).open(path);
            drop(written.unwrap());
        }
    });
}

#[test]
fn encryption_reaches_what_was_moved() {
    for (fixture, storage) in beds() {
        fixture.runtime.block_on(async {
            let line = MasterKey::generate().unwrap().to_line();
            let options = OpenOptions {
                master: MasterSource::new(move || MasterKeys::parse_keys(&line)),
                ..storage.options()
            };
            let database = open(&fixture, &options).await;
            let id = fill(&database).await;
            let before = told(&database, &id).await;
            database.move_contents(later()).await.unwrap();
            assert!(storage.has("<first>"));
            let beside = OpenOptions {
                purpose: Purpose::Administer,
                ..options.clone()
            };
            let admin = open(&fixture, &beside).await;
            assert!(admin.encrypt().await.unwrap().unopened.is_empty());
            // Sealed, it is in the database until the next round.
            assert_eq!(storage.objects(), Vec::<PathBuf>::new());
            assert_eq!(told(&database, &id).await, before);
            database.move_contents(later()).await.unwrap();
            assert!(!storage.objects().is_empty() && !storage.has("<first>"));
            assert_eq!(told(&database, &id).await, before);
            admin.rotate().await.unwrap();
            database.move_contents(later()).await.unwrap();
            // A process that has not met the keys yet.
            let fresh = open(&fixture, &beside).await;
            assert_eq!(fresh.check_contents().await.unwrap().closed.len(), 0);
            admin.decrypt().await.unwrap();
            database.move_contents(later()).await.unwrap();
            assert!(storage.has("<first>"));
            assert_eq!(told(&database, &id).await, before);
        });
    }
}

#[test]
fn what_an_end_in_the_middle_of_a_file_left_goes_with_its_object() {
    let (fixture, storage) = (Fixture::sqlite(), Storage::folder());
    fixture.runtime.block_on(async {
        let database = open(&fixture, &storage.options()).await;
        let id = fill(&database).await;
        database.move_contents(later()).await.unwrap();
        for object in storage.objects() {
            let half = format!("{}#1", object.display());
            fs::write(half, &fs::read(&object).unwrap()[..100]).unwrap();
        }
        database.erase_store(&id).await.unwrap();
        assert!(!storage.has("<first>") && !storage.has("<third>") && storage.has("<fifth>"));
    });
}

#[test]
fn what_an_erased_user_wrote_is_in_no_object_and_others_get_theirs_back() {
    for (fixture, storage) in beds() {
        fixture.runtime.block_on(async {
            let database = open(&fixture, &storage.options()).await;
            let id = fill(&database).await;
            let ursula = StorageActor::new(ActorKind::ApiKey, "apikey_u", "ursula");
            for (path, text) in [
                ("/large", "<ursula once>"),
                ("/large", "<ursula twice>"),
                ("/changed", "<ursula too>"),
            ] {
                let memory = told_id(&database, &id, path).await;
                let scope = all();
                let writing = Writing::new(&scope, &id, &ursula, now());
                let change = content(&large(text));
                let written = database.update_memory(writing, &memory, change).await;
                written.unwrap();
            }
            let changed = told_id(&database, &id, "/changed").await;
            let sixth = update(&database, &id, &changed, content("<sixth>")).await;
            sixth.unwrap();
            database.move_contents(later()).await.unwrap();
            assert!(storage.has("<ursula once>") && storage.has("<ursula too>"));
            let doomed = async || {
                let doomed = database.doomed_user(DEFAULT_WORKSPACE, "ursula").await;
                doomed.unwrap()
            };
            if !fixture.is_postgres() && storage.is_folder() {
                // The storage is away: nothing of anybody else is lost by it, and the next time ends it.
                storage.take_away();
                let failed = database.erase_user(&doomed().await, now()).await;
                assert!(failed.is_err());
                storage.bring_back();
            }
            let user = doomed().await;
            database.erase_user(&user, now()).await.unwrap();
            assert!(!storage.has("<ursula"));
            let back = told_id(&database, &id, "/large").await;
            let back = database.memory(&all(), &id, &back, true).await.unwrap();
            assert_eq!(back.content, Some(large("<first>")));
        });
    }
}

#[test]
fn an_erased_store_leaves_no_object_that_the_database_forgot() {
    let (fixture, storage) = (Fixture::sqlite(), Storage::folder());
    fixture.runtime.block_on(async {
        let database = open(&fixture, &storage.options()).await;
        let id = fill(&database).await;
        database.move_contents(later()).await.unwrap();
        let is_of_store = |path: &PathBuf| path.parent().unwrap().ends_with(&id);
        let object = storage.objects().into_iter().find(is_of_store).unwrap();
        // As after a restore of an older copy.
        fs::copy(&object, object.with_file_name("forgotten")).unwrap();
        database.erase_store(&id).await.unwrap();
        assert!(!storage.objects().iter().any(is_of_store));
    });
}

#[test]
fn nothing_is_moved_to_or_deleted_from_another_storage() {
    let (fixture, storage) = (Fixture::sqlite(), Storage::folder());
    fixture.runtime.block_on(async {
        let database = open(&fixture, &storage.options()).await;
        let id = fill(&database).await;
        database.move_contents(later()).await.unwrap();
        let other = Storage::folder();
        let beside = OpenOptions {
            purpose: Purpose::Administer,
            ..other.options()
        };
        let admin = open(&fixture, &beside).await;
        let big = large("<seventh>");
        put(&database, body([("c.md", big.as_str())])).await;
        let moved = admin.move_contents(later()).await;
        assert!(matches!(moved.unwrap_err(), StorageError::OtherObjects));
        assert_eq!(other.objects(), Vec::<PathBuf>::new());
        // A disk that is away for a while: what cannot be deleted now is to be asked for again.
        let query = VersionQuery {
            limit: 50,
            ..VersionQuery::default()
        };
        let old = database.versions(&all(), &id, &query).await.unwrap();
        // The newest is what the memory holds now.
        let old = old.items.into_iter().nth(1).unwrap().id;
        let scope = all();
        let writing = || Writing::new(&scope, &id, &actor(), now());
        storage.take_away();
        assert!(database.redact_version(writing(), &old).await.is_err());
        storage.bring_back();
        assert!(storage.has("<third>"));
        database.redact_version(writing(), &old).await.unwrap();
        assert!(!storage.has("<third>"));
    });
}

#[test]
fn a_variable_that_is_no_address_is_named() {
    let fixture = Fixture::sqlite();
    for value in ["nonsense", "http://", "/tmp"] {
        let settings = ObjectSettings {
            url: "s3://mem/x".to_owned(),
            options: vec![("AWS_ENDPOINT_URL".to_owned(), value.to_owned())],
        };
        let options = OpenOptions {
            objects: Some(settings),
            ..OpenOptions::default()
        };
        let opened = Database::open(&fixture.place, &options);
        let refused = fixture.runtime.block_on(opened).unwrap_err().to_string();
        assert!(refused.contains("AWS_ENDPOINT_URL"), "{refused}");
    }
}
