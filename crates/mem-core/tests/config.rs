//! The layers of the settings, their origins, and edits that leave the rest alone.

use std::path::Path;

use mem_core::config::{self, Config, KEYS, MemoryMode, SettingOrigin, WriteMode};
use mem_core::{Diagnose as _, ErrorKind};

use crate::fixture::{Fixture, environment};

const FILE: &str = "home/.config/mem/config.toml";

fn load(fixture: &Fixture, repository: Option<&Path>, variables: &[(&str, &str)]) -> Config {
    Config::load(&fixture.dirs(), &environment(variables), repository, &[]).unwrap()
}

#[test]
fn every_key_has_a_default_and_says_what_it_does() {
    let plain = Config::default();
    for key in KEYS {
        let is_open = ["memory.enabled", "daemon.autostart"].contains(&key.name);
        assert_eq!(plain.get(key.name).is_some(), !is_open, "{}", key.name);
        assert!(key.description_line().ends_with('.'), "{}", key.name);
    }
    assert_eq!(plain.origin("memory.mode"), SettingOrigin::Default);
}

#[test]
fn stronger_layers_win_and_say_so() {
    let fixture = Fixture::new();
    let root = Path::new("/code/r");
    let write = |text: &str| fixture.file(FILE, text);
    let shown = |repository: Option<&Path>, variables: &[(&str, &str)]| {
        let config = load(&fixture, repository, variables);
        let origin = config.origin("memory.write");
        (
            config.values.memory.write.as_str().to_owned(),
            origin.as_str(),
        )
    };
    assert_eq!(shown(None, &[]), ("auto".to_owned(), "default"));
    write("memory.write = \"confirm\"\n");
    assert_eq!(shown(None, &[]), ("confirm".to_owned(), "config file"));
    write(
        "[memory]\nwrite = \"confirm\"\n[repository.\"/code/r\"]\nmemory.write = \"read-only\"\n",
    );
    assert_eq!(
        shown(Some(root), &[]),
        ("read-only".to_owned(), "repository table")
    );
    assert_eq!(
        shown(Some(Path::new("/code/x")), &[]),
        ("confirm".to_owned(), "config file")
    );
    let variable = [("MEM_MEMORY_WRITE", "auto")];
    assert_eq!(
        shown(Some(root), &variable),
        ("auto".to_owned(), "environment")
    );
    let flags = [("memory.write".to_owned(), "confirm".to_owned())];
    let config =
        Config::load(&fixture.dirs(), &environment(&variable), Some(root), &flags).unwrap();
    assert_eq!(
        (config.values.memory.write, config.origin("memory.write")),
        (WriteMode::Confirm, SettingOrigin::Flag)
    );
}

#[test]
fn an_agents_environment_holds_it_back_further_and_not_less() {
    let fixture = Fixture::new();
    fixture.file(
        FILE,
        "[memory]\nwrite = \"confirm\"\n[extract]\nenabled = false\n[team]\npush = \"review\"\npull = \"review\"\n",
    );
    for agent in [
        ("CLAUDECODE", ""),
        ("CLAUDE_PROJECT_DIR", "/w"),
        ("MEM_ACTOR", "agent"),
    ] {
        let shown = |variable: (&str, &str), key: &str| {
            let config = load(&fixture, None, &[agent, variable]);
            let value = config.get(key).unwrap().value.to_string();
            (value, config.warnings.len())
        };
        let (write, extract) = ("memory.write", "extract.enabled");
        let text = |word: &str| format!("\"{word}\"");
        assert_eq!(
            shown(("MEM_MEMORY_WRITE", "auto"), write),
            (text("confirm"), 1)
        );
        assert_eq!(
            shown(("MEM_MEMORY_WRITE", "read-only"), write),
            (text("read-only"), 0)
        );
        assert_eq!(
            shown(("MEM_EXTRACT_ENABLED", "true"), extract),
            ("false".to_owned(), 1)
        );
        for (variable, key) in [
            ("MEM_TEAM_PUSH", "team.push"),
            ("MEM_TEAM_PULL", "team.pull"),
        ] {
            let held = (text("review"), 1);
            assert_eq!(shown((variable, "auto"), key), held, "{key}");
            assert_eq!(shown((variable, "review"), key).1, 0, "{key}");
        }
    }
    let person = load(&fixture, None, &[("MEM_EXTRACT_ENABLED", "true")]);
    assert!(person.values.extract.enabled);
}

#[test]
fn a_table_may_name_its_repository_from_the_home() {
    let fixture = Fixture::new();
    fixture.file(FILE, "[repository.\"~/r\".memory]\nmode = \"log\"\n");
    assert_eq!(
        load(&fixture, Some(&fixture.path("home/r")), &[])
            .values
            .memory
            .mode,
        MemoryMode::Log
    );
    assert_eq!(
        load(&fixture, Some(&fixture.path("home/x")), &[])
            .values
            .memory
            .mode,
        MemoryMode::Index
    );
}

#[test]
fn unknown_keys_are_warnings_with_a_guess() {
    let fixture = Fixture::new();
    fixture.file(FILE, "\n[memory]\nmod = \"log\"\n[other]\nthing = 1\n");
    let warnings = load(&fixture, None, &[]).warnings;
    assert!(warnings[0].contains("config.toml` line 3"), "{warnings:?}");
    assert!(
        warnings[0].contains("did you mean `memory.mode`?"),
        "{warnings:?}"
    );
    assert!(warnings[1].contains("`other.thing`"), "{warnings:?}");
}

#[test]
fn wrong_values_name_file_line_and_key() {
    let fixture = Fixture::new();
    for (text, line) in [
        ("memory.enabled = \"yes\"", "line 1"),
        ("\n\n[memory]\nmode = \"both\"", "line 4"),
        ("memory.mode = 1", "line 1"),
        ("[memory.mode]\nx = 1", "line 1"),
        ("history.keep = \"90 days\"", "line 1"),
        ("x = [", "line 1"),
    ] {
        fixture.file(FILE, text);
        let error = Config::load(&fixture.dirs(), &environment(&[]), None, &[]).unwrap_err();
        let message = error.to_string();
        assert!(
            message.contains("config.toml`") && message.contains(line),
            "{message}"
        );
        assert_eq!(error.kind(), ErrorKind::Invalid);
    }
    fixture.file(FILE, "");
    let variables = environment(&[("MEM_MEMORY_ENABLED", "perhaps")]);
    let error = Config::load(&fixture.dirs(), &variables, None, &[])
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("MEM_MEMORY_ENABLED") && error.contains("perhaps"),
        "{error}"
    );
}

#[test]
fn log_mode_and_team_memory_exclude_each_other() {
    let fixture = Fixture::new();
    fixture.file(
        FILE,
        "memory.mode = \"log\"\nteam.remote = \"https://example.org\"\n",
    );
    let error = Config::load(&fixture.dirs(), &environment(&[]), None, &[]).unwrap_err();
    assert!(error.to_string().contains("exclude"), "{error}");
    fixture.file(FILE, "memory.mode = \"log\"\n");
    let error =
        config::set(&fixture.dirs(), "team.remote", "https://example.org", None).unwrap_err();
    assert!(error.hint().is_some(), "{error}");
    assert_eq!(
        std::fs::read_to_string(fixture.path(FILE)).unwrap(),
        "memory.mode = \"log\"\n"
    );
}

#[test]
fn setting_a_key_keeps_comments_and_order() {
    let fixture = Fixture::new();
    let dirs = fixture.dirs();
    let old = "# mine\ncolor = \"auto\" # why\n\n[team]\nremote = \"\"\n";
    fixture.file(FILE, old);
    config::set(&dirs, "color", "never", None).unwrap();
    config::set(&dirs, "memory.enabled", "yes", None).unwrap();
    let text = std::fs::read_to_string(fixture.path(FILE)).unwrap();
    let kept = old.replace("\"auto\"", "\"never\"");
    assert!(text.starts_with(&kept), "{text}");
    assert!(text.contains("[memory]\nenabled = true\n"), "{text}");
    assert!(config::unset(&dirs, "memory.enabled", None).unwrap());
    assert!(!config::unset(&dirs, "memory.enabled", None).unwrap());
    let text = std::fs::read_to_string(fixture.path(FILE)).unwrap();
    assert!(
        text.starts_with(&kept) && !text.contains("enabled"),
        "{text}"
    );
}

#[test]
fn a_repositorys_table_is_made_and_found_again() {
    let fixture = Fixture::new();
    let root = Path::new("/code/a \"b\".c");
    config::set(&fixture.dirs(), "memory.mode", "log", Some(root)).unwrap();
    config::set(&fixture.dirs(), "editor", "vi", Some(root)).unwrap();
    let config = load(&fixture, Some(root), &[]);
    assert_eq!(
        (
            config.values.memory.mode,
            config.values.general.editor.as_str()
        ),
        (MemoryMode::Log, "vi")
    );
    assert_eq!(config.origin("memory.mode").as_str(), "repository table");
    assert_eq!(
        load(&fixture, None, &[]).values.memory.mode,
        MemoryMode::Index
    );
    assert!(config::unset(&fixture.dirs(), "memory.mode", Some(root)).unwrap());
    assert_eq!(
        load(&fixture, Some(root), &[]).values.memory.mode,
        MemoryMode::Index
    );
}

#[test]
fn bad_edits_change_nothing() {
    let fixture = Fixture::new();
    let error = config::set(&fixture.dirs(), "memory.modes", "log", None).unwrap_err();
    assert_eq!(error.hint().unwrap(), "did you mean `memory.mode`?");
    assert!(config::set(&fixture.dirs(), "memory.mode", "both", None).is_err());
    assert!(!fixture.path(FILE).exists());
    fixture.file(FILE, "broken = [");
    assert!(config::set(&fixture.dirs(), "memory.mode", "log", None).is_err());
    assert_eq!(
        std::fs::read_to_string(fixture.path(FILE)).unwrap(),
        "broken = ["
    );
}

#[test]
fn a_linked_settings_file_stays_a_link() {
    let fixture = Fixture::new();
    let target = fixture.file("dotfiles/mem.toml", "# mine\n");
    fixture.dir("home/.config/mem");
    std::os::unix::fs::symlink(&target, fixture.path(FILE)).unwrap();
    config::set(&fixture.dirs(), "color", "never", None).unwrap();
    assert!(fixture.path(FILE).is_symlink());
    assert!(std::fs::read_to_string(target).unwrap().contains("never"));
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(64))]

    #[test]
    fn whatever_is_set_is_read_back(value in ".*", root in "/[^\0]{0,40}", comment in "[ -~]*") {
        let fixture = Fixture::new();
        fixture.file(FILE, &format!("# {comment}\ncolor = \"auto\" # {comment}\n"));
        let root = Path::new(&root);
        config::set(&fixture.dirs(), "editor", &value, None).unwrap();
        config::set(&fixture.dirs(), "editor", "other", Some(root)).unwrap();
        let (all, own) = (load(&fixture, None, &[]), load(&fixture, Some(root), &[]));
        let shown = all.get("editor").unwrap();
        proptest::prop_assert_eq!(shown.value.text(), value.as_str());
        proptest::prop_assert_eq!(all.values.general.editor, value.trim());
        proptest::prop_assert_eq!(own.values.general.editor, "other");
        let text = std::fs::read_to_string(fixture.path(FILE)).unwrap();
        let head = format!("# {comment}\ncolor = ");
        proptest::prop_assert!(text.starts_with(&head));
        let line = format!("color = \"auto\" # {comment}\n");
        proptest::prop_assert!(text.contains(&line));
    }
}

#[test]
fn a_new_file_sets_nothing_and_names_every_key() {
    let fixture = Fixture::new();
    fixture.file(FILE, &config::template());
    let config = load(&fixture, None, &[]);
    for key in KEYS {
        assert!(!config.is_set(key.name), "{}", key.name);
    }
    // With what is commented out it is a file of every key and its default.
    let is_value =
        |line: &str| line.contains(" = ") && line.starts_with("# ") && !line.starts_with("#  ");
    let template = config::template();
    let all: Vec<&str> = template
        .lines()
        .map(|line| if is_value(line) { &line[2..] } else { line })
        .collect();
    fixture.file(FILE, &all.join("\n"));
    let config = load(&fixture, None, &[]);
    assert_eq!(config.warnings, Vec::<String>::new());
    for key in KEYS {
        assert!(config.is_set(key.name), "{}", key.name);
        let default = Config::default().values.value(key.name);
        let is_default = default == config.values.value(key.name);
        assert_eq!(is_default, default.is_some(), "{}", key.name);
    }
}

#[test]
fn the_page_of_the_documentation_is_the_table() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/settings.md");
    if std::env::var_os("MEM_UPDATE_DOCS").is_some() {
        std::fs::write(&file, config::page()).unwrap();
    }
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(
        text == config::page(),
        "MEM_UPDATE_DOCS=1 and this test write docs/settings.md anew"
    );
}

#[test]
fn a_repository_that_is_forgotten_shares_with_no_remote_of_all_repositories() {
    let fixture = Fixture::new();
    let (dirs, root) = (fixture.dirs(), Path::new("/code/r"));
    let all = "# mine\ncolor = \"auto\"\nsync.remote = \"git:/own.git\"\n\n[repository.\"/code/other\"]\nteam.remote = \"git:o\"\n";
    let own = "\n[repository.\"/code/r\"]\nteam.remote = \"git:origin\"\nteam.push = \"auto\"\n";
    fixture.file(FILE, &format!("{all}{own}"));
    for _ in 0..2 {
        config::forget_repository(&dirs, root).unwrap();
        let here = load(&fixture, Some(root), &[]);
        assert_eq!(here.values.sync.remote, "");
        assert_eq!(here.values.team.remote, "");
        assert!(!here.is_set("team.push") && !here.is_set("team.remote"));
        let there = load(&fixture, Some(Path::new("/code/other")), &[]);
        assert_eq!(there.values.sync.remote, "git:/own.git");
        assert_eq!(there.values.team.remote, "git:o");
    }
    config::forget_remotes(&dirs).unwrap();
    let there = load(&fixture, Some(Path::new("/code/other")), &[]);
    assert!(!there.is_set("sync.remote") && !there.is_set("team.remote"));
    let text = std::fs::read_to_string(fixture.path(FILE)).unwrap();
    assert!(text.starts_with("# mine\n"), "{text}");
}
