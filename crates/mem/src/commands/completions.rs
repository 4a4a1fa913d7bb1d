//! `mem completions`: what a shell needs to complete `mem`'s command lines.

use clap_complete::Shell;

use crate::context::Context;
use crate::exit::Exit;

/// Print a completion script for a shell
///
/// Put it where the shell looks for such scripts, for example:
///
///   mem completions bash > ~/.local/share/bash-completion/completions/mem
///   mem completions zsh > ~/.zfunc/_mem
///   mem completions fish > ~/.config/fish/completions/mem.fish
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The shell to complete for
    shell: Shell,
}

/// Prints the script, made from the same declarations that parse the command line.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::cli::root(), "mem", &mut script);
    context.printer.raw(&script)?;
    Ok(Exit::Ok)
}
