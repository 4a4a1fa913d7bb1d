//! `mem server prune`: the end of old versions, now.

use anyhow::Result;
use serde_json::json;

use super::kept::RetentionArgs;
use super::place::Where;
use crate::context::Context;
use crate::exit::Exit;

/// End the versions that are kept no longer
///
/// A server does this by itself about every hour. What memories are now always stays, and so do the newest
/// versions of each that is not deleted; the others end once they are old enough.
///
/// With --json: {"versions"}, how many ended.
///
/// Example: mem server prune --keep-versions-days 90
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    kept: RetentionArgs,
    #[command(flatten)]
    place: Where,
}

/// Ends them.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    args.place.require_there(context)?;
    let retention = args.kept.version_retention();
    let versions = args.place.with_database(context, async |database| {
        let versions = database.prune(&retention, context.now.0).await?;
        let resource = format!("{versions} versions");
        database
            .note_administration("prune", &resource, context.now.0)
            .await?;
        Ok(versions)
    });
    let versions = versions?;
    if context.printer.json {
        context.print_json(&json!({ "versions": versions }))?;
    } else {
        let text = format_args!("{versions} versions ended");
        context.say(text);
    }
    Ok(Exit::Ok)
}
