//! The next steps after `mem init`: a list of `mem`'s own commands, taken only when agreed to.

use std::path::Path;

use anyhow::Result;
use clap::Subcommand as _;
use mem_core::adopt::Offer;
use mem_core::audit::shell_word;
use mem_core::location::ProjectContext;

use super::Args;
use crate::commands::{Commands, completions, install};
use crate::context::Context;
use crate::error::ErrorShape;
use crate::exit::Exit;
use crate::sanitize::clean;
use crate::style::STRONG;

/// One command of `mem`'s own.
pub(super) struct SetupStep {
    pub(super) words: Vec<String>,
    pub(super) why: String,
}

impl SetupStep {
    fn new(words: &[&str], why: impl Into<String>) -> Self {
        Self {
            words: words.iter().map(|&word| word.to_owned()).collect(),
            why: why.into(),
        }
    }

    /// As one would type it.
    pub(super) fn command_line(&self) -> String {
        let words = self.words.iter().map(|word| shell_word(word));
        format!("mem {}", words.collect::<Vec<_>>().join(" "))
    }
}

/// Notes of other tools in the repository: the file, and what `mem import --from` calls it.
const IMPORTABLE: [(&str, &str); 3] = [
    ("CLAUDE.md", "claude-md"),
    ("GEMINI.md", "gemini"),
    ("QWEN.md", "qwen"),
];

/// What is sensible here.
pub(super) fn sensible_steps(
    place: &ProjectContext,
    offers: &[Offer],
    context: &Context,
) -> Result<Vec<SetupStep>> {
    let mut steps = Vec::new();
    // Another clone goes on living, and a name proves nothing: those are told, not planned.
    for offer in offers.iter().filter(|offer| offer.candidate.why.is_own()) {
        let from = format!("--from={}", offer.candidate.slug);
        steps.push(SetupStep::new(&["adopt", &from], offer.reason_text()));
    }
    if Commands::has_subcommand("import") {
        let root: &Path = &place.project.workdir;
        for (file, source) in IMPORTABLE
            .iter()
            .filter(|(file, _)| root.join(file).is_file())
        {
            let why = format!("take over what `{file}` remembers");
            steps.push(SetupStep::new(&["import", "--from", source], why));
        }
    }
    if let Some((shell, path)) = completions::installable_shell(context)? {
        let why = format!("complete commands in {shell}: writes {}", path.display());
        steps.push(SetupStep::new(&["completions", shell, "--install"], why));
    }
    for (host, path) in install::hooks::installable_hosts(context)? {
        let host = host.profile();
        let why = format!("let {} use memory: hooks in {}", host.name, path.display());
        steps.push(SetupStep::new(&["install", host.id], why));
    }
    Ok(steps)
}

/// Shows the plan and takes the steps that were agreed to.
pub(super) fn take_steps(
    args: &Args,
    steps: &mut [(SetupStep, bool)],
    context: &Context,
) -> Result<()> {
    if steps.is_empty() {
        return Ok(());
    }
    if !context.printer.json {
        context.say(format_args!("{STRONG}next steps:{STRONG:#}"));
        for (step, _) in steps.iter() {
            let (command, why) = (step.command_line(), &step.why);
            context.say(format_args!("  {}  {}", clean(&command), clean(why)));
        }
    }
    if args.dry_run || !is_agreed(args, context)? {
        return Ok(());
    }
    let muted = context.without_output();
    let inner = if context.printer.json {
        &muted
    } else {
        context
    };
    for (step, done) in steps {
        match crate::cli::run_step(&step.words, inner) {
            Ok(exit) => *done = exit == Exit::Ok,
            // The other steps do not depend on it.
            Err(error) => ErrorShape::from_error(&error).print_error(&context.printer),
        }
    }
    Ok(())
}

/// On a terminal the person decides; elsewhere --yes does.
fn is_agreed(args: &Args, context: &Context) -> Result<bool> {
    if args.yes {
        return Ok(true);
    }
    if !context.is_interactive() || context.printer.json {
        return Ok(false);
    }
    Ok(context
        .require_confirmation("take these steps?", false)
        .is_ok())
}
