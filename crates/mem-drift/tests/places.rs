//! Every state in which a repository can be found.

use std::path::Path;

use mem_core::{Diagnose, ErrorKind};
use mem_drift::{CheckoutPaths, CitationStatus, DriftInput, Verdict};

use crate::fixture::{Bed, check_at, only, run};

const BODY: &str =
    "fn one_thing() {}\nfn other_thing() {}\nfn third_thing() {}\nfn fourth_thing() {}\n";

#[track_caller]
fn assert_answer((found, detail): (CitationStatus, String), status: CitationStatus, part: &str) {
    assert_eq!(found, status, "{detail}");
    assert!(detail.contains(part), "{detail}");
}

#[test]
fn changes_that_nobody_committed() {
    let bed = Bed::new();
    bed.write("src/a.rs", BODY);
    bed.write("src/b.rs", "fn lone_survivor() {}\n");
    bed.commit("one");
    bed.mv("src/a.rs", "lib/a.rs");
    assert_answer(
        bed.status("See `src/a.rs`."),
        CitationStatus::Moved,
        "`lib/a.rs`, not committed",
    );
    bed.git(&["reset", "-q", "--hard"]);
    std::fs::rename(bed.root().join("src/a.rs"), bed.root().join("src/c.rs")).unwrap();
    assert_answer(
        bed.status("See `src/a.rs`."),
        CitationStatus::Moved,
        "`src/c.rs`, not committed",
    );
    std::fs::remove_file(bed.root().join("src/b.rs")).unwrap();
    assert_answer(
        bed.status("See `src/b.rs`."),
        CitationStatus::Gone,
        "not committed",
    );
    assert_answer(
        bed.status("Call `lone_survivor()`."),
        CitationStatus::Gone,
        "not committed",
    );
    bed.write("src/new.rs", "fn brand_new_thing() {}\n");
    assert_answer(
        bed.status("See `src/new.rs`."),
        CitationStatus::Present,
        "not tracked",
    );
    assert_answer(
        bed.status("Call `brand_new_thing()`."),
        CitationStatus::Present,
        "",
    );
    assert_answer(
        bed.status("Call `one_thing()`."),
        CitationStatus::Present,
        "",
    );
}

#[test]
fn what_moved_and_then_went_on_uncommitted() {
    let bed = Bed::new();
    bed.write("src/a.rs", BODY);
    bed.commit("one");
    bed.mv("src/a.rs", "src/b.rs");
    bed.commit("two");
    let note = bed.note("See `src/a.rs`.");
    let check = |cache: Option<&[u8]>| run(&bed.place(), std::slice::from_ref(&note), cache);
    let before = check(None);
    assert_answer(
        only(&before.report.notes[0]),
        CitationStatus::Moved,
        "`src/b.rs` by",
    );
    std::fs::remove_file(bed.root().join("src/b.rs")).unwrap();
    for cache in [None, before.cache.as_deref()] {
        let after = check(cache);
        let answer = only(&after.report.notes[0]);
        assert_answer(answer, CitationStatus::Gone, "then deleted, not committed");
    }
    bed.git(&["reset", "-q", "--hard"]);
    bed.mv("src/b.rs", "src/c.rs");
    for cache in [None, before.cache.as_deref()] {
        let after = check(cache);
        let answer = only(&after.report.notes[0]);
        assert_answer(answer, CitationStatus::Moved, "`src/c.rs`, not committed");
    }
}

#[test]
fn a_damaged_history_says_nothing_of_what_is_not_there() {
    let bed = Bed::new();
    bed.write("src/a.rs", BODY);
    bed.commit("one");
    bed.rm("src/a.rs");
    let lost = bed.commit("two");
    bed.write("src/b.rs", BODY);
    let head = bed.commit("three");
    let first = bed.git(&["rev-parse", "HEAD~2"]);
    let remove = |id: &str| {
        let object = bed.root().join(".git/objects").join(&id[..2]);
        std::fs::remove_file(object.join(&id[2..])).unwrap();
    };
    remove(lost.trim());
    let unread = "part of the history cannot be read";
    let commit = format!("Since commit {}.", &first[..12]);
    assert_answer(
        bed.status("See `src/a.rs`."),
        CitationStatus::Unknown,
        unread,
    );
    assert_answer(bed.status(&commit), CitationStatus::Unknown, unread);
    remove(head.trim());
    assert_answer(
        bed.status("See `src/a.rs`."),
        CitationStatus::Unknown,
        unread,
    );
}

#[test]
fn bare_and_unborn() {
    let bed = Bed::new();
    assert_answer(bed.status("See `src/a.rs`."), CitationStatus::Never, "");
    bed.write("src/a.rs", BODY);
    assert_answer(
        bed.status("See `src/a.rs`."),
        CitationStatus::Present,
        "not tracked",
    );
    bed.write("src/b.rs", "fn lone_survivor() {}\n");
    bed.commit("one");
    bed.rm("src/b.rs");
    bed.mv("src/a.rs", "lib.rs");
    bed.commit("two");
    let bare = bed.beside("bare.git");
    bed.git(&["clone", "-q", "--bare", ".", bare.to_str().unwrap()]);
    let project = mem_core::project::find(&bare, &mem_core::Environment::default()).unwrap();
    let place = CheckoutPaths::for_project(&project);
    assert_eq!(place.workdir, None);
    let status = |text: &str| only(&check_at(&place, &bed.note(text)));
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
    let bed = Bed::new();
    bed.write("src/a.rs", BODY);
    bed.write("src/b.rs", "fn lone_survivor() {}\n");
    bed.commit("one");
    bed.rm("src/b.rs");
    bed.commit("two");
    bed.commit("three");
    let shallow = bed.beside("shallow");
    let url = format!("file://{}", bed.root().display());
    bed.git(&[
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
    let status = |text: &str| only(&check_at(&place, &bed.note(text)));
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
        workdir: Some(bed.root().to_owned()),
    };
    let note = bed.note("See `src/a.rs` and `src/b.rs`.");
    let statuses: Vec<CitationStatus> = check_at(&none, &note)
        .citations
        .iter()
        .map(|citation| citation.status)
        .collect();
    assert_eq!(statuses, [CitationStatus::Present, CitationStatus::Unknown]);
}

#[test]
fn submodules_sparse_checkouts_and_linked_worktrees() {
    let bed = Bed::new();
    bed.write("src/a.rs", BODY);
    bed.write("docs/long.md", "x\n");
    bed.commit("one");
    let module = bed.beside("module");
    bed.git(&["clone", "-q", ".", module.to_str().unwrap()]);
    bed.git(&[
        "submodule",
        "--quiet",
        "add",
        module.to_str().unwrap(),
        "vendor/lib",
    ]);
    bed.commit("two");
    assert_answer(
        bed.status("See `vendor/lib/src/a.rs`."),
        CitationStatus::Present,
        "",
    );
    assert_answer(
        bed.status("See `vendor/lib/`."),
        CitationStatus::Present,
        "",
    );
    bed.git(&["submodule", "--quiet", "deinit", "-f", "--all"]);
    assert_answer(
        bed.status("See `vendor/lib/src/a.rs`."),
        CitationStatus::Unknown,
        "submodule",
    );
    let linked = bed.beside("linked");
    bed.git(&["worktree", "add", "-q", linked.to_str().unwrap()]);
    let place = CheckoutPaths {
        git_dir: Some(bed.root().join(".git/worktrees/linked")),
        workdir: Some(linked),
    };
    assert_answer(
        only(&check_at(&place, &bed.note("See `src/a.rs`."))),
        CitationStatus::Present,
        "",
    );
    bed.git(&["sparse-checkout", "set", "docs"]);
    assert!(!bed.root().join("src").exists());
    assert_answer(bed.status("See `src/a.rs`."), CitationStatus::Present, "");
    assert_answer(
        bed.status("Call `third_thing()`."),
        CitationStatus::Present,
        "",
    );
    bed.git(&["sparse-checkout", "set", "--sparse-index", "docs"]);
    assert_answer(bed.status("See `src/a.rs`."), CitationStatus::Present, "");
}

#[test]
fn paths_of_parts_in_other_letters_and_odd_names() {
    let bed = Bed::new();
    bed.write("web/src/page.ts", "export const one_page = 1;\n");
    bed.write("api/src/main.rs", BODY);
    bed.write("cli/src/main.rs", "fn main() {}\n");
    bed.write("README.md", "x\n");
    bed.write("\u{e9}t\u{e9}.rs", "x\n");
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        let odd = std::ffi::OsStr::from_bytes(b"odd\xff.rs");
        std::fs::write(bed.root().join(odd), "fn odd_one_out() {}\n").unwrap();
        std::os::unix::fs::symlink("nowhere", bed.root().join("link.rs")).unwrap();
        std::os::unix::fs::symlink("/", bed.root().join("escape")).unwrap();
    }
    bed.commit("one");
    assert_answer(
        bed.status("See `src/page.ts`."),
        CitationStatus::Present,
        "`web/src/page.ts`",
    );
    assert_answer(
        bed.status("See `page.ts`."),
        CitationStatus::Present,
        "`web/src/page.ts`",
    );
    assert_answer(
        bed.status("See `shop/web/src/page.ts`."),
        CitationStatus::Present,
        "",
    );
    assert_answer(
        bed.status("See `src/main.rs`."),
        CitationStatus::Present,
        "one of 2",
    );
    assert_answer(
        bed.status("See `ReadMe.md`."),
        CitationStatus::Present,
        "`README.md`",
    );
    assert_answer(
        bed.status("See `\u{e9}t\u{e9}.rs`."),
        CitationStatus::Present,
        "",
    );
    assert_answer(
        bed.status("Call `odd_one_out()`."),
        CitationStatus::Present,
        "",
    );
    assert_answer(bed.status("See `link.rs`."), CitationStatus::Present, "");
    assert_answer(
        bed.status("See `web/src/gone.ts`."),
        CitationStatus::Never,
        "",
    );
}

#[test]
fn a_merge_that_moves_a_file_is_a_move() {
    let bed = Bed::new();
    bed.write("src/a.rs", BODY);
    bed.commit("one");
    bed.git(&["checkout", "-qb", "side"]);
    bed.write("src/b.rs", "fn b() {}\n");
    bed.commit("side");
    bed.git(&["checkout", "-q", "main"]);
    bed.write("src/c.rs", "fn c() {}\n");
    bed.commit("main");
    bed.git(&["merge", "-q", "--no-commit", "--no-ff", "side"]);
    bed.mv("src/a.rs", "lib/a.rs");
    bed.rm("src/c.rs");
    bed.mv("src/b.rs", "src/bee.rs");
    let merge = bed.commit("Merge branch 'side'");
    assert_answer(
        bed.status("See `src/a.rs`."),
        CitationStatus::Moved,
        &format!("`lib/a.rs` by {}", &merge[..9]),
    );
    assert_answer(
        bed.status("See `src/c.rs`."),
        CitationStatus::Gone,
        "last seen in",
    );
    // Of the side branch, which the merge itself renamed.
    assert_answer(
        bed.status("See `src/b.rs`."),
        CitationStatus::Moved,
        "`src/bee.rs`",
    );
}

#[test]
fn huge_and_binary_files_do_no_harm() {
    let bed = Bed::new();
    bed.write(
        "big.txt.rs",
        "x".repeat(6 * 1024 * 1024) + " hidden_far_away",
    );
    bed.write("data.rs", b"\0\0 inside_binary_blob");
    bed.commit("one");
    let note = bed.note("See `big.txt.rs` and `data.rs`.");
    bed.write("data.rs", b"\0\0 other");
    bed.write("big.txt.rs", "y");
    bed.commit("two");
    let report = bed.check(&note);
    assert!(
        report
            .citations
            .iter()
            .all(|citation| citation.status == CitationStatus::Changed),
        "{report:?}"
    );
    assert_answer(
        bed.status("Call `inside_binary_blob()`."),
        CitationStatus::Never,
        "",
    );
}

#[test]
fn a_hostile_repository_runs_nothing() {
    let bed = Bed::new();
    bed.write("src/a.rs", BODY);
    bed.write(".gitattributes", "*.rs filter=evil diff=evil\n");
    bed.commit("one");
    let note = bed.note("See `src/a.rs:2`, `src/b.rs` and `never_was_here()`.");
    let mark = bed.beside("mark");
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
        bed.git(&["config", setting, &touch]);
    }
    bed.git(&["config", "core.worktree", "/"]);
    std::fs::write(
        bed.root().join("src/a.rs"),
        BODY.replace("other_thing", "changed_thing"),
    )
    .unwrap();
    let report = bed.check(&note);
    assert!(!mark.exists());
    assert_eq!(report.verdict, Verdict::Drifted, "{report:?}");
}

#[test]
fn what_is_no_repository_is_an_error_that_says_so() {
    let bed = Bed::new();
    let place = CheckoutPaths {
        git_dir: Some(bed.beside("nowhere")),
        workdir: None,
    };
    let request = mem_drift::DriftRequest {
        place: &place,
        notes: &[DriftInput::default()],
        remotes: &[],
        known_notes: None,
        now: mem_core::Now(jiff::Timestamp::from_second(0).unwrap()),
    };
    let error = mem_drift::verify_notes(&request, None).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(
        error
            .to_string()
            .starts_with("cannot read the repository `")
    );
    assert!(Path::new(&bed.beside("nowhere")).parent().is_some());
}
