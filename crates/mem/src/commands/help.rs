//! `mem help`: the commands, or everything about one.

use anyhow::Context as _;

use crate::context::Context;
use crate::exit::Exit;
use crate::usage::UsageError;

/// Explain a command
///
/// Without a name: the commands by what you want to do. Short words that you may know from elsewhere are understood, too:
/// `ls`, `rm`, `mv`, `cat`, `get`, `add`, `find`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The command to explain, such as `save` or `index show`
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
    /// List every command, those for programs too
    #[arg(long, conflicts_with = "command")]
    all: bool,
}

/// Prints the help text that `mem COMMAND --help` prints.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let mut command = crate::cli::root_command();
    if args.all {
        command = command.help_template(crate::help::help_template(true));
    }
    command.build();
    let mut command = &mut command;
    for name in &args.command {
        command = command
            .find_subcommand_mut(name)
            .with_context(|| UsageError::unknown_command(name))?;
    }
    let text = command.render_long_help().ansi().to_string();
    context.printer.line(text.trim_end())?;
    Ok(Exit::Ok)
}
