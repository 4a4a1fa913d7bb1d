//! What an erasure is to remove: shown before anything goes, asked for, and told for programs.

use anyhow::Result;
use mem_core::erasure::{Erasure, ErasurePlan};
use mem_core::store::Purge;
use serde_json::{Value, json};

use crate::confirm::RemovalArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use mem_core::plural::{count_files, format_count};

/// What is to go.
pub(crate) struct Removal {
    /// For people.
    pub(crate) lines: Vec<String>,
    /// An object for programs.
    pub(crate) json: Value,
}

impl Removal {
    /// What is to go of this machine.
    pub(crate) fn from_plan(plan: &ErasurePlan) -> Self {
        let mut lines: Vec<String> = plan.directories.iter().map(directory_line).collect();
        lines.retain(|line| !line.is_empty());
        let shown = plan.paths.iter().map(|path| path.to_string_lossy());
        lines.extend(shown.map(|path| clean(&path).into_owned()));
        lines.extend(plan.outside.iter().map(|purge| {
            let line = directory_line(purge);
            format!("outside the host's directories, and asked for by itself: {line}")
        }));
        Self {
            lines,
            json: json!(plan),
        }
    }

    /// Shows it and asks. `false` where it was only to be shown.
    ///
    /// # Errors
    /// The answer is no, or there is nobody to ask.
    pub(crate) fn is_agreed(
        &self,
        question: &str,
        choice: &RemovalArgs,
        context: &Context,
    ) -> Result<bool> {
        for line in self.lines.iter().filter(|_| !context.printer.json) {
            context.line(line)?;
        }
        if !choice.dry_run {
            context.require_confirmation(question, choice.yes)?;
            return Ok(true);
        }
        context.printer.say_outcome("nothing was erased");
        self.report_removal(false, context)?;
        Ok(false)
    }

    /// What came of it, for programs.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn report_removal(&self, erased: bool, context: &Context) -> Result<Exit> {
        if context.printer.json {
            let mut all = self.json.clone();
            all["erased"] = erased.into();
            context.print_json(&all)?;
        }
        Ok(Exit::Ok)
    }
}

/// Asks for every folder outside the host's directories, one by one, whatever `--yes` said: such a folder may hold
/// anything. Without a terminal, and after a no, its files stay.
///
/// # Errors
/// The terminal cannot be read.
pub(crate) fn ask_for_outside(
    erasure: &mut Erasure,
    plan: &ErasurePlan,
    context: &Context,
) -> Result<()> {
    for purge in &plan.outside {
        let folder = purge.directory.to_string_lossy();
        let (folder, count) = (clean(&folder), count_files(purge.files));
        let question = format!("erase {count} of mem's in `{folder}` for good, too?");
        if context.is_interactive() && context.ask_agreement(&question)? {
            erasure.approve(&purge.directory);
            continue;
        }
        let remedy = match context.is_interactive() {
            true => "remove the files by hand where they are to go",
            false => "run this in a terminal to be asked for it, or remove the files by hand",
        };
        context.print_warning(format_args!(
            "`{folder}` stays with {count} of mem's and their history: it is outside the host's directories; {remedy}"
        ));
    }
    Ok(())
}

/// What is said of a directory; nothing where nothing is to be said.
fn directory_line(purge: &Purge) -> String {
    let folder = purge.directory.display();
    let mut lines = Vec::new();
    if purge.files > 0 || !purge.kept.is_empty() {
        let classes = purge.classes.iter().map(|(class, count)| {
            let (one, several) = class.words();
            format_count(*count, one, several)
        });
        let classes = classes.collect::<Vec<_>>().join(", ");
        let classes = match classes.is_empty() {
            true => classes,
            false => format!(" ({classes})"),
        };
        let count = count_files(purge.files);
        lines.push(format!("{folder}: {count}, {} bytes{classes}", purge.bytes));
    }
    lines.extend(purge.state.as_ref().map(|state| {
        let whose = match purge.files {
            0 => format!(" of `{folder}`"),
            _ => String::new(),
        };
        format!("{}: its whole history{whose}", state.display())
    }));
    lines.extend(purge.kept.iter().map(|kept| format!("  stays: {kept}")));
    clean(&lines.join("\n")).into_owned()
}
