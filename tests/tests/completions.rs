//! `mem completions`: what the scripts of the shells complete, through the shells themselves where they are installed.

use std::path::Path;
use std::process::Command;

use mem_tests::{Repo, TestEnv, words};

/// A repository with two memories and one of the team.
fn filled(env: &TestEnv) -> Repo<'_> {
    let repo = env.repo("app");
    for (kind, name) in [("project", "Merge freeze"), ("feedback", "No mock")] {
        let args = ["save", "--type", kind, "--name", name];
        let rest = ["--description", "In short", "--body", "x"];
        repo.mem([&args[..], &rest].concat()).assert_ok();
    }
    repo
}

/// What fits the last of these words.
fn fitting(repo: &Repo<'_>, line: &str) -> Vec<String> {
    let args = ["completions", "fish", "--"].map(str::to_owned);
    let mut typed = words(line);
    if line.ends_with(' ') {
        typed.push(String::new());
    }
    let run = repo.mem(args.into_iter().chain(typed)).assert_ok();
    assert_eq!(run.stderr, "");
    let value = |line: &str| line.split('\t').next().unwrap_or_default().to_owned();
    run.stdout.lines().map(value).collect()
}

/// Runs a script in a shell that has `mem` on its PATH; `None` where there is no such shell.
fn in_shell(repo: &Repo<'_>, env: &TestEnv, shell: &[&str], script: &str) -> Option<String> {
    let found = Command::new(shell[0]).arg("--version").output();
    if !found.is_ok_and(|output| output.status.success()) {
        return None;
    }
    let own = mem_tests::binary::path().parent().unwrap();
    let path = format!("{}:{}", own.display(), std::env::var("PATH").unwrap());
    let mut command = env.command(shell[0]);
    command.args(&shell[1..]).arg(script).env("PATH", path);
    let output = command.current_dir(repo.path()).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.is_empty(), "{told}");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn names_of_memories_and_settings_are_completed() {
    let env = TestEnv::new();
    let repo = filled(&env);
    let both = ["feedback_no_mock", "project_merge_freeze"];
    for command in [
        "show",
        "edit",
        "remove",
        "rm",
        "history",
        "diff",
        "verify",
        "team share",
    ] {
        let found = fitting(&repo, &format!("mem {command} "));
        assert_eq!(found, both, "{command}");
    }
    assert_eq!(fitting(&repo, "mem -C .. -C app show pro"), [both[1]]);
    let elsewhere = fitting(&repo, "mem -C .. show ");
    assert!(
        elsewhere.iter().all(|flag| flag.starts_with('-')),
        "{elsewhere:?}"
    );
    assert_eq!(fitting(&repo, "mem config get memory.w"), ["memory.write"]);
    assert_eq!(
        fitting(&repo, "mem config set memory.write "),
        ["auto", "confirm", "read-only"]
    );
    assert_eq!(fitting(&repo, "mem config set notify t"), ["true"]);
    assert_eq!(fitting(&repo, "mem rena"), ["rename"]);
    assert_eq!(fitting(&repo, "mem list --sort n"), ["name"]);
    assert_eq!(fitting(&repo, "mem show zzz"), [""; 0]);
}

#[test]
fn a_name_in_two_scopes_is_completed_with_its_scope() {
    let env = TestEnv::new();
    let repo = filled(&env);
    let global = words(
        "save --type project --scope global --name 'No mock' --file feedback_no_mock.md --description d --body x",
    );
    repo.mem(global).assert_ok();
    assert_eq!(
        fitting(&repo, "mem show "),
        [
            "private:feedback_no_mock",
            "project_merge_freeze",
            "global:feedback_no_mock"
        ]
    );
    let shown = repo.mem(["show", "global:feedback_no_mock"]).assert_ok();
    assert!(shown.stdout.contains("No mock"));
}

#[test]
fn deleted_memories_and_changes_are_completed() {
    let env = TestEnv::new();
    let repo = filled(&env);
    repo.mem(["remove", "merge", "--reason", "over"])
        .assert_ok();
    for command in ["restore", "history"] {
        let found = fitting(&repo, &format!("mem {command} "));
        assert_eq!(found, ["feedback_no_mock", "project_merge_freeze"]);
    }
    assert_eq!(fitting(&repo, "mem show "), ["feedback_no_mock"]);
    let history = repo.mem(["history"]).assert_ok().stdout;
    let mut ids: Vec<&str> = history.lines().map(|line| &line[..8]).collect();
    assert_eq!(ids.len(), 3);
    assert_eq!(fitting(&repo, "mem undo "), ids);
    let rev = format!("mem restore merge --rev {}", &ids[1][..6]);
    assert_eq!(fitting(&repo, &rev), [ids.remove(1)]);
}

#[test]
fn completion_writes_nothing_and_fails_silently() {
    let env = TestEnv::new();
    let repo = filled(&env);
    let before = env.files_under(env.root());
    for line in [
        "mem show ",
        "mem restore ",
        "mem undo ",
        "mem config set memory.write ",
        "mem ",
        "mem nonsense x",
        "mem -C nowhere show ",
    ] {
        fitting(&repo, line);
    }
    assert_eq!(env.files_under(env.root()), before);
    // Broken settings: commands and flags are completed still.
    let config = env.home().join(".config/mem/config.toml");
    std::fs::create_dir_all(config.parent().unwrap()).unwrap();
    std::fs::write(&config, "memory = [").unwrap();
    assert_eq!(fitting(&repo, "mem show pro"), [""; 0]);
    assert_eq!(fitting(&repo, "mem sho"), ["show"]);
}

#[test]
fn many_memories_are_completed_at_once() {
    let env = TestEnv::new();
    let repo = filled(&env);
    let directory = repo.mem(["path"]).line();
    for number in 0..10_000 {
        let file = Path::new(&directory).join(format!("project_note_{number:05}.md"));
        std::fs::write(file, "---\nname: N\n---\nx\n").unwrap();
    }
    let start = std::time::Instant::now();
    assert_eq!(fitting(&repo, "mem show project_note_0999").len(), 10);
    // A hundred times what a release build takes: this one is not optimised, and the machine busy.
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

#[test]
fn bash_completes_by_asking() {
    let env = TestEnv::new();
    let repo = filled(&env);
    let complete = |line: &str| {
        // As bash calls it: `$2` is the word since the last of COMP_WORDBREAKS.
        let word = line.rsplit([' ', '=', ':']).next().unwrap();
        let script = format!(
            "source <(mem completions bash); COMP_LINE='{line} rest'; COMP_POINT={}; \
             _mem mem '{word}' prev; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            line.len()
        );
        in_shell(&repo, &env, &["bash", "--norc", "-c"], &script)
    };
    let Some(found) = complete("mem show pro") else {
        println!("untried: there is no `bash`");
        return;
    };
    assert_eq!(found, "project_merge_freeze\n");
    // What stands before the last colon stays.
    assert_eq!(
        complete("mem show private:pro").as_deref(),
        Some("project_merge_freeze\n")
    );
    assert_eq!(
        complete("cd /x && mem list --sort=n").as_deref(),
        Some("name\n")
    );
    assert_eq!(
        complete("mem config unset team.gl").as_deref(),
        Some("team.glance\n")
    );
    // As an interactive shell does it.
    let typed = "source <(mem completions bash); complete -p mem";
    let told = in_shell(&repo, &env, &["bash", "--norc", "-c"], typed);
    assert_eq!(told.as_deref(), Some("complete -F _mem mem\n"));
}

#[test]
fn zsh_completes_by_asking() {
    let env = TestEnv::new();
    let repo = filled(&env);
    // What zsh's own completion defines is replaced by what shows the answer.
    let script = "compdef() { : }; compadd() { print -r -- \"$@\"; print -rl -- $texts }
        source <(mem completions zsh); words=(mem show pro rest); CURRENT=3; _mem; words=(mem -C ap); _mem";
    let Some(found) = in_shell(&repo, &env, &["zsh", "-f", "-c"], script) else {
        println!("untried: there is no `zsh`");
        return;
    };
    assert_eq!(
        found,
        "-l -d texts -- project_merge_freeze\nproject_merge_freeze  -- In short\n"
    );
}

#[test]
fn fish_completes_by_asking() {
    let env = TestEnv::new();
    let repo = filled(&env);
    let script = "mem completions fish | source; complete -C 'mem show pro'; complete -C 'mem config set notify t'";
    let Some(found) = in_shell(&repo, &env, &["fish", "--no-config", "-c"], script) else {
        println!("untried: there is no `fish`");
        return;
    };
    assert_eq!(found, "project_merge_freeze\tIn short\ntrue\n");
}
