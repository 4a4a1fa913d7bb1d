//! What a person reads about a note whose code moved on.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use jiff::Timestamp;
use mem_core::Now;
use mem_drift::{
    CitationStatus, DriftInput, DriftRequest, EarlierName, EarlierNames, Verdict,
    extract_citations, snapshot_citations, verify_notes,
};

use crate::fixture::{DAY, Fixture, START, only, run};

fn numbered(name: &str, count: usize) -> String {
    (0..count)
        .map(|at| format!("    let {name}_{at} = {at};\n"))
        .collect()
}

#[test]
fn a_moved_file_says_where_it_went_and_a_renamed_function_its_new_name() {
    let fixture = Fixture::new();
    let body = numbered("line", 40);
    fixture.write(
        "src/auth.rs",
        format!("fn process_auth_token(t: &str) -> bool {{\n{body}}}\n"),
    );
    fixture.write("src/keep.rs", "pub fn keep_me() {}\n");
    fixture.commit("code");
    let moved = fixture.note("The check is in `src/auth.rs`.");
    let gone = fixture.note("Call `process_auth_token()` before anything else.");
    let fine = fixture.note("`keep_me` in `src/keep.rs` must stay public.");
    fixture.mv("src/auth.rs", "src/auth/mod.rs");
    fixture.edit("src/auth/mod.rs", "process_auth_token", "verify_session");
    let commit = fixture.commit("refactor");

    let report = fixture.check(&moved);
    let (status, detail) = only(&report);
    assert_eq!(status, CitationStatus::Moved);
    assert!(
        detail.contains("`src/auth/mod.rs`") && detail.contains(&commit[..9]),
        "{detail}"
    );
    assert_eq!(report.verdict, Verdict::Drifted);
    assert!(
        report.reasons[0].starts_with("`src/auth.rs` moved: to"),
        "{:?}",
        report.reasons
    );

    let report = fixture.check(&gone);
    let (status, detail) = only(&report);
    assert_eq!(status, CitationStatus::Gone);
    assert!(
        detail.starts_with("renamed to `verify_session` by"),
        "{detail}"
    );
    assert_eq!(report.verdict, Verdict::Broken);

    let report = fixture.check(&fine);
    assert_eq!((report.verdict, report.reasons.len()), (Verdict::Fresh, 0));
    let both = fixture.check(&DriftInput {
        written: moved.written,
        ..fixture.note("`src/auth.rs` has `process_auth_token()`.")
    });
    let statuses: Vec<CitationStatus> = both
        .citations
        .iter()
        .map(|citation| citation.status)
        .collect();
    assert_eq!(statuses, [CitationStatus::Moved, CitationStatus::Gone]);
}

#[test]
fn the_json_has_the_documented_shape() {
    let fixture = Fixture::new();
    fixture.write("a.rs", "fn x() {}\n");
    fixture.commit("one");
    let report = run(&fixture.place(), &[fixture.note("See `a.rs`.")], None).report;
    assert_eq!(
        serde_json::to_string(&report).unwrap(),
        r#"{"notes":[{"file":"note.md","verdict":"fresh","citations":[{"text":"a.rs","kind":"path","line":1,"status":"present","detail":null}]}]}"#
    );
}

#[test]
fn changes_since_the_note_are_counted() {
    let fixture = Fixture::new();
    fixture.write("src/a.rs", numbered("a", 100));
    fixture.commit("one");
    let note = fixture.note("See `src/a.rs`, and `src/a.rs:50`, `src/a.rs:5`, `src/a.rs:90`.");
    fixture.edit(
        "src/a.rs",
        "    let a_49 = 49;\n",
        "    let changed = 49;\n    let added = 0;\n",
    );
    fixture.commit("two");
    fixture.edit("src/a.rs", "let a_60 =", "let b_60 =");
    fixture.commit("three");
    let report = fixture.check(&note);
    let details: Vec<(CitationStatus, &str)> = report
        .citations
        .iter()
        .map(|citation| (citation.status, citation.detail.as_deref().unwrap_or("")))
        .collect();
    assert_eq!(details[0].0, CitationStatus::Changed);
    assert_eq!(details[0].1, "2 commits and 2 % of its lines since");
    assert_eq!(details[1].0, CitationStatus::Changed);
    assert!(details[1].1.starts_with("the lines changed"), "{details:?}");
    assert_eq!(details[2].0, CitationStatus::Present);
    assert!(
        details[3].1.starts_with("line 90 is now line 91"),
        "{details:?}"
    );
    assert_eq!(report.verdict, Verdict::Drifted);
    let later = fixture.check(&fixture.note("See `src/a.rs`."));
    assert_eq!(later.verdict, Verdict::Fresh);
    fixture.write("src/a.rs", numbered("other", 100));
    fixture.commit("four");
    let whole = fixture.check(&DriftInput {
        written: note.written,
        ..fixture.note("See `src/a.rs`.")
    });
    assert_eq!(whole.verdict, Verdict::Drifted);
}

#[test]
fn recorded_blobs_survive_a_rebase_and_outweigh_times() {
    let fixture = Fixture::new();
    fixture.write("src/a.rs", numbered("a", 30));
    fixture.commit("one");
    let text = "See `src/a.rs`.";
    let blobs: BTreeMap<String, String> = snapshot_citations(text, &fixture.place(), &[])
        .unwrap()
        .into_iter()
        .collect();
    assert_eq!(blobs.keys().collect::<Vec<_>>(), ["src/a.rs"]);
    let note = DriftInput {
        blobs,
        ..fixture.note(text)
    };
    // The same content under a new commit with a later time.
    fixture.git(&[
        "commit",
        "-q",
        "--amend",
        "--reset-author",
        "-m",
        "one, rewritten",
    ]);
    fixture.commit("later");
    assert_eq!(fixture.check(&note).verdict, Verdict::Fresh);
    fixture.edit("src/a.rs", "let a_3 =", "let b_3 =");
    let (status, detail) = only(&fixture.check(&note));
    assert_eq!(
        (status, &*detail),
        (
            CitationStatus::Changed,
            "uncommitted edits and 3 % of its lines since"
        )
    );
    fixture.commit("two");
    let (status, detail) = only(&fixture.check(&note));
    assert_eq!(
        (status, &*detail),
        (
            CitationStatus::Changed,
            "1 commit and 3 % of its lines since"
        )
    );
    fixture.git(&["checkout", "-q", "--orphan", "squashed"]);
    fixture.git(&["commit", "-q", "-m", "all in one"]);
    let (status, detail) = only(&fixture.check(&note));
    assert_eq!(
        (status, &*detail),
        (CitationStatus::Changed, "3 % of its lines since")
    );
    fixture.git(&["checkout", "-q", "main"]);
    fixture.edit("src/a.rs", "let b_3 =", "let a_3 =");
    fixture.commit("back again");
    assert_eq!(only(&fixture.check(&note)).0, CitationStatus::Present);
}

#[test]
fn what_the_note_itself_calls_gone_breaks_nothing() {
    let fixture = Fixture::new();
    fixture.write("a.rs", "fn old_entry_point() {}\nfn rest() {}\n");
    fixture.commit("one");
    fixture.write("a.rs", "fn rest() {}\n");
    fixture.commit("two");
    let report = fixture.check(&fixture.note("`old_entry_point()` was removed in spring."));
    assert_eq!(
        (report.verdict, report.citations.len()),
        (Verdict::Fresh, 0)
    );
    let report = fixture.check(&fixture.note("`old_entry_point()` is the entry."));
    assert_eq!(report.verdict, Verdict::Broken);
}

#[test]
fn a_file_that_git_ignores_now_or_whose_name_a_folder_or_a_source_has_is_unknown() {
    let fixture = Fixture::new();
    for (path, text) in [
        ("server/own.local.json", "PORT=1\n"),
        ("src/parse.py", "def parse_all():\n    return 1\n"),
        ("src/extract.js", "export const a = 1\n"),
        ("src/plain.py", "x = 1\n"),
        ("data/one.csv", "1,2,3,4,5,6\n7,8,9,10,11,12\n"),
    ] {
        fixture.write(path, text);
    }
    fixture.commit("one");
    for path in [
        "server/own.local.json",
        "src/parse.py",
        "src/extract.js",
        "src/plain.py",
    ] {
        fixture.rm(path);
    }
    fixture.mv("data/one.csv", "assets/one.csv");
    fixture.write(".gitignore", "*.local.json\ndata/\n");
    fixture.write("src/parse/lines.py", "def lines(): pass\n");
    fixture.write(
        "src/extract.ts",
        "import { b } from './b'\n\nexport function extract() { return b }\n",
    );
    fixture.commit("two");
    let status = |text: &str| fixture.status(text);
    assert_eq!(
        status("Set `server/own.local.json`.").0,
        CitationStatus::Unknown
    );
    // A name that may mean anything is no citation of what git had there once.
    let folder = fixture.check(&fixture.note("Put it into `data/`."));
    assert!(folder.citations.is_empty(), "{folder:?}");
    let (unknown, detail) = status("See `src/parse.py`.");
    assert_eq!(
        (unknown, detail.as_str()),
        (CitationStatus::Unknown, "`src/parse/` has its name")
    );
    assert_eq!(status("See `src/extract.js`.").0, CitationStatus::Unknown);
    assert_eq!(status("See `src/plain.py`.").0, CitationStatus::Gone);
}

#[test]
fn what_a_note_places_in_a_folder_that_git_ignores_is_unknown() {
    let fixture = Fixture::new();
    fixture.write("tests/data/day.csv", "day\n");
    fixture.write("tests/data/handling.cfg", "handling\n");
    fixture.write("tests/data/road.csv", numbered("road", 9));
    fixture.commit("one");
    let early = fixture.note("").written;
    fixture.mv("tests/data/road.csv", "roads/street.csv");
    fixture.rm("tests/data");
    fixture.write(".gitignore", "/tests/original/\n/static/\n/maps/*\n");
    fixture.commit("two");
    let check = |text: &str, written: Option<Timestamp>| {
        let note = fixture.note(text);
        fixture.check(&DriftInput { written, ..note })
    };
    for text in [
        "**`tests/original/`** is ignored: a script builds `data/day.csv` there.",
        "Data: `static/data/vehicles.cfg`, `handling.cfg`.",
        "Files of `static/data/`:\n\n- `handling.cfg` is read first",
        "Maps are in `maps/far/`.",
    ] {
        let report = check(text, early);
        let mut found = report.citations.iter();
        let is_unknown = found.all(|one| one.status == CitationStatus::Unknown);
        assert!(is_unknown && !report.citations.is_empty(), "{report:?}");
        assert!(report.verdict < Verdict::Drifted, "{report:?}");
    }
    // What was deleted before the note was written is not what it means, unless it says so in full.
    let late = fixture.note("").written;
    for (text, written, status) in [
        ("See `data/day.csv`.", early, CitationStatus::Gone),
        ("See `data/day.csv`.", late, CitationStatus::Unknown),
        ("See `handling.cfg`.", late, CitationStatus::Unknown),
        ("See `tests/data/day.csv`.", late, CitationStatus::Gone),
        ("See `data/road.csv`.", early, CitationStatus::Moved),
        ("See `data/road.csv`.", late, CitationStatus::Unknown),
    ] {
        assert_eq!(only(&check(text, written)).0, status, "{text}");
    }
    let path = "tests/data/handling.cfg".to_owned();
    let recorded = DriftInput {
        blobs: BTreeMap::from([(path, "0".repeat(40))]),
        ..fixture.note("See `handling.cfg`.")
    };
    assert_eq!(only(&fixture.check(&recorded)).0, CitationStatus::Gone);
}

#[test]
fn a_folder_that_git_includes_again_is_not_ignored() {
    let fixture = Fixture::new();
    fixture.write(".gitignore", "/*\n!/.gitignore\n!/lib/\n");
    fixture.write("lib/keep.rs", "fn keep_it() {}\n");
    fixture.commit("one");
    let note = fixture.note("The library is in `lib/`.");
    fixture.rm("lib");
    fixture.commit("two");
    assert_eq!(only(&fixture.check(&note)).0, CitationStatus::Gone);
}

#[test]
fn of_two_equal_copies_the_first_is_where_a_file_went() {
    let fixture = Fixture::new();
    let text = numbered("line", 60);
    fixture.write("docs/one.md", text.clone());
    fixture.commit("one");
    let note = fixture.note("It begins in `docs/one.md`.");
    fixture.rm("docs/one.md");
    fixture.write("docs/01-guide/one.md", text.clone());
    fixture.write("docs/_archive/one.md", text);
    fixture.commit("two");
    let report = fixture.check(&note);
    let to = report.citations[0].moved_to.as_deref();
    assert_eq!(to, Some("docs/01-guide/one.md"), "{report:?}");
}

#[test]
fn a_file_with_another_ending_is_where_a_commit_put_it() {
    let fixture = Fixture::new();
    let kept = numbered("kept", 9);
    fixture.write("build.ts", kept.clone() + &numbered("old", 11));
    fixture.commit("one");
    let note = fixture.note("See `build.ts`.");
    fixture.rm("build.ts");
    fixture.write("build.mjs", kept + &numbered("new", 11));
    let commit = fixture.commit("two");
    let report = fixture.check(&note);
    let (status, detail) = only(&report);
    assert_eq!(status, CitationStatus::Moved);
    assert!(detail.contains(&commit[..9]), "{detail}");
    assert_eq!(report.citations[0].moved_to.as_deref(), Some("build.mjs"));
}

#[test]
fn what_no_commit_is_known_to_have_removed_is_unknown() {
    let fixture = Fixture::new();
    fixture.write("audio.rs", "impl Player {\n    fn play_file(&self) {}\n}\n");
    fixture.write(
        "main.rs",
        "fn start(player: Player) {\n    player.play_file();\n}\n",
    );
    fixture.commit("one");
    let note = fixture.note("`Player::play_file()` starts it.");
    fixture.edit("audio.rs", "impl Player", "impl AppPlayer");
    fixture.edit("main.rs", "fn start", "fn begin");
    fixture.commit("two");
    fixture.edit("main.rs", "player: Player", "player: AppPlayer");
    fixture.commit("three");
    let (status, detail) = only(&fixture.check(&note));
    assert_eq!(status, CitationStatus::Unknown, "{detail}");
}

#[test]
fn of_a_long_note_the_beginning_is_read() {
    let text = format!("See `src/a.rs`.{}See `src/b.rs`.", "\n".repeat(1 << 20));
    let found = extract_citations(&text, &[]);
    let texts: Vec<&str> = found.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(texts, ["src/a.rs"]);
}

#[test]
fn a_name_that_was_only_used_here_is_a_library_s() {
    let fixture = Fixture::new();
    fixture.write(
        "src/turn.py",
        "from PIL import Image\n\ndef turn_left(image):\n    return Image.transpose_by(image, 90)\n",
    );
    fixture.commit("one");
    fixture.write("src/turn.py", "def other():\n    return 2\n");
    fixture.commit("two");
    let report =
        fixture.check(&fixture.note("`Image.transpose_by(image, 90)` turns against the clock."));
    assert!(report.verdict < Verdict::Drifted, "{report:?}");
    let report = fixture.check(&fixture.note("`turn_left()` turns against the clock."));
    assert_eq!(report.verdict, Verdict::Broken, "{report:?}");
}

#[test]
fn a_commit_that_no_branch_has_is_no_break() {
    let fixture = Fixture::new();
    fixture.write("a.rs", "fn a() {}\n");
    fixture.commit("one");
    fixture.git(&["checkout", "-qb", "side"]);
    fixture.write("a.rs", "fn a() { b() }\n");
    let squashed = fixture.commit("work");
    fixture.git(&["checkout", "-q", "main"]);
    fixture.git(&["merge", "-q", "--squash", "side"]);
    fixture.commit("side (#1)");
    fixture.git(&["branch", "-D", "side"]);
    let report =
        fixture.check(&fixture.note(&format!("Since commit `{}` it calls b.", &squashed[..9])));
    assert!(report.verdict < Verdict::Drifted, "{report:?}");
    assert_eq!(only(&report).0, CitationStatus::Unknown);
}

#[test]
fn commits_branches_tags_urls_and_notes() {
    let fixture = Fixture::new();
    fixture.write("src/a.rs", "fn a() {}\n");
    let first = fixture.commit("one");
    fixture.git(&["tag", "v1.0"]);
    fixture.git(&["checkout", "-qb", "fix/login"]);
    let side = fixture.commit("side");
    fixture.git(&["checkout", "-q", "main"]);
    fixture.commit("main goes on");
    fixture.git(&[
        "merge",
        "-q",
        "--no-ff",
        "-m",
        "Merge branch 'fix/login'",
        "fix/login",
    ]);
    fixture.git(&["branch", "-D", "fix/login"]);
    let lost = fixture.commit("to be rewritten");
    fixture.git(&[
        "commit",
        "-q",
        "--amend",
        "--no-edit",
        "--date",
        &format!("{} +0000", fixture.second()),
        "--allow-empty",
        "--trailer",
        "X: y",
    ]);
    let status = |text: &str| fixture.status(text).0;
    assert_eq!(
        status(&format!("Since commit `{}`.", &first[..10])),
        CitationStatus::Present
    );
    assert_eq!(
        status(&format!("Since commit {}.", &side[..10])),
        CitationStatus::Present
    );
    assert_eq!(
        status(&format!("Since commit `{}`.", &lost[..10])),
        CitationStatus::Moved
    );
    assert_eq!(status("On the branch `main`."), CitationStatus::Present);
    assert_eq!(status("On the branch `fix/login`."), CitationStatus::Gone);
    assert_eq!(
        status("On the branch `fix/other`."),
        CitationStatus::Unknown
    );
    assert_eq!(status("In tag `v1.0`."), CitationStatus::Present);
    assert_eq!(
        status("https://example.org/acme/shop/blob/main/src/a.rs#L1"),
        CitationStatus::Present
    );
    assert_eq!(status("See [[other-note]]."), CitationStatus::Unknown);
    assert!(
        fixture
            .check(&fixture.note("The digest `a1b2c3d4e5` and `owner/name`."))
            .citations
            .is_empty()
    );
    let names = BTreeSet::from(["other_note.md".to_owned()]);
    let place = fixture.place();
    // A memory directory that was tracked once is no proof that its notes are gone.
    for name in ["MEMORY.md", "other_note.md", "lost_note.md"] {
        fixture.write(name, "text\n");
    }
    fixture.commit("notes");
    for name in ["MEMORY.md", "other_note.md", "lost_note.md"] {
        fixture.rm(name);
    }
    fixture.commit("no notes");
    let text = "See [[other-note]], [[nowhere]], `MEMORY.md`, `other_note.md`, `lost_note.md` and \
        [the index](MEMORY.md).";
    let notes = [fixture.note(text)];
    let request = DriftRequest {
        place: &place,
        notes: &notes,
        remotes: &[],
        known_notes: Some(&names),
        earlier_notes: None,
        now: Now(Timestamp::from_second(START + DAY).unwrap()),
    };
    let report = verify_notes(&request, None).unwrap().report;
    let statuses: Vec<CitationStatus> = report.notes[0]
        .citations
        .iter()
        .map(|citation| citation.status)
        .collect();
    let present = CitationStatus::Present;
    assert_eq!(
        statuses,
        [
            present,
            CitationStatus::Never,
            present,
            present,
            CitationStatus::Gone,
            present
        ]
    );
}

/// Names that notes had, and how often they were asked for.
#[derive(Debug, Default)]
struct Earlier(AtomicUsize);

impl EarlierNames for Earlier {
    fn earlier_names(&self) -> Vec<EarlierName> {
        self.0.fetch_add(1, Ordering::Relaxed);
        let earlier = |name: &str, file: Option<&str>| EarlierName {
            name: name.to_owned(),
            file: file.map(str::to_owned),
        };
        vec![
            earlier("project_old", Some("project_new.md")),
            earlier("project_removed", None),
        ]
    }
}

#[test]
fn earlier_names_are_read_once_and_only_for_a_link_that_leads_nowhere() {
    let fixture = Fixture::new();
    fixture.write("a.rs", "fn keep_going_now() {}\n");
    fixture.commit("one");
    let place = fixture.place();
    let names = BTreeSet::from(["project_new.md".to_owned()]);
    let checked = |text: &str| {
        let (earlier, notes) = (Earlier::default(), [fixture.note(text)]);
        let request = DriftRequest {
            place: &place,
            notes: &notes,
            remotes: &[],
            known_notes: Some(&names),
            earlier_notes: Some(&earlier),
            now: Now(Timestamp::from_second(START + DAY).unwrap()),
        };
        let verdict = verify_notes(&request, None).unwrap().report.notes[0].verdict;
        (verdict, earlier.0.load(Ordering::Relaxed))
    };
    assert_eq!(checked("Call `keep_going_now()`."), (Verdict::Fresh, 0));
    assert_eq!(checked("See [[new]]."), (Verdict::Fresh, 0));
    assert_eq!(
        checked("See [[old]] and [[nowhere]]."),
        (Verdict::Drifted, 1)
    );
    assert_eq!(checked("See [[removed]], [[old]]."), (Verdict::Broken, 1));
    assert_eq!(checked("See `project_removed.md`."), (Verdict::Drifted, 1));
}

#[test]
fn a_cache_answers_until_anything_changes() {
    let fixture = Fixture::new();
    fixture.write("a.rs", "fn keep_going_now() {}\n");
    fixture.commit("one");
    let notes = [fixture.note("Call `keep_going_now()` and `not_there_yet()` in `a.rs`.")];
    let first = run(&fixture.place(), &notes, None);
    let cache = first.cache.unwrap();
    let again = run(&fixture.place(), &notes, Some(&cache));
    assert!(again.cache.is_none());
    assert_eq!(again.report, first.report);
    for damaged in [&b"{}"[..], b"", b"\xff", &cache[..cache.len() / 2]] {
        assert_eq!(
            run(&fixture.place(), &notes, Some(damaged)).report,
            first.report
        );
    }
    let remembered = |note: &DriftInput| {
        let place = fixture.place();
        let request = DriftRequest {
            place: &place,
            notes: std::slice::from_ref(note),
            remotes: &["git@example.org:acme/shop.git".to_owned()],
            known_notes: None,
            earlier_notes: None,
            now: Now(Timestamp::from_second(START).unwrap()),
        };
        mem_drift::cached_reports(&request, &cache)
            .unwrap()
            .remove(0)
    };
    assert_eq!(
        remembered(&notes[0]).unwrap().verdict,
        first.report.notes[0].verdict
    );
    assert_eq!(remembered(&fixture.note("Another text.")), None);
    fixture.write("b.rs", "fn not_there_yet() {}\n");
    let untracked = run(&fixture.place(), &notes, Some(&cache));
    assert_eq!(
        untracked.report.notes[0].citations[1].status,
        CitationStatus::Present
    );
    fixture.write("a.rs", "fn x() {}\n");
    let edited = run(&fixture.place(), &notes, Some(&cache));
    assert_eq!(
        edited.report.notes[0].citations[0].status,
        CitationStatus::Gone
    );
    fixture.commit("two");
    assert_eq!(remembered(&notes[0]), None);
}
