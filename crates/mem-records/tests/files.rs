//! The back end over a memory directory.

use mem_core::memory::ProjectMemory;
use mem_core::store::Undo;
use mem_core::{Now, Scope};
use mem_records::{Category, NewRecord, RecordFilter, Records, Retrieve};

use crate::conformance;
use crate::fixture::{Fixture, files, now};

fn new(content: &str, category: Category) -> NewRecord {
    NewRecord::new(content, category, 3).unwrap()
}

fn text(memory: &ProjectMemory, file: &str) -> String {
    let root = &memory.store(Scope::Private).places().root;
    std::fs::read_to_string(root.join(file)).unwrap()
}

#[test]
fn it_does_what_every_back_end_does() {
    let fixture = Fixture::new();
    let (alice, bob) = (fixture.memory("alice"), fixture.memory("bob"));
    conformance::check_conformance(&mut files(&alice), &mut files(&bob), now()).unwrap();
}

#[test]
fn a_record_is_a_topic_file_with_its_line_in_the_index() {
    let fixture = Fixture::new();
    let memory = fixture.memory("alice");
    let record = new(
        "Deploys are on Tuesdays. Never on a Friday.",
        Category::DecisionLog,
    );
    let record = record.with_tags(&["deploy".to_owned()]).unwrap();
    let record = record.until(Some("2026-12-31".parse().unwrap()));
    let stored = files(&memory).store(&record, now()).unwrap();
    let file = stored.file.unwrap();
    let expected = "---\nname: Deploys are on Tuesdays\n\
        description: Deploys are on Tuesdays. Never on a Friday.\ntype: project\ntags: [deploy]\n\
        importance: 3\nexpires: 2026-12-31\ncategory: decision_log\n---\n\n\
        Deploys are on Tuesdays. Never on a Friday.\n";
    assert_eq!(text(&memory, &file), expected);
    assert!(text(&memory, "MEMORY.md").contains(&file));
    let note = memory.find(stored.id.as_str(), None).unwrap();
    assert_eq!(note.file, file);
}

#[test]
fn keys_that_nobody_knows_stay_when_a_record_is_stored_again() {
    let fixture = Fixture::new();
    let memory = fixture.memory("alice");
    let mut records = files(&memory);
    let record = new("Answers are wanted in German.", Category::UserPreference);
    let file = records.store(&record, now()).unwrap().file.unwrap();
    let path = memory.store(Scope::Private).places().root.join(&file);
    let before = text(&memory, &file).replace("type: user", "type: user\nowner: me # mine");
    std::fs::write(&path, before).unwrap();
    let louder = NewRecord::new("Answers are wanted in German.", Category::UserPreference, 5);
    let again = records.store(&louder.unwrap(), now()).unwrap();
    assert!(!again.created && again.change.is_some());
    let after = text(&memory, &file);
    assert!(
        after.contains("owner: me # mine") && after.contains("importance: 5"),
        "{after}"
    );
}

#[test]
fn a_supersession_is_one_change_linked_both_ways_and_undone_whole() {
    let fixture = Fixture::new();
    let memory = fixture.memory("alice");
    let mut records = files(&memory);
    let old = new(
        "The API gateway listens on port 8080.",
        Category::FactualKnowledge,
    );
    let old = records.store(&old, now()).unwrap();
    let new = new(
        "The API gateway listens on port 9090.",
        Category::FactualKnowledge,
    );
    let stored = records.store(&new, now()).unwrap();
    assert_eq!(stored.superseded.unwrap().id, old.id);
    let store = memory.store(Scope::Private);
    let entries = store.open_history().unwrap().unwrap().entries().unwrap();
    let change = &entries[0].change;
    assert_eq!(Some(change.id.to_string()), stored.change);
    let by = |id: &str| {
        change
            .versions
            .iter()
            .find(|one| one.note.as_str() == id)
            .unwrap()
    };
    let (gone, came) = (by(old.id.as_str()), by(stored.id.as_str()));
    assert_eq!(
        gone.superseded_by.as_ref().unwrap().as_str(),
        stored.id.as_str()
    );
    assert_eq!(came.supersedes.as_ref().unwrap().as_str(), old.id.as_str());
    assert!(change.reason.as_ref().unwrap().contains(old.id.as_str()));
    assert!(!text(&memory, "MEMORY.md").contains("port 8080"));
    let order = mem_core::store::ChangeMetadata::new("undo", change.author.clone(), now());
    store
        .undo(&order, &mem_core::store::OpenGate, &Undo::Last(1))
        .unwrap();
    let listed = records.list(&RecordFilter::default(), now()).unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].id, old.id);
    assert!(text(&memory, "MEMORY.md").contains("port 8080"));
}

#[test]
fn what_is_pinned_or_says_no_category_is_not_superseded() {
    let fixture = Fixture::new();
    let memory = fixture.memory("alice");
    let root = memory.store(Scope::Private).places().root.clone();
    std::fs::create_dir_all(&root).unwrap();
    let note = |fields: &str| {
        format!(
            "---\nname: The API gateway listens on port 8080\ndescription: The API gateway \
            listens on port 8080.\ntype: reference\n{fields}---\n\nThe API gateway listens on port 8080.\n"
        )
    };
    std::fs::write(root.join("hand.md"), note("")).unwrap();
    std::fs::write(
        root.join("pin.md"),
        note("category: factual_knowledge\npinned: true\n"),
    )
    .unwrap();
    let new = new(
        "The API gateway listens on port 9090.",
        Category::FactualKnowledge,
    );
    let stored = files(&memory).store(&new, now()).unwrap();
    assert_eq!(stored.superseded, None);
    assert!(root.join("hand.md").exists() && root.join("pin.md").exists());
}

#[test]
fn being_retrieved_renews_a_record() {
    let fixture = Fixture::new();
    let memory = fixture.memory("alice");
    let mut records = files(&memory);
    let days = |days: i64| Now(now().0 + jiff::SignedDuration::from_hours(24 * days));
    let record = NewRecord::new("Lunch is at noon.", Category::ProjectContext, 4).unwrap();
    records.store(&record, now()).unwrap();
    let query = Retrieve::new("lunch").unwrap();
    let effective = |records: &mut dyn Records, day| {
        records.retrieve(&query, days(day)).unwrap().memories[0].effective
    };
    assert!((effective(&mut records, 30) - 2.0).abs() < 0.1);
    // Fifteen days after it was used, and not forty-five after it came to be.
    assert!((effective(&mut records, 45) - 4.0 * 0.5_f64.sqrt()).abs() < 0.1);
}

#[test]
fn a_note_that_was_written_by_other_means_is_found_by_its_type() {
    let fixture = Fixture::new();
    let memory = fixture.memory("alice");
    let root = memory.store(Scope::Private).places().root.clone();
    std::fs::create_dir_all(&root).unwrap();
    let note = "---\nname: Merge freeze\ndescription: Nothing is merged after Thursday\ntype: project\n---\n\n\
        The release is cut then.\n";
    std::fs::write(root.join("project_freeze.md"), note).unwrap();
    let mut query = Retrieve::new("when may I merge").unwrap();
    query.categories = vec![Category::ProjectContext];
    let found = files(&memory).retrieve(&query, now()).unwrap().memories;
    assert_eq!(found[0].record.importance, 3);
    let expected = "Nothing is merged after Thursday\n\nThe release is cut then.";
    assert_eq!(found[0].record.content, expected);
}
