//! Act four: an agent wants to write, and a person decides.

use anyhow::Result;

use super::stage::Stage;

pub(super) fn play(stage: &Stage<'_>) -> Result<()> {
    stage.tell("You may want to see what agents write before it counts.")?;
    stage.mem("shop", &["config", "set", "memory.write", "confirm"])?;
    let save = ["save", "--type", "feedback", "--name", "Short answers"];
    let about = [
        "--description",
        "Answers without preamble",
        "--body",
        "Code first.",
    ];
    stage.refused_agent("shop", &[&save[..], &about[..]].concat())?;
    stage.mem("shop", &["inbox"])?;
    stage.mem("shop", &["inbox", "accept", "--all"])?;
    stage.mem("shop", &["config", "unset", "memory.write"])
}
