//! `mem config edit`: the file itself.

use mem_core::{Config, config, project, state_file};

use crate::context::Context;
use crate::editor;
use crate::exit::Exit;

/// Open config.toml in your editor
///
/// A new file holds every key with its explanation and its default, commented out. What you leave
/// behind is checked.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {}

/// Opens the file and checks it afterwards.
pub(crate) fn run(_: &Args, context: &Context) -> anyhow::Result<Exit> {
    let (dirs, printer) = (context.dirs()?, &context.printer);
    let file = dirs.config_file();
    if !file.exists() {
        state_file::write(&file, config::template().as_bytes())?;
    }
    let root = project::find(&context.cwd, &context.env)?.root;
    let load = || Config::load(dirs, &context.env, Some(&root), &[]);
    // A file that cannot be read is what the editor is there for.
    editor::open_editor(context, load().ok().as_ref(), &file)?;
    let config = load()?;
    super::secret::warn_all(&config, printer);
    for warning in config.warnings {
        printer.print_warning(warning);
    }
    Ok(Exit::Ok)
}
