//! The layers of the settings, their origins, and edits that leave the rest alone.

use std::path::Path;

use mem_core::config::{self, Config, DEFAULTS, HistoryRetention, KEYS, SettingOrigin};
use mem_core::{Diagnose as _, ErrorKind};

use crate::bed::{Bed, environment};

const FILE: &str = "home/.config/mem/config.toml";

fn load(bed: &Bed, repository: Option<&Path>, variables: &[(&str, &str)]) -> Config {
    Config::load(&bed.dirs(), &environment(variables), repository, &[]).unwrap()
}

#[test]
fn every_key_stands_in_the_documentation_and_nothing_else_does() {
    let bed = Bed::new();
    // The documentation, with what is commented out for having no default, is itself a valid file.
    let text = DEFAULTS.replace("\n# enabled = true", "\nenabled = true");
    let text = text.replace("\n# autostart = false", "\nautostart = false");
    bed.file(FILE, &text);
    let documented = load(&bed, None, &[]);
    assert_eq!(documented.warnings, Vec::<String>::new());
    let plain = Config::default();
    for key in KEYS {
        assert!(
            documented.explicit(key.name).is_some(),
            "{} is not documented",
            key.name
        );
        let has_default = plain.get(key.name).is_some();
        let is_open = ["memory.enabled", "daemon.autostart"].contains(&key.name);
        assert_eq!(has_default, !is_open, "{}", key.name);
    }
    assert_eq!(plain.text("memory.mode"), "index");
    assert_eq!(plain.history_keep(), HistoryRetention::Everything);
    assert_eq!(plain.origin("memory.mode"), SettingOrigin::Default);
}

#[test]
fn stronger_layers_win_and_say_so() {
    let bed = Bed::new();
    let root = Path::new("/work/r");
    let write = |text: &str| bed.file(FILE, text);
    let shown = |repository: Option<&Path>, variables: &[(&str, &str)]| {
        let config = load(&bed, repository, variables);
        let origin = config.origin("memory.write");
        (config.text("memory.write").to_owned(), origin.as_str())
    };
    assert_eq!(shown(None, &[]), ("auto".to_owned(), "default"));
    write("memory.write = \"confirm\"\n");
    assert_eq!(shown(None, &[]), ("confirm".to_owned(), "config file"));
    write(
        "[memory]\nwrite = \"confirm\"\n[repository.\"/work/r\"]\nmemory.write = \"read-only\"\n",
    );
    assert_eq!(
        shown(Some(root), &[]),
        ("read-only".to_owned(), "repository table")
    );
    assert_eq!(
        shown(Some(Path::new("/work/x")), &[]),
        ("confirm".to_owned(), "config file")
    );
    let variable = [("MEM_MEMORY_WRITE", "auto")];
    assert_eq!(
        shown(Some(root), &variable),
        ("auto".to_owned(), "environment")
    );
    let flags = [("memory.write".to_owned(), "confirm".to_owned())];
    let config = Config::load(&bed.dirs(), &environment(&variable), Some(root), &flags).unwrap();
    assert_eq!(
        (config.text("memory.write"), config.origin("memory.write")),
        ("confirm", SettingOrigin::Flag)
    );
}

#[test]
fn an_agents_environment_holds_it_back_further_and_not_less() {
    let bed = Bed::new();
    bed.file(
        FILE,
        "[memory]\nwrite = \"confirm\"\n[extract]\nenabled = false\n[team]\npush = \"review\"\npull = \"review\"\n",
    );
    for agent in [
        ("CLAUDECODE", ""),
        ("CLAUDE_PROJECT_DIR", "/w"),
        ("MEM_ACTOR", "agent"),
    ] {
        let shown = |variable: (&str, &str), key: &str| {
            let config = load(&bed, None, &[agent, variable]);
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
    let person = load(&bed, None, &[("MEM_EXTRACT_ENABLED", "true")]);
    assert_eq!(person.boolean("extract.enabled"), Some(true));
}

#[test]
fn a_table_may_name_its_repository_from_the_home() {
    let bed = Bed::new();
    bed.file(FILE, "[repository.\"~/r\".memory]\nmode = \"log\"\n");
    assert_eq!(
        load(&bed, Some(&bed.path("home/r")), &[]).text("memory.mode"),
        "log"
    );
    assert_eq!(
        load(&bed, Some(&bed.path("home/x")), &[]).text("memory.mode"),
        "index"
    );
}

#[test]
fn unknown_keys_are_warnings_with_a_guess() {
    let bed = Bed::new();
    bed.file(FILE, "\n[memory]\nmod = \"log\"\n[other]\nthing = 1\n");
    let warnings = load(&bed, None, &[]).warnings;
    assert!(warnings[0].contains("config.toml` line 3"), "{warnings:?}");
    assert!(
        warnings[0].contains("did you mean `memory.mode`?"),
        "{warnings:?}"
    );
    assert!(warnings[1].contains("`other.thing`"), "{warnings:?}");
}

#[test]
fn wrong_values_name_file_line_and_key() {
    let bed = Bed::new();
    for (text, line) in [
        ("memory.enabled = \"yes\"", "line 1"),
        ("\n\n[memory]\nmode = \"both\"", "line 4"),
        ("memory.mode = 1", "line 1"),
        ("[memory.mode]\nx = 1", "line 1"),
        ("history.keep = \"90 days\"", "line 1"),
        ("x = [", "line 1"),
    ] {
        bed.file(FILE, text);
        let error = Config::load(&bed.dirs(), &environment(&[]), None, &[]).unwrap_err();
        let message = error.to_string();
        assert!(
            message.contains("config.toml`") && message.contains(line),
            "{message}"
        );
        assert_eq!(error.kind(), ErrorKind::Invalid);
    }
    bed.file(FILE, "");
    let variables = environment(&[("MEM_MEMORY_ENABLED", "perhaps")]);
    let error = Config::load(&bed.dirs(), &variables, None, &[])
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("MEM_MEMORY_ENABLED") && error.contains("perhaps"),
        "{error}"
    );
}

#[test]
fn log_mode_and_team_memory_exclude_each_other() {
    let bed = Bed::new();
    bed.file(
        FILE,
        "memory.mode = \"log\"\nteam.remote = \"https://example.org\"\n",
    );
    let error = Config::load(&bed.dirs(), &environment(&[]), None, &[]).unwrap_err();
    assert!(error.to_string().contains("exclude"), "{error}");
    bed.file(FILE, "memory.mode = \"log\"\n");
    let error = config::set(&bed.dirs(), "team.remote", "https://example.org", None).unwrap_err();
    assert!(error.hint().is_some(), "{error}");
    assert_eq!(
        std::fs::read_to_string(bed.path(FILE)).unwrap(),
        "memory.mode = \"log\"\n"
    );
}

#[test]
fn setting_a_key_keeps_comments_and_order() {
    let bed = Bed::new();
    let dirs = bed.dirs();
    let old = "# mine\ncolor = \"auto\" # why\n\n[team]\nremote = \"\"\n";
    bed.file(FILE, old);
    config::set(&dirs, "color", "never", None).unwrap();
    config::set(&dirs, "memory.enabled", "yes", None).unwrap();
    let text = std::fs::read_to_string(bed.path(FILE)).unwrap();
    let kept = old.replace("\"auto\"", "\"never\"");
    assert!(text.starts_with(&kept), "{text}");
    assert!(text.contains("[memory]\nenabled = true\n"), "{text}");
    assert!(config::unset(&dirs, "memory.enabled", None).unwrap());
    assert!(!config::unset(&dirs, "memory.enabled", None).unwrap());
    let text = std::fs::read_to_string(bed.path(FILE)).unwrap();
    assert!(
        text.starts_with(&kept) && !text.contains("enabled"),
        "{text}"
    );
}

#[test]
fn a_repositorys_table_is_made_and_found_again() {
    let bed = Bed::new();
    let root = Path::new("/work/a \"b\".c");
    config::set(&bed.dirs(), "memory.mode", "log", Some(root)).unwrap();
    config::set(&bed.dirs(), "editor", "vi", Some(root)).unwrap();
    let config = load(&bed, Some(root), &[]);
    assert_eq!(
        (config.text("memory.mode"), config.text("editor")),
        ("log", "vi")
    );
    assert_eq!(config.origin("memory.mode").as_str(), "repository table");
    assert_eq!(load(&bed, None, &[]).text("memory.mode"), "index");
    assert!(config::unset(&bed.dirs(), "memory.mode", Some(root)).unwrap());
    assert_eq!(load(&bed, Some(root), &[]).text("memory.mode"), "index");
}

#[test]
fn bad_edits_change_nothing() {
    let bed = Bed::new();
    let error = config::set(&bed.dirs(), "memory.modes", "log", None).unwrap_err();
    assert_eq!(error.hint().unwrap(), "did you mean `memory.mode`?");
    assert!(config::set(&bed.dirs(), "memory.mode", "both", None).is_err());
    assert!(!bed.path(FILE).exists());
    bed.file(FILE, "broken = [");
    assert!(config::set(&bed.dirs(), "memory.mode", "log", None).is_err());
    assert_eq!(
        std::fs::read_to_string(bed.path(FILE)).unwrap(),
        "broken = ["
    );
}

#[test]
fn a_linked_settings_file_stays_a_link() {
    let bed = Bed::new();
    let target = bed.file("dotfiles/mem.toml", "# mine\n");
    bed.dir("home/.config/mem");
    std::os::unix::fs::symlink(&target, bed.path(FILE)).unwrap();
    config::set(&bed.dirs(), "color", "never", None).unwrap();
    assert!(bed.path(FILE).is_symlink());
    assert!(std::fs::read_to_string(target).unwrap().contains("never"));
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(64))]

    #[test]
    fn whatever_is_set_is_read_back(value in ".*", root in "/[^\0]{0,40}", comment in "[ -~]*") {
        let bed = Bed::new();
        bed.file(FILE, &format!("# {comment}\ncolor = \"auto\" # {comment}\n"));
        let root = Path::new(&root);
        config::set(&bed.dirs(), "editor", &value, None).unwrap();
        config::set(&bed.dirs(), "editor", "other", Some(root)).unwrap();
        let (all, own) = (load(&bed, None, &[]), load(&bed, Some(root), &[]));
        proptest::prop_assert_eq!(all.text("editor"), value.as_str());
        proptest::prop_assert_eq!(own.text("editor"), "other");
        let text = std::fs::read_to_string(bed.path(FILE)).unwrap();
        let head = format!("# {comment}\ncolor = ");
        proptest::prop_assert!(text.starts_with(&head));
        let line = format!("color = \"auto\" # {comment}\n");
        proptest::prop_assert!(text.contains(&line));
    }
}

#[test]
fn a_new_file_sets_nothing_and_names_every_key() {
    let bed = Bed::new();
    bed.file("home/.config/mem/config.toml", &config::template());
    let config = Config::load(&bed.dirs(), &environment(&[]), None, &[]).unwrap();
    for key in KEYS {
        assert!(config.explicit(key.name).is_none(), "{}", key.name);
    }
    let all = config::template().replace("\n# mode = ", "\nmode = ");
    bed.file("home/.config/mem/config.toml", &all);
    let config = Config::load(&bed.dirs(), &environment(&[]), None, &[]).unwrap();
    assert!(config.explicit("memory.mode").is_some());
}
