//! Act two: a prompt brings the memories that help, and no others.

use anyhow::Result;

use super::sandbox::Stage;

pub(super) fn play_recall(stage: &Stage<'_>) -> Result<()> {
    stage.print_text(
        "A prompt brings the memory that helps with it. This is what an agent is given.",
    )?;
    stage.run_mem("shop", &["recall", "may I fake the db in the tests?"])?;

    stage.print_text("Where none clearly helps there is nothing, and a preview says why.")?;
    stage.run_mem("shop", &["preview", "thanks, that looks good"])
}
