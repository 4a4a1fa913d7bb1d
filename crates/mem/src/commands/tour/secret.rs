//! Act five: a secret does not get out, neither with a push nor into the team's memory.

use anyhow::Result;

use super::sandbox::Stage;

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
