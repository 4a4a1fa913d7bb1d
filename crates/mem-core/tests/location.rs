//! Who decides where memory lives, and who does not.

use std::path::{Path, PathBuf};

use mem_core::location::{self, Location, LocationError};
use mem_core::{Diagnose as _, Now, trust};

use crate::bed::{Bed, environment};

fn open(bed: &Bed, dir: &Path, variables: &[(&str, &str)]) -> Location {
    location::open(dir, &bed.dirs(), &environment(variables), &[])
        .unwrap()
        .location
}

fn default_dir(bed: &Bed, root: &Path) -> PathBuf {
    let slug = root
        .to_str()
        .unwrap()
        .replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    bed.path("home/.claude/projects").join(slug).join("memory")
}

fn directory(path: &str) -> String {
    serde_json::json!({ "autoMemoryDirectory": path }).to_string()
}

#[track_caller]
fn assert_default(bed: &Bed, root: &Path, warned_of: &str) {
    let found = open(bed, root, &[]);
    assert_eq!(
        found.memory_dir,
        default_dir(bed, root),
        "{:?}",
        found.warnings
    );
    assert_eq!(found.source.as_str(), "default");
    let warned = found
        .warnings
        .iter()
        .any(|warning| warning.contains(warned_of));
    assert!(warned, "no word about {warned_of} in {:?}", found.warnings);
}

#[track_caller]
fn assert_chosen(bed: &Bed, root: &Path, path: &Path, source: &str) {
    let found = open(bed, root, &[]);
    assert_eq!(
        (found.memory_dir.as_path(), found.source.as_str()),
        (path, source)
    );
    assert_eq!(found.warnings, Vec::<String>::new());
}

#[test]
fn the_default_is_the_hosts_directory() {
    let bed = Bed::new();
    let r = bed.repository("my_repo.x");
    bed.git(&r, &["worktree", "add", "-q", "../wt"]);
    for dir in [r.clone(), bed.dir("my_repo.x/sub"), bed.path("wt")] {
        let found = open(&bed, &dir, &[]);
        assert_eq!(found.memory_dir, default_dir(&bed, &r));
        assert_eq!(found.team_dir, found.memory_dir.join("team"));
        assert_eq!(found.logs_dir, found.memory_dir.join("logs"));
        assert_eq!(found.global_dir, bed.path("home/.claude/memory"));
        assert!(found.enabled && found.warnings.is_empty());
    }
}

#[test]
fn variables_come_first() {
    let bed = Bed::new();
    let r = bed.repository("r");
    bed.file("home/.claude/settings.json", &directory("/user/choice"));
    let own = ("MEM_DIR", "/own/choice/");
    let host = ("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", "/host/choice");
    for (variables, path, source) in [
        (vec![own, host], "/own/choice", "MEM_DIR"),
        (
            vec![host],
            "/host/choice",
            "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE",
        ),
        (vec![], "/user/choice", "user settings"),
    ] {
        let found = open(&bed, &r, &variables);
        assert_eq!(
            (found.memory_dir.to_str(), found.source.as_str()),
            (Some(path), source)
        );
    }
    for value in ["relative", "/", "~/"] {
        let found = open(&bed, &r, &[(host.0, value)]);
        assert_eq!(found.source.as_str(), "user settings");
        assert!(found.warnings[0].contains(host.0));
    }
}

#[test]
fn where_the_host_keeps_memory_elsewhere_is_known() {
    let bed = Bed::new();
    let r = bed.repository("r");
    let found = open(&bed, &r, &[]);
    assert_eq!((found.host_dir, found.is_loaded_by_host), (None, true));
    let remote = ("CLAUDE_CODE_REMOTE_MEMORY_DIR", "/remote");
    let found = open(&bed, &r, &[remote]);
    let folder = found.memory_dir.strip_prefix("/remote/projects").unwrap();
    assert!(folder.ends_with("memory"), "{folder:?}");
    assert_eq!(found.source.as_str(), remote.0);
    assert_eq!((found.host_dir, found.is_loaded_by_host), (None, true));
    for bad in ["relative", "/"] {
        let found = open(&bed, &r, &[(remote.0, bad)]);
        assert_eq!(found.memory_dir, default_dir(&bed, &r), "{bad}");
        assert!(found.warnings[0].contains(remote.0), "{found:?}");
    }
    let root = open(&bed, &r, &[(remote.0, "/")]).host_dir.unwrap();
    assert!(root.path.starts_with("/projects"), "{root:?}");
    assert!(root.refusal.unwrap().starts_with(remote.0));
    let own = open(&bed, &r, &[("MEM_DIR", "/elsewhere")]);
    assert_eq!(own.host_dir.unwrap().refusal, None, "a person's word");
    // The host takes it from the repository, `mem` does not.
    bed.file("r/.claude/settings.json", &directory("/repository/choice"));
    let found = open(&bed, &r, &[]);
    assert_eq!(found.memory_dir, default_dir(&bed, &r));
    assert!(!found.is_loaded_by_host);
    let host = found.host_dir.unwrap();
    assert_eq!(host.path, Path::new("/repository/choice"));
    assert!(host.refusal.unwrap().contains("`mem trust` allows it"));
}

#[test]
fn mem_dir_must_be_absolute_and_no_home() {
    let bed = Bed::new();
    let r = bed.repository("r");
    let home = bed.path("home");
    for value in ["relative", "./x", "/", "~", home.to_str().unwrap()] {
        let variables = environment(&[("MEM_DIR", value)]);
        let error = location::open(&r, &bed.dirs(), &variables, &[]).unwrap_err();
        assert!(
            error.to_string().contains("MEM_DIR") && error.hint().is_some(),
            "{error}"
        );
        let expected = matches!(
            error,
            LocationError::Relative { .. } | LocationError::Refused { .. }
        );
        assert!(expected, "{error:?}");
    }
    assert_eq!(
        open(&bed, &r, &[("MEM_DIR", "~/notes")]).memory_dir,
        home.join("notes")
    );
}

#[test]
fn managed_beats_local_beats_user() {
    let bed = Bed::new();
    let r = bed.repository("r");
    bed.file("home/.claude/settings.json", &directory("~/user"));
    assert_chosen(&bed, &r, &bed.path("home/user"), "user settings");
    bed.file("r/.claude/settings.local.json", &directory("/local"));
    assert_chosen(&bed, &r, Path::new("/local"), "local settings");
    bed.file("managed/managed-settings.json", &directory("/managed"));
    assert_chosen(&bed, &r, Path::new("/managed"), "managed settings");
    bed.file(
        "managed/managed-settings.d/20-x.json",
        &directory("/managed-20"),
    );
    bed.file(
        "managed/managed-settings.d/10-x.json",
        &directory("/managed-10"),
    );
    assert_chosen(&bed, &r, Path::new("/managed-20"), "managed settings");
}

#[test]
fn a_worktree_reads_its_own_local_settings_and_the_main_ones() {
    let bed = Bed::new();
    let r = bed.repository("r");
    bed.git(&r, &["worktree", "add", "-q", "../wt"]);
    bed.file("r/.claude/settings.local.json", &directory("/main"));
    assert_chosen(&bed, &bed.path("wt"), Path::new("/main"), "local settings");
    bed.file("wt/.claude/settings.local.json", &directory("/wt"));
    assert_chosen(&bed, &bed.path("wt"), Path::new("/wt"), "local settings");
}

#[test]
fn a_repository_cannot_choose_unless_trusted() {
    let bed = Bed::new();
    let r = bed.repository("r");
    bed.file("r/.claude/settings.json", &directory("/project"));
    assert_default(&bed, &r, "r/.claude/settings.json");
    let now = Now("2026-11-20T00:00:00Z".parse().unwrap());
    assert!(trust::grant(&bed.dirs(), &r, now).unwrap());
    assert!(!trust::grant(&bed.dirs(), &r, now).unwrap());
    assert_chosen(&bed, &r, Path::new("/project"), "project settings");
    let other = bed.repository("other");
    bed.file("other/.claude/settings.json", &directory("/project"));
    assert_default(&bed, &other, "mem trust");
    // Trust opens no door to keys.
    bed.file("r/.claude/settings.json", &directory("~/.ssh"));
    assert_default(&bed, &r, "~/.ssh");
    bed.file("r/.claude/settings.json", &directory("/project"));
    assert!(trust::revoke(&bed.dirs(), &r).unwrap());
    assert_default(&bed, &r, "mem trust");
}

#[test]
fn local_settings_that_git_tracks_are_the_repositorys() {
    let bed = Bed::new();
    let r = bed.repository("r");
    bed.file("r/.claude/settings.local.json", &directory("/local"));
    bed.file("r/a.txt", "x");
    bed.git(&r, &["add", "a.txt"]);
    assert_chosen(&bed, &r, Path::new("/local"), "local settings");
    bed.git(&r, &["add", "-f", ".claude"]);
    assert_default(&bed, &r, "settings.local.json");
    bed.git(&r, &["commit", "-q", "-m", "x"]);
    bed.git(&r, &["worktree", "add", "-q", "../wt"]);
    let found = open(&bed, &bed.path("wt"), &[]);
    assert_eq!(found.source.as_str(), "default");
}

#[test]
fn tracked_links_case_twins_and_unreadable_indexes_count_as_tracked() {
    let bed = Bed::new();
    let r = bed.repository("r");
    bed.file("r/shared/settings.local.json", &directory("/local"));
    std::os::unix::fs::symlink("shared", r.join(".claude")).unwrap();
    bed.git(&r, &["add", "shared"]);
    assert_default(&bed, &r, "settings.local.json");

    let r = bed.repository("case");
    bed.file("case/.Claude/Settings.local.json", &directory("/local"));
    bed.git(&r, &["add", "."]);
    bed.file("case/.claude/settings.local.json", &directory("/local"));
    assert_default(&bed, &r, "settings.local.json");

    bed.repository("broken");
    bed.file("broken/.claude/settings.local.json", &directory("/local"));
    bed.file("broken/.git/index", "garbage");
    assert_default(&bed, &bed.path("broken"), "settings.local.json");
}

#[test]
fn dangerous_directories_are_refused_from_any_settings() {
    let bed = Bed::new();
    let r = bed.repository("r");
    bed.dir("home/.ssh");
    std::os::unix::fs::symlink(bed.path("home/.ssh"), bed.path("home/innocent")).unwrap();
    let parent = bed
        .path("home")
        .parent()
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned();
    let root = r.to_str().unwrap().to_owned();
    let tail = format!("{root}/sub/../../r");
    for path in [
        "/",
        "//",
        "/etc",
        "/etc/x",
        "/usr/local/x",
        "/home",
        "/tmp",
        "~/",
        "~",
        "~/.",
        "~/x/..",
        "~/..",
        "~/.ssh",
        "~/.ssh/x/y",
        "~/.SSH",
        "/home/other/.ssh",
        "~/.docker",
        "~/x/../.ssh",
        "~/.gnupg",
        "~/.aws/x",
        "~/.config",
        "~/.config/mem",
        "~/.local/state/mem/stores",
        "~/.local",
        "~/.claude",
        "~/.claude/projects",
        "~/innocent",
        "~/innocent/new",
        "~//.ssh",
        &parent,
        &root,
        &tail,
        &format!("{root}/.git/hooks"),
    ] {
        for file in [
            "home/.claude/settings.json",
            "managed/managed-settings.json",
        ] {
            let file = bed.file(file, &directory(path));
            assert_default(&bed, &r, file.to_str().unwrap());
            std::fs::remove_file(file).unwrap();
        }
    }
}

#[test]
fn relative_values_broken_files_and_marks_are_survived() {
    let bed = Bed::new();
    let r = bed.repository("r");
    for content in [
        directory("memory"),
        directory("./memory"),
        directory("~other/memory"),
        "{ not json".to_owned(),
        "[]".to_owned(),
        r#"{"autoMemoryDirectory": 7}"#.to_owned(),
        format!("{{\"x\": \"{}\"}}", "y".repeat(2 << 20)),
    ] {
        bed.file("home/.claude/settings.json", &content);
        assert_default(&bed, &r, "home/.claude/settings.json");
    }
    bed.file(
        "home/.claude/settings.json",
        &format!("\u{feff}{}", directory("/user")),
    );
    assert_chosen(&bed, &r, Path::new("/user"), "user settings");
    bed.file("home/.claude/settings.json", "");
    assert_eq!(open(&bed, &r, &[]).warnings, Vec::<String>::new());
}

#[test]
fn the_project_directory_can_be_named_from_the_environment() {
    let bed = Bed::new();
    let r = bed.repository("r");
    let name = ("CLAUDE_CODE_PROJECT_DIR_NAME", "My_name-1");
    let base = ("CLAUDE_CONFIG_DIR", "/somewhere");
    assert_eq!(open(&bed, &r, &[name, base]).slug, "My_name-1");
    assert_ne!(open(&bed, &r, &[name]).slug, "My_name-1");
    let long = "x".repeat(65);
    for bad in ["a/b", "..", "é", &long] {
        let found = open(&bed, &r, &[(name.0, bad), base]);
        assert_eq!(found.memory_dir, default_dir(&bed, &r));
        assert!(found.warnings[0].contains(name.0));
    }
}
