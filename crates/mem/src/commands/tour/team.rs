//! Act six: a memory travels to a colleague, by the git remote and by a server, and a secret stays.

use std::path::PathBuf;

use anyhow::{Context as _, Result};

use super::sandbox::{COLLEAGUE, Stage};

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
