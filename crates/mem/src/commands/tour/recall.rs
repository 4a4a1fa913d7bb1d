//! Act two: a prompt brings the memories that help, and no others.

use anyhow::Result;

use super::stage::Stage;

pub(super) fn play(stage: &Stage<'_>) -> Result<()> {
    stage.tell("A prompt brings the memory that helps with it. This is what an agent is given.")?;
    stage.mem("shop", &["recall", "may I fake the db in the tests?"])?;

    stage.tell("Where none clearly helps there is nothing, and a preview says why.")?;
    stage.mem("shop", &["preview", "thanks, that looks good"])
}
