//! What holds for every command: help, global flags, exit codes, errors in words and as JSON.

use std::io::Read;

use mem_tests::{TestEnv, words};

#[test]
fn usage_errors_exit_2_in_words_and_as_json() {
    let env = TestEnv::new();
    let output = env.mem(["completion", "bash"]).assert_code(2);
    assert!(output.stdout.is_empty());
    assert!(output.stderr.starts_with("error: "), "{}", output.stderr);
    let error = env
        .mem(["completion", "bash", "--json"])
        .assert_code(2)
        .json_error();
    assert_eq!(error["kind"], "usage");
    assert_eq!(error["message"], "unrecognized subcommand 'completion'");
    assert_eq!(error["hint"], "did you mean `completions`?");
}

#[test]
fn directories_add_up_as_gits_do() {
    let env = TestEnv::new();
    std::fs::create_dir_all(env.work().join("a/b")).unwrap();
    env.mem(["-C", "a", "-C", "", "-C", "b", "man", "pages"])
        .assert_ok();
    env.mem(["-C", "a", "man", "-C", "b", "more"]).assert_ok();
    for pages in ["pages", "more"] {
        assert!(env.work().join("a/b").join(pages).join("mem.1").exists());
    }
}

#[test]
fn a_missing_directory_is_told_and_nothing_runs() {
    let env = TestEnv::new();
    let error = env
        .mem(["-C", "nowhere", "man", "pages", "--json"])
        .assert_code(1)
        .json_error();
    assert_eq!(error["kind"], "not_found");
    let message = error["message"].as_str().unwrap();
    assert!(
        message.starts_with("cannot change to `nowhere`"),
        "{message}"
    );
    assert!(env.files_under(&env.work()).is_empty());
}

#[test]
fn every_command_explains_itself_both_ways() {
    let env = TestEnv::new();
    let help = env.mem(["help", "--all"]).assert_ok().stdout;
    let names: Vec<&str> = help
        .lines()
        .take_while(|line| *line != "Options:")
        .filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next())
        .collect();
    assert!(names.contains(&"completions"), "{help}");
    for name in names {
        let long = env.mem(["help", name]).assert_ok().stdout;
        assert_eq!(long, env.mem([name, "--help"]).assert_ok().stdout);
        assert!(long.contains("Usage: mem "), "{long}");
    }
    let alone = env.mem::<&str>([]).assert_ok().stdout;
    assert!(alone.contains("mem help"), "{alone}");
    let error = env.mem(["help", "nonsense"]).assert_code(2).stderr;
    assert!(
        error.contains("hint: `mem help --all` lists all commands"),
        "{error}"
    );
}

#[test]
fn the_first_help_is_what_a_person_wants_and_other_words_are_understood() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let help = env.mem(["help"]).assert_ok().stdout;
    let commands = help.split("Options:").next().unwrap().lines();
    let commands = commands.filter(|line| line.starts_with("  ")).count();
    assert!((30..=40).contains(&commands), "{help}");
    assert!(!help.contains("completions"), "{help}");
    assert!(help.contains("`mem help --all`"), "{help}");
    repo.mem(["init", "--no-setup"]).assert_ok();
    let add = ["add", "--type", "project", "--name", "deploys"];
    let text = [
        "--description",
        "When",
        "--body",
        "They go out on Tuesdays.",
    ];
    repo.mem([&add[..], &text[..]].concat()).assert_ok();
    let shown = repo.mem(["get", "deploys"]).assert_ok().stdout;
    assert!(shown.contains("They go out on Tuesdays."), "{shown}");
    let listed = repo.mem(["ls"]).assert_ok().stdout;
    assert!(listed.contains("deploys"), "{listed}");
    repo.mem(["rm", "deploys"]).assert_ok();
    let listed = repo.mem(["ls"]).assert_ok().stdout;
    assert!(!listed.contains("deploys"), "{listed}");
}

#[test]
fn a_bare_call_names_the_agents_that_do_not_use_it_yet() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.mem(["init", "--no-setup"]).assert_ok();
    let alone = repo.mem::<&str>([]).assert_ok().stdout;
    assert!(!alone.contains("mem install  connect"), "{alone}");
    std::fs::create_dir_all(env.home().join(".codex")).unwrap();
    std::fs::create_dir_all(env.home().join(".qwen")).unwrap();
    let alone = repo.mem::<&str>([]).assert_ok().stdout;
    assert!(
        alone.contains("mem install  connect Codex and Qwen Code"),
        "{alone}"
    );
    repo.mem(["install", "--yes"]).assert_ok();
    let alone = repo.mem::<&str>([]).assert_ok().stdout;
    assert!(!alone.contains("mem install  connect"), "{alone}");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let env = TestEnv::new();
    let mut child = env.invoke(["completions", "zsh"]).spawn();
    drop(child.stdout.take());
    let mut talk = String::new();
    let mut stderr = child.stderr.take().unwrap();
    stderr.read_to_string(&mut talk).unwrap();
    assert_eq!((child.wait().unwrap().code(), talk.as_str()), (Some(0), ""));
}

#[test]
fn every_shell_gets_a_script() {
    let env = TestEnv::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = env.mem(["completions", shell]).assert_ok().stdout;
        assert!(script.contains("completions"), "{shell}: {script}");
    }
    let installed = env.mem(["completions", "bash", "--install", "--json"]);
    assert!(installed.json()["path"].is_string());
    assert_eq!(installed.stderr, "");
}

#[test]
fn manual_pages_cover_every_command() {
    let env = TestEnv::new();
    let written = env.mem(["man", "pages", "--json"]).assert_ok();
    assert_eq!(written.json()["path"], "pages");
    assert_eq!(written.stderr, "");
    let pages = env.files_under(&env.work().join("pages"));
    let names: Vec<&str> = pages.iter().map(|(name, _)| name.as_str()).collect();
    for name in ["mem.1", "mem-man.1", "mem-completions.1"] {
        assert!(names.contains(&name), "{names:?}");
    }
}

#[test]
fn color_follows_the_flag_and_the_environment() {
    let env = TestEnv::new();
    let has_escapes = |text: &str| text.contains('\u{1b}');
    let plain = env.mem(["help"]).assert_ok();
    assert!(!has_escapes(&plain.stdout));
    let always = env.mem(["help", "--color", "always"]).assert_ok();
    assert!(has_escapes(&always.stdout));
    let forced = env.invoke(["help"]).env("CLICOLOR_FORCE", "1").run();
    assert!(has_escapes(&forced.stdout));
    let never = env
        .invoke(["help", "--color=never"])
        .env("CLICOLOR_FORCE", "1");
    assert!(!has_escapes(&never.run().stdout));
}

#[test]
fn a_bad_clock_is_told() {
    let env = TestEnv::new();
    let output = env.invoke(["help"]).env("MEM_NOW", "noon").run();
    insta::assert_snapshot!(output.assert_code(1).stderr, @r"
    error: `MEM_NOW` is not a time: `noon`
    hint: unset it, or give a time such as 2026-01-31T12:00:00Z
    ");
}

#[test]
fn version_and_target_are_told() {
    let env = TestEnv::new();
    let version = env.mem(["--version", "--json"]).assert_ok().json();
    assert_eq!(version["version"], env!("CARGO_PKG_VERSION"));
    let line = env.mem(["--version"]).assert_ok().stdout;
    assert!(line.starts_with("mem "), "{line}");
}

/// A number below 0 is the value of its option, and not another option.
#[test]
fn numbers_out_of_range_are_told_with_the_range() {
    let env = TestEnv::new();
    for (args, told) in [
        ("prune --below -1", "`--below` is not a number from 0 to 5"),
        ("prune --max-entries -1", "`--max-entries` is `-1`"),
        ("recall x --limit -5", "`--limit` is `-5`"),
        ("recall x --budget-chars -1", "`--budget-chars` is `-1`"),
        ("recall x --min-score -1", "not a number from 0 to 1"),
        (
            "save --name x --importance -3",
            "a whole number from 1 to 5",
        ),
        ("record retrieve x --limit -1", "from 1 to 100"),
        ("history --limit -1", "a whole number of at least 0"),
        ("session prune --days -1", "a whole number of at least 0"),
        ("store list --limit 0", "a whole number of at least 1"),
        ("tool --max-view-chars -1", "`--max-view-chars` is `-1`"),
    ] {
        let run = env.mem(words(args)).assert_code(2);
        assert!(run.stderr.contains(told), "{args}: {}", run.stderr);
        assert!(!run.stderr.contains("unexpected"), "{}", run.stderr);
        let mut json = words(args);
        json.push("--json".to_owned());
        let error = env.mem(json).assert_code(2).json_error();
        assert_eq!(error["kind"], "usage", "{args}");
        assert!(error["hint"].as_str().is_some_and(|hint| !hint.is_empty()));
    }
}
