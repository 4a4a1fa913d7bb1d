//! The next steps after `mem init`: a list of `mem`'s own commands, taken only when agreed to.

use std::path::Path;

use anyhow::Result;
use mem_core::adopt::Offer;
use mem_core::audit::shell_word;
use mem_core::history::AuthorKind;
use mem_core::location::ProjectContext;
use mem_hosts::DetectedHost;

use super::Args;
use crate::commands::completions;
use crate::context::Context;
use crate::error::ErrorShape;
use crate::exit::Exit;
use crate::sanitize::clean;
use crate::style::STRONG;

/// One command of `mem`'s own.
pub(super) struct SetupStep {
    pub(super) words: Vec<String>,
    pub(super) why: String,
    /// Whether it changes the settings of a host: a person at a terminal alone agrees to that.
    is_install: bool,
}

impl SetupStep {
    fn new(words: &[&str], why: impl Into<String>) -> Self {
        Self {
            words: words.iter().map(|&word| word.to_owned()).collect(),
            why: why.into(),
            is_install: false,
        }
    }

    /// One that makes a host use `mem`.
    fn install(words: &[&str], why: impl Into<String>) -> Self {
        Self {
            is_install: true,
            ..Self::new(words, why)
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
    let root: &Path = &place.project.workdir;
    for (file, source) in IMPORTABLE
        .iter()
        .filter(|(file, _)| root.join(file).is_file())
    {
        let why = format!("take over what `{file}` remembers");
        steps.push(SetupStep::new(&["import", "--from", source], why));
    }
    if let Some((shell, path)) = completions::installable_shell(context)? {
        let why = format!("complete commands in {shell}: writes {}", path.display());
        steps.push(SetupStep::new(&["completions", shell, "--install"], why));
    }
    for used in DetectedHost::find_unconnected(context)? {
        let (host, path) = (used.host.profile(), used.settings.display());
        let why = format!("let {} use memory: hooks in {path}", host.name);
        steps.push(SetupStep::install(&["install", host.id], why));
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
    if args.dry_run {
        return Ok(());
    }
    let (installing, others): (Vec<_>, Vec<_>) =
        steps.iter_mut().partition(|(step, _)| step.is_install);
    if !others.is_empty() && is_agreed(args, &others, context)? {
        run_steps(others, context);
    }
    if installing.is_empty() {
        return Ok(());
    }
    if is_install_agreed(context) {
        run_steps(installing, context);
    } else if args.yes && !context.printer.json {
        context.say("the settings of hosts were not changed: `mem install` asks a person for that");
    }
    Ok(())
}

/// Takes steps. One that fails keeps no other from being taken: they do not depend on it.
fn run_steps(steps: Vec<&mut (SetupStep, bool)>, context: &Context) {
    let muted = context.without_output();
    let inner = if context.printer.json {
        &muted
    } else {
        context
    };
    for (step, done) in steps {
        match crate::cli::run_step(&step.words, inner) {
            Ok(exit) => *done = exit == Exit::Ok,
            Err(error) => ErrorShape::from_error(&error).print_error(&context.printer),
        }
    }
}

/// Whether a person at a terminal wants hosts to use `mem`. Neither `--yes` nor an agent answers for them.
fn is_install_agreed(context: &Context) -> bool {
    let is_person = context.author().actor != AuthorKind::Agent;
    let question = "let these hosts use mem? `mem uninstall` reverts it";
    is_person
        && context.is_interactive()
        && !context.printer.json
        && context.require_confirmation(question, false).is_ok()
}

/// On a terminal the person decides; elsewhere --yes does.
fn is_agreed(args: &Args, steps: &[&mut (SetupStep, bool)], context: &Context) -> Result<bool> {
    if args.yes {
        return Ok(true);
    }
    if !context.is_interactive() || context.printer.json {
        return Ok(false);
    }
    let commands = steps
        .iter()
        .map(|(step, _)| format!("`{}`", clean(&step.command_line())));
    let question = format!("run {}?", commands.collect::<Vec<_>>().join(", "));
    Ok(context.require_confirmation(&question, false).is_ok())
}
