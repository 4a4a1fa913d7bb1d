//! Adoption: nothing is lost, nothing stands twice, ids, ages and history come along.

use std::path::PathBuf;

use mem_core::adopt::{self, AdoptError, AdoptionOutcome};
use mem_core::config::HistoryRetention;
use mem_core::history::{Author, AuthorKind};
use mem_core::store::{ChangeMetadata, LocalStore, OpenGate, StoreError, Tiers, Undo};
use mem_core::{Diagnose, ErrorKind, MemoryPath, Now};

use crate::fixture::Fixture;

fn order(verb: &'static str, time: &str) -> ChangeMetadata {
    let now = Now(time.parse().unwrap());
    ChangeMetadata::new(verb, Author::from_actor(AuthorKind::Person), now)
}

fn path(text: &str) -> MemoryPath {
    MemoryPath::parse(text).unwrap()
}

/// Two memory directories of one home.
struct Pair {
    fixture: Fixture,
    old: LocalStore,
    new: LocalStore,
}

impl Pair {
    fn new() -> Self {
        let fixture = Fixture::new();
        let store = |slug: &str| {
            let root = fixture.dir(&format!("home/.claude/projects/{slug}/memory"));
            LocalStore::new(&root, Tiers::Project, &fixture.dirs())
        };
        let (old, new) = (store("-old"), store("-new"));
        Self { fixture, old, new }
    }

    fn adopt(&self) -> adopt::Adoption {
        adopt::adopt_store(
            &self.new,
            &self.old,
            &order("adopt", "2026-06-01T00:00:00Z"),
            &OpenGate,
        )
        .unwrap()
    }

    fn fates(&self) -> Vec<(String, AdoptionOutcome)> {
        let preview = adopt::preview_adoption(&self.new, &self.old).unwrap();
        let fates: Vec<_> = preview
            .files
            .into_iter()
            .map(|file| (file.path.to_string(), file.fate))
            .collect();
        let done = self.adopt();
        let carried: Vec<_> = done
            .files
            .into_iter()
            .map(|file| (file.path.to_string(), file.fate))
            .collect();
        assert_eq!(fates, carried, "the preview tells what is done");
        fates
    }
}

fn save(store: &LocalStore, file: &str, text: &str, time: &str) {
    let plan =
        |draft: &mut mem_core::store::WriteTransaction<'_>| draft.put(&path(file), text.into());
    store
        .write::<_, StoreError>(&order("save", time), &OpenGate, plan)
        .unwrap();
}

fn read(store: &LocalStore, file: &str) -> Option<String> {
    let found = store.snapshot().unwrap().read(&path(file)).unwrap();
    found.map(|(bytes, _)| String::from_utf8(bytes).unwrap())
}

fn files(store: &LocalStore) -> Vec<(String, String)> {
    let paths: Vec<MemoryPath> = store
        .snapshot()
        .unwrap()
        .walk()
        .files
        .keys()
        .cloned()
        .collect();
    let text = |path: &MemoryPath| read(store, path.as_str()).unwrap();
    paths
        .iter()
        .map(|path| (path.to_string(), text(path)))
        .collect()
}

const OLD: &str = "2026-01-01T00:00:00Z";

#[test]
fn everything_of_both_is_there() {
    let pair = Pair::new();
    save(&pair.old, "a.md", "old a", OLD);
    save(&pair.old, "same.md", "same", OLD);
    save(&pair.old, "team/t.md", "t", OLD);
    save(&pair.old, "team/MEMORY.md", "- [T](t.md)\n", OLD);
    save(&pair.old, "picture.png", "\u{1}", OLD);
    save(
        &pair.old,
        "logs/2026/01/2026-01-01.md",
        "- 10:00 x\n- 11:00 y\n",
        OLD,
    );
    save(
        &pair.old,
        "MEMORY.md",
        "- [A](a.md) — a\n- [Same](same.md)\n",
        OLD,
    );
    save(&pair.new, "a.md", "new a", OLD);
    save(&pair.new, "same.md", "same", OLD);
    save(
        &pair.new,
        "logs/2026/01/2026-01-01.md",
        "- 10:00 x\n- 12:00 z\n",
        OLD,
    );
    // The very same index, which speaks of another file.
    save(
        &pair.new,
        "MEMORY.md",
        "- [A](a.md) — a\n- [Same](same.md)\n",
        OLD,
    );
    let fates = pair.fates();
    let expected = [
        ("MEMORY.md", AdoptionOutcome::United),
        ("a.md", AdoptionOutcome::Renamed(path("a-2.md"))),
        ("logs/2026/01/2026-01-01.md", AdoptionOutcome::United),
        ("picture.png", AdoptionOutcome::Taken),
        ("same.md", AdoptionOutcome::Identical),
        ("team/MEMORY.md", AdoptionOutcome::Taken),
        ("team/t.md", AdoptionOutcome::Taken),
    ];
    assert_eq!(fates, expected.map(|(name, fate)| (name.to_owned(), fate)));
    assert_eq!(read(&pair.new, "a.md").unwrap(), "new a");
    assert_eq!(read(&pair.new, "a-2.md").unwrap(), "old a");
    let index = read(&pair.new, "MEMORY.md").unwrap();
    assert_eq!(
        index,
        "- [A](a.md) — a\n- [Same](same.md)\n- [A](a-2.md) — a\n"
    );
    let log = read(&pair.new, "logs/2026/01/2026-01-01.md").unwrap();
    assert_eq!(log, "- 10:00 x\n- 12:00 z\n- 11:00 y\n");
    assert_eq!(files(&pair.old).len(), 7, "the source stays");
}

#[test]
fn a_second_time_changes_nothing_whatever_happened_since() {
    let pair = Pair::new();
    for file in ["a.md", "b.md", "c.md", "d.md"] {
        save(&pair.old, file, &format!("old {file}"), OLD);
    }
    save(
        &pair.old,
        "MEMORY.md",
        "- [A](a.md)\n- [B](b.md)\n- [C](c.md)\n- [D](d.md)\n",
        OLD,
    );
    save(&pair.new, "d.md", "another d", OLD);
    assert!(pair.adopt().change.is_some());
    let before = files(&pair.new);
    assert!(pair.adopt().change.is_none());
    assert_eq!(files(&pair.new), before);
    save(&pair.new, "a.md", "edited", "2026-07-01T00:00:00Z");
    save(&pair.new, "d-2.md", "edited too", "2026-07-01T00:00:00Z");
    let rename = |draft: &mut mem_core::store::WriteTransaction<'_>| {
        draft.put(&path("MEMORY.md"), b"- [C](c.md)\n".to_vec())?;
        draft.rename(&path("b.md"), &path("beta.md"))
    };
    pair.new
        .write::<_, StoreError>(&order("rename", "2026-07-02T00:00:00Z"), &OpenGate, rename)
        .unwrap();
    let before = files(&pair.new);
    assert!(
        adopt::preview_adoption(&pair.new, &pair.old)
            .unwrap()
            .is_settled()
    );
    assert!(pair.adopt().change.is_none());
    assert_eq!(files(&pair.new), before);
}

#[test]
fn a_source_that_went_on_brings_what_is_new() {
    let pair = Pair::new();
    save(&pair.old, "a.md", "one", OLD);
    pair.adopt();
    save(&pair.old, "a.md", "two", "2026-06-02T00:00:00Z");
    save(&pair.old, "b.md", "b", "2026-06-02T00:00:00Z");
    let fates = pair.fates();
    assert_eq!(fates[0].1, AdoptionOutcome::Newer(path("a.md")));
    assert_eq!(read(&pair.new, "a.md").unwrap(), "two");
    // Edited on both sides: both stay.
    save(&pair.new, "a.md", "mine", "2026-06-03T00:00:00Z");
    save(&pair.old, "a.md", "theirs", "2026-06-03T00:00:00Z");
    assert_eq!(pair.fates()[0].1, AdoptionOutcome::Renamed(path("a-2.md")));
    assert_eq!(read(&pair.new, "a.md").unwrap(), "mine");
    assert_eq!(read(&pair.new, "a-2.md").unwrap(), "theirs");
}

#[test]
fn ids_ages_and_history_come_along() {
    let pair = Pair::new();
    save(&pair.old, "a.md", "one", OLD);
    save(&pair.old, "a.md", "two", "2026-02-02T00:00:00Z");
    let id = pair.old.snapshot().unwrap().note_id(&path("a.md"));
    save(&pair.new, "own.md", "own", OLD);
    pair.adopt();
    let snapshot = pair.new.snapshot().unwrap();
    assert_eq!(snapshot.note_id(&path("a.md")), id);
    let age = snapshot.content_time(&path("a.md"), b"two").unwrap();
    assert_eq!(age.to_string(), "2026-02-02T00:00:00Z");
    let history = pair.new.open_history().unwrap().unwrap();
    let verbs: Vec<String> = history
        .of_note(&id)
        .unwrap()
        .into_iter()
        .map(|(entry, _)| entry.change.verb)
        .collect();
    assert_eq!(verbs, ["adopt", "save", "save"]);
}

#[test]
fn an_adoption_can_be_taken_back_and_made_again() {
    let pair = Pair::new();
    save(&pair.old, "a.md", "old", OLD);
    save(&pair.old, "MEMORY.md", "- [A](a.md)\n", OLD);
    save(&pair.new, "MEMORY.md", "- [N](n.md)\n", OLD);
    let before = files(&pair.new);
    let change = pair.adopt().change.unwrap();
    let undone = pair
        .new
        .undo(
            &order("undo", "2026-06-02T00:00:00Z"),
            &OpenGate,
            &Undo::Last(1),
        )
        .unwrap();
    assert_eq!(undone.value[0].id, change.id);
    assert_eq!(files(&pair.new), before);
    assert_eq!(pair.fates()[1].1, AdoptionOutcome::Taken);
    assert_eq!(read(&pair.new, "a.md").unwrap(), "old");
}

#[test]
fn an_adoption_by_an_empty_memory_can_be_taken_back_too() {
    let pair = Pair::new();
    save(&pair.old, "a.md", "one", OLD);
    save(&pair.old, "a.md", "two", OLD);
    pair.adopt();
    let own = |store: &LocalStore| {
        let history = store.open_history().unwrap().unwrap();
        history.own_entries().count()
    };
    assert_eq!(own(&pair.new), 1, "the other's past is not this one's");
    let undo = |number| {
        let order = order("undo", "2026-06-02T00:00:00Z");
        pair.new.undo(&order, &OpenGate, &Undo::Last(number))
    };
    undo(5).unwrap();
    assert_eq!(files(&pair.new), []);
    assert!(undo(1).is_err(), "nothing is left to undo");
    pair.adopt();
    assert_eq!(read(&pair.new, "a.md").unwrap(), "two");
}

#[test]
fn a_bounded_history_keeps_what_an_adoption_brought_apart() {
    let pair = Pair::new();
    save(&pair.old, "a.md", "one", OLD);
    save(&pair.old, "a.md", "two", OLD);
    let id = pair.old.snapshot().unwrap().note_id(&path("a.md"));
    save(&pair.new, "own.md", "own", OLD);
    save(&pair.new, "a.md", "other", OLD);
    pair.adopt();
    save(&pair.new, "late.md", "late", "2026-06-02T00:00:00Z");
    let before = files(&pair.new);
    let now = Now("2026-06-03T00:00:00Z".parse().unwrap());
    pair.new
        .collect_garbage(HistoryRetention::Changes(2), now)
        .unwrap();
    let history = pair.new.open_history().unwrap().unwrap();
    let verbs: Vec<String> = history
        .own_entries()
        .map(|entry| entry.unwrap().change.verb)
        .collect();
    assert_eq!(verbs, ["save", "adopt"]);
    assert_eq!(
        history.of_note(&id).unwrap().len(),
        3,
        "the adoption and two saves"
    );
    // A lost catalog is made again from the own changes alone.
    std::fs::remove_file(pair.new.places().catalog()).unwrap();
    assert!(
        pair.new
            .observe(now)
            .unwrap()
            .unwrap()
            .external_change()
            .is_none()
    );
    let snapshot = pair.new.snapshot().unwrap();
    assert_eq!(snapshot.note_id(&path("a-2.md")), id);
    drop(snapshot);
    pair.new
        .undo(
            &order("undo", "2026-06-04T00:00:00Z"),
            &OpenGate,
            &Undo::Last(1),
        )
        .unwrap();
    assert_eq!(files(&pair.new).len(), before.len() - 1);
}

#[test]
fn a_source_is_emptied_only_of_what_was_brought() {
    let pair = Pair::new();
    save(&pair.old, "a.md", "old", OLD);
    save(&pair.old, "team/t.md", "t", OLD);
    let late = order("adopt", "2026-06-02T00:00:00Z");
    let error = adopt::remove_source(&pair.new, &pair.old, &late).unwrap_err();
    assert!(
        matches!(error, AdoptError::NotBrought { files: 2, .. }),
        "{error}"
    );
    pair.adopt();
    pair.fixture
        .file("home/.claude/projects/-old/session.jsonl", "{}\n");
    pair.fixture
        .file("home/.claude/projects/-old/memory/.git/HEAD", "ref\n");
    assert!(
        adopt::remove_source(&pair.new, &pair.old, &late)
            .unwrap()
            .is_some()
    );
    assert_eq!(files(&pair.old), []);
    let left = |name: &str| {
        pair.fixture
            .path("home/.claude/projects/-old")
            .join(name)
            .exists()
    };
    assert_eq!(
        ["session.jsonl", "memory/.git/HEAD", "memory/team"].map(left),
        [true, true, false]
    );
    // It is in the source's own history.
    pair.old
        .undo(
            &order("undo", "2026-06-03T00:00:00Z"),
            &OpenGate,
            &Undo::Last(1),
        )
        .unwrap();
    assert_eq!(read(&pair.old, "team/t.md").unwrap(), "t");
}

#[test]
fn a_store_does_not_adopt_itself() {
    let pair = Pair::new();
    let error =
        adopt::adopt_store(&pair.new, &pair.new, &order("adopt", OLD), &OpenGate).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
}

#[test]
fn sources_go_by_slug_directory_or_folder() {
    let pair = Pair::new();
    let dirs = pair.fixture.dirs();
    let gone = pair.fixture.path("work/gone");
    let slug = mem_core::slug::slug(&gone);
    let memory = pair
        .fixture
        .dir(&format!("home/.claude/projects/{slug}/memory"));
    std::fs::write(memory.join("x.md"), "x").unwrap();
    let cwd = pair.fixture.dir("work");
    let find = |name: &str| adopt::find_source(name, &cwd, &dirs).map(|source| source.memory_dir);
    let names = [
        slug,
        memory.display().to_string(),
        memory.parent().unwrap().display().to_string(),
        gone.display().to_string(),
        "gone".to_owned(),
        "./gone".to_owned(),
    ];
    for name in names {
        let found: PathBuf = find(&name).unwrap();
        assert_eq!(found.canonicalize().unwrap(), memory, "{name}");
    }
    assert_eq!(find("elsewhere").unwrap_err().kind(), ErrorKind::NotFound);
}
