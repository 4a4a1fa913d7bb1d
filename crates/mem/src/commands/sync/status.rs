//! `mem sync status`: how one's own notes stand, from what is known here.

use anyhow::Result;
use mem_team::personal_sync;
use mem_team::share_status::ShareStatus;
use serde_json::{Value, json};

use crate::commands::team::status::{status_json, status_lines};
use crate::context::Context;
use crate::exit::Exit;

/// Tell what waits and why, without asking the remote
///
/// With --json: {"tiers":[{"scope", and what `mem team status --json` says}],"left_out"}.
///
/// Example: mem sync status
#[derive(clap::Args, Debug)]
pub(crate) struct Args {}

/// Prints it, tier by tier.
pub(crate) fn run(_: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let own = personal_sync::personal_sync(&place, context)?;
    let printer = &context.printer;
    let mut tiers: Vec<Value> = Vec::new();
    for share in &own.shares {
        let standing = ShareStatus::for_share(share, &place, context)?;
        if !printer.json {
            for line in status_lines(share, &standing, context) {
                printer.line(line)?;
            }
        }
        let mut tier = status_json(share, &standing);
        tier["scope"] = json!(share.tier.0.as_str());
        tiers.push(tier);
    }
    if printer.json {
        printer.print_json(&json!({ "tiers": tiers, "left_out": own.left_out }))?;
    } else if let Some(why) = &own.left_out {
        printer.print_warning(format_args!(
            "the private notes of this repository stay here: {why}"
        ));
    }
    Ok(Exit::Ok)
}
