//! `mem hook pre-commit`: what git runs before it commits.

use mem_scan::git::HookScan;

use super::blocked;
use crate::context::Context;
use crate::exit::Exit;

/// Scan what is staged; git runs this
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Stop the commit when the scan itself breaks
    #[arg(long)]
    strict: bool,
}

/// Scans; exit code 3 stops the commit.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let outcome = HookScan::open(context).and_then(|scan| scan.scan_commit());
    let outcome = outcome.map_err(anyhow::Error::from);
    Ok(blocked::end_hook(outcome, "commit", args.strict, context))
}
