//! `mem completions`: what a shell needs to complete `mem`'s command lines.

use std::path::PathBuf;

use anyhow::Result;
use clap_complete::Shell;
use mem_core::installed;

use crate::context::Context;
use crate::exit::Exit;
use crate::usage::UsageError;

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
    /// Write it where the shell looks by itself (bash and fish); `mem uninstall` takes it out
    #[arg(long)]
    install: bool,
}

/// Prints the script, made from the same declarations that parse the command line, or installs
/// it.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let script = completion_script(args.shell);
    if !args.install {
        context.printer.raw(&script)?;
        return Ok(Exit::Ok);
    }
    let Some(path) = completion_path(args.shell, context)? else {
        let message = format!(
            "{} looks for completions where its settings say",
            args.shell
        );
        let hint = format!("`mem completions {}` prints the script", args.shell);
        return Err(UsageError::new(message, hint).into());
    };
    let what = format!("{} completions", args.shell);
    installed::install_file(context.dirs()?, &what, &path, &script)?;
    context.say(format_args!("wrote {}", path.display()));
    Ok(Exit::Ok)
}

/// The person's shell, where its completions can be installed and are not yet.
///
/// # Errors
/// There is no home directory.
pub(crate) fn installable_shell(context: &Context) -> Result<Option<(&'static str, PathBuf)>> {
    let login = context.env.get("SHELL").unwrap_or_default();
    let (shell, name) = match login.rsplit('/').next() {
        Some("bash") => (Shell::Bash, "bash"),
        Some("fish") => (Shell::Fish, "fish"),
        _ => return Ok(None),
    };
    let path = completion_path(shell, context)?.filter(|path| !path.exists());
    Ok(path.map(|path| (name, path)))
}

/// Where a shell finds completions without being told; `None` where it has no such place.
fn completion_path(shell: Shell, context: &Context) -> Result<Option<PathBuf>> {
    let home = context.dirs()?.home.clone().unwrap_or_default();
    let under = |variable: &str, default: &str| {
        let set = context.env.get(variable).map(PathBuf::from);
        set.unwrap_or_else(|| home.join(default))
    };
    Ok(match shell {
        Shell::Bash => {
            Some(under("XDG_DATA_HOME", ".local/share").join("bash-completion/completions/mem"))
        }
        Shell::Fish => Some(under("XDG_CONFIG_HOME", ".config").join("fish/completions/mem.fish")),
        _ => None,
    })
}

fn completion_script(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut crate::cli::root_command(), "mem", &mut script);
    script
}
