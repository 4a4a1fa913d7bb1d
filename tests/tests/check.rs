//! Checking, repairing, fitting and searching, over directories as they are found in the wild.

use std::fs;
use std::path::PathBuf;

use insta::assert_snapshot;
use mem_tests::{Repo, TestEnv};

/// Makes the private directory with some files in it.
fn directory(repo: &Repo<'_>, files: &[(&str, &str)]) -> PathBuf {
    let dir: PathBuf = repo.mem(["path"]).assert_ok().line().into();
    fs::create_dir_all(&dir).unwrap();
    for (name, text) in files {
        fs::write(dir.join(name), text).unwrap();
    }
    dir
}

const GOOD: &str = "---\nname: Good\ndescription: when it matters\ntype: project\n---\nBody\n";

/// Permissions count for root too, who runs the tests in containers.
#[cfg(target_os = "linux")]
pub(crate) const WITHOUT_PRIVILEGE: &str = r#"
    test "$(id -u)" = 0 && exec setpriv --bounding-set=-dac_override,-dac_read_search "$0" "$@"
    exec "$0" "$@""#;

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_read_is_named_and_nothing_in_it_is_gone() {
    use std::os::unix::fs::PermissionsExt as _;

    use mem_tests::words;

    let env = TestEnv::new();
    let repo = env.repo("app");
    for name in ["Harbour", "Lantern"] {
        let save = format!(
            "save --type project --name {name} --description valuable --body 'Mind the {name}.'"
        );
        repo.mem(words(&save)).assert_ok();
    }
    let (folder, file) = (repo.memory().join("sub"), "project_harbour.md");
    fs::create_dir(&folder).unwrap();
    fs::rename(repo.memory().join(file), folder.join(file)).unwrap();
    repo.mem(["index", "repair"]).assert_ok();
    let index = repo.note("MEMORY.md").unwrap();
    let set_mode = |mode| fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).unwrap();
    let run = |args: &str| {
        let run = repo.invoke(words(args));
        run.through_shell(WITHOUT_PRIVILEGE).run()
    };
    for mode in [0o000, 0o444] {
        set_mode(mode);
        for args in [
            "list",
            "search lantern",
            "search --regex lantern",
            "recall 'mind the lantern'",
            "similar lantern",
            "browse --plain",
            "verify",
            "index repair",
        ] {
            let told = run(args).assert_ok().stderr;
            assert_eq!(told.matches("memory/sub").count(), 1, "{args}: {told}");
            assert!(told.contains("permission denied"), "{args}: {told}");
        }
        let found = run("check --json").assert_code(1);
        let findings = found.json()["findings"].as_array().unwrap().clone();
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert_eq!(findings[0]["code"], "unreadable");
        assert!(!found.stderr.contains("cannot read"), "told once");
        assert_eq!(repo.note("MEMORY.md").unwrap(), index);
        let shown = run("show Harbour").assert_code(1).stderr;
        assert!(shown.contains("permission denied"), "{shown}");
        let doctor = run("doctor").assert_code(1).stdout;
        assert_eq!(doctor.matches("memory/sub").count(), 1, "{doctor}");
        set_mode(0o755);
    }
    repo.mem(["check"]).assert_ok();
    let history = repo
        .mem(words("history sub/project_harbour.md --json"))
        .assert_ok()
        .json();
    let versions = history["versions"].to_string();
    assert!(!versions.contains("deleted"), "{versions}");
}

#[cfg(unix)]
#[test]
fn what_is_no_memory_is_named_once_by_what_looks_through_them() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let dir = directory(&repo, &[("good.md", GOOD)]);
    std::os::unix::fs::symlink(dir.join("good.md"), dir.join("linked.md")).unwrap();
    let wide = "---\nname: Wide\n---\n".encode_utf16();
    let wide: Vec<u8> = wide.flat_map(u16::to_le_bytes).collect();
    fs::write(dir.join("wide.md"), wide).unwrap();
    let vast = fs::File::create(dir.join("vast.md")).unwrap();
    vast.set_len((16 << 20) + 1).unwrap();
    let assert_named = |text: &str| {
        for file in ["linked.md", "wide.md", "vast.md"] {
            assert_eq!(text.matches(file).count(), 1, "{file}: {text}");
        }
    };
    for args in [
        &["list"][..],
        &["search", "body"],
        &["search", "body"],
        &["search", "--regex", "body"],
        &["recall", "body"],
        &["similar", "good"],
        &["browse", "--plain"],
    ] {
        assert_named(&repo.mem(args).assert_ok().stderr);
    }
    assert_named(&repo.mem(["doctor"]).stdout);
    let checked = repo.mem(["check", "--json"]).assert_code(1);
    assert!(
        checked.stdout.contains("\"not-text\""),
        "{}",
        checked.shown()
    );
    assert!(!checked.stderr.contains("wide.md"), "{}", checked.shown());
}

#[test]
fn of_many_memories_that_say_the_same_the_nearest_are_named_and_the_others_counted() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let fields = "name: Harbour\ndescription: the value of the harbour\ntype: project";
    for number in 1..=8 {
        let text = format!("---\n{fields}\n---\n\nThe value of the harbour is {number}.\n");
        directory(&repo, &[(&format!("harbour_{number}.md"), &text)]);
    }
    let found = repo.mem(["check", "--json"]).assert_code(1).json();
    let found = found["findings"].as_array().unwrap().iter();
    let near = found.filter(|one| one["code"] == "near-duplicate");
    let messages: Vec<&str> = near.filter_map(|one| one["message"].as_str()).collect();
    // Of none to seven older ones, up to five.
    assert_eq!(messages.len(), 25, "{messages:?}");
    let endings = |ending: &str| {
        messages
            .iter()
            .filter(|text| text.ends_with(ending))
            .count()
    };
    assert_eq!(endings("), and as 2 more: make one of all"), 1);
    assert_eq!(endings("), and as 1 more: make one of all"), 1);
    assert_eq!(endings("): make one memory of both"), 23);
}

#[cfg(target_os = "linux")]
#[test]
fn a_repair_passes_over_an_unreadable_folder_whose_name_is_no_memory_path() {
    use std::os::unix::fs::PermissionsExt as _;

    let env = TestEnv::new();
    let repo = env.repo("app");
    let folder = directory(&repo, &[("good.md", GOOD)]).join("a\\b");
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o000)).unwrap();
    let run = repo.invoke(["index", "repair"]);
    run.through_shell(WITHOUT_PRIVILEGE).run().assert_ok();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    assert!(repo.note("MEMORY.md").unwrap().contains("(good.md)"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_memory_that_cannot_be_read_is_there_all_the_same() {
    use std::os::unix::fs::PermissionsExt as _;

    use mem_tests::words;

    let env = TestEnv::new();
    let repo = env.repo("app");
    let save = "save --type project --name Aaa --description valuable --body x";
    repo.mem(words(save)).assert_ok();
    let index = repo.note("MEMORY.md").unwrap();
    let file = repo.memory().join("project_aaa.md");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).unwrap();
    let run = |args: &str| {
        let run = repo.invoke(words(args));
        run.through_shell(WITHOUT_PRIVILEGE).run()
    };
    let listed = run("list").assert_ok().stderr;
    assert!(listed.contains("no memory here can be read"), "{listed}");
    let status = run("status").assert_ok().stdout;
    assert!(status.contains("no memory here can be read"), "{status}");
    for passing in ["search valuable", "index repair"] {
        let told = run(passing).stderr;
        assert!(told.contains("permission denied"), "{passing}: {told}");
    }
    let found = run("check --json").assert_code(1);
    let codes = found.json()["findings"].as_array().unwrap().clone();
    assert_eq!(codes.len(), 1, "{codes:?}");
    assert_eq!(codes[0]["code"], "unreadable");
    assert!(!found.stderr.contains("cannot read"), "told once");
    for repair in ["index repair", "index fit", "check --fix --scope private"] {
        run(repair).assert_code(i32::from(repair.starts_with("check")));
        assert_eq!(repo.note("MEMORY.md").unwrap(), index, "{repair}");
    }
    for show in ["show Aaa", "show aaa", "show project_aaa.md", "restore aaa"] {
        let told = run(show).assert_code(1).stderr;
        let is_told = told.starts_with("error: cannot read `[ENV]");
        assert!(is_told || show == "restore aaa", "{show}: {told}");
        assert!(told.contains("permission denied"), "{show}: {told}");
    }
}

#[test]
fn findings_have_a_code_and_a_command_that_mends_them() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let files = [
        ("good.md", GOOD),
        (
            "empty.md",
            "---\nname: Empty\ndescription: nothing in it\ntype: user\n---\n",
        ),
        (
            "MEMORY.md",
            "# Notes\n- [Gone](gone.md) — no such file\n- [Good](good.md) — fine\n",
        ),
    ];
    directory(&repo, &files);
    let found = repo.mem(["check"]).assert_code(1);
    assert_snapshot!(found.stdout, @r"
    error MEMORY.md:2: `gone.md` is not there [dangling]
      fix: mem index repair
    error empty.md: MEMORY.md does not point to it [orphan]
      fix: mem index repair
    error empty.md: there is nothing in it [empty]
      fix: mem edit empty.md
    ");
    let json = repo.mem(["check", "--json"]).assert_code(1).json();
    let keys: Vec<&String> = json["findings"][0].as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "code", "severity", "file", "line", "message", "fix", "scope"
        ]
    );
}

#[test]
fn fix_brings_the_index_in_step_and_leaves_prose_alone() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let index = "# Notes\r\n\r\nProse about [gone](gone.md).\r\n- [Gone](gone.md) — old\r\n";
    let dir = directory(&repo, &[("good.md", GOOD), ("MEMORY.md", index)]);
    fs::write(dir.join(".mem-tmp-1-1"), "left behind").unwrap();
    repo.mem(["check", "--fix"]).assert_code(1);
    let fixed = fs::read_to_string(dir.join("MEMORY.md")).unwrap();
    assert_eq!(
        fixed,
        "# Notes\r\n\r\nProse about [gone](gone.md).\r\n- [Good](good.md) — when it matters\r\n"
    );
    assert!(!dir.join(".mem-tmp-1-1").exists());
    repo.mem(["undo"]).assert_ok();
    assert_eq!(fs::read_to_string(dir.join("MEMORY.md")).unwrap(), index);
}

#[test]
fn fix_keeps_one_of_several_entries_for_a_file() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let note =
        "---\nname: Freeze\ndescription: until Thursday\ntype: project\n---\nNothing lands.\n";
    let index = "# Mine\n\n- [Freeze](f.md) — until Thursday\n  - own\nprose\n- [Old](./f.md) — by hand\n  - below\n";
    let dir = directory(&repo, &[("f.md", note), ("MEMORY.md", index)]);
    let json = repo.mem(["check", "--json"]).assert_code(1).json();
    let finding = json["findings"].as_array().unwrap().iter();
    let finding = finding
        .clone()
        .find(|one| one["code"] == "repeated-pointer")
        .unwrap();
    assert_eq!(finding["fix"], "mem index repair", "{json}");
    let fixed = repo.mem(["check", "--fix"]).assert_ok();
    assert!(
        fixed.stderr.contains("one entry kept for 1 file"),
        "{}",
        fixed.stderr
    );
    let read = || fs::read_to_string(dir.join("MEMORY.md")).unwrap();
    assert_eq!(
        read(),
        "# Mine\n\n- [Freeze](f.md) — until Thursday\n  - own\n  - below\nprose\n"
    );
    repo.mem(["undo"]).assert_ok();
    assert_eq!(read(), index);
    let repaired = repo.mem(["index", "repair"]).assert_ok();
    assert!(
        repaired.stdout.contains("kept one of the entries for f.md"),
        "{}",
        repaired.stdout
    );
}

#[test]
fn a_fitted_index_is_loaded_whole_and_loses_nothing() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let dir = directory(&repo, &[]);
    for n in 0..250 {
        fs::write(
            dir.join(format!("n{n}.md")),
            GOOD.replace("Good", &format!("N {n}")),
        )
        .unwrap();
    }
    let line = |n| format!("- [N {n}](n{n}.md) — when it matters\n");
    let index: String = (0..250).map(line).collect();
    fs::write(dir.join("MEMORY.md"), &index).unwrap();
    let shown = repo.mem(["index", "show", "--json"]).assert_ok().json();
    assert_eq!(
        (shown["lines"].as_u64(), shown["cut_lines"].as_u64()),
        (Some(200), Some(50))
    );
    repo.mem(["index", "fit"]).assert_ok();
    let after = repo.mem(["index", "show", "--json"]).assert_ok().json();
    assert_eq!(after["cut_lines"], 0);
    let kept = fs::read_to_string(dir.join("MEMORY.md")).unwrap();
    let moved = fs::read_to_string(dir.join("MEMORY.archive.md")).unwrap();
    for line in index.lines() {
        assert!(kept.contains(line) != moved.contains(line), "{line}");
    }
    repo.mem(["index", "fit"]).assert_ok();
    assert_eq!(
        fs::read_to_string(dir.join("MEMORY.md")).unwrap(),
        kept,
        "twice is once"
    );
    assert_eq!(
        repo.mem(["list", "--json"]).assert_ok().json()["memories"]
            .as_array()
            .unwrap()
            .len(),
        250
    );
}

#[test]
fn a_repair_and_a_fit_of_many_files_name_the_first_of_them() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let dir = directory(&repo, &[]);
    for n in 0..250 {
        let note = GOOD.replace("Good", &format!("N {n}"));
        fs::write(dir.join(format!("n{n}.md")), note).unwrap();
    }
    let last = |args: [&str; 2]| {
        let text = repo.mem(args).assert_ok().stdout;
        assert_eq!(text.lines().count(), 21, "{text}");
        text.lines().last().unwrap().to_owned()
    };
    assert_eq!(last(["index", "repair"]), "and 230 files more");
    repo.mem(["undo"]).assert_ok();
    let all = repo.mem(["index", "repair", "--json"]).assert_ok().json();
    assert_eq!(all["added"].as_array().unwrap().len(), 250);
    assert!(last(["index", "fit"]).ends_with(" files more"));
}

#[test]
fn fix_is_one_change_over_both_tiers_and_fits_what_is_over_the_cap() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let dir = directory(&repo, &[]);
    fs::create_dir(dir.join("team")).unwrap();
    fs::write(dir.join("team/shared.md"), GOOD).unwrap();
    for n in 0..210 {
        let note = GOOD.replace("Good", &format!("N {n}")) + &n.to_string();
        fs::write(dir.join(format!("n{n}.md")), note).unwrap();
    }
    let fixed = repo.mem(["check", "--fix"]).assert_ok();
    insta::assert_snapshot!(fixed.stderr, @r"
    private: 210 pointers added, 0 removed from MEMORY.md, 31 moved to MEMORY.archive.md
    team: 1 pointer added, 0 removed from MEMORY.md
    nothing to mend
    ");
    repo.mem(["undo"]).assert_ok();
    assert!(!dir.join("MEMORY.md").exists() && !dir.join("team/MEMORY.md").exists());
}

#[test]
fn the_command_that_a_nearly_full_index_is_told_mends_it() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let dir = directory(&repo, &[]);
    let line = |n| format!("- [N {n}](n{n}.md) — when it matters\n");
    let index: String = (0..185).map(line).collect();
    for n in 0..185 {
        let note = GOOD.replace("Good", &format!("N {n}")) + &n.to_string();
        fs::write(dir.join(format!("n{n}.md")), note).unwrap();
    }
    fs::write(dir.join("MEMORY.md"), index).unwrap();
    let told = repo.mem(["check"]).assert_code(1).stdout;
    assert!(
        told.ends_with("[near-cap]\n  fix: mem index fit\n"),
        "{told}"
    );
    repo.mem(["index", "fit"]).assert_ok();
    repo.mem(["check"]).assert_ok();
}

#[test]
fn an_index_whose_prose_is_over_the_cap_keeps_its_pointers() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let index = format!("- [Good](good.md) — fine\n\n{}", "prose\n".repeat(210));
    let dir = directory(&repo, &[("good.md", GOOD), ("MEMORY.md", &index)]);
    let told = repo.mem(["index", "check"]).assert_code(1).stdout;
    assert!(
        told.contains("211 lines") && !told.contains("mem index fit"),
        "{told}"
    );
    let told = repo.mem(["index", "fit"]).assert_code(1).stderr;
    assert!(
        told.contains("nothing was changed: 211 lines") && told.contains("into a topic file"),
        "{told}"
    );
    assert_eq!(fs::read_to_string(dir.join("MEMORY.md")).unwrap(), index);
    assert!(!dir.join("MEMORY.archive.md").exists());
}

#[test]
fn reading_commands_write_nothing() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    directory(
        &repo,
        &[("good.md", GOOD), ("MEMORY.md", "- [Good](good.md)\n")],
    );
    let before = env.files_under(&env.home());
    for args in [
        &["list"][..],
        &["list", "--json"],
        &["show", "good"],
        &["verify", "nobody"],
        &["index", "show"],
        &["index", "check"],
        &["path", "--json"],
        &["types"],
        &["log", "show"],
    ] {
        repo.mem(args);
        assert_eq!(
            env.files_under(&env.home()),
            before,
            "{args:?} wrote something"
        );
    }
    // These remember what they found, and nothing else.
    for args in [
        &["check", "--quiet"][..],
        &["verify", "--all"],
        &["search", "body"],
        &["recall", "body"],
        &["preview", "body"],
        &["similar", "good"],
        &["warm"],
    ] {
        repo.mem(args);
        let mut after = env.files_under(&env.home());
        after.retain(|(file, _)| !file.starts_with(".cache/"));
        assert_eq!(after, before, "{args:?} wrote something");
    }
}

#[test]
fn search_finds_words_whatever_the_case() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let other = GOOD
        .replace("Good", "Other")
        .replace("Body", "The Deploy runs at NIGHT");
    directory(&repo, &[("good.md", GOOD), ("other.md", &other)]);
    let found = repo.mem(["search", "deploy", "night"]).assert_ok();
    assert_snapshot!(found.stdout, @r"
    other.md  when it matters
      6: The Deploy runs at NIGHT
    ");
    // Not every word must be there; letters inside of words count where no word does.
    repo.mem(["search", "deploy", "nowhere"]).assert_ok();
    let inside = repo.mem(["search", "eplo", "igh"]).assert_ok().stdout;
    assert!(inside.contains("other.md"), "{inside}");
    repo.mem(["search", "nowhere"]).assert_code(1);
}

#[test]
fn types_say_what_to_save_and_what_not() {
    let env = TestEnv::new();
    let all = env.mem(["types"]).assert_ok().stdout;
    for part in [
        "# user: ",
        "# feedback: ",
        "# project: ",
        "# reference: ",
        "**How to apply:**",
    ] {
        assert!(all.contains(part), "{part}");
    }
    let json = env.mem(["types", "feedback", "--json"]).assert_ok().json();
    assert_eq!(json["types"].as_array().unwrap().len(), 1);
    assert!(json["not_to_save"].as_str().unwrap().contains("git"));
    assert!(env.mem(["types", "--log"]).assert_ok().stdout.len() > 100);
}

#[test]
fn one_text_under_two_descriptions_is_two_memories() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let save = |name: &str, description: &str| {
        let args = [
            "save",
            "--type",
            "reference",
            "--name",
            name,
            "--body",
            "See the wiki.",
        ];
        repo.mem(args.iter().chain(&["--description", description]))
            .assert_ok();
    };
    save("Grafana", "Latency dashboards are in Grafana");
    save("Sentry", "Crashes are reported in Sentry");
    let told = repo.mem(["check"]).assert_ok().stdout;
    assert!(!told.contains("duplicate"), "{told}");
    repo.edit_note("z.md", &repo.note("reference_sentry.md").unwrap());
    let told = repo.mem(["check"]).shown();
    assert!(told.contains("[duplicate]"), "{told}");
}
