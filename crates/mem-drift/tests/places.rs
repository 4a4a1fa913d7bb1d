//! Every state in which a repository can be found.

use std::path::Path;

use mem_core::{Diagnose, ErrorKind};
use mem_drift::{CheckoutPaths, CitationStatus, DriftInput, Verdict};

use crate::fixture::{Fixture, check_at, only, run};

const BODY: &str =
    "fn one_thing() {}\nfn other_thing() {}\nfn third_thing() {}\nfn fourth_thing() {}\n";

#[track_caller]
fn assert_answer((found, detail): (CitationStatus, String), status: CitationStatus, part: &str) {
    assert_eq!(found, status, "{detail}");
    assert!(detail.contains(part), "{detail}");
}

#[test]
fn changes_that_nobody_committed() {
    let fixture = Fixture::new();
    fixture.write("src/a.rs", BODY);
    fixture.write("src/b.rs", "fn lone_survivor() {}\n");
    fixture.commit("one");
    fixture.mv("src/a.rs", "lib/a.rs");
    assert_answer(
        fixture.status("See `src/a.rs`."),
        CitationStatus::Moved,
        "`lib/a.rs`, not committed",
    );
    fixture.git(&["reset", "-q", "--hard"]);
    std::fs::rename(
        fixture.root().join("src/a.rs"),
        fixture.root().join("src/c.rs"),
    )
    .unwrap();
    assert_answer(
        fixture.status("See `src/a.rs`."),
        CitationStatus::Moved,
        "`src/c.rs`, not committed",
    );
    std::fs::remove_file(fixture.root().join("src/b.rs")).unwrap();
    assert_answer(
        fixture.status("See `src/b.rs`."),
        CitationStatus::Gone,
        "not committed",
    );
    assert_answer(
        fixture.status("Call `lone_survivor()`."),
        CitationStatus::Gone,
        "not committed",
    );
    fixture.write("src/new.rs", "fn brand_new_thing() {}\n");
    assert_answer(
        fixture.status("See `src/new.rs`."),
        CitationStatus::Present,
        "not tracked",
    );
    assert_answer(
        fixture.status("Call `brand_new_thing()`."),
        CitationStatus::Present,
        "",
    );
    assert_answer(
        fixture.status("Call `one_thing()`."),
        CitationStatus::Present,
        "",
    );
}

#[test]
fn what_moved_and_then_went_on_uncommitted() {
    let fixture = Fixture::new();
    fixture.write("src/a.rs", BODY);
    fixture.commit("one");
    fixture.mv("src/a.rs", "src/b.rs");
    fixture.commit("two");
    let note = fixture.note("See `src/a.rs`.");
    let check = |cache: Option<&[u8]>| run(&fixture.place(), std::slice::from_ref(&note), cache);
    let before = check(None);
    assert_answer(
        only(&before.report.notes[0]),
        CitationStatus::Moved,
        "`src/b.rs` by",
    );
    std::fs::remove_file(fixture.root().join("src/b.rs")).unwrap();
    for cache in [None, before.cache.as_deref()] {
        let after = check(cache);
        let answer = only(&after.report.notes[0]);
        assert_answer(answer, CitationStatus::Gone, "then deleted, not committed");
    }
    fixture.git(&["reset", "-q", "--hard"]);
    fixture.mv("src/b.rs", "src/c.rs");
    for cache in [None, before.cache.as_deref()] {
        let after = check(cache);
        let answer = only(&after.report.notes[0]);
        assert_answer(answer, CitationStatus::Moved, "`src/c.rs`, not committed");
    }
}

#[test]
fn a_damaged_history_says_nothing_of_what_is_not_there() {
    let fixture = Fixture::new();
    fixture.write("src/a.rs", BODY);
    fixture.commit("one");
    fixture.rm("src/a.rs");
    let lost = fixture.commit("two");
    fixture.write("src/b.rs", BODY);
    let head = fixture.commit("three");
    let first = fixture.git(&["rev-parse", "HEAD~2"]);
    let remove = |id: &str| {
        let object = fixture.root().join(".git/objects").join(&id[..2]);
        std::fs::remove_file(object.join(&id[2..])).unwrap();
    };
    remove(lost.trim());
    let unread = "part of the history cannot be read";
    let commit = format!("Since commit {}.", &first[..12]);
    assert_answer(
        fixture.status("See `src/a.rs`."),
        CitationStatus::Unknown,
        unread,
    );
    assert_answer(fixture.status(&commit), CitationStatus::Unknown, unread);
    remove(head.trim());
    assert_answer(
        fixture.status("See `src/a.rs`."),
        CitationStatus::Unknown,
        unread,
    );
}

#[test]
fn bare_and_unborn() {
    let fixture = Fixture::new();
    assert_answer(fixture.status("See `src/a.rs`."), CitationStatus::Never, "");
    fixture.write("src/a.rs", BODY);
    assert_answer(
        fixture.status("See `src/a.rs`."),
        CitationStatus::Present,
        "not tracked",
    );
    fixture.write("src/b.rs", "fn lone_survivor() {}\n");
    fixture.commit("one");
    fixture.rm("src/b.rs");
    fixture.mv("src/a.rs", "lib.rs");
    fixture.commit("two");
    let bare = fixture.beside("bare.git");
    fixture.git(&["clone", "-q", "--bare", ".", bare.to_str().unwrap()]);
    let project = mem_core::project::find(&bare, &mem_core::Environment::default()).unwrap();
    let place = CheckoutPaths::for_project(&project);
    assert_eq!(place.workdir, None);
    let status = |text: &str| only(&check_at(&place, &fixture.note(text)));
    assert_answer(status("See `lib.rs`."), CitationStatus::Present, "");
    assert_answer(status("See `src/a.rs`."), CitationStatus::Moved, "`lib.rs`");
    assert_answer(status("Call `one_thing()`."), CitationStatus::Present, "");
    assert_answer(
        status("Call `lone_survivor()`."),
        CitationStatus::Gone,
        "src/b.rs",
    );
}

#[test]
fn shallow_clones_and_no_repository_know_little() {
    let fixture = Fixture::new();
    fixture.write("src/a.rs", BODY);
    fixture.write("src/b.rs", "fn lone_survivor() {}\n");
    fixture.commit("one");
    fixture.rm("src/b.rs");
    fixture.commit("two");
    fixture.commit("three");
    let shallow = fixture.beside("shallow");
    let url = format!("file://{}", fixture.root().display());
    fixture.git(&[
        "clone",
        "-q",
        "--depth",
        "1",
        &url,
        shallow.to_str().unwrap(),
    ]);
    let place = CheckoutPaths {
        git_dir: Some(shallow.join(".git")),
        workdir: Some(shallow),
    };
    let status = |text: &str| only(&check_at(&place, &fixture.note(text)));
    assert_answer(status("See `src/a.rs`."), CitationStatus::Present, "");
    assert_answer(
        status("See `src/b.rs`."),
        CitationStatus::Unknown,
        "shallow",
    );
    assert_answer(
        status("Call `lone_survivor()`."),
        CitationStatus::Unknown,
        "shallow",
    );
    let none = CheckoutPaths {
        git_dir: None,
        workdir: Some(fixture.root().to_owned()),
    };
    let note = fixture.note("See `src/a.rs` and `src/b.rs`.");
    let statuses: Vec<CitationStatus> = check_at(&none, &note)
        .citations
        .iter()
        .map(|citation| citation.status)
        .collect();
    assert_eq!(statuses, [CitationStatus::Present, CitationStatus::Unknown]);
}

#[test]
fn submodules_sparse_checkouts_and_linked_worktrees() {
    let fixture = Fixture::new();
    fixture.write("src/a.rs", BODY);
    fixture.write("docs/long.md", "x\n");
    fixture.commit("one");
    let module = fixture.beside("module");
    fixture.git(&["clone", "-q", ".", module.to_str().unwrap()]);
    fixture.git(&[
        "submodule",
        "--quiet",
        "add",
        module.to_str().unwrap(),
        "vendor/lib",
    ]);
    fixture.commit("two");
    assert_answer(
        fixture.status("See `vendor/lib/src/a.rs`."),
        CitationStatus::Present,
        "",
    );
    assert_answer(
        fixture.status("See `vendor/lib/`."),
        CitationStatus::Present,
        "",
    );
    fixture.git(&["submodule", "--quiet", "deinit", "-f", "--all"]);
    assert_answer(
        fixture.status("See `vendor/lib/src/a.rs`."),
        CitationStatus::Unknown,
        "submodule",
    );
    let linked = fixture.beside("linked");
    fixture.git(&["worktree", "add", "-q", linked.to_str().unwrap()]);
    let place = CheckoutPaths {
        git_dir: Some(fixture.root().join(".git/worktrees/linked")),
        workdir: Some(linked),
    };
    assert_answer(
        only(&check_at(&place, &fixture.note("See `src/a.rs`."))),
        CitationStatus::Present,
        "",
    );
    fixture.git(&["sparse-checkout", "set", "docs"]);
    assert!(!fixture.root().join("src").exists());
    assert_answer(
        fixture.status("See `src/a.rs`."),
        CitationStatus::Present,
        "",
    );
    assert_answer(
        fixture.status("Call `third_thing()`."),
        CitationStatus::Present,
        "",
    );
    fixture.git(&["sparse-checkout", "set", "--sparse-index", "docs"]);
    assert_answer(
        fixture.status("See `src/a.rs`."),
        CitationStatus::Present,
        "",
    );
}

#[test]
fn paths_of_parts_in_other_letters_and_odd_names() {
    let fixture = Fixture::new();
    fixture.write("web/src/page.ts", "export const one_page = 1;\n");
    fixture.write("api/src/main.rs", BODY);
    fixture.write("cli/src/main.rs", "fn main() {}\n");
    fixture.write("README.md", "x\n");
    fixture.write("\u{e9}t\u{e9}.rs", "x\n");
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        let odd = std::ffi::OsStr::from_bytes(b"odd\xff.rs");
        std::fs::write(fixture.root().join(odd), "fn odd_one_out() {}\n").unwrap();
        std::os::unix::fs::symlink("nowhere", fixture.root().join("link.rs")).unwrap();
        std::os::unix::fs::symlink("/", fixture.root().join("escape")).unwrap();
    }
    fixture.commit("one");
    assert_answer(
        fixture.status("See `src/page.ts`."),
        CitationStatus::Present,
        "`web/src/page.ts`",
    );
    assert_answer(
        fixture.status("See `page.ts`."),
        CitationStatus::Present,
        "`web/src/page.ts`",
    );
    assert_answer(
        fixture.status("See `shop/web/src/page.ts`."),
        CitationStatus::Present,
        "",
    );
    assert_answer(
        fixture.status("See `src/main.rs`."),
        CitationStatus::Present,
        "one of 2",
    );
    assert_answer(
        fixture.status("See `ReadMe.md`."),
        CitationStatus::Present,
        "`README.md`",
    );
    assert_answer(
        fixture.status("See `\u{e9}t\u{e9}.rs`."),
        CitationStatus::Present,
        "",
    );
    assert_answer(
        fixture.status("Call `odd_one_out()`."),
        CitationStatus::Present,
        "",
    );
    assert_answer(
        fixture.status("See `link.rs`."),
        CitationStatus::Present,
        "",
    );
    assert_answer(
        fixture.status("See `web/src/gone.ts`."),
        CitationStatus::Never,
        "",
    );
}

#[test]
fn a_merge_that_moves_a_file_is_a_move() {
    let fixture = Fixture::new();
    fixture.write("src/a.rs", BODY);
    fixture.commit("one");
    fixture.git(&["checkout", "-qb", "side"]);
    fixture.write("src/b.rs", "fn b() {}\n");
    fixture.commit("side");
    fixture.git(&["checkout", "-q", "main"]);
    fixture.write("src/c.rs", "fn c() {}\n");
    fixture.commit("main");
    fixture.git(&["merge", "-q", "--no-commit", "--no-ff", "side"]);
    fixture.mv("src/a.rs", "lib/a.rs");
    fixture.rm("src/c.rs");
    fixture.mv("src/b.rs", "src/bee.rs");
    let merge = fixture.commit("Merge branch 'side'");
    assert_answer(
        fixture.status("See `src/a.rs`."),
        CitationStatus::Moved,
        &format!("`lib/a.rs` by {}", &merge[..9]),
    );
    assert_answer(
        fixture.status("See `src/c.rs`."),
        CitationStatus::Gone,
        "last seen in",
    );
    // Of the side branch, which the merge itself renamed.
    assert_answer(
        fixture.status("See `src/b.rs`."),
        CitationStatus::Moved,
        "`src/bee.rs`",
    );
}

#[test]
fn huge_and_binary_files_do_no_harm() {
    let fixture = Fixture::new();
    fixture.write(
        "big.txt.rs",
        "x".repeat(6 * 1024 * 1024) + " hidden_far_away",
    );
    fixture.write("data.rs", b"\0\0 inside_binary_blob");
    fixture.commit("one");
    let note = fixture.note("See `big.txt.rs` and `data.rs`.");
    fixture.write("data.rs", b"\0\0 other");
    fixture.write("big.txt.rs", "y");
    fixture.commit("two");
    let report = fixture.check(&note);
    assert!(
        report
            .citations
            .iter()
            .all(|citation| citation.status == CitationStatus::Changed),
        "{report:?}"
    );
    assert_answer(
        fixture.status("Call `inside_binary_blob()`."),
        CitationStatus::Never,
        "",
    );
}

#[test]
fn a_hostile_repository_runs_nothing() {
    let fixture = Fixture::new();
    fixture.write("src/a.rs", BODY);
    fixture.write(".gitattributes", "*.rs filter=evil diff=evil\n");
    fixture.commit("one");
    let note = fixture.note("See `src/a.rs:2`, `src/b.rs` and `never_was_here()`.");
    let mark = fixture.beside("mark");
    let touch = format!("touch {}", mark.display());
    for setting in [
        "core.fsmonitor",
        "filter.evil.clean",
        "filter.evil.smudge",
        "diff.evil.command",
        "diff.evil.textconv",
        "diff.external",
        "core.pager",
        "core.sshCommand",
    ] {
        fixture.git(&["config", setting, &touch]);
    }
    fixture.git(&["config", "core.worktree", "/"]);
    std::fs::write(
        fixture.root().join("src/a.rs"),
        BODY.replace("other_thing", "changed_thing"),
    )
    .unwrap();
    let report = fixture.check(&note);
    assert!(!mark.exists());
    assert_eq!(report.verdict, Verdict::Drifted, "{report:?}");
}

#[test]
fn what_is_no_repository_is_an_error_that_says_so() {
    let fixture = Fixture::new();
    let place = CheckoutPaths {
        git_dir: Some(fixture.beside("nowhere")),
        workdir: None,
    };
    let request = mem_drift::DriftRequest {
        place: &place,
        notes: &[DriftInput::default()],
        remotes: &[],
        known_notes: None,
        earlier_notes: None,
        now: mem_core::Now(jiff::Timestamp::from_second(0).unwrap()),
    };
    let error = mem_drift::verify_notes(&request, None).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(
        error
            .to_string()
            .starts_with("cannot read the repository `")
    );
    assert!(Path::new(&fixture.beside("nowhere")).parent().is_some());
}
