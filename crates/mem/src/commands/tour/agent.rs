//! Act four: an agent wants to write, and a person decides.

use anyhow::Result;

use super::sandbox::Stage;

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
