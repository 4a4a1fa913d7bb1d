//! Answers taken over from an earlier run are those that a run from nothing gives, whatever happened to
//! the checkout in between.

use std::fs;

use mem_drift::DriftInput;
use proptest::prelude::*;

use crate::fixture::{Fixture, run};

const FILES: [&str; 5] = [
    "src/a.rs",
    "src/b.rs",
    "lib/c.rs",
    "docs/notes.md",
    "lib/deep/d.rs",
];
const NAMES: [&str; 5] = [
    "load_all_orders",
    "parse_the_header",
    "render_each_page",
    "retry_once_more",
    "close_every_door",
];

/// What may happen to a checkout.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// A file gets a function.
    Adds(usize, usize),
    /// A file gets a comment about one.
    Mentions(usize, usize),
    /// A file is emptied of functions.
    Empties(usize),
    Deletes(usize),
    Moves(usize, usize),
    /// A file that is not tracked appears.
    Appears(usize),
    /// A rule of git ignores a file.
    Ignores(usize),
    Stages,
    Commits,
    Resets,
    StepsBack,
    /// Only the first note is checked.
    ChecksOne,
}

fn event() -> impl Strategy<Value = Event> {
    let file = 0..FILES.len();
    let name = 0..NAMES.len();
    prop_oneof![
        4 => (file.clone(), name.clone()).prop_map(|(file, name)| Event::Adds(file, name)),
        2 => (file.clone(), name.clone()).prop_map(|(file, name)| Event::Mentions(file, name)),
        3 => file.clone().prop_map(Event::Empties),
        2 => file.clone().prop_map(Event::Deletes),
        2 => (file.clone(), file).prop_map(|(from, to)| Event::Moves(from, to)),
        1 => name.prop_map(Event::Appears),
        2 => (0..FILES.len()).prop_map(Event::Ignores),
        1 => Just(Event::Stages),
        3 => Just(Event::Commits),
        1 => Just(Event::Resets),
        1 => Just(Event::StepsBack),
        2 => Just(Event::ChecksOne),
    ]
}

/// Makes it happen; contents grow with every turn, so that no edit goes unseen by its size.
fn happens(fixture: &Fixture, event: Event, turn: usize) {
    let path = |file: usize| fixture.root().join(FILES[file]);
    let append = |file: usize, line: String| {
        let old = fs::read_to_string(path(file)).unwrap_or_default();
        let padding = "/".repeat(turn + 2);
        fixture.write(FILES[file], format!("{old}{line}\n{padding}\n"));
    };
    match event {
        Event::Adds(file, name) => append(file, format!("fn {}() {{}}", NAMES[name])),
        Event::Mentions(file, name) => append(file, format!("// see {}", NAMES[name])),
        Event::Empties(file) => fixture.write(FILES[file], format!("// {turn}\n")),
        Event::Deletes(file) => drop(fs::remove_file(path(file))),
        Event::Moves(from, to) => {
            if from != to && path(from).exists() {
                fs::create_dir_all(path(to).parent().unwrap()).unwrap();
                fs::rename(path(from), path(to)).unwrap();
            }
        }
        Event::Appears(name) => {
            fixture.write(
                &format!("new/{turn}.rs"),
                format!("fn {}() {{}}\n", NAMES[name]),
            );
        }
        Event::Ignores(file) => {
            let padding = "#".repeat(turn + 2);
            fixture.write(".gitignore", format!("/{}\n{padding}\n", FILES[file]));
        }
        Event::Stages => drop(fixture.git(&["add", "-A"])),
        Event::Commits => drop(fixture.commit(&format!("turn {turn}"))),
        Event::Resets => drop(fixture.git(&["reset", "-q", "--hard"])),
        Event::StepsBack => {
            if fixture.git(&["rev-list", "--count", "HEAD"]) != "1" {
                fixture.git(&["reset", "-q", "--hard", "HEAD~1"]);
            }
        }
        Event::ChecksOne => {}
    }
}

fn notes(fixture: &Fixture) -> Vec<DriftInput> {
    let note = |number: usize, text: String| DriftInput {
        file: format!("{number}.md"),
        ..fixture.note(&text)
    };
    let each = (0..FILES.len()).map(|at| {
        let (file, other) = (FILES[at], FILES[(at + 1) % FILES.len()]);
        let name = NAMES[at];
        note(
            at,
            format!("In `{file}`, `{name}()` is called; line `{other}:2` too.\n"),
        )
    });
    let mixed =
        "`Page::render_each_page` is in `c.rs`, not in `src/never.rs`; see `lib/` and `d.rs`.";
    each.chain([note(9, mixed.to_owned())]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, max_shrink_iters: 40, ..ProptestConfig::default() })]

    #[test]
    fn what_is_taken_over_is_what_would_be_found(events in prop::collection::vec(event(), 1..10)) {
        let fixture = Fixture::new();
        for (file, name) in FILES.iter().zip(NAMES) {
            fixture.write(file, format!("fn {name}() {{}}\nfn helper_of_{name}() {{}}\n"));
        }
        fixture.commit("one");
        let notes = notes(&fixture);
        let mut cache = run(&fixture.place(), &notes, None).cache;
        for (turn, event) in events.into_iter().enumerate() {
            happens(&fixture, event, turn);
            let asked = match event {
                Event::ChecksOne => &notes[..1],
                _ => &notes[..],
            };
            let afresh = run(&fixture.place(), asked, None).report;
            let outcome = run(&fixture.place(), asked, cache.as_deref());
            prop_assert_eq!(&outcome.report, &afresh, "after {:?}", event);
            cache = outcome.cache.or(cache);
            let again = run(&fixture.place(), asked, cache.as_deref());
            prop_assert_eq!(&again.report, &afresh);
            prop_assert!(again.cache.is_none(), "nothing changed since");
        }
    }

    #[test]
    fn a_damaged_cache_is_as_good_as_none(
        cut in 0_usize..4_000,
        at in 0_usize..4_000,
        byte in any::<u8>(),
    ) {
        let fixture = Fixture::new();
        fixture.write(FILES[0], "fn load_all_orders() {}\n");
        fixture.commit("one");
        let notes = notes(&fixture);
        let first = run(&fixture.place(), &notes, None);
        let mut bytes = first.cache.unwrap();
        // Answers themselves are taken at their word: the file is its owner's alone.
        let header = bytes.iter().position(|&byte| byte == b'\n').unwrap();
        let at = at % (header + 1);
        bytes[at] = byte;
        bytes.truncate(bytes.len().saturating_sub(cut % bytes.len()).max(1));
        let _ = run(&fixture.place(), &notes, Some(&bytes));
        fixture.write(FILES[1], "fn parse_the_header() {}\n");
        let _ = run(&fixture.place(), &notes, Some(&bytes));
    }
}

#[test]
fn a_cache_that_is_damaged_anywhere_is_none() {
    let fixture = Fixture::new();
    fixture.write("src/a.rs", "fn load_all_orders() {}\n");
    fixture.commit("one");
    let note = fixture.note("See `src/a.rs`.");
    fixture.mv("src/a.rs", "src/b.rs");
    fixture.commit("two");
    let notes = [note];
    let fresh = run(&fixture.place(), &notes, None);
    let good = fresh.cache.unwrap();
    assert_eq!(run(&fixture.place(), &notes, Some(&good)).cache, None);
    for at in (0..good.len()).step_by(5) {
        let mut damaged = good.clone();
        damaged[at] ^= 1;
        for cache in [&damaged, &good[..at]] {
            let again = run(&fixture.place(), &notes, Some(cache));
            assert_eq!(again.report, fresh.report, "byte {at}");
            assert!(again.cache.is_some(), "byte {at} is made good");
        }
    }
}
