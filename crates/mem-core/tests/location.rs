//! Who decides where memory lives, and who does not.

use std::path::{Path, PathBuf};

use mem_core::location::{self, Location, LocationError};
use mem_core::{Diagnose as _, Now, trust};

use crate::fixture::{Fixture, environment};

fn open(fixture: &Fixture, dir: &Path, variables: &[(&str, &str)]) -> Location {
    location::open(dir, &fixture.dirs(), &environment(variables), &[])
        .unwrap()
        .location
}

fn default_dir(fixture: &Fixture, root: &Path) -> PathBuf {
    let slug = root
        .to_str()
        .unwrap()
        .replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    fixture
        .path("home/.claude/projects")
        .join(slug)
        .join("memory")
}

fn directory(path: &str) -> String {
    serde_json::json!({ "autoMemoryDirectory": path }).to_string()
}

#[track_caller]
fn assert_default(fixture: &Fixture, root: &Path, warned_of: &str) {
    let found = open(fixture, root, &[]);
    assert_eq!(
        found.memory_dir,
        default_dir(fixture, root),
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
fn assert_chosen(fixture: &Fixture, root: &Path, path: &Path, source: &str) {
    let found = open(fixture, root, &[]);
    assert_eq!(
        (found.memory_dir.as_path(), found.source.as_str()),
        (path, source)
    );
    assert_eq!(found.warnings, Vec::<String>::new());
}

#[test]
fn the_default_is_the_hosts_directory() {
    let fixture = Fixture::new();
    let r = fixture.repository("my_repo.x");
    fixture.git(&r, &["worktree", "add", "-q", "../wt"]);
    for dir in [r.clone(), fixture.dir("my_repo.x/sub"), fixture.path("wt")] {
        let found = open(&fixture, &dir, &[]);
        assert_eq!(found.memory_dir, default_dir(&fixture, &r));
        assert_eq!(found.team_dir, found.memory_dir.join("team"));
        assert_eq!(found.logs_dir, found.memory_dir.join("logs"));
        assert_eq!(found.global_dir, fixture.path("home/.claude/memory"));
        assert!(found.enabled && found.warnings.is_empty());
    }
}

#[test]
fn variables_come_first() {
    let fixture = Fixture::new();
    let r = fixture.repository("r");
    fixture.file("home/.claude/settings.json", &directory("/user/choice"));
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
        let found = open(&fixture, &r, &variables);
        assert_eq!(
            (found.memory_dir.to_str(), found.source.as_str()),
            (Some(path), source)
        );
    }
    for value in ["relative", "/", "~/"] {
        let found = open(&fixture, &r, &[(host.0, value)]);
        assert_eq!(found.source.as_str(), "user settings");
        assert!(found.warnings[0].contains(host.0));
    }
}

#[test]
fn where_the_host_keeps_memory_elsewhere_is_known() {
    let fixture = Fixture::new();
    let r = fixture.repository("r");
    let found = open(&fixture, &r, &[]);
    assert_eq!((found.host_dir, found.is_loaded_by_host), (None, true));
    let remote = ("CLAUDE_CODE_REMOTE_MEMORY_DIR", "/remote");
    let found = open(&fixture, &r, &[remote]);
    let folder = found.memory_dir.strip_prefix("/remote/projects").unwrap();
    assert!(folder.ends_with("memory"), "{folder:?}");
    assert_eq!(found.source.as_str(), remote.0);
    assert_eq!((found.host_dir, found.is_loaded_by_host), (None, true));
    for bad in ["relative", "/"] {
        let found = open(&fixture, &r, &[(remote.0, bad)]);
        assert_eq!(found.memory_dir, default_dir(&fixture, &r), "{bad}");
        assert!(found.warnings[0].contains(remote.0), "{found:?}");
    }
    let root = open(&fixture, &r, &[(remote.0, "/")]).host_dir.unwrap();
    assert!(root.path.starts_with("/projects"), "{root:?}");
    assert!(root.refusal.unwrap().starts_with(remote.0));
    let own = open(&fixture, &r, &[("MEM_DIR", "/elsewhere")]);
    assert_eq!(own.host_dir.unwrap().refusal, None, "a person's word");
    // The host takes it from the repository, `mem` does not.
    fixture.file("r/.claude/settings.json", &directory("/repository/choice"));
    let found = open(&fixture, &r, &[]);
    assert_eq!(found.memory_dir, default_dir(&fixture, &r));
    assert!(!found.is_loaded_by_host);
    let host = found.host_dir.unwrap();
    assert_eq!(host.path, Path::new("/repository/choice"));
    assert!(host.refusal.unwrap().contains("`mem trust` allows it"));
}

#[test]
fn mem_dir_must_be_absolute_and_no_home() {
    let fixture = Fixture::new();
    let r = fixture.repository("r");
    let home = fixture.path("home");
    for value in ["relative", "./x", "/", "~", home.to_str().unwrap()] {
        let variables = environment(&[("MEM_DIR", value)]);
        let error = location::open(&r, &fixture.dirs(), &variables, &[]).unwrap_err();
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
        open(&fixture, &r, &[("MEM_DIR", "~/notes")]).memory_dir,
        home.join("notes")
    );
}

#[test]
fn managed_beats_local_beats_user() {
    let fixture = Fixture::new();
    let r = fixture.repository("r");
    fixture.file("home/.claude/settings.json", &directory("~/user"));
    assert_chosen(&fixture, &r, &fixture.path("home/user"), "user settings");
    fixture.file("r/.claude/settings.local.json", &directory("/local"));
    assert_chosen(&fixture, &r, Path::new("/local"), "local settings");
    fixture.file("managed/managed-settings.json", &directory("/managed"));
    assert_chosen(&fixture, &r, Path::new("/managed"), "managed settings");
    fixture.file(
        "managed/managed-settings.d/20-x.json",
        &directory("/managed-20"),
    );
    fixture.file(
        "managed/managed-settings.d/10-x.json",
        &directory("/managed-10"),
    );
    assert_chosen(&fixture, &r, Path::new("/managed-20"), "managed settings");
}

#[test]
fn a_worktree_reads_its_own_local_settings_and_the_main_ones() {
    let fixture = Fixture::new();
    let r = fixture.repository("r");
    fixture.git(&r, &["worktree", "add", "-q", "../wt"]);
    fixture.file("r/.claude/settings.local.json", &directory("/main"));
    assert_chosen(
        &fixture,
        &fixture.path("wt"),
        Path::new("/main"),
        "local settings",
    );
    fixture.file("wt/.claude/settings.local.json", &directory("/wt"));
    assert_chosen(
        &fixture,
        &fixture.path("wt"),
        Path::new("/wt"),
        "local settings",
    );
}

#[test]
fn a_repository_cannot_choose_unless_trusted() {
    let fixture = Fixture::new();
    let r = fixture.repository("r");
    fixture.file("r/.claude/settings.json", &directory("/project"));
    assert_default(&fixture, &r, "r/.claude/settings.json");
    let now = Now("2026-11-20T00:00:00Z".parse().unwrap());
    assert!(trust::grant(&fixture.dirs(), &r, now).unwrap());
    assert!(!trust::grant(&fixture.dirs(), &r, now).unwrap());
    assert_chosen(&fixture, &r, Path::new("/project"), "project settings");
    let other = fixture.repository("other");
    fixture.file("other/.claude/settings.json", &directory("/project"));
    assert_default(&fixture, &other, "mem trust");
    // Trust opens no door to keys.
    fixture.file("r/.claude/settings.json", &directory("~/.ssh"));
    assert_default(&fixture, &r, "~/.ssh");
    fixture.file("r/.claude/settings.json", &directory("/project"));
    assert!(trust::revoke(&fixture.dirs(), &r).unwrap());
    assert_default(&fixture, &r, "mem trust");
}

#[test]
fn local_settings_that_git_tracks_are_the_repositorys() {
    let fixture = Fixture::new();
    let r = fixture.repository("r");
    fixture.file("r/.claude/settings.local.json", &directory("/local"));
    fixture.file("r/a.txt", "x");
    fixture.git(&r, &["add", "a.txt"]);
    assert_chosen(&fixture, &r, Path::new("/local"), "local settings");
    fixture.git(&r, &["add", "-f", ".claude"]);
    assert_default(&fixture, &r, "settings.local.json");
    fixture.git(&r, &["commit", "-q", "-m", "x"]);
    fixture.git(&r, &["worktree", "add", "-q", "../wt"]);
    let found = open(&fixture, &fixture.path("wt"), &[]);
    assert_eq!(found.source.as_str(), "default");
}

#[test]
fn tracked_links_case_twins_and_unreadable_indexes_count_as_tracked() {
    let fixture = Fixture::new();
    let r = fixture.repository("r");
    fixture.file("r/shared/settings.local.json", &directory("/local"));
    std::os::unix::fs::symlink("shared", r.join(".claude")).unwrap();
    fixture.git(&r, &["add", "shared"]);
    assert_default(&fixture, &r, "settings.local.json");

    let r = fixture.repository("case");
    fixture.file("case/.Claude/Settings.local.json", &directory("/local"));
    fixture.git(&r, &["add", "."]);
    fixture.file("case/.claude/settings.local.json", &directory("/local"));
    assert_default(&fixture, &r, "settings.local.json");

    fixture.repository("broken");
    fixture.file("broken/.claude/settings.local.json", &directory("/local"));
    fixture.file("broken/.git/index", "garbage");
    assert_default(&fixture, &fixture.path("broken"), "settings.local.json");
}

#[test]
fn dangerous_directories_are_refused_from_any_settings() {
    let fixture = Fixture::new();
    let r = fixture.repository("r");
    fixture.dir("home/.ssh");
    std::os::unix::fs::symlink(fixture.path("home/.ssh"), fixture.path("home/innocent")).unwrap();
    let parent = fixture
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
            let file = fixture.file(file, &directory(path));
            assert_default(&fixture, &r, file.to_str().unwrap());
            std::fs::remove_file(file).unwrap();
        }
    }
}

#[test]
fn relative_values_broken_files_and_marks_are_survived() {
    let fixture = Fixture::new();
    let r = fixture.repository("r");
    for content in [
        directory("memory"),
        directory("./memory"),
        directory("~other/memory"),
        "{ not json".to_owned(),
        "[]".to_owned(),
        r#"{"autoMemoryDirectory": 7}"#.to_owned(),
        format!("{{\"x\": \"{}\"}}", "y".repeat(2 << 20)),
    ] {
        fixture.file("home/.claude/settings.json", &content);
        assert_default(&fixture, &r, "home/.claude/settings.json");
    }
    fixture.file(
        "home/.claude/settings.json",
        &format!("\u{feff}{}", directory("/user")),
    );
    assert_chosen(&fixture, &r, Path::new("/user"), "user settings");
    fixture.file("home/.claude/settings.json", "");
    assert_eq!(open(&fixture, &r, &[]).warnings, Vec::<String>::new());
}

#[test]
fn the_project_directory_can_be_named_from_the_environment() {
    let fixture = Fixture::new();
    let r = fixture.repository("r");
    let name = ("CLAUDE_CODE_PROJECT_DIR_NAME", "My_name-1");
    let base = ("CLAUDE_CONFIG_DIR", "/somewhere");
    assert_eq!(open(&fixture, &r, &[name, base]).slug, "My_name-1");
    assert_ne!(open(&fixture, &r, &[name]).slug, "My_name-1");
    let long = "x".repeat(65);
    for bad in ["a/b", "..", "é", &long] {
        let found = open(&fixture, &r, &[(name.0, bad), base]);
        assert_eq!(found.memory_dir, default_dir(&fixture, &r));
        assert!(found.warnings[0].contains(name.0));
    }
}
