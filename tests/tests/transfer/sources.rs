//! What other hosts wrote down becomes memories.

use insta::assert_snapshot;
use mem_tests::TestEnv;

use super::{import, list, write};

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
         @docs/lost.md\n- @kim\n@Override\n\n\
         Release\r\n-------\r\n\r\nFrozen until March.\r\n",
    );
    repo.write("docs/more.md", "More.\n");
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
    left out [ENV]/work/app/docs/more.md: CLAUDE.md imports it; `mem import [ENV]/work/app/docs/more.md` takes it in
    left out [ENV]/work/app/docs/lost.md: CLAUDE.md imports it, and there is no such file
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

    - @kim
    @Override
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
    error: there is nothing to import: no `[ENV]/home/.gemini/tmp`, no `[ENV]/home/.gemini/GEMINI.md`, no `[ENV]/work/app/GEMINI.md`
    hint: `mem import PATH` takes a directory or a file from anywhere
    "#);
    write(
        env.home().join(".gemini/GEMINI.md"),
        "Be brief.\n\n## Gemini Added Memories\n- I prefer pnpm: always.\n- Two\n  lines\n\n## Style\n\nShort names.\n",
    );
    import(&repo, &["--from", "gemini"]).assert_ok();
    assert_snapshot!(list(&repo), @r#"
    feedback  global:feedback_style.md             today  Short names.
    user      global:user_gemini_md.md             today  Be brief.
    user      global:user_i_prefer_pnpm_always.md  today  I prefer pnpm: always.
    user      global:user_two_lines.md             today  Two lines
    "#);
    // Known by what they say, whatever they are called by now.
    repo.mem(["rename", "two", "Renamed"]).assert_ok();
    let again = import(&repo, &["--from", "gemini"]).assert_ok();
    assert!(
        again.stderr.contains("4 of 4 are here already"),
        "{}",
        again.stderr
    );
    // A project's own file, whatever its form.
    write(repo.path().join("GEMINI.md"), "Deploys are on Tuesdays.\n");
    let done = import(&repo, &["--from", "gemini"]).assert_ok();
    assert!(
        done.stderr.contains("GEMINI.md still says all of this"),
        "{}",
        done.stderr
    );
    assert!(
        list(&repo).contains("Deploys are on Tuesdays."),
        "{}",
        list(&repo)
    );
}

#[test]
fn the_private_memory_of_gemini_is_that_of_the_checkout() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let tmp = env.home().join(".gemini/tmp");
    let root = repo.path().display().to_string();
    write(tmp.join("app/.project_root"), &root);
    write(
        tmp.join("app/memory/MEMORY.md"),
        "- [Deploys](deploys.md): on Tuesdays\n",
    );
    write(
        tmp.join("app/memory/deploys.md"),
        "# Deploys\n\nDeploys are on Tuesdays.\n",
    );
    write(tmp.join("other/.project_root"), "/somewhere/else");
    write(tmp.join("other/memory/other.md"), "Not of this project.\n");
    import(&repo, &["--from", "gemini"]).assert_ok();
    assert_snapshot!(list(&repo), @"-  deploys.md  today  deploys");
    assert!(repo.note("MEMORY.md").unwrap().contains("(deploys.md)"));
    assert_eq!(repo.note("other.md"), None);
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
