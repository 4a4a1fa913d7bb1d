//! What no plan may do, whoever made it: touch what was not read, too much, or lose what nobody retired.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "helpers of tests fail as loudly as tests do, and write as others do"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use mem_agent::dream::{self, Bullet, DistillInput, DistillPlan, DreamError};
use mem_core::config::MemoryMode;
use mem_core::history::{Author, AuthorKind};
use mem_core::memory::{Note, ProjectMemory};
use mem_core::store::{ChangeMetadata, OpenGate};
use mem_core::{Now, Scope};

use crate::fixture::dirs;

struct Fixture {
    _temp: tempfile::TempDir,
    root: PathBuf,
    memory: ProjectMemory,
}

impl Fixture {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path().canonicalize().unwrap();
        let root = top.join("memory");
        let memory = ProjectMemory::at(&root, &dirs(&top));
        Self {
            _temp: temp,
            root,
            memory,
        }
    }

    fn notes(&self) -> Vec<Note> {
        self.memory.list(&[Scope::Private]).unwrap().notes
    }

    /// What a plan for a bullet comes to, once something was done to it.
    fn planned(
        &self,
        text: &str,
        day: &str,
        share: f64,
        then: impl FnOnce(&mut DistillPlan),
    ) -> (DistillPlan, Result<(), DreamError>) {
        self.planned_for(&[bullet(text, day)], day, share, then)
    }

    fn planned_for(
        &self,
        bullets: &[Bullet],
        day: &str,
        share: f64,
        then: impl FnOnce(&mut DistillPlan),
    ) -> (DistillPlan, Result<(), DreamError>) {
        let notes = self.notes();
        let given = DistillInput {
            notes: &notes,
            bullets,
            instructions: &[],
            broken: &BTreeMap::new(),
            code: &|_| false,
            pinned: &BTreeSet::new(),
            choices: &BTreeMap::new(),
            max_share: share,
            today: day.parse().unwrap(),
            now: now(),
        };
        let mut plan = dream::plan_distillation(&given);
        then(&mut plan);
        let checked = dream::check_plan(&plan, &given);
        (plan, checked)
    }

    fn apply(&self, plan: &DistillPlan) -> Result<(), DreamError> {
        let order = ChangeMetadata::new("dream", Author::from_actor(AuthorKind::Agent), Now(now()));
        let store = self.memory.store(Scope::Private);
        dream::apply_plan(plan, store, &order, &OpenGate, MemoryMode::Index).map(|_| ())
    }

    fn with(text: &str) -> Self {
        let fixture = Self::new();
        let (plan, checked) = fixture.planned(text, "2026-01-01", 0.5, |_| {});
        checked.unwrap();
        fixture.apply(&plan).unwrap();
        fixture
    }
}

fn bullet(text: &str, day: &str) -> Bullet {
    Bullet::new(text, day.parse().unwrap(), "l.md", 1).unwrap()
}

fn now() -> jiff::Timestamp {
    "2026-02-01T03:00:00Z".parse().unwrap()
}

#[test]
fn a_file_that_is_not_what_was_read_is_not_written() {
    let fixture = Fixture::with("The payments owner is Alice");
    let (plan, checked) = fixture.planned("The payments owner is Bob", "2026-01-02", 0.5, |_| {});
    checked.unwrap();
    let file = fixture.root.join("project_payments_owner.md");
    let mut text = std::fs::read_to_string(&file).unwrap();
    text.push_str("\nI wrote this meanwhile.\n");
    std::fs::write(&file, &text).unwrap();
    let index = std::fs::read(fixture.root.join("MEMORY.md")).unwrap();
    assert!(matches!(fixture.apply(&plan), Err(DreamError::Changed(_))));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    assert_eq!(
        std::fs::read(fixture.root.join("MEMORY.md")).unwrap(),
        index
    );
    // Now it is somebody's own, of the day of their edit: what is newer comes on top, and their words stay.
    let (plan, checked) = fixture.planned("The payments owner is Bob", "2099-01-02", 0.5, |_| {});
    checked.unwrap();
    fixture.apply(&plan).unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(
        text.contains("owner is Bob") && text.contains("I wrote this meanwhile."),
        "{text}"
    );
}

#[test]
fn nothing_goes_without_a_reason() {
    let fixture = Fixture::with("The payments owner is Alice");
    let forget = |plan: &mut DistillPlan| plan.retired.clear();
    let (_, checked) = fixture.planned("The payments owner is Bob", "2026-01-02", 0.5, forget);
    assert!(
        matches!(checked, Err(DreamError::Lost { .. })),
        "{checked:?}"
    );
}

#[test]
fn a_share_of_nothing_touches_nothing() {
    let fixture = Fixture::with("The payments owner is Alice");
    let (plan, checked) = fixture.planned("The payments owner is Bob", "2026-01-02", 0.0, |_| {});
    checked.unwrap();
    assert!(plan.is_idle() && plan.waiting.len() == 1, "{plan:?}");
    let (plan, checked) = fixture.planned("The orders owner is Kim", "2026-01-02", 0.0, |_| {});
    checked.unwrap();
    assert_eq!(
        plan.added.len(),
        1,
        "what is new touches nothing that is there"
    );
}

#[test]
fn a_plan_for_other_files_is_refused() {
    let fixture = Fixture::with("The payments owner is Alice");
    let (plan, _) = fixture.planned("The payments owner is Bob", "2026-01-02", 0.5, |_| {});
    let other = Fixture::with("The orders owner is Kim");
    let (_, checked) = other.planned("x y z is so", "2026-01-02", 0.5, |made| {
        made.wishes.clone_from(&plan.wishes);
    });
    assert!(matches!(checked, Err(DreamError::Unread(_))), "{checked:?}");
}

#[test]
fn whoever_owns_much_crowds_out_nobody_who_gives_way() {
    let owned = |service: usize, owner: &str| format!("The service{service} owner is {owner}");
    let all = |owner: &str, day: &str| -> Vec<Bullet> {
        let texts = (0..150).map(|service| owned(service, owner));
        texts.map(|text| bullet(&text, day)).collect()
    };
    let bullets = [all("Alice", "2026-01-01"), all("Bob", "2026-01-02")].concat();
    let (plan, checked) = Fixture::new().planned_for(&bullets, "2026-01-03", 0.5, |_| {});
    checked.unwrap();
    assert_eq!(plan.retired.len(), 150);
    assert!(plan.added.iter().all(|one| one.quote.text.ends_with("Bob")));
}

#[test]
fn whatever_words_leave_a_memory_are_quoted() {
    for (older, newer) in [
        (
            "Deploys go out on Tuesdays",
            "Deploys go out on Thursdays now, no longer on Tuesdays",
        ),
        (
            "We are moving off Redis because of the licence",
            "Redis stays, the move was cancelled",
        ),
        (
            "The retention of audit logs is 90 days",
            "The retention of audit logs is 30 days in dev and 90 days in production",
        ),
        (
            "Use bun for installs because npm is slow",
            "Use bun for all installs",
        ),
    ] {
        let bullets = [bullet(older, "2026-01-01"), bullet(newer, "2026-01-02")];
        let (plan, checked) = Fixture::new().planned_for(&bullets, "2026-01-03", 0.5, |_| {});
        checked.unwrap();
        let kept = plan.added.iter().map(|one| &one.quote.text);
        let retired = plan.retired.iter().map(|one| &one.old.text);
        let mut quoted = kept.chain(retired);
        assert!(quoted.any(|text| text == older), "{older}: {plan:?}");
        assert!(plan.merged.is_empty(), "{older}: {:?}", plan.merged);
    }
}
