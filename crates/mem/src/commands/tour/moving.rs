//! Act seven: the repository moves, and its memory is found again.

use anyhow::Result;

use super::stage::Stage;

pub(super) fn play(stage: &Stage<'_>) -> Result<()> {
    stage.tell("The repository moves. A host that keys memory by path forgets everything.")?;
    stage.move_folder("shop", "store")?;
    stage.git_quietly("store", &["worktree", "repair"])?;
    stage.mem("store", &["list"])?;
    stage.mem("store", &["status"])?;
    stage.mem("store", &["adopt"])?;
    stage.mem("store", &["list"])?;
    stage.mem("store", &["check"])
}
