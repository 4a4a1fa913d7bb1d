//! Act seven: the repository moves, and its memory is found again.

use anyhow::Result;

use super::sandbox::Stage;

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
