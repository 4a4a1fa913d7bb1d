//! Act three: somebody else writes, and everything can be taken back.

use anyhow::{Context as _, Result};

use super::stage::Stage;
use mem_core::regular_file;

pub(super) fn play(stage: &Stage<'_>) -> Result<()> {
    stage.tell("An editor or an agent writes without mem. The next command notices.")?;
    let file = stage.memory_dir("shop")?.join("project_merge_freeze.md");
    let text = regular_file::read_text(&file).context("the saved memory is gone")?;
    let text = text.replace("Thursday noon", "Wednesday noon");
    mem_core::atomic::replace(&file, text.as_bytes())?;
    stage.mem("shop", &["status"])?;
    stage.mem("shop", &["diff", "merge freeze", "1"])?;

    stage.tell("A memory is removed by mistake. The index line went with it, and comes back.")?;
    stage.mem("shop", &["remove", "no mock", "--reason", "a mistake"])?;
    stage.mem("shop", &["undo"])?;
    stage.mem("shop", &["history"])
}
