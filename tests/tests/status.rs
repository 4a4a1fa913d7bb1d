//! `mem status` and `mem` alone: what is there, what others did, what to do next.

use std::fs;
use std::path::PathBuf;

use insta::assert_snapshot;
use mem_tests::{Repo, TestEnv, words};

fn save(repo: &Repo<'_>, kind: &str, name: &str) {
    let args = [
        "save",
        "--type",
        kind,
        "--name",
        name,
        "--description",
        "when it matters",
        "--body",
        "x",
    ];
    repo.mem(args).assert_ok();
}

fn directory(repo: &Repo<'_>) -> PathBuf {
    repo.mem(["path"]).line().into()
}

#[test]
fn an_empty_repository_is_told_how_to_begin_and_nothing_is_written() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    assert_snapshot!(repo.mem::<&str>([]).assert_ok().shown(), @r"
    exit 0
    --- stdout
    memory of [ENV]/work/app: what you and your agents learn about it, in Markdown files
      in [ENV]/home/.claude/projects/[SLUG]-work-app/memory
      no memories yet
      agents: none found of those that `mem install --help` lists
      nothing to mend
    next: mem init  set memory up for this repository; `mem help` lists all commands
    --- stderr
    ");
    assert!(!env.base().exists());
}

#[test]
fn the_first_screen_has_six_lines_with_one_command() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "project", "One");
    fs::create_dir_all(env.home().join(".codex")).unwrap();
    fs::create_dir_all(env.home().join(".qwen")).unwrap();
    repo.mem(["install", "qwen"]).assert_ok();
    let screen = || repo.mem::<&str>([]).assert_ok().stdout;
    assert_snapshot!(screen(), @r"
    memory of [ENV]/work/app
      in [ENV]/home/.claude/projects/[SLUG]-work-app/memory
      1 memory: 1 private; the newest is from today
      agents: Qwen Code uses mem; Codex does not
      nothing to mend
    next: mem install  connect Codex; `mem help` lists all commands
    ");
    repo.mem(["install", "codex"]).assert_ok();
    // Once what somebody else wrote is recorded, only the fault in it is left to tell.
    fs::write(directory(&repo).join("two.md"), "by hand").unwrap();
    screen();
    assert_snapshot!(screen(), @r"
    memory of [ENV]/work/app
      in [ENV]/home/.claude/projects/[SLUG]-work-app/memory
      2 memories: 2 private; the newest is from today
      agents: Codex and Qwen Code use mem
      3 faults: two.md: MEMORY.md does not point to it [orphan]
    next: mem check  see the faults and what mends them; `mem help` lists all commands
    ");
}

#[test]
fn counts_ages_and_the_index_are_told() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "project", "One");
    repo.mem(words(
        "save --type user --scope global --name Me --description d --body x",
    ))
    .assert_ok();
    env.advance(3 * 86_400);
    assert_snapshot!(repo.mem(["status"]).assert_ok().shown(), @r"
    exit 0
    --- stdout
    memory of [ENV]/work/app
      in [ENV]/home/.claude/projects/[SLUG]-work-app/memory
      2 memories: 1 private, 1 global; the newest is from 3 days ago
      the index uses 1 of 200 lines and 41 of 25000 characters
    --- stderr
    ");
    let mut json = repo.mem(["status", "--json"]).assert_ok().json();
    // The name carries a hash of the path.
    assert!(PathBuf::from(json["history_dir"].take().as_str().unwrap()).ends_with("history"));
    assert_snapshot!(serde_json::to_string_pretty(&json).unwrap(), @r#"
    {
      "project_root": "[ENV]/work/app",
      "slug": "[SLUG]-work-app",
      "memory_dir": "[ENV]/home/.claude/projects/[SLUG]-work-app/memory",
      "history_dir": null,
      "source": "default",
      "enabled": true,
      "disabled_by": null,
      "tiers": [
        {
          "scope": "private",
          "dir": "[ENV]/home/.claude/projects/[SLUG]-work-app/memory",
          "memories": 1
        },
        {
          "scope": "team",
          "dir": "[ENV]/home/.claude/projects/[SLUG]-work-app/memory/team",
          "memories": 0
        },
        {
          "scope": "global",
          "dir": "[ENV]/home/.claude/memory",
          "memories": 1
        }
      ],
      "newest": "2026-01-01T00:00:00Z",
      "index": {
        "lines": 1,
        "units": 41,
        "lines_max": 200,
        "units_max": 25000,
        "is_over": false
      },
      "foreign": null,
      "swept": [],
      "adoptable": [],
      "agents": {
        "changes": 0,
        "written": [],
        "removed": [],
        "extracted": [],
        "since": "2026-01-04T00:00:00Z",
        "waiting": 0,
        "untrusted": 0,
        "from_team": 0
      },
      "team": null,
      "own": null,
      "stores": [],
      "daemon": null,
      "dream": null,
      "pruned": null,
      "twins": [],
      "warnings": [],
      "hosts": [],
      "secrets_stopped": []
    }
    "#);
}

#[test]
fn edits_of_others_are_noticed_once() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "project", "One");
    fs::write(directory(&repo).join("two.md"), "by hand").unwrap();
    let foreign = repo.mem(["status", "--json"]).json()["foreign"].clone();
    assert_eq!(
        (&foreign["files"], &foreign["is_first"]),
        (&1.into(), &false.into())
    );
    assert!(repo.mem(["status", "--json"]).json()["foreign"].is_null());
    fs::write(directory(&repo).join("two.md"), "again").unwrap();
    let text = repo.mem(["status"]).stdout;
    assert!(text.contains("1 file changed outside mem (chg_"), "{text}");
    let old = env.repo("old");
    fs::create_dir_all(directory(&old)).unwrap();
    fs::write(directory(&old).join("a.md"), "a").unwrap();
    let text = old.mem(["status"]).stdout;
    assert!(
        text.contains("1 file recorded for the first time"),
        "{text}"
    );
}

#[test]
fn a_swept_folder_is_offered_back() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let team = directory(&repo).join("team");
    fs::create_dir_all(&team).unwrap();
    fs::write(team.join("a.md"), "a").unwrap();
    save(&repo, "project", "One");
    fs::remove_dir_all(&team).unwrap();
    let swept = repo.mem(["status", "--json"]).json()["swept"].clone();
    assert_eq!(
        (&swept[0]["folder"], &swept[0]["files"]),
        (&"team".into(), &1.into())
    );
    let bare = repo.mem::<&str>([]).stdout;
    let command = format!("mem undo {}", swept[0]["change"].as_str().unwrap());
    assert!(
        bare.contains("swept away: 1 file of `team/`") && bare.contains(&command),
        "{bare}"
    );
    repo.mem(command.split(' ').skip(1)).assert_ok();
    assert_eq!(fs::read(team.join("a.md")).unwrap(), b"a");
    assert_eq!(
        repo.mem(["status", "--json"]).json()["swept"],
        serde_json::json!([])
    );
}

#[test]
fn many_files_gone_at_once_are_offered_back_for_a_while_and_a_few_are_not() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let names: Vec<String> = (0..8).map(|number| format!("Note {number}")).collect();
    for name in &names {
        save(&repo, "project", name);
    }
    let gone = |numbers: std::ops::Range<u8>| {
        for number in numbers {
            fs::remove_file(directory(&repo).join(format!("project_note_{number}.md"))).unwrap();
        }
        repo.mem(["status", "--json"]).assert_ok().json()["swept"].clone()
    };
    assert_eq!(gone(0..2), serde_json::json!([]));
    let swept = gone(2..8);
    assert_eq!(
        (&swept[0]["files"], &swept[0]["folder"]),
        (&6.into(), &serde_json::Value::Null)
    );
    env.advance(20 * 86_400);
    assert_eq!(
        repo.mem(["status", "--json"]).json()["swept"],
        serde_json::json!([])
    );
}

#[test]
fn off_is_told_and_nothing_is_recorded() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "project", "One");
    let state = env.home().join(".local/state/mem");
    let before = env.files_under(&state);
    fs::write(directory(&repo).join("two.md"), "by hand").unwrap();
    let off = repo
        .invoke(["status"])
        .env("MEM_DISABLE", "1")
        .run()
        .assert_ok();
    assert!(off.stdout.contains("off: MEM_DISABLE"), "{}", off.stdout);
    assert_eq!(env.files_under(&state), before);
}
