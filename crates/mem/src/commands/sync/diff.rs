//! `mem sync diff`: how one's own notes here differ from the remote's.

use anyhow::Result;
use mem_core::Scope;
use mem_team::error::TeamError;
use mem_team::personal_sync;
use serde_json::{Value, json};

use super::not_own;
use crate::commands::team::diff::{differences_json, of_share, print_differences};
use crate::context::Context;
use crate::exit::Exit;

/// Show how your own notes here differ from the remote's
///
/// As `mem team diff` does: from what the remote was last seen to have to what is here.
///
/// With --json: {"tiers":[{"scope","files":[{"file","diff","why"}]}]}.
///
/// Example: mem sync diff project_freeze.md
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// This file only
    #[arg(value_name = "KEY")]
    key: Option<String>,
    /// Only these of your notes: private or global
    #[arg(long)]
    scope: Option<Scope>,
}

/// Prints the differences, tier by tier.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let own = personal_sync::personal_sync(&place, context)?;
    let is_meant = |scope: Scope| args.scope.is_none_or(|wanted| wanted == scope);
    let mut tiers: Vec<Value> = Vec::new();
    let (mut all, mut missing) = (Vec::new(), None);
    if args.scope == Some(Scope::Team) {
        return Err(not_own());
    }
    for share in own.shares.iter().filter(|share| is_meant(share.tier.0)) {
        let told = match of_share(args.key.as_deref(), share, &place, context) {
            // Another tier may have it.
            Err(error) if is_missing(&error) => {
                missing = Some(error);
                continue;
            }
            told => told?,
        };
        tiers.push(json!({ "scope": share.tier.0.as_str(), "files": differences_json(&told) }));
        all.extend(told);
    }
    if let (Some(error), true) = (missing, tiers.is_empty()) {
        return Err(error);
    }
    if context.printer.json {
        context.printer.print_json(&json!({ "tiers": tiers }))?;
    } else {
        print_differences(&all, context)?;
    }
    Ok(Exit::Ok)
}

fn is_missing(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(TeamError::NoSuchKey { .. }))
}
