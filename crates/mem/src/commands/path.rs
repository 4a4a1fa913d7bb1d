//! `mem path`: where memory lives.

use std::borrow::Cow;
use std::path::Path;

use mem_core::alias_dirs;
use mem_core::location::Location;
use serde::Serialize;

use crate::context::Context;
use crate::exit::Exit;

/// Print where memory lives
///
/// Prints the memory directory of this repository, or one of its neighbours. None of them needs
/// to exist. `--json` says everything about the place at once.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The directory of team memory
    #[arg(long, group = "which")]
    team: bool,
    /// The directory of your own notes across repositories
    #[arg(long, group = "which")]
    global: bool,
    /// The directory of the daily logs
    #[arg(long, group = "which")]
    logs: bool,
}

/// The stable shape of `--json`.
#[derive(Serialize)]
struct PathShape<'l> {
    project_root: Cow<'l, str>,
    slug: &'l str,
    memory_dir: Cow<'l, str>,
    source: &'l str,
    global_dir: Cow<'l, str>,
    team_dir: Cow<'l, str>,
    enabled: bool,
    disabled_by: Option<&'l str>,
    warnings: &'l [String],
    twins: Vec<String>,
}

/// Prints one path, or all there is to say.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let place = context.place()?;
    let location = place.location;
    if context.printer.json {
        let twins = alias_dirs::find(&place.project, &location, context.dirs()?);
        let twins = twins.into_iter().map(|twin| twin.slug).collect();
        context.printer.print_json(&path_shape(&location, twins))?;
        return Ok(Exit::Ok);
    }
    let path = match args {
        Args { team: true, .. } => &location.team_dir,
        Args { global: true, .. } => &location.global_dir,
        Args { logs: true, .. } => &location.logs_dir,
        _ => &location.memory_dir,
    };
    // The exact bytes: the answer is there to be changed into.
    let mut line = path.as_os_str().as_encoded_bytes().to_vec();
    line.push(b'\n');
    context.printer.raw(&line)?;
    Ok(Exit::Ok)
}

fn path_shape(location: &Location, twins: Vec<String>) -> PathShape<'_> {
    PathShape {
        project_root: path_text(&location.project_root),
        slug: &location.slug,
        memory_dir: path_text(&location.memory_dir),
        source: location.source.as_str(),
        global_dir: path_text(&location.global_dir),
        team_dir: path_text(&location.team_dir),
        enabled: location.enabled,
        disabled_by: location.disabled_by.as_deref(),
        warnings: &location.warnings,
        twins,
    }
}

/// A path as JSON has it: what is not Unicode is shown as U+FFFD.
fn path_text(path: &Path) -> Cow<'_, str> {
    path.to_string_lossy()
}
