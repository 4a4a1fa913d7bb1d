//! Exporting a memory and importing from everywhere, as a person does it.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use insta::assert_snapshot;
use mem_tests::{Output, Repo, TestEnv};

/// A private, a team and a global note, an odd file, a log.
fn filled<'e>(env: &'e TestEnv, name: &str) -> Repo<'e> {
    let repo = env.repo(name);
    for (kind, title, scope) in [
        ("feedback", "Real DB", "private"),
        ("project", "Freeze", "team"),
        ("user", "Go", "global"),
    ] {
        repo.mem([
            "save",
            "--type",
            kind,
            "--name",
            title,
            "--description",
            "d",
            "--scope",
            scope,
            "--body",
            title,
        ])
        .assert_ok();
    }
    repo.mem(["log", "a thought"]).assert_ok();
    let odd = repo.memory().join("odd (통과).md");
    fs::write(&odd, b"\xef\xbb\xbf---\r\nname: x: y\r\n---\r\n\xff\r\n").unwrap();
    let start = SystemTime::UNIX_EPOCH + Duration::from_secs(1_767_225_600);
    let written = fs::File::options().write(true).open(&odd).unwrap();
    written.set_modified(start).unwrap();
    env.advance(3_600);
    repo
}

fn write(path: impl AsRef<Path>, text: &str) {
    fs::create_dir_all(path.as_ref().parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn list(repo: &Repo<'_>) -> String {
    repo.mem(["list"]).assert_ok().stdout
}

fn import(repo: &Repo<'_>, args: &[&str]) -> Output {
    repo.mem(["import"].iter().chain(args))
}

#[test]
fn an_export_is_put_back_with_ids_and_ages() {
    let env = TestEnv::new();
    let repo = filled(&env, "app");
    let before = repo.mem(["list", "--json"]).assert_ok().json();
    let files = env.files_under(&repo.memory());
    let target = env.root().join("backup/today");
    let done = repo.mem(["export", target.to_str().unwrap()]).assert_ok();
    assert_snapshot!(done.stdout, @"exported 8 file(s) to [ENV]/backup/today (private 4, team 2, global 2)");
    fs::remove_dir_all(repo.memory()).unwrap();
    fs::remove_dir_all(env.base().join("memory")).unwrap();
    // A machine that never saw them.
    fs::remove_dir_all(env.home().join(".local")).unwrap();
    import(&repo, &[target.to_str().unwrap()]).assert_ok();
    assert_eq!(repo.mem(["list", "--json"]).assert_ok().json(), before);
    assert_eq!(env.files_under(&repo.memory()), files);
    let again = import(&repo, &[target.to_str().unwrap()]).assert_ok();
    assert_snapshot!(again.stdout, @"");
    assert_snapshot!(again.stderr, @"8 of 8 are here already");
    let history = repo.mem(["history"]).assert_ok();
    assert!(history.stdout.contains("import"), "{}", history.stdout);
}

#[test]
fn json_goes_from_one_repository_to_another_through_a_pipe() {
    let env = TestEnv::new();
    let one = filled(&env, "one");
    let json = one.mem(["export", "--json"]).assert_ok().stdout_bytes;
    let two = env.repo("two");
    let done = two
        .invoke(["import", "-"])
        .stdin(json.clone())
        .run()
        .assert_ok();
    assert_snapshot!(done.stdout, @r#"
    imported feedback_real_db.md  from private/feedback_real_db.md
    imported odd (통과).md  from private/odd (통과).md
    imported MEMORY.md  from private/MEMORY.md
    imported logs/2026/01/2026-01-01.md  from private/logs/2026/01/2026-01-01.md
    imported team/project_freeze.md  from team/project_freeze.md
    imported team/MEMORY.md  from team/MEMORY.md
    "#);
    assert_eq!(
        env.files_under(&two.memory()),
        env.files_under(&one.memory())
    );
    let three = env.repo("three");
    let only = ["import", "-", "--scope", "team", "--only", "freeze"];
    three.invoke(only).stdin(json).run().assert_ok();
    assert_snapshot!(list(&three), @r#"
    project  team:project_freeze.md  today  d
    user     global:user_go.md       today  d
    "#);
}

#[test]
fn an_export_never_overwrites_and_is_private() {
    let env = TestEnv::new();
    let repo = filled(&env, "app");
    let target = env.root().join("full");
    write(target.join("x"), "mine");
    let refused = repo
        .mem(["export", target.to_str().unwrap()])
        .assert_code(4);
    assert_snapshot!(refused.stderr, @r#"
    error: `[ENV]/full` exists already and is no empty directory
    hint: an export never overwrites: choose another directory
    "#);
    let inside = repo.memory().join("out");
    repo.mem(["export", inside.to_str().unwrap()])
        .assert_code(1);
    repo.mem(["export"]).assert_code(2);
    let empty = env.root().join("empty");
    fs::create_dir(&empty).unwrap();
    repo.mem(["export", empty.to_str().unwrap()]).assert_ok();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(
            (mode(&empty), mode(&empty.join("mem-export.json"))),
            (0o700, 0o600)
        );
    }
    let left: Vec<String> = fs::read_dir(env.root())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with(".mem-tmp-"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn different_files_of_one_name_are_both_kept() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.mem([
        "save",
        "--type",
        "project",
        "--name",
        "Freeze",
        "--description",
        "d",
        "--body",
        "ours",
    ])
    .assert_ok();
    let other = env.root().join("other");
    write(
        other.join("project_freeze.md"),
        "---\nname: Freeze\ntype: project\n---\ntheirs\n",
    );
    write(
        other.join("MEMORY.md"),
        "# Old notes\n\n- [Freeze](project_freeze.md) — theirs\n",
    );
    write(other.join("lonely.md"), "No frontmatter.\n");
    write(other.join("picture.png"), "x");
    let preview = import(&repo, &[other.to_str().unwrap(), "--dry-run"]).assert_ok();
    assert_snapshot!(preview.stdout, @r#"
    would import lonely.md  from [ENV]/other/lonely.md
    would import project_freeze_2.md  (another file has its name)  from [ENV]/other/project_freeze.md
    would unite MEMORY.md  from [ENV]/other/MEMORY.md
    --- a/MEMORY.md
    +++ b/MEMORY.md
    @@ -1 +1,3 @@
     - [Freeze](project_freeze.md) — d
    +- [Freeze](project_freeze_2.md) — theirs
    +- [lonely](lonely.md)
    --- /dev/null
    +++ b/lonely.md
    @@ -0,0 +1 @@
    +No frontmatter.
    --- /dev/null
    +++ b/project_freeze_2.md
    @@ -0,0 +1,5 @@
    +---
    +name: Freeze
    +type: project
    +---
    +theirs
    "#);
    assert_snapshot!(preview.stderr, @"left out [ENV]/other: 1 file(s) that are no Markdown: picture.png");
    assert_eq!(repo.note("lonely.md"), None);
    import(&repo, &[other.to_str().unwrap()]).assert_ok();
    assert_snapshot!(repo.note("MEMORY.md").unwrap(), @r#"
    - [Freeze](project_freeze.md) — d
    - [Freeze](project_freeze_2.md) — theirs
    - [lonely](lonely.md)
    "#);
    let again = import(&repo, &[other.to_str().unwrap(), "--json"])
        .assert_ok()
        .json();
    assert_eq!(again["changes"], serde_json::json!([]));
    // What was changed since is still the same memory.
    repo.edit_note("lonely.md", "Not so lonely.\n");
    let again = import(&repo, &[other.to_str().unwrap(), "--json"]);
    assert_eq!(again.assert_ok().json()["changes"], serde_json::json!([]));
    repo.edit_note("lonely.md", "No frontmatter.\n");
    repo.mem(["undo"]).assert_ok();
    assert_eq!(
        repo.note("MEMORY.md").unwrap(),
        "- [Freeze](project_freeze.md) — d\n"
    );
}

#[test]
fn single_files_come_in_under_their_name() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let file = env.work().join("tip.md");
    write(
        &file,
        "---\nname: Tip\ndescription: d\ntype: user\n---\nBody.\n",
    );
    import(&repo, &["../tip.md", "--scope", "global"]).assert_ok();
    assert_snapshot!(list(&repo), @"user  global:tip.md  today  d");
    let team = import(&repo, &["../tip.md", "--scope", "team"]).assert_ok();
    assert_snapshot!(team.stderr, @"left out [ENV]/work/app/../tip.md: it is about a person: never for the team");
    let index = env.work().join("MEMORY.md");
    write(&index, "- [x](x.md)\n");
    import(&repo, &[index.to_str().unwrap()]).assert_code(1);
    import(&repo, &["../tip.txt"]).assert_code(1);
    import(&repo, &[]).assert_code(2);
}

#[test]
fn sections_of_claude_md_become_memories() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    write(
        repo.path().join("CLAUDE.md"),
        "# App\n\n@docs/more.md\n\n## Conventions\n\n- Never mock.\n\n```sh\n## not a section\n```\n\n\
         ## Release\r\n\r\nFrozen until March.\r\n",
    );
    write(
        env.base().join("CLAUDE.md"),
        "## About me\n\nTen years of Go.\n",
    );
    let secret = env.root().join("secret.md");
    write(&secret, "## Private\n\nx\n");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&secret, repo.path().join("CLAUDE.local.md")).unwrap();
    let done = import(&repo, &["--from", "claude-md"]).assert_ok();
    assert_snapshot!(done.stdout, @r#"
    imported feedback_conventions.md  from [ENV]/work/app/CLAUDE.md#Conventions
    imported project_release.md  from [ENV]/work/app/CLAUDE.md#Release
    imported global:user_about_me.md  from [ENV]/home/.claude/CLAUDE.md#About me
    "#);
    assert_snapshot!(done.stderr, @r#"
    warning: CLAUDE.md still says all of this: take out of it what you keep as a memory
    left out [ENV]/work/app/CLAUDE.md#App: it only imports other files
    left out [ENV]/work/app/CLAUDE.local.md: it leads out of the repository
    "#);
    assert_snapshot!(repo.note("feedback_conventions.md").unwrap(), @r#"
    ---
    name: Conventions
    description: Never mock.
    type: feedback
    ---

    - Never mock.

    ```sh
    ## not a section
    ```
    "#);
    assert_snapshot!(list(&repo), @r#"
    feedback  feedback_conventions.md  today  Never mock.
    project   project_release.md       today  Frozen until March.
    user      global:user_about_me.md  today  Ten years of Go.
    "#);
    let again = import(&repo, &["--from", "claude-md", "--json"])
        .assert_ok()
        .json();
    assert_eq!(again["changes"], serde_json::json!([]));
}

#[test]
fn what_gemini_was_told_becomes_notes_about_the_person() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let missing = import(&repo, &["--from", "gemini"]).assert_code(1);
    assert_snapshot!(missing.stderr, @r#"
    error: there is nothing to import: no `[ENV]/home/.gemini/GEMINI.md`
    hint: `mem import PATH` takes a directory or a file from anywhere
    "#);
    write(
        env.home().join(".gemini/GEMINI.md"),
        "Be brief.\n\n## Gemini Added Memories\n- I prefer pnpm: always.\n- Two\n  lines\n\n## Other\n- no\n",
    );
    import(&repo, &["--from", "gemini"]).assert_ok();
    assert_snapshot!(list(&repo), @r#"
    user  global:user_i_prefer_pnpm_always.md  today  I prefer pnpm: always.
    user  global:user_two_lines.md             today  Two lines
    "#);
    // Known by what they say, whatever they are called by now.
    repo.mem(["rename", "two", "Renamed"]).assert_ok();
    let again = import(&repo, &["--from", "gemini"]).assert_ok();
    assert_snapshot!(again.stderr, @"2 of 2 are here already");
}

#[test]
fn codex_memories_go_where_they_belong() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let home = env.home().join(".codex");
    write(
        home.join("memories/MEMORY.md"),
        &format!(
            "# Build of app\n\napplies_to: cwd={}; reuse_rule=safe\n\n- Use make.\n\n\
             # Elsewhere\n\n- cwd=/srv/other\n\n# General\n\n- Look twice.\n",
            repo.path().display()
        ),
    );
    write(
        home.join("memories/memory_summary.md"),
        "## User Profile\n\nLikes Rust.\n",
    );
    write(home.join("memories/raw_memories.md"), "raw\n");
    write(home.join("AGENTS.md"), "## Style\n\nAlways be brief.\n");
    let done = import(&repo, &["--from", "codex"]).assert_ok();
    assert_snapshot!(list(&repo), @r#"
    project   project_build_of_app.md              today  applies_to: cwd=[ENV]/work/app; reuse_rule=safe
    feedback  global:feedback_general.md           today  Look twice.
    feedback  global:feedback_style.md             today  Always be brief.
    user      global:user_codex_memory_summary.md  today  Likes Rust.
    "#);
    assert_snapshot!(done.stderr, @r#"
    left out [ENV]/home/.codex/memories/MEMORY.md#Elsewhere: it is about other repositories: `--scope global` takes it
    left out [ENV]/home/.codex/memories/raw_memories.md: MEMORY.md is made of it
    "#);
}

#[test]
fn qwen_keeps_its_tiers() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let slug: String = repo
        .path()
        .to_string_lossy()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let note = |kind: &str| {
        format!("---\nname: {kind} note\ndescription: d\ntype: {kind}\n---\n{kind}.\n")
    };
    let project = env.home().join(".qwen/projects").join(slug).join("memory");
    write(project.join("pinned/a.md"), &note("project"));
    write(project.join("MEMORY.md"), "- [A](pinned/a.md) — kept\n");
    write(env.home().join(".qwen/memories/me.md"), &note("user"));
    write(
        repo.path().join(".qwen/team-memory/us.md"),
        &note("reference"),
    );
    let done = import(&repo, &["--from", "qwen"]).assert_ok();
    assert_snapshot!(list(&repo), @r#"
    project  pinned/a.md   today  d
    user     global:me.md  today  d
    "#);
    assert_snapshot!(done.stderr, @"left out [ENV]/work/app/.qwen/team-memory: it is the team's: `--scope team` takes it");
    assert!(repo.note("pinned/a.md").unwrap().contains("pinned: true"));
    import(&repo, &["--from", "qwen", "--scope", "team"]).assert_ok();
    assert!(repo.note("team/us.md").is_some());
}

#[test]
fn hostile_exports_are_refused_and_nothing_is_written() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let sha = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881";
    let entry = |scope: &str, file: &str, more: &str| {
        format!(r#"{{"scope":"{scope}","file":"{file}","sha256":"{sha}"{more}}}"#)
    };
    let document =
        |files: &str| format!(r#"{{"format":"mem-export","version":1,"files":[{files}]}}"#);
    let text = r#","text":"x""#;
    let twice = [
        entry("private", "a.md", text),
        entry("private", "a.md", text),
    ]
    .join(",");
    for files in [
        entry("private", "../a.md", text),
        entry("private", "/etc/a.md", text),
        entry("private", "team/a.md", text),
        entry("team", "..", text),
        entry("private", ".git/config", text),
        entry("elsewhere", "a.md", text),
        entry("private", "a.md", r#","text":"y""#),
        entry("private", "a.md", r#","base64":"*""#),
        entry("private", "a.md", ""),
        twice,
    ] {
        let json = document(&files);
        let refused = repo
            .invoke(["import", "-", "--json"])
            .stdin(json.clone())
            .run();
        assert_eq!(
            refused.assert_code(1).json_error()["kind"],
            "corrupt",
            "{json}"
        );
    }
    repo.invoke(["import", "-"])
        .stdin("[".repeat(1 << 20))
        .run()
        .assert_code(1);
    let odd_id = entry("private", "a.md", r#","text":"x","id":"mem_a\tb\nc""#);
    repo.invoke(["import", "-"])
        .stdin(document(&odd_id))
        .run()
        .assert_ok();
    let notes = repo.mem(["list", "--json"]).assert_ok().json();
    assert_eq!(notes["memories"].as_array().unwrap().len(), 1);
    assert!(!notes["memories"][0]["id"].as_str().unwrap().contains('\t'));
    let id = r#","text":"x","id":"mem_000000000000000000000000""#;
    let claims = [entry("private", "b.md", id), entry("team", "c.md", id)].join(",");
    repo.invoke(["import", "-"])
        .stdin(document(&claims))
        .run()
        .assert_ok();
    let notes = repo.mem(["list", "--json"]).assert_ok().json();
    assert_ne!(notes["memories"][1]["id"], notes["memories"][2]["id"]);
}

#[cfg(unix)]
#[test]
fn links_pipes_and_huge_files_are_not_read() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let other = env.root().join("other");
    write(other.join("good.md"), "Good.\n");
    let secret = env.root().join("secret.md");
    write(&secret, "secret");
    std::os::unix::fs::symlink(&secret, other.join("link.md")).unwrap();
    std::os::unix::fs::symlink("/", other.join("root")).unwrap();
    let pipe = other.join("pipe.md");
    assert!(env.command("mkfifo").arg(&pipe).status().unwrap().success());
    let done = import(&repo, &[other.to_str().unwrap()]).assert_ok();
    assert_snapshot!(done.stderr, @r#"
    warning: link.md is a symbolic link, which is not followed
    warning: pipe.md is not a regular file
    warning: root is a symbolic link, which is not followed
    "#);
    assert_eq!(repo.note("link.md"), None);
    import(&repo, &[pipe.to_str().unwrap()]).assert_code(1);
    let huge = fs::File::create(other.join("huge.md")).unwrap();
    huge.set_len(17 << 20).unwrap();
    write(other.join("new.md"), "New.\n");
    let refused = import(&repo, &[other.to_str().unwrap()]).assert_code(1);
    assert_snapshot!(refused.stderr, @r#"
    error: `huge.md` is larger than 16777216 bytes
    hint: memories are short; leave it out, or split it
    "#);
    assert_eq!(repo.note("new.md"), None);
    for own in [repo.memory(), repo.path().to_owned(), env.home()] {
        import(&repo, &[own.to_str().unwrap()]).assert_code(1);
    }
}

#[test]
fn an_altered_export_is_told_apart() {
    let env = TestEnv::new();
    let repo = filled(&env, "app");
    let target = env.root().join("out");
    let name = target.to_str().unwrap().to_owned();
    repo.mem(["export", &name]).assert_ok();
    write(target.join("private/feedback_real_db.md"), "changed\n");
    let two = env.repo("two");
    let refused = import(&two, &[&name]).assert_code(1);
    assert_snapshot!(refused.stderr, @r#"
    error: `feedback_real_db.md` of the export `[ENV]/out` has other bytes than the manifest says
    hint: export it again; or delete `mem-export.json` and import `private`, `team` and `global` one by one, as they stand
    "#);
    fs::remove_file(target.join("mem-export.json")).unwrap();
    import(&two, &[target.join("private").to_str().unwrap()]).assert_ok();
    assert_eq!(two.note("feedback_real_db.md").unwrap(), "changed\n");
}
