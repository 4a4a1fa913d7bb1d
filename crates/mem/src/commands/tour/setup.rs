//! Act one: a repository with a worktree gets its memory.

use anyhow::Result;

use super::sandbox::Stage;

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
