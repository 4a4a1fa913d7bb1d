//! `mem trust`: let a repository's own settings name the memory directory.

use mem_core::{project, trust};
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;

/// Let this repository say where its memory is kept
///
/// A repository can bring settings along (`autoMemoryDirectory` in `.claude/settings.json`) that
/// move the memory directory, so that what you save ends where its authors want it. mem ignores
/// that, with a warning, until you trust the repository. Your home, your keys and the system's
/// directories stay refused.
///
/// The secret rules and the allowlist of a trusted repository also count for texts that go into
/// shared memory. Trust is kept outside of the repository, for its path on this machine, and
/// allows nothing else.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Take trust back
    #[arg(long, group = "what")]
    revoke: bool,
    /// List what you trust
    #[arg(long, group = "what")]
    list: bool,
}

/// Grants, revokes or lists trust.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let (dirs, printer) = (context.dirs()?, &context.printer);
    if args.list {
        return list_trusted(context);
    }
    let root = project::find(&context.cwd, &context.env)?.root;
    let changed = if args.revoke {
        trust::revoke(dirs, &root)?
    } else {
        trust::grant(dirs, &root, context.now)?
    };
    let shown = root.to_string_lossy();
    if printer.json {
        printer
            .print_json(&json!({ "root": shown, "trusted": !args.revoke, "changed": changed }))?;
        return Ok(Exit::Ok);
    }
    let shown = clean(&shown);
    printer.line(match (args.revoke, changed) {
        (true, true) => format!("`{shown}` is no longer trusted"),
        (true, false) => format!("`{shown}` was not trusted"),
        (false, true) => {
            format!("`{shown}` is trusted: its settings may name the memory directory")
        }
        (false, false) => format!("`{shown}` is trusted already"),
    })?;
    if !args.revoke {
        printer.say("`mem path` shows where memory is now; `mem trust --revoke` takes it back");
    }
    Ok(Exit::Ok)
}

fn list_trusted(context: &Context) -> anyhow::Result<Exit> {
    let (trusted, printer) = (trust::all(context.dirs()?), &context.printer);
    if printer.json {
        let list = trusted
            .iter()
            .map(|(root, since)| json!({ "root": root, "since": since }));
        let list: Vec<_> = list.collect();
        printer.print_json(&json!({ "repositories": list }))?;
    } else if trusted.is_empty() {
        printer.say("no repository is trusted");
    }
    if !printer.json {
        for (root, since) in &trusted {
            printer.line(format_args!("{since}  {}", clean(root)))?;
        }
    }
    Ok(Exit::Ok)
}
