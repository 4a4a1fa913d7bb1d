//! `mem completions`: what a shell needs to complete `mem`'s command lines.

mod candidates;
mod typed_line;

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Result;
use clap_complete::Shell;
use mem_core::installed;
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::usage::UsageError;

/// Print a completion script for a shell
///
/// The scripts of bash, zsh and fish ask mem at each key, and complete the names of memories and settings and the
/// ids of changes too.
///
/// Put it where the shell looks for such scripts, for example:
///
///   mem completions bash > ~/.local/share/bash-completion/completions/mem
///   mem completions zsh > ~/.zfunc/_mem
///   mem completions fish > ~/.config/fish/completions/mem.fish
///
/// With --install and --json: {"path"}.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The shell to complete for
    shell: Shell,
    /// Write it where the shell looks by itself (bash and fish); `mem uninstall` takes it out
    #[arg(long, conflicts_with = "words")]
    install: bool,
    /// For the scripts: the command line up to the cursor
    #[arg(
        long,
        hide = true,
        requires = "words",
        value_name = "LINE",
        allow_hyphen_values = true
    )]
    line: Option<OsString>,
    /// For the scripts: the words of the command line up to the cursor, of which the last is completed
    #[arg(last = true, hide = true, value_name = "WORD")]
    words: Vec<OsString>,
}

/// What a script of a shell has in it.
const BASH: &str = mem_templates::COMPLETIONS_BASH;
const FISH: &str = mem_templates::COMPLETIONS_FISH;
const ZSH: &str = mem_templates::COMPLETIONS_ZSH;

/// Prints the script or installs it; for a script, prints what fits.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    if !args.words.is_empty() {
        context.printer.raw(&fitting_lines(args, context))?;
        return Ok(Exit::Ok);
    }
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
    let printer = &context.printer;
    printer.say_outcome(format_args!("wrote {}", path.display()));
    if printer.json {
        printer.print_json(&json!({ "path": path.to_string_lossy() }))?;
    }
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

/// The script of a shell; one that cannot ask is made from the declarations that parse the command line.
fn completion_script(shell: Shell) -> Vec<u8> {
    match shell {
        Shell::Bash => BASH.into(),
        Shell::Fish => FISH.into(),
        Shell::Zsh => ZSH.into(),
        _ => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut crate::cli::root_command(), "mem", &mut script);
            script
        }
    }
}

/// What fits, a line each: in bash the part that replaces the word at the cursor, in others the word, and what is said
/// of it after a tab.
fn fitting_lines(args: &Args, context: &Context) -> Vec<u8> {
    let Some(line) = &args.line else {
        let found = candidates::fitting_candidates(&args.words, context);
        let text = |one: candidates::Candidate| match one.about {
            Some(about) => format!("{}\t{about}\n", one.value),
            None => format!("{}\n", one.value),
        };
        return found.into_iter().map(text).collect::<String>().into_bytes();
    };
    let typed = typed_line::typed_words(&line.to_string_lossy());
    let words: Vec<OsString> = typed.iter().map(OsString::from).collect();
    let last = typed.last().map_or("", String::as_str);
    let word = args.words.first().map(|word| word.to_string_lossy());
    let word = word.as_deref().unwrap_or_default();
    let found = candidates::fitting_candidates(&words, context);
    let text = |one: &candidates::Candidate| {
        let mut text = typed_line::replacement(&one.value, last, word);
        text.push('\n');
        text
    };
    found.iter().map(text).collect::<String>().into_bytes()
}
