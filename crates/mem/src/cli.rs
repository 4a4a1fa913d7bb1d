//! The command line: the root command, and the way from arguments to an exit code.

use std::ffi::OsString;
use std::mem::ManuallyDrop;

use clap::{Arg, ArgAction, ArgMatches, Args, Command};
use serde_json::json;

use crate::commands::{GROUPS, SYNONYMS};
use crate::context::Context;
use crate::error::ErrorShape;
use crate::exit::Exit;
use crate::globals::Globals;
use crate::printer::{OutputError, Printer};
use crate::{audience, help, table, usage};

/// The root command with every subcommand. They stay deferred until one is chosen or the tree is built.
pub(crate) fn root_command() -> Command {
    let root = table::augment_level(GROUPS, bare_root(), |_| true);
    let root = SYNONYMS.into_iter().fold(root, |root, (word, name)| {
        root.mut_subcommand(name, |command| command.visible_alias(word))
    });
    root.help_template(help::help_template(false))
}

fn bare_root() -> Command {
    Globals::augment_args(Command::new("mem"))
        .arg(
            Arg::new("version")
                .short('V')
                .long("version")
                .help("Print version and target")
                .action(ArgAction::SetTrue)
                .hide(true),
        )
        .about("The memory of coding agents: what you and they learn about a repository, as Markdown files")
        .disable_help_subcommand(true)
}

/// Parses the arguments with the subcommands that they name: all sixty take longer to build than `mem path` to run.
/// Where that fails, the whole tree says what is wrong, so that a hint or a help text knows every command.
fn parse_args(args: &[OsString]) -> Result<ArgMatches, clap::Error> {
    let is_named = |name: &str| args.iter().skip(1).any(|arg| arg == name);
    let root = bare_root().subcommand_required(true);
    let named = table::augment_level(GROUPS, root, is_named);
    named
        .try_get_matches_from(args)
        .or_else(|_| root_command().try_get_matches_from(args))
}

/// Parses, runs, and tells what went wrong.
pub(crate) fn run(args: &[OsString]) -> Exit {
    // Installers and hooks ask for it often, and the tree of commands takes longer to build than the answer.
    if let [_, flag] = args
        && (flag == "--version" || flag == "-V")
    {
        let printer = Printer::new(&Globals::default());
        return print_version(&printer)
            .unwrap_or_else(|error| print_failure(&error.into(), &printer));
    }
    let parsed = parse_args(args);
    let globals = match &parsed {
        Ok(matches) => Globals::collect_flags(matches),
        Err(_) => Globals::peek_flags(args),
    };
    let printer = Printer::new(&globals);
    let result = match parsed {
        Ok(matches) => dispatch_command(matches, &globals),
        Err(error) => usage::answer_usage(&error, &printer).map_err(Into::into),
    };
    result.unwrap_or_else(|error| print_failure(&error, &printer))
}

/// Runs the chosen command.
fn dispatch_command(matches: ArgMatches, globals: &Globals) -> anyhow::Result<Exit> {
    let printer = Printer::new(globals);
    if matches.get_flag("version") {
        return Ok(print_version(&printer)?);
    }
    // The program ends with it: freeing it piece by piece would take a tenth of what `mem path` does.
    let context = ManuallyDrop::new(Context::new(globals, printer)?);
    if matches.subcommand_name().is_none() {
        return crate::commands::status::run_bare(&context);
    }
    run_chosen(matches, &context)
}

/// Runs one more command in the same world, for a command that consists of others.
///
/// # Errors
/// The command's own.
pub(crate) fn run_step(words: &[String], context: &Context) -> anyhow::Result<Exit> {
    let name = String::from("mem");
    let matches = root_command().try_get_matches_from(std::iter::once(&name).chain(words))?;
    run_chosen(matches, context)
}

/// Runs the command that was chosen, if whoever runs this may.
fn run_chosen(mut matches: ArgMatches, context: &Context) -> anyhow::Result<Exit> {
    audience::check_audience(&matches, context)?;
    let (entry, mut inner) = table::take_chosen(GROUPS, &mut matches)?;
    (entry.run)(&mut inner, context)
}

/// Tells an error. That the reader of stdout went away is none.
fn print_failure(error: &anyhow::Error, printer: &Printer) -> Exit {
    if let Some(output) = error.downcast_ref::<OutputError>()
        && output.is_closed_pipe()
    {
        return Exit::Ok;
    }
    let diagnosis = ErrorShape::from_error(error);
    diagnosis.print_error(printer);
    diagnosis.exit
}

/// Prints which `mem` this is.
fn print_version(printer: &Printer) -> Result<Exit, OutputError> {
    let version = env!("CARGO_PKG_VERSION");
    let target = format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS);
    printer.print_answer(
        &json!({ "version": version, "target": target }),
        format_args!("mem {version} ({target})"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls `check` with every command of the full tree and its path.
    fn walk(command: &Command, path: &str, check: &mut impl FnMut(&Command, &str)) {
        check(command, path);
        for inner in command.get_subcommands() {
            walk(inner, &format!("{path} {}", inner.get_name()), check);
        }
    }

    #[test]
    fn the_declarations_are_consistent() {
        root_command().debug_assert();
    }

    #[test]
    fn every_command_and_argument_has_help() {
        let mut root = root_command();
        root.build();
        walk(&root, "mem", &mut |command, path| {
            assert!(command.get_about().is_some(), "`{path}` has no help text");
            for arg in command.get_arguments() {
                assert!(
                    arg.get_help().is_some(),
                    "`{path}`: {} has no help",
                    arg.get_id()
                );
            }
        });
    }
}
