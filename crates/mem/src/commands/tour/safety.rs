//! Act three: somebody else writes, and everything can be taken back.

use anyhow::{Context as _, Result};

use super::sandbox::Stage;
use mem_core::regular_file;

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
