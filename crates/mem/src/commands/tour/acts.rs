//! The acts of the tour, in turn.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use mem_core::regular_file;

use super::sandbox::{COLLEAGUE, Stage};

/// Act one: a repository with a worktree gets its memory.
pub(super) fn play_beginning(stage: &Stage<'_>) -> Result<()> {
    stage.print_text("A repository and a worktree of it have one memory between them.")?;
    std::fs::create_dir(stage.stage_path("work/shop"))?;
    stage.git_quietly("shop", &["init", "--quiet"])?;
    mem_core::atomic::replace_file(&stage.stage_path("work/shop/README"), b"A shop.\n")?;
    stage.git_quietly("shop", &["add", "README"])?;
    stage.git_quietly("shop", &["commit", "--quiet", "--message", "Open the shop"])?;
    stage.run_git("shop", &["worktree", "add", "--quiet", "../shop-fix"])?;
    stage.run_mem("shop", &["init", "--no-setup"])?;

    stage.print_text("A memory is a Markdown file of a type, and a line in the index.")?;
    let save = [
        "save",
        "--type",
        "feedback",
        "--name",
        "No mock database",
        "--description",
        "Integration tests run against a real database",
        "--body",
        "Mocks hid a broken migration.\n\n**Why:** they and the schema drifted apart.\n\
         **How to apply:** every test that touches the data layer.",
    ];
    stage.run_mem("shop", &save)?;
    let save = [
        "save",
        "--type",
        "project",
        "--name",
        "Merge freeze",
        "--description",
        "Nothing is merged after Thursday noon",
        "--body",
        "The release is cut on Thursdays.",
    ];
    stage.run_mem("shop-fix", &save)?;
    stage.run_mem("shop", &["list"])?;

    stage.print_text("This is what an agent sees of it at the start of every session.")?;
    stage.run_mem("shop", &["index", "show"])
}

/// Act two: a prompt brings the memories that help, and no others.
pub(super) fn play_recall(stage: &Stage<'_>) -> Result<()> {
    stage.print_text(
        "A prompt brings the memory that helps with it. This is what an agent is given.",
    )?;
    stage.run_mem("shop", &["recall", "may I fake the db in the tests?"])?;

    stage.print_text("Where none clearly helps there is nothing, and a preview says why.")?;
    stage.run_mem("shop", &["preview", "thanks, that looks good"])
}

/// Act three: somebody else writes, and everything can be taken back.
pub(super) fn play_safety(stage: &Stage<'_>) -> Result<()> {
    stage.print_text("An editor or an agent writes without mem. The next command notices.")?;
    let file = stage.memory_dir("shop")?.join("project_merge_freeze.md");
    let text = regular_file::read_text(&file).context("the saved memory is gone")?;
    let text = text.replace("Thursday noon", "Wednesday noon");
    stage.write_as_editor(&file, &text)?;
    stage.run_mem("shop", &["status"])?;
    stage.run_mem("shop", &["diff", "merge freeze", "1"])?;

    stage.print_text(
        "A memory is removed by mistake. The index line went with it, and comes back.",
    )?;
    stage.run_mem("shop", &["remove", "no mock", "--reason", "a mistake"])?;
    stage.run_mem("shop", &["undo"])?;
    stage.run_mem("shop", &["history"])
}

/// Act four: an agent wants to write, and a person decides.
pub(super) fn play_agent(stage: &Stage<'_>) -> Result<()> {
    stage.print_text("You may want to see what agents write before it counts.")?;
    stage.run_mem("shop", &["config", "set", "memory.write", "confirm"])?;
    let save = ["save", "--type", "feedback", "--name", "Short answers"];
    let about = [
        "--description",
        "Answers without preamble",
        "--body",
        "Code first.",
    ];
    stage.refused_agent("shop", &[&save[..], &about[..]].concat())?;
    stage.run_mem("shop", &["inbox"])?;
    stage.run_mem("shop", &["inbox", "accept", "--all"])?;
    stage.run_mem("shop", &["config", "unset", "memory.write"])
}

/// Act five: a secret does not get out, neither with a push nor into the team's memory.
pub(super) fn play_secret(stage: &Stage<'_>) -> Result<()> {
    stage.print_text("A hook scans exactly what a push would send.")?;
    stage.git_quietly("shop", &["init", "--quiet", "--bare", "../origin.git"])?;
    stage.git_quietly("shop", &["remote", "add", "origin", "../origin.git"])?;
    stage.run_mem("shop", &["hook", "install", "--pre-push"])?;
    // Put together here, so that no scanner finds it in the program's own source.
    let token = format!("ghp_{}", "16C7e42F292c6912E7710c838347Ae178B4a");
    let line = format!("deploy_token = {token}\n");
    mem_core::atomic::replace_file(&stage.stage_path("work/shop/deploy.conf"), line.as_bytes())?;
    stage.git_quietly("shop", &["add", "deploy.conf"])?;
    stage.git_quietly(
        "shop",
        &["commit", "--quiet", "--message", "Deploy by script"],
    )?;
    stage.run_refused("shop", "git", &["push", "--quiet", "origin", "main"])?;

    stage.print_text("The team's memory takes no secret either.")?;
    let (body, name) = (format!("The token is {token}."), "Deploy token");
    let save = [
        "save",
        "--type",
        "reference",
        "--scope",
        "team",
        "--name",
        name,
    ];
    let about = [
        "--description",
        "What the deploy script logs in with",
        "--body",
        &body,
    ];
    stage.run_refused("shop", "mem", &[&save[..], &about[..]].concat())
}

/// Act six: a memory travels to a colleague, by the git remote and by a server, and a secret stays.
pub(super) fn play_team(stage: &Stage<'_>) -> Result<()> {
    stage.print_text("A team shares what its agents learnt through the git remote that it has.")?;
    stage.git_quietly(
        "shop",
        &["push", "--quiet", "origin", "HEAD~1:refs/heads/main"],
    )?;
    stage.run_git(".", &["clone", "--quiet", "origin.git", COLLEAGUE])?;
    let remote = ["--repo", "you/shop", "--remote"];
    set_up(stage, &[&remote[..], &["git:origin"]].concat())?;
    save_memory(
        stage,
        "Deploy day",
        "Deploys are on Tuesdays",
        "Never on a Friday.",
    )?;
    sync_both(stage)?;

    stage.print_text("An editor puts a secret where the team would get it. It stays.")?;
    play_leak(stage)?;
    stage.run_refused("shop", "mem", &["team", "push"])?;
    stage.run_mem(COLLEAGUE, &["team", "pull"])?;
    take_back(stage)?;

    if cfg!(feature = "server") {
        stage.print_text("The same through a server of the team's own.")?;
        let server = stage.start_server()?;
        set_up(stage, &[&remote[..], &[server.url()]].concat())?;
        save_memory(
            stage,
            "On call",
            "Who is on call stands in the calendar",
            "Ask there first.",
        )?;
        sync_both(stage)?;
        stage.run_mem("shop", &["team", "status"])?;
    }
    Ok(())
}

/// Both say where they share.
fn set_up(stage: &Stage<'_>, to: &[&str]) -> Result<()> {
    let words = [&["team", "setup"], to].concat();
    stage.run_mem("shop", &words)?;
    stage.run_mem(COLLEAGUE, &words)
}

fn save_memory(stage: &Stage<'_>, name: &str, description: &str, body: &str) -> Result<()> {
    let what = ["save", "--type", "project", "--scope", "team"];
    let about = ["--name", name, "--description", description, "--body", body];
    stage.run_mem("shop", &[&what[..], &about[..]].concat())
}

/// From one to the other.
fn sync_both(stage: &Stage<'_>) -> Result<()> {
    stage.run_mem("shop", &["team", "sync"])?;
    stage.run_mem(COLLEAGUE, &["team", "sync"])?;
    stage.run_mem(COLLEAGUE, &["list", "--scope", "team"])
}

/// An editor writes a token into a note of the team.
fn play_leak(stage: &Stage<'_>) -> Result<()> {
    // Put together here, so that no scanner finds it in the program's own source.
    let token = format!("ghp_{}", "16C7e42F292c6912E7710c838347Ae178B4a");
    let text = format!(
        "---\nname: Deploy token\ndescription: What the script logs in with\ntype: reference\n---\n\
         Use {token} for now.\n"
    );
    let path = write_leak(stage)?;
    stage
        .write_as_editor(&path, &text)
        .context("no secret could be put there")
}

fn take_back(stage: &Stage<'_>) -> Result<()> {
    std::fs::remove_file(write_leak(stage)?).context("the secret is gone")
}

fn write_leak(stage: &Stage<'_>) -> Result<PathBuf> {
    let folder = stage.memory_dir("shop")?.join("team");
    Ok(folder.join("reference_deploy_token.md"))
}

/// Act seven: the repository moves, and its memory is found again.
pub(super) fn play_moving(stage: &Stage<'_>) -> Result<()> {
    stage
        .print_text("The repository moves. A host that keys memory by path forgets everything.")?;
    stage.move_folder("shop", "store")?;
    stage.git_quietly("store", &["worktree", "repair"])?;
    stage.run_mem("store", &["list"])?;
    stage.run_mem("store", &["status"])?;
    stage.run_mem("store", &["adopt"])?;
    stage.run_mem("store", &["list"])?;
    stage.run_mem("store", &["check"])
}
