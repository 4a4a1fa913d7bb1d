//! `mem hook pre-push`: what git runs before it sends anything.

use std::io::{IsTerminal, Read};

use anyhow::Context as _;
use mem_scan::ScanTotals;
use mem_scan::git::HookScan;

use super::blocked;
use crate::context::Context;
use crate::exit::Exit;

/// What git says about a push is at most so long; a line names one reference.
const INPUT_BYTES_MAX: u64 = 256 << 20;

/// Scan what a push would send; git runs this
///
/// Reads the updated references from standard input, as githooks(5) describes, and scans exactly
/// the blobs, added lines, messages and file names that the remote does not have.
///
/// The repository's rules, ignore files, allows and comments count as far as the remote has them
/// already, so that no push allows its own secrets. `mem secrets allow` of a person counts at once.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The remote's name, or its URL where it has no name
    remote: Option<String>,
    /// The remote's URL
    url: Option<String>,
    /// Stop the push when the scan itself breaks
    #[arg(long)]
    strict: bool,
}

/// Scans; exit code 3 stops the push.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let outcome = scan_push(args, context);
    Ok(blocked::end_hook(outcome, "push", args.strict, context))
}

fn scan_push(args: &Args, context: &Context) -> anyhow::Result<ScanTotals> {
    let scan = HookScan::open(context)?;
    let input = read_input(context)?;
    let named = |given: &Option<String>, variable: &str| {
        given
            .clone()
            .or_else(|| context.env.get(variable).map(str::to_owned))
    };
    let remote = named(&args.remote, "PRE_COMMIT_REMOTE_NAME").unwrap_or_default();
    let url = named(&args.url, "PRE_COMMIT_REMOTE_URL").unwrap_or_default();
    Ok(scan.scan_push(&input, &remote, &url)?)
}

/// What git says; the pre-commit framework says it in variables.
fn read_input(context: &Context) -> anyhow::Result<Vec<u8>> {
    let variable = |name| context.env.get(name);
    if let Some(to) = variable("PRE_COMMIT_TO_REF") {
        let zero = "0".repeat(40);
        let from = variable("PRE_COMMIT_FROM_REF").unwrap_or(&zero);
        return Ok(format!("HEAD {to} HEAD {from}\n").into_bytes());
    }
    let stdin = std::io::stdin();
    let mut bytes = Vec::new();
    if !stdin.is_terminal() {
        let mut input = stdin.lock().take(INPUT_BYTES_MAX);
        input
            .read_to_end(&mut bytes)
            .context("cannot read what git says")?;
    }
    Ok(bytes)
}
