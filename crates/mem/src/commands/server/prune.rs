//! `mem server prune`: what a server does every hour, now.

use anyhow::Result;
use mem_server::storage::{OpenOptions, VersionRetention};
use serde_json::json;

use super::place::Where;
use crate::context::Context;
use crate::exit::Exit;

/// End the versions that are kept no longer, and move contents to object storage
///
/// A server does both by itself about every hour. Contents move where MEM_OBJECTS_URL names a storage. What memories
/// are now always stays, and so do the newest versions of each that is not deleted; the others end once they are old
/// enough.
///
/// With --json: {"versions", "moved"}, how many versions ended and contents moved; "moved" only with a storage.
///
/// Example: mem server prune --keep-versions-days 90
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    kept: RetentionArgs,
    #[command(flatten)]
    place: Where,
}

/// How long versions are kept.
#[derive(clap::Args, Debug)]
pub(crate) struct RetentionArgs {
    /// Days that every version of a memory is kept
    #[arg(long, value_name = "DAYS", default_value_t = 30)]
    keep_versions_days: u32,
    /// Versions of a live memory that are kept however old they are
    #[arg(long, value_name = "N", default_value_t = 20)]
    keep_versions: u32,
}

impl RetentionArgs {
    /// The same for the server.
    pub(crate) fn version_retention(&self) -> VersionRetention {
        VersionRetention {
            days: self.keep_versions_days,
            versions: self.keep_versions,
            ..VersionRetention::default()
        }
    }
}

/// Ends them.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    args.place.require_there(context)?;
    let retention = args.kept.version_retention();
    let has_storage = OpenOptions::for_run(context).objects.is_some();
    let done = args.place.with_database(context, async |database| {
        let versions = database.prune(&retention, context.now.0).await?;
        let resource = format!("{versions} versions");
        database
            .note_administration("prune", &resource, context.now.0)
            .await?;
        let moved = database.move_contents(context.now.0).await?;
        anyhow::Ok((versions, moved))
    });
    let (versions, moved) = done?;
    if context.printer.json {
        let mut report = json!({ "versions": versions });
        if has_storage {
            report["moved"] = moved.into();
        }
        context.print_json(&report)?;
    } else {
        context.say(format_args!("{versions} versions ended"));
        if has_storage {
            context.say(format_args!("{moved} contents moved to object storage"));
        }
    }
    Ok(Exit::Ok)
}
