//! `mem team`: share the team tier with everybody who works on this repository.

pub(crate) mod delete;
pub(crate) mod diff;
pub(crate) mod join;
pub(crate) mod leave;
pub(crate) mod log;
pub(crate) mod login;
pub(crate) mod logout;
pub(crate) mod redact;
pub(crate) mod resolve;
pub(crate) mod review;
pub(crate) mod setup;
pub(crate) mod share;
pub(crate) mod status;
pub(crate) mod sync;

use anyhow::Result;
use mem_core::location::ProjectContext;
use mem_sync::client::Direction;
use mem_team::deletion::Deletion;
use mem_team::settings;
use mem_team::sync_run::{self, RunOptions};

use self::sync::{pull, push};
use crate::context::Context;
use crate::exit::Exit;
use crate::team::report;
use crate::team::sync_progress::SyncProgress;

crate::table::commands! {
    "Commands" {
        setup => "Say where this repository's team memory is shared",
        join => "Accept what the repository suggests",
        sync => "Take what colleagues wrote, send what is new here",
        pull => "Take what colleagues wrote, send nothing",
        push => "Send what is new here, take nothing",
        status => "Tell what waits and why, without asking the remote",
        share => "Move a private memory to the team",
        review => "Look at what waits here, and let it go",
        resolve => "Decide about texts that gave way",
        diff => "Show how the memories here differ from the remote's",
        log => "Tell who changed what, the newest first",
        delete => "Delete a memory for everybody",
        redact => "Take what a memory held out of the remote's history",
        login => "Keep a token for the server",
        logout => "Forget the token for the server",
        leave => "Share no longer; the files stay",
    }
}

/// Share the team tier with everybody who works on this repository
///
/// What one colleague's agent learnt, every colleague's agent knows. The team tier travels through a
/// git remote that the team has already, or through a server (`mem serve`). Everything that leaves is
/// scanned for secrets first. Without a command this tells how things stand.
///
/// Example: mem team setup --remote git:origin
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Option<Commands>,
}

/// Runs the verb.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    match &args.verb {
        Some(verb) => verb.run(context),
        None => status::run(&status::Args {}, context),
    }
}

/// What all commands that move memories take.
#[derive(clap::Args, Debug)]
pub(crate) struct Moving {
    /// Tell what would be done, and do nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

impl Moving {
    /// Makes a run and tells what it came to.
    fn run_direction(&self, direction: Direction, context: &Context) -> Result<Exit> {
        let place = context.enabled_place()?;
        run_in_place(&place, direction, self.dry_run, None, context)
    }
}

/// The same in a place.
pub(super) fn run_in_place(
    place: &ProjectContext,
    direction: Direction,
    is_dry: bool,
    delete: Option<Deletion<'_>>,
    context: &Context,
) -> Result<Exit> {
    let share = settings::team_share(place, context)?;
    let wanted = RunOptions {
        direction,
        is_dry,
        is_repeated: false,
        delete,
    };
    let run = {
        let _talk = SyncProgress::begin_sync("sharing the team's memory", &share, context);
        sync_run::run(&share, place, context, wanted)?
    };
    report::print_run(&share, &run, is_dry, context)
}
